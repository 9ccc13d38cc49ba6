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

export const privateRule: Rule = {
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
    // New players own the same, but will soon differ.
    return whose.kind === 'not-applicable' && holdings.has(operation)
      ? { ...shared, level: 'inferred' }
      : whose;
  },
};

/** Operations about what a player owns, although two new players own the same. */
const holdings: ReadonlySet<Operation> = new Set([
  areas.general.currencies,
  areas.general.entitlements,
  areas.general.inventories,
  areas.game.inventories,
  areas.messages.list,
  areas.players.blocked,
]);

/**
 * Whether an answer that is marked public, and that anonymous callers do not get, differs between two signed-in
 * players: samples both until no difference is left that is not a change by itself.
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
 * Finds a Cache-Control that lets a shared cache give this answer to another player. `private` and `no-store` take
 * precedence, and a Vary by credential keeps players apart.
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
