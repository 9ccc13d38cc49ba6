// Assembles the result of a run from its planned checks: checks that did not end get an outcome from how the run ended. Pure.
import { becomes } from '../../catalog/behaviours.ts';
import { allHosts, type Host } from '../../catalog/operation.ts';
import { type InconclusiveReason, judged, outcomes, type PlannedCheck } from '../judgement.ts';
import type { Waiver } from '../target/profile.ts';
import { failsFor, type Gate, gated, gates, steadyDifferences } from './baseline.ts';
import { behavioursOf, type Comparable, compareRuns, type Shortfall } from './changes.ts';
import { applyPins, pinOf } from './pins.ts';
import { unjudgedFlows } from './reasons.ts';
import { rerunCommand } from './rerun.ts';
import type { BaselineAccount, Result, RunResult, Summary, WaiverAccount } from './result.ts';
import { applyWaivers } from './waivers.ts';

export interface Ending {
  readonly ended: RunResult['ended'];
  /** Mistakes that the user has to fix, where they ended the run: then there is no result. */
  readonly mistakes?: readonly string[];
  /** Why checks without a result have none. */
  readonly missing: { readonly reason: InconclusiveReason; readonly detail: string };
}

export const complete: Ending = {
  ended: 'complete',
  missing: { reason: 'interrupted', detail: 'the run ended before it was asked' },
};

export interface RunFacts
  extends Pick<
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
  /** Settings that lead to the target again, for the rerun commands. */
  readonly rerun: string;
  readonly waivers: readonly Waiver[];
  /** Ids of all the checks there are, those that were not selected included. */
  readonly known: readonly string[];
  /** The run that this one is held against. */
  readonly baseline?: RunResult | undefined;
  /** What the profile expects of open points, by check id or glob of ids. */
  readonly expects?: Readonly<Record<string, string>> | undefined;
  /** What keeps the run from judging much, a line each; part of the result where too little was judged. */
  readonly hints?: readonly string[] | undefined;
  /** The last day of the entries that have one. */
  readonly expectsUntil?: Readonly<Record<string, string>> | undefined;
  /** What fails the run where it differs from the baseline; all of it where nothing is said. */
  readonly failOn?: readonly Gate[] | undefined;
  /** What differs, asked again after the run; without a sample no difference counts. */
  readonly samples?: readonly Comparable[] | undefined;
}

/** Every planned check is in the result, in plan order, whatever became of the run. */
export function assemble(
  plan: readonly PlannedCheck[],
  results: ReadonlyMap<string, Result>,
  stated: Ending,
  facts: RunFacts,
): RunResult {
  const {
    rerun: _,
    waivers,
    known,
    baseline,
    nothingReachable = false,
    failOn,
    samples,
    hints = [],
    ...rest
  } = facts;
  const { expects = {}, expectsUntil, unmatched: unseen = [], ...kept } = rest;
  const ending = truly(stated, plan, results);
  const all = plan.map((check) => results.get(check.id) ?? unfinished(check, ending, facts));
  const today = facts.startedAt.slice(0, 10);
  const pinned = applyPins(all, expects, known, facts, { today, until: expectsUntil });
  const unmatched = [...unseen, ...pinned.problems];
  const waived = applyWaivers(pinned.checks, { waivers, known, today });
  const judgedShare = judgedShares(waived.checks);
  const { ended } = ending;
  const held = holdAgainst(
    baseline,
    { ...kept, checks: waived.checks, judgedShare, ended },
    { failOn, samples, expects },
  );
  const checks = held?.checks ?? waived.checks;
  const standing: Standing = {
    ended,
    why: ending.missing.detail,
    checks,
    judgedShare,
    // A rerun asks only checks that failed or were inconclusive, so their share is no sample of a host.
    minJudged: facts.options.rerun ? 0 : facts.options.minJudged,
    waivers: waived.accounts,
    since: held,
    nothingReachable,
    unmatched,
    incidents: facts.incidents ?? [],
  };
  return {
    schema: 'assay.result/1',
    ...kept,
    ...(unmatched.length > 0 && { unmatched }),
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

/** Corrects an ending of `complete`: a worker that left checks out has died, and one that hit the budget has run out of it. */
function truly(stated: Ending, plan: readonly PlannedCheck[], results: ReadonlyMap<string, Result>): Ending {
  if (stated.ended !== 'complete') return stated;
  if (plan.some(({ id }) => !results.has(id))) return { ...stated, ended: 'worker-died' };
  return plan.some(({ id }) => results.get(id)?.reason === 'budget')
    ? { ...stated, ended: 'budget' }
    : stated;
}

function unfinished(
  check: PlannedCheck,
  { missing }: Ending,
  { target, startedAt, rerun, options }: RunFacts,
): Result {
  const rest = { rerun: rerunCommand(rerun, check.id, options), startedAt, durationMs: 0 };
  if (target[check.host] !== undefined) return { ...check, outcome: 'inconclusive', ...missing, ...rest };
  const detail = `no URL was given for the ${check.host} host`;
  return { ...check, outcome: 'not-applicable', reason: 'host-not-given', detail, ...rest };
}

/** Per host: of the documented-level checks, applicable and not waived, the share that was judged, 0 to 1. */
export function judgedShares(checks: readonly Result[]): Partial<Record<Host, number>> {
  const shares: Partial<Record<Host, number>> = {};
  for (const host of allHosts) {
    const counted = checks.filter(
      (check) =>
        check.host === host &&
        check.level === 'documented' &&
        check.outcome !== 'not-applicable' &&
        check.waived === undefined,
    );
    if (counted.length > 0)
      shares[host] = counted.filter(({ outcome }) => judged.has(outcome)).length / counted.length;
  }
  return shares;
}

function counts(
  checks: readonly Result[],
): Pick<RunResult['headline'], 'operations' | 'served' | 'answered2xx'> {
  const passed = (rule: string) =>
    checks.filter(({ id, outcome }) => id.endsWith(`#${rule}`) && outcome === 'pass').length;
  // Steps use further operations, which no `routed` check covers.
  const operations = checks.filter(
    ({ id, outcome }) => id.endsWith('#routed') && outcome !== 'not-applicable',
  ).length;
  return { operations, served: passed('routed'), answered2xx: passed('answers') };
}

interface Held {
  /** Failures that the baseline has too are marked as known. */
  readonly checks: readonly Result[];
  readonly account: BaselineAccount;
  /** Something of what `--fail-on` names was found. */
  readonly fails: boolean;
  readonly shortfalls: readonly Shortfall[];
}

/** @returns undefined where there is no baseline */
function holdAgainst(
  baseline: RunResult | undefined,
  run: Comparable,
  { failOn = gates, samples = [], expects = {} }: Pick<RunFacts, 'failOn' | 'samples' | 'expects'>,
): Held | undefined {
  if (baseline === undefined) return undefined;
  const { kinds, shortfalls, behaviours } = compareRuns(baseline, run);
  const steady = steadyDifferences(baseline, run, samples);
  const pinned = (id: string) => pinOf(expects, id) !== undefined;
  const found = gated(baseline, run, { failOn, steady, pinned });
  const { worse, unjudgedBefore, since, unsteady, accepted } = found;
  const lost = [...since].flatMap(([id, { gate }]) => (gate === 'unjudged' ? [id] : []));
  const notOld = new Set([...worse, ...unjudgedBefore]);
  const earlier = new Map(baseline.checks.map((check) => [check.id, check.exchange]));
  const checks = run.checks.map((check): Result => {
    const [difference, exchange] = [since.get(check.id), earlier.get(check.id)];
    if (difference !== undefined)
      return { ...check, since: { ...difference, ...(exchange && { exchange }) } };
    return check.outcome !== 'fail' || check.waived || notOld.has(check.id)
      ? check
      : { ...check, known: true };
  });
  return {
    checks,
    shortfalls,
    fails: failsFor(found, failOn),
    account: {
      startedAt: baseline.startedAt,
      runId: baseline.runId,
      ...(failOn !== gates && { failOn }),
      worse,
      ...(unjudgedBefore.length > 0 && { unjudgedBefore }),
      ...(lost.length > 0 && { noLongerJudged: lost }),
      ...(unsteady.length > 0 && { unsteady }),
      ...(accepted.length > 0 && { accepted }),
      knownFailures: checks.filter(({ known }) => known).length,
      repaired: kinds.repaired.length,
      ...(behaviours.length > 0 && { behaviours }),
    },
  };
}

interface Standing {
  readonly ended: RunResult['ended'];
  /** Why it ended, where it was cut off. */
  readonly why: string;
  readonly checks: readonly Result[];
  readonly judgedShare: RunResult['judgedShare'];
  /** Percent. */
  readonly minJudged: number;
  readonly waivers: readonly WaiverAccount[];
  /** The outcome of the comparison with the baseline, where there is one. */
  readonly since: Held | undefined;
  /** No host answered. */
  readonly nothingReachable: boolean;
  /** Pointers of the profile that matched in no answer, although there were answers: checks that need them had no value. */
  readonly unmatched: readonly string[];
  /** Incidents of the hosts. */
  readonly incidents: readonly string[];
}

/** Exit code 3 outranks 1: a defect of Assay comes before a failure of the target. */
function exitCode(standing: Standing): number {
  const { ended } = standing;
  if (ended === 'interrupted') return 130;
  if (ended === 'worker-died' || stumbled(standing) > 0) return 3;
  if (standing.nothingReachable) return 2;
  const isRight = ended === 'complete' && hasJudged(standing) && !doesFail(standing);
  const fits = outdated(standing) === 0 && standing.unmatched.length === 0;
  // A server that broke down under test is no green one, even if it came back and all was judged.
  const stayed = standing.incidents.length === 0;
  return isRight && fits && stayed && tooShort(standing).length === 0 ? 0 : 1;
}

/** Of so many operations not one is there: the server is rather another one. */
const wholeArea = 20;
function isNothingServed({ checks }: Standing): boolean {
  const routed = checks.filter(({ id, outcome }) => id.endsWith('#routed') && outcome !== 'not-applicable');
  return routed.length >= wholeArea && routed.every(({ outcome }) => outcome === 'fail');
}

const stumbled = ({ checks }: Standing) => checks.filter(({ outcome }) => outcome === 'harness-error').length;
const hasJudged = ({ checks }: Standing) => checks.some(({ outcome }) => judged.has(outcome));
const outdated = ({ waivers }: Standing) => waivers.filter(({ problem }) => problem !== undefined).length;
const waived = ({ checks }: Standing) => checks.filter((check) => check.waived !== undefined).length;

/** Failures that nobody waived. */
const failing = ({ checks }: Standing) =>
  checks.filter((check) => check.outcome === 'fail' && check.waived === undefined).length;

/** With a baseline, what differs from it counts, and no failure that it has too. */
const doesFail = (standing: Standing) => standing.since?.fails ?? failing(standing) > 0;

/** Hosts of which too little was judged; with a baseline, only where that got worse. */
function tooShort({ judgedShare, minJudged, since }: Standing): (readonly [Host, number])[] {
  if (since) return since.shortfalls.map(({ host, after }) => [host, after] as const);
  return (Object.entries(judgedShare) as [Host, number][]).filter(([, share]) => share < minJudged / 100);
}

const endings: Readonly<Partial<Record<RunResult['ended'], string>>> = {
  interrupted: 'Interrupted: what had not ended is listed as inconclusive.',
  budget: 'Out of time: what was not asked within the budget is listed as inconclusive.',
  'worker-died': 'Assay itself broke off: the worker that runs the checks died.',
  bail: 'Stopped early, as --bail asked.',
};

/** The verdict: a sentence per problem, or one where there is none; then the incidents of the hosts. */
function verdictSentence(standing: Standing): string {
  const incidents = standing.incidents.map((line) => `${line}.`);
  return [verdictOf(standing), ...incidents].join(' ');
}

function verdictOf(standing: Standing): string {
  const { ended, why, minJudged, since } = standing;
  if (standing.nothingReachable && ended === 'complete') return 'Nothing was judged: no host answers.';
  const parts: string[] = [];
  const cutOff = endings[ended];
  if (cutOff !== undefined) parts.push(ended === 'worker-died' ? `${cutOff} ${why}` : cutOff);
  const errors = stumbled(standing);
  if (errors > 0) parts.push(`Assay itself failed in ${plural(errors, 'check')}.`);
  const bad = failing(standing);
  if (since) parts.push(...sinceThen(since));
  else if (bad > 0) {
    const excused = waived(standing);
    const more = excused === 0 ? '' : ` (${excused} more ${excused === 1 ? 'is' : 'are'} waived)`;
    parts.push(`Does not conform: ${plural(bad, 'check')} failed${more}.`);
  }
  const stale = outdated(standing);
  if (stale > 0)
    parts.push(`${plural(stale, 'waiver')} in the profile ${stale === 1 ? 'is' : 'are'} out of date.`);
  const { unmatched } = standing;
  if (unmatched.length > 0)
    parts.push(
      `The profile does not fit: ${unmatched[0]}${unmatched.length > 1 ? `, and ${unmatched.length - 1} more` : ''}.`,
    );
  // A user who asked to stop early knows that not all was judged.
  for (const [host, share] of ended === 'bail' ? [] : tooShort(standing)) {
    const found = Math.floor(share * 100 + 1e-9);
    parts.push(
      `Too little could be judged on ${host}: ${found} % of its documented checks, ${minJudged} % are needed.`,
    );
  }
  if (!hasJudged(standing) && parts.length === 0) parts.push('Nothing could be judged.');
  if (isNothingServed(standing))
    parts.push('Nothing is served: check the URLs and their paths; npm run doctor says what answers.');
  if (parts.length > 0) return parts.join(' ');
  return standing.incidents.length > 0 ? 'A host went away while it was judged.' : praise(standing);
}

/** Sentences about changes since the baseline; nothing where none of them fails the run. */
function sinceThen(since: Held): string[] {
  if (!since.fails) return [];
  const { worse: found, unjudgedBefore = [], failOn = gates, noLongerJudged: lost = [] } = since.account;
  const [worse, unjudged] = failOn.includes('worse') ? [found, unjudgedBefore] : [[], []];
  const changed = since.checks.filter((check) => check.since?.gate === 'changed');
  const fail = `${plural(unjudged.length, 'check')} ${unjudged.length === 1 ? 'fails' : 'fail'}`;
  return [
    ...(worse.length > 0 ? [`Got worse than ${runOf(since)}: ${plural(worse.length, 'check')}.`] : []),
    ...(changed.length > 0 ? [`Behaves otherwise than in ${runOf(since)}: ${whatChanged(changed)}.`] : []),
    ...(unjudged.length > 0 ? [`${fail} that ${runOf(since)} did not judge: it was cut off.`] : []),
    ...(lost.length > 0
      ? [`${plural(lost.length, 'check')} ${lost.length === 1 ? 'is' : 'are'} no longer judged.`]
      : []),
  ];
}

const mostNamed = 3;

/** What people notice of the changes, those of whole flows first; many operations that changed alike are one. */
function whatChanged(changed: readonly Result[]): string {
  const noticed = changed.map(({ id, title, since, behaviour = '' }) =>
    id.endsWith('#shape') || since === undefined ? title : becomes(id, title, since.before, behaviour),
  );
  const flows = noticed.filter((_, at) => changed[at]?.id.includes('/'));
  const named = [...new Set([...flows, ...noticed])];
  const more = named.length - mostNamed;
  const rest = more > 0 ? [`and ${plural(more, 'more change')}`] : [];
  return `${plural(changed.length, 'behaviour')}: ${[...named.slice(0, mostNamed), ...rest].join('; ')}`;
}

function praise(standing: Standing): string {
  const excused = waived(standing);
  const { since } = standing;
  if (since) {
    const { knownFailures, repaired } = since.account;
    const rest = [
      ...(knownFailures > 0 ? [plural(knownFailures, 'known failure')] : []),
      ...(excused > 0 ? [`${excused} waived`] : []),
      ...(repaired > 0 ? [`${repaired} repaired`] : []),
    ];
    return `Nothing got worse than ${runOf(since)}${rest.length === 0 ? '' : `: ${rest.join(', ')}`}.`;
  }
  if (excused > 0) return `Conforms, but for ${plural(excused, 'waived failure')}.`;
  const warned = standing.checks.filter(({ outcome }) => outcome === 'warn').length;
  const sentence =
    warned > 0
      ? `Conforms, with ${plural(warned, 'warning')}.`
      : 'Conforms: nothing that was judged breaks a rule.';
  return [sentence, ...unjudgedFlows(standing.checks)].join(' ');
}

const runOf = ({ account }: Held) => `the run of ${account.startedAt.slice(0, 16).replace('T', ' ')} UTC`;
const plural = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;
