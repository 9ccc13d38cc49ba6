// The parts of a run that all reports share: its headline in words, its flows, and what fails it besides its checks.

import { operationById } from '../../catalog/catalog.ts';
import type { Host } from '../../catalog/operation.ts';
import type { HostNoise } from '../../engine/compare/noise.ts';
import { alreadyUsed } from '../../engine/flow/used-up.ts';
import { judged, type Outcome, outcomes } from '../../engine/judgement.ts';
import {
  endings,
  flowOf,
  isStep,
  type Result,
  type RunResult,
  ruleOf,
  tooLittleJudged,
  type WaiverAccount,
} from '../../engine/run/result.ts';
import { counted, inSeconds, percent, whole } from '../../engine/values/text.ts';
import { typed } from '../../engine/values/typed-command.ts';
import { words } from './outcomes.ts';

/** What `headline` calls `judged`, as reports label it. */
export const judgedLabel = 'documented checks judged';

/** A run in a few lines of words. */
export function headline(result: RunResult) {
  const { operations, served, answered2xx, verdict } = result.headline;
  const leftOutCount = leftOut(result);
  const besides = leftOutCount > 0 ? ` (${whole(leftOutCount)} left out by the profile)` : '';
  const scope = [
    ...(hasRule(result, 'routed')
      ? [`${whole(served)} of ${whole(operations)} operations served${besides}`]
      : []),
    ...(hasRule(result, 'answers') ? [`${whole(answered2xx)} answered 2xx`] : []),
    `${counted(result.checks.length, 'check')} in ${inSeconds(result.durationMs)}`,
  ];
  const seen = outcomes.filter((outcome) => result.summary[outcome] > 0);
  const wordOf = (outcome: Outcome) =>
    outcome === 'harness-error' ? `stumbled (${words[outcome]})` : words[outcome];
  const countOf = (outcome: Outcome) =>
    `${whole(result.summary[outcome])} ${wordOf(outcome)}${besidesOf[outcome]?.(result) ?? ''}`;
  const shares = Object.entries(result.judgedShare).map(([host, share]) => `${host} ${percent(share)}`);
  return {
    /** The verdict sentence. */
    verdict,
    /** Operations served, operations that answered 2xx, number of checks, time. */
    scope: scope.join(' · '),
    /** Checks by outcome, without the outcomes that no check had. */
    outcomes: seen.map(countOf).join(' · '),
    /** How much of what the document states was judged, per host; empty where nothing applied. */
    judged: shares.join(' · '),
  };
}

/** What --strict does, and what it leaves as it is; undefined for a run that was not strict. */
export function strictLine({ options, summary }: Pick<RunResult, 'options' | 'summary'>): string | undefined {
  if (!options.strict) return undefined;
  return `--strict: inferred clauses fail · RFC clauses that no client notices still warn (${whole(summary.warn)}) · open points are recorded alone (${whole(summary.observed)}), and fail where the profile pins them: ${typed('accept')}`;
}

/** How many checks are about what earlier runs with the same players used up; undefined where none is. */
export function usedLine({ checks }: Pick<RunResult, 'checks'>): string | undefined {
  const found = checks.filter(({ behaviour }) => behaviour === alreadyUsed).length;
  if (found === 0) return undefined;
  return `already used: ${counted(found, 'check')} ${found === 1 ? 'is' : 'are'} about what a player can do once, and these players had done it; new login tokens let ${found === 1 ? 'it' : 'them'} be judged`;
}

/** The median in ms from which on an operation is slow. */
const slowMs = 1_000;
/** How many times that of the other operations of its host it has to be: a host may be slow as a whole. */
const timesOthers = 10;
/** Fewest other operations that show what is usual on a host. */
const fewestOthers = 3;

/** The slowest operation that takes far longer than others of its host; undefined where none does. */
export function slowestLine({ latency = {} }: Pick<RunResult, 'latency'>): string | undefined {
  const medians = Object.entries(latency).flatMap(([id, [, , ms]]) => {
    const host = operationById(id)?.host;
    return host === undefined ? [] : [{ id, host, ms }];
  });
  const usualBeside = (one: { readonly id: string; readonly host: Host }) => {
    const others = medians.filter(({ id, host }) => host === one.host && id !== one.id);
    const middle = others.toSorted((a, b) => a.ms - b.ms)[Math.floor(others.length / 2)];
    return others.length < fewestOthers ? undefined : middle?.ms;
  };
  for (const one of medians.filter(({ ms }) => ms >= slowMs).sort((a, b) => b.ms - a.ms)) {
    const usual = usualBeside(one);
    if (usual !== undefined && one.ms >= timesOthers * usual)
      return `slowest: ${one.id} ${inSeconds(one.ms)}, where others of ${one.host} take ${Math.max(1, Math.round(usual))} ms`;
  }
  return undefined;
}

/** How the answers of each host vary by themselves, one line per host: `base: answers are cached for 2.0 s`. */
export const noiseLines = ({ noise = {} }: Pick<RunResult, 'noise'>): readonly string[] =>
  Object.entries(noise).map(([host, each]) => `${host}: ${noiseOf(each).join(', ')}`);

/** The same lines for hosts whose answers do vary, and whether something is to be done about it. */
export const noisyLines = ({ noise = {} }: Pick<RunResult, 'noise'>): readonly string[] =>
  Object.entries(noise).flatMap(([host, each]) => {
    const allowed = each.passingErrors === undefined ? ' (Assay allows for that; nothing to do)' : '';
    return isNoisy(each) ? [`${host}: ${noiseOf(each).join(', ')}${allowed}`] : [];
  });

/** Shortest time in ms that is shown: in tenths of a second, a shorter one would be 0. */
const leastShownMs = 50;

const isNoisy = ({ machines, copiesLiveMs, lagMs, wanders, passingErrors }: HostNoise) =>
  passingErrors !== undefined ||
  machines > 1 ||
  Math.max(copiesLiveMs, lagMs) >= leastShownMs ||
  wanders.length > 0;

const mostNamed = 4;

/** The names of fields come from the target: one that is not a plain name is shown in result.json only. */
const inPlainWords = (name: string) =>
  /^[\w $./~:+-]{1,80}$/.test(name) ? name : 'a member of another name';

function noiseOf(noise: HostNoise): readonly string[] {
  const { repeats, machines, copiesLiveMs, lagMs, wanders, passingErrors } = noise;
  if (!isNoisy(noise)) return [`nothing changed by itself in ${counted(repeats, 'repeated answer')}`];
  const named = wanders.slice(0, mostNamed).map(inPlainWords).join(', ');
  const more = wanders.length > mostNamed ? ` and ${whole(wanders.length - mostNamed)} more` : '';
  return [
    ...(passingErrors === undefined
      ? []
      : [
          `${counted(passingErrors.errors, 'call')} of ${whole(passingErrors.calls)} met a server error that did not come again (mend that first: whatever fails below may have met one)`,
        ]),
    ...(machines > 1 ? [`answers as from ${whole(machines)} machines`] : []),
    ...(copiesLiveMs >= leastShownMs ? [`answers are cached for ${inSeconds(copiesLiveMs)}`] : []),
    ...(lagMs >= leastShownMs ? [`reads follow writes within ${inSeconds(lagMs)}`] : []),
    ...(wanders.length > 0
      ? [`${named}${more} ${wanders.length === 1 ? 'changes by itself' : 'change by themselves'}`]
      : []),
  ];
}

/** Whether the run asked a rule: where it did not, a count of zero would read as a verdict. */
export const hasRule = ({ checks }: Pick<RunResult, 'checks'>, rule: string): boolean =>
  checks.some(({ id }) => ruleOf(id) === rule);

/** Operations that the profile leaves out: they are not among those that are counted. */
export const leftOut = ({ checks }: Pick<RunResult, 'checks'>): number =>
  checks.filter(({ id, reason }) => ruleOf(id) === 'routed' && reason === 'left-out').length;

/** What is said beside the number of checks of an outcome. */
const besidesOf: { readonly [K in Outcome]?: (run: RunResult) => string } = {
  fail: excused,
  observed: pinned,
};

/** `, all as pinned`: open points of which the profile holds the server to its choice. */
function pinned({ asPinned = 0, summary: { observed } }: RunResult): string {
  if (asPinned === 0) return '';
  return asPinned === observed ? ', all as pinned' : `, ${whole(asPinned)} of them as pinned`;
}

/** ` (2 waived, 1 known)`: failures that do not count. */
function excused({ checks }: RunResult): string {
  const waived = checks.filter((check) => check.outcome === 'fail' && check.waived !== undefined).length;
  const known = checks.filter((check) => check.known !== undefined).length;
  const parts = [
    ...(waived > 0 ? [`${whole(waived)} waived`] : []),
    ...(known > 0 ? [`${whole(known)} known`] : []),
  ];
  return parts.length === 0 ? '' : ` (${parts.join(', ')})`;
}

// Each flow as a line of steps, in the order in which they are played.

export interface FlowLine {
  readonly name: string;
  readonly steps: readonly Result[];
}

/** The flows of a run, by their names. */
export function flowsOf(checks: readonly Result[]): FlowLine[] {
  const steps = checks.filter(({ id }) => isStep(id));
  const flows = Map.groupBy(steps, ({ id }) => flowOf(id));
  return [...flows].map(([name, steps]) => ({ name, steps })).sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** What was left out, or cannot apply, was not played. */
export const wasPlayed = ({ outcome }: Result): boolean => outcome !== 'not-applicable';

export const isPlayed = ({ steps }: FlowLine): boolean => steps.some(wasPlayed);

/** Whether a step of the flow failed, warned or could not be judged. */
export const isTroubled = ({ steps }: FlowLine): boolean =>
  steps.some(({ outcome }) => !['pass', 'observed', 'not-applicable'].includes(outcome));

// Lists what fails a run without failing a check: a reader of checks alone would take the run for green.

export interface RunTrouble {
  /** `assay: too little judged` */
  readonly name: string;
  readonly verdict: string;
}

/**
 * What fails the run besides its checks; undefined where the run is green, or its failures explain it.
 * @param isShown whether something else in the report is red
 */
export function runTrouble(run: RunResult, isShown: boolean): RunTrouble | undefined {
  if (run.exitCode === 0) return undefined;
  const whys = reasonsOf(run);
  if (whys.length === 0 && isShown) return undefined;
  if (whys.length === 0) whys.push(run.exitCode === 3 ? 'Assay itself failed' : 'not green');
  return { name: `assay: ${whys.join(', ')}`, verdict: run.headline.verdict };
}

/** Waivers that are out of date: each of them fails the run. */
export const staleWaivers = ({ waivers }: RunResult): readonly WaiverAccount[] =>
  waivers.filter(({ problem }) => problem !== undefined);

function reasonsOf(run: RunResult): string[] {
  const { ended, exitCode, checks } = run;
  if (exitCode === 2) return ['no host answers'];
  const cutOff = endings[ended].trouble ?? [];
  if (!checks.some(({ outcome }) => judged.has(outcome))) return [cutOff, 'nothing judged'].flat();
  const away = (run.incidents ?? []).length > 0 ? 'a host went away' : [];
  const misfit = (run.unmatched ?? []).length > 0 ? 'the profile does not fit' : [];
  return [
    cutOff,
    misfit,
    away,
    tooLittle(run) ? 'too little judged' : [],
    isQuietlyWorse(run) ? 'got worse' : [],
  ].flat();
}

/** Whether too little was judged, as in the verdict. Does not apply to a run with --bail or a baseline. */
const tooLittle = (run: RunResult): boolean =>
  run.ended !== 'bail' && run.baseline === undefined && tooLittleJudged(run).length > 0;

/** Whether a check is worse than in the baseline without failing. */
function isQuietlyWorse({ baseline, checks }: RunResult): boolean {
  const worse = new Set(baseline?.worse);
  return checks.some(({ id, outcome }) => worse.has(id) && outcome !== 'fail');
}

/** How an attack ended. */
export type Attacked = 'broken' | 'held' | 'not single-use' | 'observed' | 'not exercised';

export interface AttackLine {
  readonly check: Result;
  readonly ended: Attacked;
  /** What was seen, tried, or missing. */
  readonly detail: string;
}

const attackEnds: Readonly<Record<Outcome, Attacked>> = {
  fail: 'broken',
  warn: 'broken',
  pass: 'held',
  observed: 'observed',
  inconclusive: 'not exercised',
  'not-applicable': 'not exercised',
  'harness-error': 'not exercised',
};
const attackOrder: readonly Attacked[] = ['broken', 'held', 'not single-use', 'observed', 'not exercised'];

/** Whether the calls of a race have the same effect one after another, so that the target means it. */
const isMeant = ({ outcome, behaviour = '' }: Result) =>
  outcome === 'observed' && behaviour.startsWith('one after another');

/** The attacks of a run, broken ones first; empty where attacks were left out. */
export function attackLines(checks: readonly Result[]): AttackLine[] {
  return checks
    .filter(({ attack, reason }) => attack && reason !== 'attack-off' && reason !== 'read-only')
    .map((check) => ({
      check,
      ended: isMeant(check) ? 'not single-use' : attackEnds[check.outcome],
      detail: check.actual ?? check.behaviour ?? check.detail ?? '',
    }))
    .sort((a, b) => attackOrder.indexOf(a.ended) - attackOrder.indexOf(b.ended));
}

const mostScripts = 8;
const longestScript = 16_000;

/** The scripts that repeat what attacks found, a few of them: result.json has all. */
export const attackScripts = (
  checks: readonly Result[],
): { readonly id: string; readonly script: string }[] =>
  attackLines(checks)
    .flatMap(({ check: { id, script } }) =>
      script && script.length <= longestScript ? [{ id, script }] : [],
    )
    .slice(0, mostScripts);

/** What stood in the way of attacks. Where no host or no session was left, more time would not have helped. */
const hindrances = [
  [/\b(?:target-lost|unreachable)[:,]/, 'since a host was gone'],
  [/\bnobody could sign in\b/, 'since nobody could sign in'],
  [/\bbudget\b/, 'for want of time (--attack on runs all)'],
] as const;

/** ` for want of time`, or `, 2 of them for want of time`. */
function hindranceOf(left: readonly AttackLine[]): string {
  for (const [sign, words] of hindrances) {
    const hindered = left.filter(({ check, detail }) => sign.test(`${check.reason}: ${detail}`)).length;
    if (hindered > 0) return `${hindered === left.length ? '' : `, ${whole(hindered)} of them`} ${words}`;
  }
  return '';
}

/** `21 of 31 made: 21 held · 10 not exercised`, and whether anybody can sign in as anybody; undefined without any. */
export function attackSummary(checks: readonly Result[]): string | undefined {
  const byEnd = Map.groupBy(attackLines(checks), ({ ended }) => ended);
  if (byEnd.size === 0) return undefined;
  const all = [...byEnd.values()].reduce((sum, { length }) => sum + length, 0);
  const left = byEnd.get('not exercised') ?? [];
  const made = left.length === 0 ? '' : `${whole(all - left.length)} of ${whole(all)} made: `;
  const counts = Array.from(byEnd, ([ended, lines]) => {
    const names = ended === 'not single-use' ? ` (${lines.map(({ check: { id } }) => id).join(', ')})` : '';
    return `${whole(lines.length)} ${ended}${names}`;
  }).join(' · ');
  const open = checks.find(({ id, outcome }) => id === 'forged/signature' && outcome === 'observed');
  // Attacks that were not exercised are counted last, so the hindrance follows them.
  const ended = `${made}${counts}${hindranceOf(left)}`;
  return open?.behaviour === undefined ? ended : `${ended}; ${open.behaviour}`;
}
