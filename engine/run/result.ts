// Defines the result of a check and of a run, as plain JSON that every report reads.
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
  /** The finding is data of another player; `private` or `shared` in the profile would decide whether that is right. */
  readonly othersData?: true;
  /** The chosen behaviour, where the outcome is observed. */
  readonly behaviour?: string;
  /** The behaviour as a value, for comparisons, pins and reports; the shape of an answer has none. */
  readonly value?: string;
  /** A text that is equal for failures that count as one finding. */
  readonly cause?: string;
  readonly exchange?: RecordedExchange;
  /** A right exchange to compare with, where `exchange` alone does not show the fault. */
  readonly control?: RecordedExchange;
  readonly curl?: string;
  /** A script for node, without dependencies, that repeats the finding where one request cannot. */
  readonly script?: string;
  /** The latest calls of its scenario up to this step, where a step failed or warns. */
  readonly sequence?: readonly SequenceCall[];
  /** The earlier step that is the reason, where the run has no result of it; `exchange` and `curl` are that step's. */
  readonly prerequisite?: PrerequisiteResult;
  /** The waiver that excuses this failure, or with a baseline this warning, for now. */
  readonly waived?: Waived;
  /** A steady difference from the baseline, which fails the run although the outcome is not `fail`. */
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

/** A waiver of the profile, and its effect in this run. */
export interface WaiverAccount extends Waived {
  /** A check's id, or a glob of ids. */
  readonly check: string;
  /** The number of failures that it excuses, and with a baseline also of warnings. */
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
  /** Ids of the checks that fail and that the baseline did not reach: they may be new, so they count too. */
  readonly unjudgedBefore?: readonly string[];
  /** Ids of the checks that the baseline judged and no sample of this run could; they fail the run. */
  readonly noLongerJudged?: readonly string[];
  readonly knownFailures: number;
  readonly repaired: number;
  /** What `--fail-on` named; absent where every kind of difference fails the run. */
  readonly failOn?: readonly Gate[];
  /** Ids of the checks that differed, but not in every sample; they do not fail the run. */
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
    /** No certificate was checked, so another server may have answered. */
    readonly insecure?: true;
    /** Attacks were asked for. */
    readonly attack?: 'on';
    /** The version of Assay. */
    readonly version?: string;
    /** Where the profile was read, and a digest of its text. */
    readonly profile?: { readonly file: string; readonly digest: string } | undefined;
    /** Further settings that change the calls, by their names; of secrets only how many there are. */
    readonly settings?: Readonly<Record<string, string>>;
  };
  /** `complete`, or why the run was cut off. */
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
  /** What kept the run from judging more, a line each with what to do; only where too little was judged. */
  readonly hints?: readonly string[];
  readonly requests: number;
  /** Resources that scenarios made and could not remove, a line each. */
  readonly leftBehind: readonly string[];
  /** The profile's pointers to identifiers that matched no answer of their operation, a line each. */
  readonly unmatched?: readonly string[];
  /** How many of the observed checks are as the profile pins them (`expects`); absent where none is. */
  readonly asPinned?: number;
  /** Incidents of the hosts, a line each: a host fell silent after a call, or came back. */
  readonly incidents?: readonly string[];
  /** The target's choices where the document is silent: check id → behaviour, sorted by id. */
  readonly ledger: Readonly<Record<string, string>>;
  /** Operation id → how long its calls that were answered 2xx took in this run. */
  readonly latency?: Readonly<Record<string, LatencyFigures>>;
  /** How the answers of each host varied by themselves. */
  readonly noise?: Readonly<Partial<Record<Host, HostNoise>>>;
  readonly waivers: readonly WaiverAccount[];
  readonly baseline?: BaselineAccount;
  readonly checks: readonly Result[];
}

/** How a run ended, in words: as a fact, as a trouble that fails the run, and as a sentence of the verdict. */
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

/** Whether a check is a step of a flow, such as `party/create`, and not a rule, such as `party.create#routed`. */
export const isStep = (id: string): boolean => id.includes('/');

/** `party` of the step `party/create`. */
export const flowOf = (id: string): string => id.slice(0, id.indexOf('/'));

/** `anonymous` of `party.create#anonymous`; for the step of a flow, its id. */
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

/** The hosts of which less was judged than the run asks for, with the share. */
export function tooLittleJudged({
  judgedShare,
  options,
}: {
  readonly judgedShare: RunResult['judgedShare'];
  readonly options: Pick<RunResult['options'], 'minJudged' | 'rerun'>;
}): (readonly [Host, number])[] {
  // A rerun repeats only checks that failed, warned or were inconclusive: their share shows nothing about a host.
  if (options.rerun) return [];
  const shares = Object.entries(judgedShare) as [Host, number][];
  return shares.filter(([, share]) => share < options.minJudged / 100);
}
