// Estimates which share of the documented checks a run could judge on each host. The share is exact where every
// operation was sampled; otherwise the sample stands for the rest.

import { operationById } from '../../catalog/catalog.ts';
import type { Host, Operation } from '../../catalog/operation.ts';
import type { PlannedCheck } from '../../engine/judgement.ts';
import { planOf } from '../../engine/run/plan.ts';
import { operationsOf } from '../../engine/run/result.ts';
import { silentProfile } from '../../engine/target/profile.ts';
import type { Target } from '../../engine/target/target.ts';
import { is2xx } from '../../engine/values/status.ts';
import type { Sampled } from './observe-operation.ts';
import { hasPlainOperation } from './sample-operations.ts';

/** Plain data, of one host. */
export interface Share {
  /** 0 to 1. */
  readonly judged: number;
  /** How many operations the profile does not leave out, how many of them were decided (`told`), and are served. */
  readonly operations: number;
  readonly told: number;
  readonly served: number;
  /** Ids of the operations known not to be served. */
  readonly missing: readonly string[];
  /** The share if the missing operations were left out, and if the unknown words were given. */
  readonly ifOmitted: number;
  readonly ifWorded: number;
}

export interface Facts {
  /** Documented checks of operations that are meant. */
  readonly checks: readonly PlannedCheck[];
  /** Operations that the profile does not leave out. */
  readonly meant: readonly Operation[];
  /** The sampled operations of all hosts. */
  readonly sampled: readonly Sampled[];
  /** Ids of the operations that were drawn, in contrast to those that are always looked at. */
  readonly drawn: ReadonlySet<string>;
  readonly signedIn: boolean;
  /** Hosts besides the main API's that refuse calls, whichever session could be sent with them. */
  readonly walled: ReadonlySet<Host>;
}

/** How likely a run can judge whether an operation is served (`routed`), and its other checks (`open`). */
interface Odds {
  readonly routed: number;
  readonly open: number;
}

/** Fewest sampled operations from which the rest is estimated. */
export const fewest = 5;

/** Undefined where no check of this host applies, or too little is known of it. */
export function shareOf(host: Host, facts: Facts): Share | undefined {
  const meant = facts.meant.filter((operation) => operation.host === host);
  const samples = facts.sampled.filter((sample) => sample.host === host);
  const decidedOperations = samples.filter(({ seen }) => seen !== 'untold');
  const missing = decidedOperations.filter(isMissing).map(({ id }) => id);
  const judged = shareIf(host, facts);
  const worded = (sample: Sampled) => (sample.reason === 'word-unknown' ? servedAll(sample) : sample);
  if (judged === undefined || decidedOperations.length < Math.min(fewest, meant.length)) return undefined;
  return {
    judged,
    operations: meant.length,
    told: decidedOperations.length,
    served: decidedOperations.filter(({ seen }) => seen === 'served').length,
    missing,
    ifOmitted: shareIf(host, { ...facts, checks: without(facts.checks, new Set(missing)) }) ?? 1,
    ifWorded: shareIf(host, { ...facts, sampled: facts.sampled.map(worded) }) ?? judged,
  };
}

/** The share if every operation that is missing were left out, of those too that were not sampled. */
export function shareOfServed(host: Host, facts: Facts): number | undefined {
  const missing = new Set(facts.sampled.filter(isMissing).map(({ id }) => id));
  const checks = without(facts.checks, missing);
  const sampled = facts.sampled.filter(({ id }) => !missing.has(id));
  return shareIf(host, { ...facts, checks, sampled });
}

const isMissing = ({ seen, reason }: Sampled) =>
  seen === 'unrouted' || reason === 'unknown-resource' || reason === 'word-unknown';
const servedAll = ({ id, host }: Sampled): Sampled => ({ id, host, seen: 'served', status: 200 });

function shareIf(host: Host, facts: Facts): number | undefined {
  const checks = facts.checks.filter((check) => check.host === host);
  if (checks.length === 0) return undefined;
  const odds = oddsBy(facts);
  const sum = checks.reduce((total, check) => total + likelihood(check, odds, facts.signedIn), 0);
  return sum / checks.length;
}

function likelihood(check: PlannedCheck, odds: (id: string) => Odds, signedIn: boolean): number {
  const ids = operationsOf(check);
  if (check.id.endsWith('#routed')) return odds(ids[0] ?? '').routed;
  if (!signedIn && check.clause === logoutClause) return 0;
  return Math.min(...ids.map((id) => odds(id).open));
}

/** Checks of this clause need somebody signed in. */
const logoutClause = 'auth.logout';

/** The odds of an operation; for one that was not sampled, the mean of the drawn ones. */
function oddsBy({ sampled, drawn, signedIn, walled }: Facts): (id: string) => Odds {
  const oddsById = new Map(
    sampled.flatMap((sample) =>
      sample.seen === 'untold'
        ? []
        : [[sample.id, oddsOf(sample, signedIn, walled.has(sample.host))] as const],
    ),
  );
  const means = new Map<string, Odds>();
  const like = (operation: Operation): Odds => {
    const isLike = [
      (other: Operation) => drawn.has(other.id) && isRead(other) === isRead(operation),
      (other: Operation) => drawn.has(other.id),
      () => true,
    ];
    const all = [...oddsById].flatMap(([id, odds]) => {
      const other = operationById(id);
      return other?.host === operation.host ? [{ other, odds }] : [];
    });
    const found = isLike
      .map((fits) => all.filter(({ other }) => fits(other)))
      .find((some) => some.length > 0);
    return found === undefined ? { routed: 1, open: 1 } : meanOf(found.map(({ odds }) => odds));
  };
  return (id) => {
    const operation = operationById(id);
    const ownOdds = oddsById.get(id);
    if (ownOdds !== undefined || operation === undefined) return ownOdds ?? { routed: 1, open: 1 };
    if (isLeftOpen(operation, sampled)) return { routed: 0, open: 0 };
    const key = `${operation.host} ${isRead(operation)}`;
    const mean = means.get(key) ?? like(operation);
    means.set(key, mean);
    return mean;
  };
}

/**
 * Whether a run leaves open that this operation is missing, on a host that serves nothing: unrouted paths get another
 * answer than 404 to its method, or its own 404 may mean a missing resource, and its area is not known to be dead.
 */
function isLeftOpen(operation: Operation, sampled: readonly Sampled[]): boolean {
  const samples = sampled.filter(({ host }) => host === operation.host);
  if (samples.some(({ seen }) => seen === 'served')) return false;
  const vague = samples.filter(({ reason }) => reason === 'catch-all');
  if (operation.mayBe404 !== 'never') return vague.length > 0 || !hasPlainOperation(operation);
  return vague.some(({ id }) => (operationById(id)?.method === 'GET') === (operation.method === 'GET'));
}

const isRead = ({ effect }: Operation) => effect === 'read';

const meanOf = (all: readonly Odds[]): Odds => ({
  routed: all.reduce((sum, { routed }) => sum + routed, 0) / all.length,
  open: all.reduce((sum, { open }) => sum + open, 0) / all.length,
});

/** A file can be judged only if it is delivered; a call of the API by any answer that does not refuse the caller. */
function oddsOf({ host, seen, status, reason }: Sampled, signedIn: boolean, isWalled: boolean): Odds {
  const routed = (seen === 'served' || seen === 'unrouted') && reason === undefined ? 1 : 0;
  const succeeds = is2xx(status);
  const isRefused = status === 401 || status === 403;
  const isLog = host === 'gamelogs' && !isWalled;
  const isOpen = host === 'cdn' || isWalled || !signedIn ? succeeds || isLog : !isRefused;
  return { routed, open: seen === 'served' && isOpen ? 1 : 0 };
}

/** The checks that judge none of these operations. */
const without = (checks: readonly PlannedCheck[], ids: Pick<ReadonlySet<string>, 'has'>) =>
  checks.filter((check) => !operationsOf(check).some((id) => ids.has(id)));

// The checks that a run would ask, by its own plan; its judged share counts these.

/** Plans all checks. Loads the suites only when called, since that takes time. */
export async function plannedChecks(): Promise<readonly PlannedCheck[]> {
  const { everySuite } = await import('../run/suites.ts');
  return planOf(everySuite, { only: [] }).checks;
}

/** The checks that apply to a target: their hosts are given, and the profile leaves none of their operations out. */
export function applying(
  checks: readonly PlannedCheck[],
  { hosts, profile }: Pick<Target, 'hosts' | 'profile'>,
): PlannedCheck[] {
  const isGiven = (id: string) => {
    const host = operationById(id)?.host;
    return host !== undefined && hosts[host] !== undefined;
  };
  return without(checks, profile?.omitted ?? silentProfile.omitted).filter((check) =>
    operationsOf(check).every(isGiven),
  );
}
