// Applies waivers: failures that a profile excuses until a day. A waived check runs like any other, and stays a
// failure. Pure.
import { knownClause } from '../../catalog/clauses/clauses.ts';
import type { Outcome } from '../judgement.ts';
import type { Waiver } from '../target/profile.ts';
import { globMatches, nearest, quoted } from '../values/text.ts';
import { typedWith } from '../values/typed-command.ts';
import type { Result, WaiverAccount } from './result.ts';

export interface WaiverFacts {
  readonly waivers: readonly Waiver[];
  /** Ids of all checks, including those that are not part of this run. */
  readonly known: readonly string[];
  /** YYYY-MM-DD in UTC, the day the run began: a waiver holds through the day it names. */
  readonly today: string;
  /** The run has a baseline, so a new warning fails it: then waivers excuse warnings too. */
  readonly isCompared?: boolean;
}

interface Waived {
  readonly checks: readonly Result[];
  /** One per waiver, in the profile's order. */
  readonly accounts: readonly WaiverAccount[];
}

/** Whether a waiver in force matches this check; during the run, its failure is then not counted. */
export const isWaived = (id: string, waivers: readonly Waiver[], today: string): boolean =>
  waivers.some(({ check, expires }) => today <= expires && globMatches(check, id));

/** Marks failures, and with a baseline warnings, that a waiver in force matches; reports problems of the waivers. */
export function applyWaivers(
  checks: readonly Result[],
  { waivers, known, today, isCompared = false }: WaiverFacts,
): Waived {
  if (waivers.length === 0) return { checks, accounts: [] };
  const results = new Map(checks.map((check) => [check.id, check]));
  const matched = waivers.map((waiver) => ({
    waiver,
    ids: known.filter((id) => globMatches(waiver.check, id)),
  }));
  const excuses = new Map<string, Waiver>();
  for (const { waiver, ids } of matched.toReversed()) {
    if (today <= waiver.expires) for (const id of ids) excuses.set(id, waiver);
  }
  const marked = checks.map((check) => {
    const isExcusable = check.outcome === 'fail' || (isCompared && check.outcome === 'warn');
    const excuse = isExcusable ? excuses.get(check.id) : undefined;
    if (excuse === undefined) return check;
    const { reason, link, expires } = excuse;
    return { ...check, waived: { reason, link, expires } };
  });
  return {
    checks: marked,
    accounts: matched.map(({ waiver, ids }) => {
      const counts = count(ids.map((id) => results.get(id)));
      const isInForce = today <= waiver.expires;
      const problem = problemOf(waiver, ids.length, counts, isInForce, known);
      const waived = isInForce ? counts.failing + (isCompared ? counts.warning : 0) : 0;
      return { ...waiver, waived, ...(problem !== undefined && { problem }) };
    }),
  };
}

interface Counts {
  readonly failing: number;
  /** Violations that warn: they fail under --strict. */
  readonly warning: number;
  readonly fine: number;
}

function count(results: readonly (Result | undefined)[]): Counts {
  const asked = results.filter((result) => result !== undefined);
  const of = (outcome: Outcome) => asked.filter((result) => result.outcome === outcome).length;
  return { failing: of('fail'), warning: of('warn'), fine: asked.filter(isFine).length };
}

/** Whether the check was judged, and there is nothing to waive. */
const isFine = ({ outcome, reason }: Result) =>
  outcome === 'pass' || outcome === 'observed' || reason === 'not-triggered' || reason === 'left-out';

/** Why a waiver is out of date; never because its checks were not judged or not part of this run. */
function problemOf(
  { check, expires }: Waiver,
  matched: number,
  { failing, warning, fine }: Counts,
  isInForce: boolean,
  known: readonly string[],
): string | undefined {
  const name = `waiver ${quoted(check)}`;
  if (matched === 0) {
    if (knownClause(check)) return `${name} is a clause; ${typedWith('explain')} ${check} names its checks`;
    const [near] = nearest(check, known, 1);
    return `${name} matches no check; mend it${near === undefined ? '' : ` (nearest: ${near})`} or delete it`;
  }
  const isViolated = failing + warning > 0;
  if (!isInForce && isViolated) return `${name} expired on ${expires}; mend the failure or give a later date`;
  if (!isInForce && fine > 0) return `${name} expired on ${expires} and is no longer needed; delete it`;
  if (fine < matched) return undefined;
  const what = matched === 1 ? 'its check does not fail' : `none of its ${matched} checks fails`;
  return `${name} is no longer needed, ${what} any more; delete it`;
}
