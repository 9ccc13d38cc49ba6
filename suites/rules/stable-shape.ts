// Asks that two reads without a write between them have one shape.
import { clauseById } from '../../catalog/clauses/clauses.ts';
import { mediaType, type Response } from '../../engine/http/exchange.ts';
import { inconclusive, pass, violation } from '../../engine/judgement.ts';
import type { Rule } from '../../engine/probe/check.ts';
import { answered } from '../../engine/probe/gate.ts';
import type { Finding } from '../../engine/probe/matchers/finding.ts';
import { jsonIn } from '../../engine/probe/matchers/json.ts';
import { shapeDifference } from '../../engine/probe/matchers/shape.ts';
import { quiet, quietContent } from './quiet-reads.ts';

export const stableShape: Rule = {
  name: 'stable-shape',
  title: 'two reads without a write between them have one shape',
  clause: () => clauseById('sense.stable-shape'),
  async judge(operation, context) {
    const first = await quietContent(operation, context);
    if (!first.open) return first.judgement;
    const second = answered(await context.ask(operation, quiet(operation, 2)));
    if (!second.open) return second.judgement;
    const found = unlike(first.response, second.response);
    if (!found) return pass(second.exchange);
    // Something may have ended or begun just then: only a shape that has changed again by the third read is unstable.
    const third = answered(await context.ask(operation, quiet(operation, 3)));
    if (!third.open) return third.judgement;
    if (!unlike(second.response, third.response))
      return pass(third.exchange, `it changed once: ${found.actual}`);
    // With few accounts the reader plays in flows too. Files know no players.
    if (context.crowded() && operation.host !== 'cdn')
      return inconclusive(
        'needs-players',
        `a flow may have changed this player between the reads: ${found.actual}`,
        second.exchange,
      );
    return violation(found.expected, found.actual, second.exchange);
  },
};

function unlike(a: Response, b: Response): Finding | undefined {
  const expected = 'the same answer in form each time';
  if (a.status !== b.status) return { expected, actual: `${a.status} once, ${b.status} the other time` };
  const [left, right] = [jsonIn(a), jsonIn(b)];
  if ('value' in left && 'value' in right) return shapeDifference(left.value, right.value);
  const [one, other] = [a, b].map((answer) => mediaType(answer) ?? 'no media type');
  if (one !== other) return { expected, actual: `${one} once, ${other} the other time` };
  return 'value' in left !== 'value' in right
    ? { expected, actual: 'JSON once, something else the other time' }
    : undefined;
}
