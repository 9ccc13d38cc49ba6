// Checks that a declared content coding decodes, and gives the same content as an uncoded answer.
import type { Operation } from '../../catalog/operation.ts';
import { createContrast } from '../../engine/compare/contrast.ts';
import type { Exchange, Response } from '../../engine/http/exchange.ts';
import { notTriggered, pass, violation, warning } from '../../engine/judgement.ts';
import type { Rule } from '../../engine/probe/check.ts';
import type { Context } from '../../engine/probe/context.ts';
import type { MatcherFinding } from '../../engine/probe/matchers/http-fields.ts';
import { type Answered, answered, samplesInTurn } from '../../engine/probe/prerequisites.ts';
import { switchPoint } from '../../engine/values/switch-points.ts';
import { quiet, quietContent } from '../shared/quiet-reads.ts';

/** The headers of a client that accepts the codings that every client knows. */
export const acceptCodings = { headers: [['accept-encoding', 'gzip, br']] } as const;

/** Repeats the first quiet read with these headers. */
export const codedRead = async (operation: Operation, context: Context): Promise<Answered> =>
  answered(await context.ask(operation, quiet(operation, 1, acceptCodings)));

export const coding: Rule = {
  name: 'coding',
  title: 'a declared content coding decodes to the same content',
  clause: 'rfc9110.coding',
  async judge(operation, context) {
    const plain = await quietContent(operation, context);
    const coded = await codedRead(operation, context);
    const broken = undecodable(coded.response) ?? undeclared(plain.response, coded.response);
    if (broken) {
      const verdict = 'unknown' in broken && broken.unknown ? warning : violation;
      return verdict(broken.expected, broken.actual, coded.exchange);
    }
    if (coded.response.wire.coding === undefined) return notTriggered('it uses no content coding');
    const part = await differingPart(operation, context, plain.exchange, coded.exchange);
    return part === undefined
      ? pass(coded.exchange)
      : violation('the content of the uncoded answer', `other content: ${part}`, coded.exchange);
  },
};

/** A part of the content that differs between coded and uncoded answers in every sample; undefined where none does. */
async function differingPart(operation: Operation, context: Context, plain: Exchange, coded: Exchange) {
  const contrast = createContrast();
  let [part] = contrast([plain], [coded]);
  if (part === undefined) return undefined;
  for await (const [again, codedAgain] of samplesInTurn('coding', operation, context, (nth) => [
    () => context.ask(operation, quiet(operation, nth)),
    () => context.ask(operation, quiet(operation, nth, acceptCodings)),
  ])) {
    [part] = contrast([again], [codedAgain]);
    if (part === undefined) return undefined;
  }
  return part;
}

/** Finds a declared coding that does not decode the bytes. An unknown coding is a finding that only warns. */
export const undecodable = switchPoint(function undecodable({
  wire,
}: Response): (MatcherFinding & { readonly unknown: boolean }) | undefined {
  if (wire.codingError === undefined) return undefined;
  return {
    expected: `bytes that decode as the declared coding "${wire.coding}"`,
    actual: wire.codingError,
    unknown: wire.codingError.startsWith('unknown coding'),
  };
});

const looksGzip = (body: Uint8Array) => body[0] === 0x1f && body[1] === 0x8b && body[2] === 0x08;

/** Finds compressed bytes that no Content-Encoding names, where the plain answer is not gzip itself. */
export function undeclared(plain: Response, coded: Response): MatcherFinding | undefined {
  if (coded.wire.coding !== undefined || !looksGzip(coded.body) || looksGzip(plain.body)) return undefined;
  return {
    expected: 'Content-Encoding: gzip on a body that is compressed',
    actual: 'gzip bytes without a Content-Encoding',
  };
}
