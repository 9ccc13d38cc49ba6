// Checks that a query name with brackets means the same raw and percent-encoded.
import { outline, sameOutline } from '../../engine/compare/content.ts';
import { inconclusive, notTriggered, pass, violation } from '../../engine/judgement.ts';
import type { Rule } from '../../engine/probe/check.ts';
import { labelledJson } from '../../engine/probe/matchers/json.ts';
import { answered, samplesInTurn, successfulAnswer } from '../../engine/probe/prerequisites.ts';

export const brackets: Rule = {
  name: 'brackets',
  title: 'takes [] in a query name raw as well as percent-encoded',
  clause: 'sense.brackets',
  async judge(operation, context) {
    const encoded = await successfulAnswer(operation, context);
    const raw = answered(await context.ask(operation, { rawBrackets: true }));
    // RFC 3986 allows no raw brackets in a query, and some firewalls enforce that. Their refusal is not JSON.
    if ([400, 403].includes(raw.response.status) && !labelledJson(raw.response))
      return notTriggered(
        `raw brackets are refused before the application sees them (${raw.response.status})`,
      );
    if (sameOutline(encoded.exchange, raw.exchange)) return pass(raw.exchange);
    // A shape that differs each time shows nothing about brackets; `stable-shape` judges that.
    for await (const [again, rawAgain] of samplesInTurn('brackets', operation, context, (nth) => [
      () => context.ask(operation, { nth }),
      () => context.ask(operation, { rawBrackets: true, nth }),
    ])) {
      if (!sameOutline(encoded.exchange, again) || sameOutline(encoded.exchange, rawAgain))
        return inconclusive('unstable-answers', 'the shape of its answer changes from call to call', again);
    }
    return violation(
      `as percent-encoded: ${outline(encoded.exchange)}`,
      `raw: ${outline(raw.exchange)}`,
      raw.exchange,
    );
  },
};
