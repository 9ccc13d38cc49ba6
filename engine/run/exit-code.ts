// Decides the exit code of a run. Its verdict in words: verdict-sentence.ts.
// Mistakes and Ctrl-C outside a run: commands/command-line.ts.
import type { Host } from '../../catalog/operation.ts';
import { accusing, judged, type Outcome } from '../judgement.ts';
import type { Held } from './baseline.ts';
import type { Result, RunResult, WaiverAccount } from './result.ts';

/** What the exit code and the verdict of a run rest on. */
export interface VerdictFacts {
  readonly ended: RunResult['ended'];
  /** Why it ended, where it was cut off. */
  readonly why: string;
  readonly checks: readonly Result[];
  readonly judgedShare: RunResult['judgedShare'];
  /** Percent. */
  readonly minJudged: number;
  readonly waivers: readonly WaiverAccount[];
  /** In a rerun, how the checks ended in the run that it asks again, by id. */
  readonly earlier?: ReadonlyMap<string, Outcome> | undefined;
  /** The outcome of the comparison with the baseline, where there is one. */
  readonly since: Held | undefined;
  /** No host answered that a check needs. */
  readonly nothingReachable: boolean;
  /** Pointers of the profile that matched in no answer, although there were answers: checks that need them had no value. */
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
  // A server that broke down under test is no green one, even if it came back and all was judged.
  const stayed = facts.incidents.length === 0;
  return isRight && fits && stayed && tooShort(facts).length === 0 ? 0 : 1;
}

export const harnessErrors = ({ checks }: VerdictFacts) =>
  checks.filter(({ outcome }) => outcome === 'harness-error').length;
export const hasJudged = ({ checks }: VerdictFacts) => checks.some(({ outcome }) => judged.has(outcome));
export const outdated = ({ waivers }: VerdictFacts) =>
  waivers.filter(({ problem }) => problem !== undefined).length;

/** Failures that nobody waived. */
export const failing = ({ checks }: VerdictFacts) =>
  checks.filter((check) => check.outcome === 'fail' && check.waived === undefined).length;

/** Findings of the run that a rerun asks again which it could not judge: they may be there still. */
export const notJudgedAgain = ({ checks, ended, earlier }: VerdictFacts) =>
  checks.filter(({ id, outcome, reason }) => {
    const was = ended === 'complete' ? earlier?.get(id) : undefined;
    return was && accusing.has(was) && (outcome === 'inconclusive' || reason === 'not-exercised');
  });

/** With a baseline, what differs from it counts, and no failure that it has too. */
const doesFail = (facts: VerdictFacts) => facts.since?.fails ?? failing(facts) > 0;

/** Hosts of which too little was judged; with a baseline, only where that got worse. */
export function tooShort({ judgedShare, minJudged, since }: VerdictFacts): (readonly [Host, number])[] {
  if (since) return since.shortfalls.map(({ host, after }) => [host, after] as const);
  return (Object.entries(judgedShare) as [Host, number][]).filter(([, share]) => share < minJudged / 100);
}
