// The results of earlier runs that a run is given: `--baseline` to be held against, `--rerun` to be asked again.
import type { Outcome } from '../../engine/judgement.ts';
import type { Plan } from '../../engine/run/plan.ts';
import type { RunResult } from '../../engine/run/result.ts';
import { readStoredResult } from '../../engine/run/stored-result.ts';
import { ConfigurationError } from '../../engine/values/configuration-error.ts';
import { quoted } from '../../engine/values/text.ts';
import type { RunOptions } from './options.ts';

export interface EarlierRuns {
  readonly baseline: RunResult | undefined;
  /** Ids of the checks that alone are asked again; undefined where the run is no rerun. */
  readonly again: readonly string[] | undefined;
}

/** Outcomes whose checks a rerun asks again: they failed or could not be judged. */
const unsettled: ReadonlySet<Outcome> = new Set(['fail', 'inconclusive', 'harness-error']);

/**
 * Reads the files that `--baseline` and `--rerun` name.
 * @throws ConfigurationError where one cannot be used, or leaves nothing to ask again
 */
export function readEarlierRuns({ baseline, rerun }: Pick<RunOptions, 'baseline' | 'rerun'>): EarlierRuns {
  return {
    baseline: baseline === undefined ? undefined : readStoredResult(baseline, '--baseline'),
    again: rerun === undefined ? undefined : idsToAsk(rerun),
  };
}

function idsToAsk(path: string): readonly string[] {
  const { checks } = readStoredResult(path, '--rerun');
  const ids = checks.filter(({ outcome }) => unsettled.has(outcome)).map(({ id }) => id);
  if (ids.length > 0) return ids;
  throw new ConfigurationError([
    `--rerun: in ${quoted(path)} nothing failed or was inconclusive; run without --rerun`,
  ]);
}

const mostNamed = 3;

/**
 * A line that names the checks of `--rerun` that no longer exist; undefined where all do.
 * @throws ConfigurationError where nothing is left to ask
 */
export function goneLine(again: readonly string[] | undefined, plan: Plan): string | undefined {
  if (again === undefined) return undefined;
  const plannedIds = new Set(plan.known);
  const gone = again.filter((id) => !plannedIds.has(id));
  const named = gone.slice(0, mostNamed).map((id) => quoted(id).slice(1, -1));
  const more = gone.length > mostNamed ? ` and ${gone.length - mostNamed} more` : '';
  const line =
    gone.length === 0
      ? undefined
      : `--rerun: ${gone.length} of its ${again.length} checks no longer exist: ${named.join(', ')}${more}`;
  if (plan.checks.length > 0) return line;
  throw new ConfigurationError([
    line ?? '--rerun: --only leaves none of its checks to ask; run with one of the two alone',
  ]);
}
