// Assembles the result of a run from its planned checks; one that did not end gets its outcome from the ending. Pure.
import { type InconclusiveReason, type Outcome, outcomes, type PlannedCheck } from '../judgement.ts';
import type { Waiver } from '../target/profile.ts';
import { compareWithBaseline, type HoldOptions } from './baseline.ts';
import { behavioursOf } from './compare-runs.ts';
import { applyPins } from './pins.ts';
import type { Rerun } from './rerun.ts';
import { judgedShares, type Result, type RunResult, ruleOf, type Summary } from './result.ts';
import { exitCode, tooShort, type VerdictFacts, verdictSentence } from './run-verdict.ts';
import { applyWaivers } from './waivers.ts';

export interface Ending {
  readonly ended: RunResult['ended'];
  /** Mistakes that the user has to fix, where they ended the run without a result. */
  readonly mistakes?: readonly string[];
  /** Why checks without a result have none. */
  readonly missing: { readonly reason: InconclusiveReason; readonly detail: string };
}

export const complete: Ending = {
  ended: 'complete',
  missing: { reason: 'interrupted', detail: 'the run ended before it was asked' },
};

export interface RunFacts
  extends HoldOptions,
    Pick<
      RunResult,
      | 'target'
      | 'startedAt'
      | 'durationMs'
      | 'seed'
      | 'runId'
      | 'options'
      | 'preflight'
      | 'requests'
      | 'leftBehind'
      | 'unmatched'
      | 'incidents'
      | 'latency'
      | 'noise'
    > {
  /** No host that was given answered: there was nothing to judge. */
  readonly nothingReachable?: boolean;
  /** Makes the command that runs a check again. */
  readonly rerun: Rerun;
  readonly waivers: readonly Waiver[];
  /** Ids of all the checks there are, those that were not selected included. */
  readonly known: readonly string[];
  /** In a rerun, the outcome of each check in the run that it repeats, by id. */
  readonly earlier?: ReadonlyMap<string, Outcome> | undefined;
  /** The baseline that this run is compared with. */
  readonly baseline?: RunResult | undefined;
  /** What keeps the run from judging more, a line each; part of the result where too little was judged. */
  readonly hints?: readonly string[] | undefined;
  /** The last day of those entries of `expects` that have one. */
  readonly expectsUntil?: Readonly<Record<string, string>> | undefined;
}

/** Makes the result, with every planned check in plan order, however the run ended. */
export function assemble(
  plan: readonly PlannedCheck[],
  results: ReadonlyMap<string, Result>,
  reported: Ending,
  facts: RunFacts,
): RunResult {
  const {
    rerun: _,
    waivers,
    known,
    earlier,
    baseline,
    nothingReachable = false,
    failOn,
    samples,
    hints = [],
    ...rest
  } = facts;
  const { expects = {}, expectsUntil, unmatched: unseen = [], ...kept } = rest;
  const ending = correctedEnding(reported, plan, results);
  const all = plan.map((check) => results.get(check.id) ?? unfinished(check, ending, facts));
  const today = facts.startedAt.slice(0, 10);
  const pinned = applyPins(all, expects, known, facts, { today, until: expectsUntil });
  const unmatched = [...unseen, ...pinned.problems];
  const waived = applyWaivers(pinned.checks, {
    waivers,
    known,
    today,
    isCompared: baseline !== undefined,
  });
  const judgedShare = judgedShares(waived.checks);
  const { ended } = ending;
  const held = compareWithBaseline(
    baseline,
    { ...kept, checks: waived.checks, judgedShare, ended },
    { failOn, samples, expects },
  );
  const checks = held?.checks ?? waived.checks;
  const asPinned = checks.filter(
    ({ id, outcome }) => outcome === 'observed' && pinned.asPinned.has(id),
  ).length;
  const standing: VerdictFacts = {
    ended,
    why: ending.missing.detail,
    checks,
    judgedShare,
    options: facts.options,
    waivers: waived.accounts,
    earlier,
    since: held,
    nothingReachable: nothingReachable || isOutOfReach(checks),
    unmatched,
    incidents: facts.incidents ?? [],
  };
  return {
    schema: 'assay.result/1',
    ...kept,
    ...(unmatched.length > 0 && { unmatched }),
    ...(asPinned > 0 && { asPinned }),
    ...(hints.length > 0 && tooShort(standing).length > 0 && { hints }),
    ended,
    exitCode: exitCode(standing),
    summary: Object.fromEntries(
      outcomes.map((outcome) => [outcome, checks.filter((check) => check.outcome === outcome).length]),
    ) as Summary,
    headline: { ...counts(checks), verdict: verdictSentence(standing) },
    judgedShare,
    ledger: behavioursOf(checks, facts),
    waivers: waived.accounts,
    ...(held && { baseline: held.account }),
    checks,
  };
}

/** Whether none of the hosts that the checks need was reached. */
function isOutOfReach(checks: readonly Result[]): boolean {
  const reasons = new Set(
    checks.flatMap(({ outcome, reason }) => (outcome === 'not-applicable' ? [] : [reason])),
  );
  return reasons.size === 1 && reasons.has('unreachable');
}

/** Corrects `complete`: a worker that left checks out has died, and one with checks over the budget ran out of it. */
function correctedEnding(
  reported: Ending,
  plan: readonly PlannedCheck[],
  results: ReadonlyMap<string, Result>,
): Ending {
  if (reported.ended !== 'complete') return reported;
  if (plan.some(({ id }) => !results.has(id))) return { ...reported, ended: 'worker-died' };
  return plan.some(({ id }) => results.get(id)?.reason === 'budget')
    ? { ...reported, ended: 'budget' }
    : reported;
}

function unfinished(
  check: PlannedCheck,
  { missing }: Ending,
  { target, startedAt, rerun }: RunFacts,
): Result {
  const rest = {
    rerun: rerun(check),
    startedAt,
    durationMs: 0,
  };
  if (target[check.host] !== undefined) return { ...check, outcome: 'inconclusive', ...missing, ...rest };
  const detail = `no URL was given for the ${check.host} host`;
  return { ...check, outcome: 'not-applicable', reason: 'host-not-given', detail, ...rest };
}

function counts(
  checks: readonly Result[],
): Pick<RunResult['headline'], 'operations' | 'served' | 'answered2xx'> {
  const passed = (rule: string) =>
    checks.filter(({ id, outcome }) => ruleOf(id) === rule && outcome === 'pass').length;
  // Steps use further operations, which no `routed` check covers.
  const operations = checks.filter(
    ({ id, outcome }) => ruleOf(id) === 'routed' && outcome !== 'not-applicable',
  ).length;
  return { operations, served: passed('routed'), answered2xx: passed('answers') };
}
