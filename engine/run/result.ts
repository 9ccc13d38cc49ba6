// Defines the result of a check and of a run: plain JSON, written as it happens, read by every report.
import { allHosts, type Host } from '../../catalog/operation.ts';
import type { HostNoise } from '../compare/noise.ts';
import type { RecordedExchange } from '../http/exchange.ts';
import {
  type InconclusiveReason,
  judged,
  type NotApplicableReason,
  type Outcome,
  type PlannedCheck,
  type ScenarioCall,
} from '../judgement.ts';
import type { LatencyFigures } from '../probe/latency.ts';
import type { Difference, Gate } from './baseline.ts';
import type { BehaviourChange } from './compare-runs.ts';

/** A call of a scenario with the beginning of its answer's body, on one line. */
export interface SequenceCall extends Omit<ScenarioCall, 'exchange'> {
  readonly body?: string;
}

/** One check's result, as `result.json` and `results.jsonl` hold it. Times in milliseconds. */
export interface Result extends PlannedCheck {
  readonly outcome: Outcome;
  /** A reason code, where the outcome is inconclusive or not-applicable. */
  readonly reason?: InconclusiveReason | NotApplicableReason;
  readonly detail?: string;
  readonly expected?: string;
  readonly actual?: string;
  /** What was found is data of another player, which the profile's `private` or `shared` would decide. */
  readonly othersData?: true;
  /** The chosen behaviour, where the outcome is observed. */
  readonly behaviour?: string;
  /** The same as a value, which comparison, pins and reports use; the shape of an answer has none. */
  readonly value?: string;
  /** Equal for failures that are one finding. */
  readonly cause?: string;
  readonly exchange?: RecordedExchange;
  /** A right exchange to compare with, where `exchange` alone does not show the fault. */
  readonly control?: RecordedExchange;
  readonly curl?: string;
  /** A script that repeats it, where one request cannot: for node, without dependencies. */
  readonly script?: string;
  /** The calls of its scenario up to here, the last of them, where a step of one failed or warns. */
  readonly sequence?: readonly SequenceCall[];
  /** The earlier step that is the reason, where the run lists no result of it; `exchange` and `curl` are that step's. */
  readonly prerequisite?: PrerequisiteResult;
  /** The waiver that excuses this failure, or with a baseline this warning, for now. */
  readonly waived?: Waived;
  /** The check fails the run although its outcome is not `fail`: it differs from the baseline each time it was asked. */
  readonly since?: Difference;
  /** The baseline has this failure too. */
  readonly known?: true;
  /** The command that runs just this check again. */
  readonly rerun: string;
  readonly startedAt: string;
  readonly durationMs: number;
}

/** How an earlier step of a flow ended. */
interface PrerequisiteResult extends Pick<Result, 'outcome' | 'reason' | 'detail' | 'expected' | 'actual'> {
  /** Its id, or what it prepares where it is no check. */
  readonly step: string;
}

interface Waived {
  readonly reason: string;
  readonly link: string;
  /** The last day it holds, YYYY-MM-DD in UTC. */
  readonly expires: string;
}

/** A waiver of the profile, and how it fared in this run. */
export interface WaiverAccount extends Waived {
  /** A check's id, or a glob of ids. */
  readonly check: string;
  /** Failures it excuses, and with a baseline warnings. */
  readonly waived: number;
  /** The problem with it, in one line; fails the run. */
  readonly problem?: string;
}

/** The run that this one is compared with, and the outcome of the comparison. */
export interface BaselineAccount {
  readonly startedAt: string;
  readonly runId: string;
  /** Ids of the checks that got worse since: failures, checks of operations that are gone, and steady new warnings. */
  readonly worse: readonly string[];
  /** Ids of the checks that fail, and that the baseline did not get to: not shown to be old, so they count too. */
  readonly unjudgedBefore?: readonly string[];
  /** Ids of the checks that it judged and this run could not, each time it asked; they fail the run. */
  readonly noLongerJudged?: readonly string[];
  readonly knownFailures: number;
  readonly repaired: number;
  /** What `--fail-on` named; absent where all of it fails the run. */
  readonly failOn?: readonly Gate[];
  /** Ids of the checks that differed, and not each time they were asked; they do not fail the run. */
  readonly unsteady?: readonly string[];
  /** Ids of the open points that changed to what the profile expects; they do not fail the run. */
  readonly accepted?: readonly string[];
  /** Changes of the target's choices where the document is silent. */
  readonly behaviours?: readonly BehaviourChange[];
}

export type Summary = { readonly [K in Outcome]: number };

/** The content of `result.json` (`assay.result/1`). */
export interface RunResult {
  readonly schema: 'assay.result/1';
  readonly target: TargetSummary;
  readonly startedAt: string;
  readonly durationMs: number;
  readonly seed: string;
  readonly runId: string;
  readonly options: {
    readonly strict: boolean;
    readonly readOnly: boolean;
    readonly minJudged: number;
    readonly only: readonly string[];
    /** It ran only the checks that failed, warned or were inconclusive in an earlier run. */
    readonly rerun: boolean;
    /** No certificate was checked: whatever answered may have been anybody. */
    readonly insecure?: true;
    /** Attacks were asked for. */
    readonly attack?: 'on';
    /** Of Assay. */
    readonly version?: string;
    /** Where the profile was read, and a digest of its text. */
    readonly profile?: { readonly file: string; readonly digest: string } | undefined;
    /** Further settings that change what is asked, by their names; of secrets only how many there are. */
    readonly settings?: Readonly<Record<string, string>>;
  };
  /** complete, or why it was cut off. */
  readonly ended: 'complete' | 'interrupted' | 'budget' | 'worker-died' | 'bail';
  readonly exitCode: number;
  readonly summary: Summary;
  /** The figures at the top of every report. */
  readonly headline: {
    readonly operations: number;
    readonly served: number;
    readonly answered2xx: number;
    readonly verdict: string;
  };
  /** Per given host: the share of its documented-level checks, applicable and not waived, that were judged, 0 to 1. */
  readonly judgedShare: Readonly<Partial<Record<Host, number>>>;
  /** The findings of preflight, in plain lines. */
  readonly preflight: readonly string[];
  /** What kept it from judging much, a line each with what to do; only where too little was judged. */
  readonly hints?: readonly string[];
  readonly requests: number;
  /** Resources that scenarios made and could not remove, a line each. */
  readonly leftBehind: readonly string[];
  /** Pointers of the profile at identifiers that no answer of their operation had, a line each. */
  readonly unmatched?: readonly string[];
  /** Incidents of the hosts, a line each: which fell silent after which call, and which came back. */
  readonly incidents?: readonly string[];
  /** The target's choices where the document is silent: check id → behaviour, sorted by id. */
  readonly ledger: Readonly<Record<string, string>>;
  /** Operation id → how long its calls that were answered 2xx took, as this run saw it. */
  readonly latency?: Readonly<Record<string, LatencyFigures>>;
  /** What the answers of each host did by themselves. */
  readonly noise?: Readonly<Partial<Record<Host, HostNoise>>>;
  readonly waivers: readonly WaiverAccount[];
  readonly baseline?: BaselineAccount;
  readonly checks: readonly Result[];
}

/** How a run ended: as a fact about it, as what fails it in a few words, and as a sentence of its verdict. */
export const endings: Readonly<
  Record<RunResult['ended'], { readonly fact: string; readonly trouble?: string; readonly verdict?: string }>
> = {
  complete: { fact: 'complete' },
  interrupted: {
    fact: 'it was interrupted',
    trouble: 'interrupted',
    verdict: 'Interrupted: what had not ended is listed as inconclusive.',
  },
  budget: {
    fact: 'its time was over',
    trouble: 'out of time',
    verdict: 'Out of time: what was not asked within the budget is listed as inconclusive.',
  },
  'worker-died': {
    fact: 'Assay itself broke off',
    trouble: 'Assay itself broke off',
    verdict: 'Assay itself broke off: the worker that runs the checks died',
  },
  bail: { fact: 'stopped early, as --bail asked', verdict: 'Stopped early, as --bail asked.' },
};

export interface TargetSummary {
  readonly embedded: boolean;
  readonly base?: string;
  readonly cdn?: string;
  readonly gamelogs?: string;
}

/** The ids of the operations that a check judges. */
export const operationsOf = ({ operation }: Pick<PlannedCheck, 'operation'>): readonly string[] =>
  typeof operation === 'string' ? [operation] : operation;

/** A step of a flow, `party/create`, and no rule that an operation is held to, `party.create#routed`. */
export const isStep = (id: string): boolean => id.includes('/');

/** `party` of the step `party/create`. */
export const flowOf = (id: string): string => id.slice(0, id.indexOf('/'));

/** `anonymous` of `party.create#anonymous`; the step of a flow stands for itself. */
export const ruleOf = (id: string): string => id.split('#')[1] ?? id;

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
