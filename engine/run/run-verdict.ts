// The end of a run: its exit code, and its verdict in words, which is the first line of the summary and stands first in
// the reports. Mistakes and Ctrl-C outside a run: commands/command-line.ts.
import { noticeOfChange } from '../../catalog/behaviours.ts';
import type { Host } from '../../catalog/operation.ts';
import { accusing, judged, type Outcome } from '../judgement.ts';
import { variableOf } from '../target/settings.ts';
import { byFrequency } from '../values/by-frequency.ts';
import { counted, minuteOf, percent } from '../values/text.ts';
import { typed } from '../values/typed-command.ts';
import { type BaselineComparison, gates } from './baseline.ts';
import { unjudgedFlowSentences } from './reason-codes.ts';
import {
  endings,
  isStep,
  type Result,
  type RunResult,
  ruleOf,
  tooLittleJudged,
  type WaiverAccount,
} from './result.ts';

/** The facts that decide the exit code and the verdict of a run. */
export interface VerdictFacts {
  readonly ended: RunResult['ended'];
  /** Why the run was cut off, where it was. */
  readonly why: string;
  readonly checks: readonly Result[];
  readonly judgedShare: RunResult['judgedShare'];
  readonly options: Pick<RunResult['options'], 'minJudged' | 'rerun'>;
  readonly waivers: readonly WaiverAccount[];
  /** In a rerun, the outcome of each check in the run that it repeats, by id. */
  readonly earlier?: ReadonlyMap<string, Outcome> | undefined;
  /** The outcome of the comparison with the baseline, where there is one. */
  readonly since: BaselineComparison | undefined;
  /** No host that a check needs has answered. */
  readonly nothingReachable: boolean;
  /** The profile's pointers that matched no answer, although there were answers, and other problems of the profile. */
  readonly unmatched: readonly string[];
  /** Incidents of the hosts. */
  readonly incidents: readonly string[];
}

/** Exit code 3 outranks 1: a defect of Assay comes before a failure of the target. */
export function exitCode(facts: VerdictFacts): number {
  const { ended } = facts;
  if (ended === 'interrupted') return 130;
  if (ended === 'worker-died' || harnessErrors(facts) > 0) return 3;
  if (facts.nothingReachable) return 2;
  const isRight =
    ended === 'complete' && hasJudged(facts) && !doesFail(facts) && notJudgedAgain(facts).length === 0;
  const fits = outdated(facts) === 0 && facts.unmatched.length === 0;
  // A server that broke down under test does not pass, even if it came back and all was judged.
  const stayed = facts.incidents.length === 0;
  return isRight && fits && stayed && tooShort(facts).length === 0 ? 0 : 1;
}

const harnessErrors = ({ checks }: VerdictFacts) =>
  checks.filter(({ outcome }) => outcome === 'harness-error').length;
const hasJudged = ({ checks }: VerdictFacts) => checks.some(({ outcome }) => judged.has(outcome));
const outdated = ({ waivers }: VerdictFacts) => waivers.filter(({ problem }) => problem !== undefined).length;

/** Failures that nobody waived. */
const failing = ({ checks }: VerdictFacts) =>
  checks.filter((check) => check.outcome === 'fail' && check.waived === undefined).length;

/** Checks with a finding in the earlier run that this rerun could not judge: the finding may still be there. */
const notJudgedAgain = ({ checks, ended, earlier }: VerdictFacts) =>
  checks.filter(({ id, outcome, reason }) => {
    const was = ended === 'complete' ? earlier?.get(id) : undefined;
    return was && accusing.has(was) && (outcome === 'inconclusive' || reason === 'not-exercised');
  });

/** Whether failures fail the run. With a baseline, only differences from it count, not failures that it has too. */
const doesFail = (facts: VerdictFacts) => facts.since?.fails ?? failing(facts) > 0;

/** Hosts of which too little was judged, with the share; with a baseline, only where it was more then. */
export const tooShort = (facts: VerdictFacts): (readonly [Host, number])[] =>
  facts.since?.shortfalls.map(({ host, after }) => [host, after] as const) ?? tooLittleJudged(facts);

/** The verdict: a sentence per problem, or one where there is none; then the incidents of the hosts. */
export function verdictSentence(facts: VerdictFacts): string {
  const incidents = facts.incidents.map((line) => `${line}.`);
  return [verdictOf(facts), ...incidents].join(' ');
}

function verdictOf(facts: VerdictFacts): string {
  const { ended, why, options, since } = facts;
  if (facts.nothingReachable && ended === 'complete')
    return 'Nothing was judged: no host that the checks need answers.';
  const parts: string[] = [];
  const { verdict: cutOff } = endings[ended];
  if (cutOff !== undefined) parts.push(ended === 'worker-died' ? `${cutOff} (${why}).` : cutOff);
  const errors = harnessErrors(facts);
  if (errors > 0) parts.push(`Assay itself failed in ${counted(errors, 'check')}.`);
  const bad = failing(facts);
  if (since) parts.push(...sinceThen(since));
  else if (bad > 0) {
    const excused = waived(facts);
    const more = excused === 0 ? '' : ` (${excused} more ${excused === 1 ? 'is' : 'are'} waived)`;
    parts.push(`Does not conform: ${counted(bad, 'check')} failed${more}.`);
  }
  const unsettled = notJudgedAgain(facts);
  if (unsettled.length > 0)
    parts.push(
      `Not settled: ${counted(unsettled.length, 'finding')} of the earlier run could not be judged again, and may be there still (${firstIds(unsettled)}).`,
    );
  const stale = outdated(facts);
  if (stale > 0)
    parts.push(`${counted(stale, 'waiver')} in the profile ${stale === 1 ? 'is' : 'are'} out of date.`);
  const { unmatched } = facts;
  if (unmatched.length > 0)
    parts.push(
      `The profile does not fit: ${unmatched[0]}${unmatched.length > 1 ? `, and ${unmatched.length - 1} more` : ''}.`,
    );
  // A user who asked to stop early knows that not all was judged.
  for (const [host, share] of ended === 'bail' ? [] : tooShort(facts)) {
    parts.push(
      `Too little could be judged on ${host}: ${percent(share)} of its documented checks, ${options.minJudged} % are needed.`,
    );
  }
  if (!hasJudged(facts) && parts.length === 0) parts.push(nothingJudged(facts));
  // A wrong URL would cause everything else, so it comes first; where the run is like its baseline, it was accepted.
  const doubts = since && parts.length === 0 ? [] : doubtedHosts(facts).map(doubt);
  if (parts.length === 0) parts.push(facts.incidents.length > 0 ? whatFailed(facts) : passSentence(facts));
  return [...doubts, ...parts].join(' ');
}

const whatFailed = ({ checks }: VerdictFacts) =>
  checks.some(({ reason }) => reason === 'unreachable')
    ? 'Not all could be judged: a host that these checks need does not answer.'
    : 'A host went away while it was judged.';

const waived = ({ checks }: VerdictFacts) => checks.filter((check) => check.waived !== undefined).length;

/** Fewest operations of a host, none of them shown to be served, for the verdict to doubt its URL. */
const wholeArea = 20;

/** Hosts whose operations are answered like paths that do not exist: another server may answer there. */
function doubtedHosts({ checks }: VerdictFacts): Host[] {
  const routed = checks.filter(({ id, outcome }) => ruleOf(id) === 'routed' && outcome !== 'not-applicable');
  return [...Map.groupBy(routed, ({ host }) => host)].flatMap(([host, found]) => {
    const alike = found.filter(({ outcome, reason }) => outcome === 'fail' || reason === 'catch-all');
    const isServed = found.some(({ outcome }) => outcome === 'pass');
    return found.length >= wholeArea && !isServed && alike.length * 2 >= found.length ? [host] : [];
  });
}

const doubt = (host: Host) =>
  `${variableOf[host]} may be the URL of another server: no operation of ${host} is told apart from paths that do not exist. Check that first (${typed('doctor')}).`;

const mostReasons = 3;

/** Says that nothing could be judged, with the outcomes of the checks. */
function nothingJudged({ checks }: VerdictFacts): string {
  if (checks.length === 0) return 'Nothing could be judged: no check was asked.';
  const came = byFrequency(
    checks.map(({ outcome, reason }) =>
      [outcome.replace('-', ' '), reason && `(${reason})`].filter(Boolean).join(' '),
    ),
  );
  const named = came.slice(0, mostReasons).map(([what, count]) => `${count} ${what}`);
  const more = came.slice(mostReasons).reduce((sum, [, count]) => sum + count, 0);
  const rest = more > 0 ? [`${more} for other reasons`] : [];
  return `Nothing could be judged of ${counted(checks.length, 'check')}: ${[...named, ...rest].join(', ')}.`;
}

/** Sentences about changes since the baseline; nothing where none of them fails the run. */
function sinceThen(since: BaselineComparison): string[] {
  if (!since.fails) return [];
  const { worse: found, unjudgedBefore = [], failOn = gates, noLongerJudged: lost = [] } = since.account;
  const [worse, unjudged] = failOn.includes('worse') ? [found, unjudgedBefore] : [[], []];
  const changed = since.checks.filter((check) => check.since?.gate === 'changed');
  const fail = `${counted(unjudged.length, 'check')} ${unjudged.length === 1 ? 'fails' : 'fail'}`;
  const isWorse = new Set(worse);
  const first = othersDataFirst(since.checks.filter(({ id }) => isWorse.has(id)));
  return [
    ...(worse.length > 0
      ? [`Got worse than ${runOf(since)}: ${counted(worse.length, 'check')}${first}.`]
      : []),
    ...(changed.length > 0 ? [`Behaves otherwise than in ${runOf(since)}: ${whatChanged(changed)}.`] : []),
    ...(unjudged.length > 0 ? [`${fail} that ${runOf(since)} did not judge: it was cut off.`] : []),
    ...(lost.length > 0
      ? [`${counted(lost.length, 'check')} ${lost.length === 1 ? 'is' : 'are'} no longer judged.`]
      : []),
  ];
}

const mostNamed = 3;

/** The changes as people notice them, those of flows first; operations that changed alike are named once. */
function whatChanged(changed: readonly Result[]): string {
  const noticed = changed.map(({ id, title, since, behaviour = '' }) =>
    ruleOf(id) === 'shape' || since === undefined
      ? title
      : noticeOfChange(id, title, since.before, behaviour),
  );
  const flows = noticed.filter((_, at) => isStep(changed[at]?.id ?? ''));
  const named = [...new Set([...flows, ...noticed])];
  const more = named.length - mostNamed;
  const rest = more > 0 ? [`and ${counted(more, 'more change')}`] : [];
  return `${counted(changed.length, 'behaviour')}: ${[...named.slice(0, mostNamed), ...rest].join('; ')}`;
}

function passSentence(facts: VerdictFacts): string {
  const excused = waived(facts);
  const { since } = facts;
  if (since) {
    const { knownFailures, repaired } = since.account;
    const rest = [
      ...(knownFailures > 0 ? [counted(knownFailures, 'known failure')] : []),
      ...(excused > 0 ? [`${excused} waived`] : []),
      ...(repaired > 0 ? [`${repaired} repaired`] : []),
    ];
    return `Nothing got worse than ${runOf(since)}${rest.length === 0 ? '' : `: ${rest.join(', ')}`}.`;
  }
  if (excused > 0) return `Conforms, but for ${counted(excused, 'waived failure')}.`;
  const warned = facts.checks.filter(({ outcome }) => outcome === 'warn');
  const sentence =
    warned.length > 0
      ? `Conforms${asFarAs(facts)}, with ${counted(warned.length, 'warning')}${whatFirst(warned)}.`
      : `Conforms${asFarAs(facts)}: nothing that was judged breaks a rule.`;
  return [sentence, ...unjudgedFlowSentences(facts.checks)].join(' ');
}

/** A qualification where most checks could not be judged, as in a rerun of inconclusive ones; empty otherwise. */
function asFarAs({ checks }: VerdictFacts): string {
  const asked = checks.filter(({ outcome }) => outcome !== 'not-applicable').length;
  const open = checks.filter(({ outcome }) => outcome === 'inconclusive').length;
  return open * 2 > asked
    ? ` as far as it could be judged (${open} of ${counted(asked, 'check')} could not be)`
    : '';
}

/**
 * The warnings to look at first, since they do not fail the run but matter. Data of another player comes before steps
 * of flows and attacks.
 */
function whatFirst(warned: readonly Result[]): string {
  const first = othersDataFirst(warned);
  if (first !== '') return first;
  const played = warned.filter(({ id }) => isStep(id));
  return played.length === 0 ? '' : `: look first at what was played (${firstIds(played)})`;
}

/** Points to findings about data of another player; empty where there are none. */
function othersDataFirst(found: readonly Result[]): string {
  const shown = found.filter(({ othersData }) => othersData).length;
  if (shown === 0) return '';
  const which = shown < found.length ? `${shown} of them about` : 'about';
  return `, ${which} data of another player: look at that first`;
}

function firstIds(checks: readonly Result[]): string {
  const more = checks.length - mostNamed;
  const named = checks.slice(0, mostNamed).map(({ id }) => id);
  return `${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

const runOf = ({ account }: BaselineComparison) => `the run of ${minuteOf(account.startedAt)}`;
