// Checks of the queue, ranks and utilities: the general rules, and that versions are compared as numbers.
import { queue, ranks, utils } from '../catalog/areas/queue-ranks-utils.ts';
import { clauseById } from '../catalog/clauses/clauses.ts';
import { type Exchange, isSuccess } from '../engine/http/exchange.ts';
import { notTriggered, pass, warning } from '../engine/judgement.ts';
import { check } from '../engine/probe/check.ts';
import { namedVersions, versionIn } from '../engine/probe/matchers/version.ts';
import { successfulAnswer } from '../engine/probe/prerequisites.ts';
import { areaSuite } from './rules/rules.ts';

const numbered = /^\d+(?:[._-]\d+)+$/;
const byNumber = new Intl.Collator('en', { numeric: true });

interface Apart {
  /** The pattern that all versions of the group match; undefined where no pattern is needed. */
  readonly pattern: string | undefined;
  readonly highest: string;
  /** The highest where versions are compared as text. */
  readonly asText: string;
}

/** Groups of versions whose highest differs as text and as numbers: all versions, and those with one first part. */
function apartAsText(versions: readonly string[]): Apart[] {
  const all = versions.filter((version) => numbered.test(version));
  const groups = [[undefined, all] as const, ...Map.groupBy(all, (version) => version.split(/[._-]/, 1)[0])];
  return groups.flatMap(([pattern, [first, ...others]]) => {
    if (first === undefined) return [];
    const highest = others.reduce((a, b) => (byNumber.compare(b, a) > 0 ? b : a), first);
    const asText = others.reduce((a, b) => (b > a ? b : a), first);
    return highest === asText ? [] : [{ pattern, highest, asText }];
  });
}

/** A server may recommend an older version, but if it gives the highest as text, it compares versions as text. */
const versionOrder = check(
  utils.contentVersionOf,
  'version-order',
  clauseById('sense.version-order'),
  'gives the highest of the versions that fit, by number',
  async (context) => {
    const { exchange } = await successfulAnswer(utils.contentVersion, context);
    const found = apartAsText(namedVersions(exchange));
    if (found.length === 0) return notTriggered('it names no versions that are in another order as text');
    let right: Exchange | undefined;
    for (const { pattern, highest, asText } of found) {
      const patterns = pattern === undefined ? [undefined] : [pattern, `${pattern}.*`, `${pattern}.x`];
      for (const versionPattern of patterns) {
        const answer =
          versionPattern === undefined
            ? exchange
            : await context.ask(utils.contentVersionOf, { params: { versionPattern } });
        const given = answer.response && isSuccess(answer) ? versionIn(answer.response) : undefined;
        if (given?.kind !== 'version' || ![asText, highest].includes(given.value)) continue;
        const asked = versionPattern === undefined ? '' : ` for ${versionPattern}`;
        if (given.value === asText)
          return warning(`${highest}${asked}, the highest that is named`, asText, answer);
        right = answer;
        break;
      }
    }
    return right ? pass(right) : notTriggered('it gives none of the two that may be the highest');
  },
);

export default areaSuite('queue, ranks, utils', { ...queue, ...ranks, ...utils }, versionOrder);
