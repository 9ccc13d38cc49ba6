// Checks that an answer made for one player is not marked for shared caches.
import { areas } from '../../catalog/catalog.ts';
import type { Operation } from '../../catalog/operation.ts';
import { sameContent } from '../../engine/compare/content.ts';
import { createContrast } from '../../engine/compare/contrast.ts';
import { nobody } from '../../engine/http/ask.ts';
import {
  type Exchange,
  headerAll,
  type Response,
  sameHeaders,
  statusOf,
} from '../../engine/http/exchange.ts';
import { inconclusive, type Judgement, notTriggered, pass, violation } from '../../engine/judgement.ts';
import type { Rule } from '../../engine/probe/check.ts';
import type { Context } from '../../engine/probe/context.ts';
import type { MatcherFinding } from '../../engine/probe/matchers/http-fields.ts';
import { answered, samplesInTurn, successfulAnswer } from '../../engine/probe/prerequisites.ts';
import { switchPoint } from '../../engine/values/switch-points.ts';

export const notPublic: Rule = {
  name: 'private',
  title: 'an answer made for one player is not marked public',
  clause: 'rfc9111.private',
  async judge(operation, context) {
    const missing = context.noSession();
    if (missing !== undefined) return inconclusive('no-session', missing);
    const gate = await successfulAnswer(operation, context);
    const anonymous = answered(await context.ask(operation, { as: nobody }));
    if (sameContent(gate.exchange, anonymous.exchange)) return notTriggered('anybody gets the same answer');
    const found = sharedCaching(gate.response);
    if (!found) return pass(gate.exchange);
    const whose = await madeForOne(operation, context);
    const shared = violation(found.expected, found.actual, gate.exchange);
    if (whose === true) return shared;
    // New players have the same, and will not for long.
    return whose.kind === 'not-applicable' && holdings.has(operation)
      ? { ...shared, level: 'inferred' }
      : whose;
  },
};

/** What each player has of their own, though two new players have the same. */
const holdings: ReadonlySet<Operation> = new Set([
  areas.general.currencies,
  areas.general.entitlements,
  areas.general.inventories,
  areas.game.inventories,
  areas.messages.list,
  areas.players.blocked,
]);

/**
 * Marked for all, and nobody has it without signing in: it may still be one answer for everybody who does.
 * Another player's answers beside one's own, until what changes by itself leaves no difference.
 */
async function madeForOne(operation: Operation, context: Context): Promise<true | Judgement> {
  const contrast = createContrast();
  let first: readonly Exchange[] | undefined;
  for await (const samples of samplesInTurn('private', operation, context, (nth) => [
    () => context.ask(operation, { nth }),
    () => context.ask(operation, { as: 'another', nth }),
  ])) {
    const [mine, theirs] = samples;
    if (sameHeaders(mine, theirs))
      return inconclusive('needs-players', 'one player alone cannot show whether all get this answer');
    first ??= samples;
    if (samples.some((seen, at) => statusOf(seen) !== statusOf(first?.[at] ?? seen)))
      return inconclusive('unstable-answers', 'its status changes from call to call', mine);
    // Another status with the same body shows no other player's data.
    if (![...contrast([mine], [theirs])].some((part) => part.startsWith('body')))
      return notTriggered('two players get the same answer');
  }
  return true;
}

/**
 * A Cache-Control that lets a shared cache hand this answer to somebody else. `private` and `no-store` take
 * precedence, and a cache that varies by credential keeps players apart.
 */
export const sharedCaching = switchPoint(function sharedCaching(
  response: Response,
): MatcherFinding | undefined {
  const directives = headerAll(response, 'cache-control')
    .join(',')
    .toLowerCase()
    .split(',')
    .map((part) => part.trim());
  const directiveLike = (pattern: RegExp) => directives.find((directive) => pattern.test(directive));
  const shared = directiveLike(/^public$/) ?? directiveLike(/^s-maxage="?0*[1-9]/);
  if (shared === undefined || directiveLike(/^(private|no-store)\b/)) return undefined;
  if (/(^|,)\s*(\*|authorization|cookie)\s*(,|$)/i.test(headerAll(response, 'vary').join(',')))
    return undefined;
  return {
    expected: "an answer with one player's data that only that player's cache may keep",
    actual: `Cache-Control: ${directives.join(', ')}`,
  };
});
