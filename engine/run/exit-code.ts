// Decides the exit code of a run. Its verdict in words: verdict-sentence.ts.
// Mistakes and Ctrl-C outside a run: commands/command-line.ts.
import type { Host } from '../../catalog/operation.ts';
import { accusing, judged, type Outcome } from '../judgement.ts';
import type { BaselineComparison } from './baseline.ts';
import type { Result, RunResult, WaiverAccount } from './result.ts';

/** The facts that decide the exit code and the verdict of a run. */
export interface VerdictFacts {
  readonly ended: RunResult['ended'];
  /** Why the run was cut off, where it was. */
  readonly why: string;
  readonly checks: readonly Result[];
  readonly judgedShare: RunResult['judgedShare'];
  /** Percent. */
  readonly minJudged: number;
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

export const harnessErrors = ({ checks }: VerdictFacts) =>
  checks.filter(({ outcome }) => outcome === 'harness-error').length;
export const hasJudged = ({ checks }: VerdictFacts) => checks.some(({ outcome }) => judged.has(outcome));
export const outdated = ({ waivers }: VerdictFacts) =>
  waivers.filter(({ problem }) => problem !== undefined).length;

/** Failures that nobody waived. */
export const failing = ({ checks }: VerdictFacts) =>
  checks.filter((check) => check.outcome === 'fail' && check.waived === undefined).length;

/** Checks with a finding in the earlier run that this rerun could not judge: the finding may still be there. */
export const notJudgedAgain = ({ checks, ended, earlier }: VerdictFacts) =>
  checks.filter(({ id, outcome, reason }) => {
    const was = ended === 'complete' ? earlier?.get(id) : undefined;
    return was && accusing.has(was) && (outcome === 'inconclusive' || reason === 'not-exercised');
  });

/** Whether failures fail the run. With a baseline, only differences from it count, not failures that it has too. */
const doesFail = (facts: VerdictFacts) => facts.since?.fails ?? failing(facts) > 0;

/** Hosts of which too little was judged, with the share; with a baseline, only where it was more then. */
export function tooShort({ judgedShare, minJudged, since }: VerdictFacts): (readonly [Host, number])[] {
  if (since) return since.shortfalls.map(({ host, after }) => [host, after] as const);
  return (Object.entries(judgedShare) as [Host, number][]).filter(([, share]) => share < minJudged / 100);
}
