// The little that is kept of a run's result beside its checks: small, whatever the file holds.
import type { RunResult, Summary } from '../../fixtures/check/result.ts';
import { targetName } from '../diff/label.ts';
import { type Latency, latencyOf } from './latency.ts';

export interface RunFacts
  extends Pick<RunResult, 'startedAt' | 'runId' | 'ended' | 'exitCode' | 'durationMs'> {
  /** Its hosts, or that it was the embedded server. */
  readonly target: string;
  /** It asked a part of the checks, and says nothing about the others. */
  readonly isPart: boolean;
  readonly isStrict: boolean;
  readonly operations: number;
  readonly served: number;
  readonly answered2xx: number;
  readonly summary: Summary;
  readonly latency?: Latency;
}

const longest = 200;

/** @param run a sound result, whose checks count for nothing here */
export function factsOf(run: RunResult): RunFacts {
  const { startedAt, runId, ended, exitCode, durationMs, summary, headline, options, target } = run;
  const { operations, served, answered2xx } = headline;
  const latency = latencyOf(run.latency);
  return {
    ...{ startedAt: startedAt.slice(0, 40), runId: runId.slice(0, longest), ended, exitCode, durationMs },
    target: targetName(target).slice(0, longest),
    isPart: options.only.length > 0 || options.rerun === true,
    isStrict: options.strict,
    ...{ operations, served, answered2xx, summary },
    ...(latency && { latency }),
  };
}
