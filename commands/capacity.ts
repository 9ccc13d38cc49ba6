// Runs `npm run capacity -- JOURNEY --slo p95=80ms`: finds how much load a target takes, and sets the exit code.
import { setTimeout as sleep } from 'node:timers/promises';
import { stopCompiling } from '../engine/process.ts';
import type { Search, SearchOutcome } from '../load/capacity/model.ts';
import { capacityJson, exitCodeOf, nextLine, outcomeLines, stepLine } from '../load/capacity/outcome.ts';
import { runSearch } from '../load/capacity/search.ts';
import { startNull } from '../load/null-target/start.ts';
import {
  type CheckedCapacityOptions,
  checkedCapacityOptions,
  type RawCapacityOptions,
} from '../load/options.ts';
import { changedSince, type Identity } from '../load/prepare/players.ts';
import type { Load } from '../load/step/open-load.ts';
import { seedOf } from '../load/step/plan.ts';
import { isUnauthorised } from '../load/verdict.ts';
import { terminalOf } from '../reports/console/layout.ts';
import { journeyIn, openAsTyped, writeMeasured } from './load/open.ts';

/**
 * Runs the search, prints it, writes `capacity.json`, and sets the exit code.
 * @throws ConfigurationError where nothing could be measured
 */
export async function capacityCommand(args: readonly string[], raw: RawCapacityOptions): Promise<void> {
  const journey = journeyIn('capacity', args, raw);
  const options = checkedCapacityOptions(raw);
  const { load, folder, signal } = await openAsTyped('capacity', journey, raw, { rate: options.maxRate });
  try {
    const startedAt = new Date();
    const search = await searched(load, options, signal);
    stopCompiling();
    const outcome = outcomeIn(search);
    const subject = {
      ...load,
      startedAt: startedAt.toISOString(),
      durationMs: Date.now() - startedAt.getTime(),
    };
    const result = capacityJson(subject, options, search, outcome);
    for (const line of ['', ...outcomeLines(outcome, options.atLeast)]) console.log(line);
    for (const line of await writeMeasured('capacity', result, { folder, out: raw.out })) console.log(line);
    process.exitCode = exitCodeOf(outcome, options.atLeast, signal.aborted);
  } finally {
    await load.close();
  }
}

function outcomeIn({ outcome }: Search): SearchOutcome {
  if (!outcome) throw new Error('the search ended without an outcome');
  return outcome;
}

/** Searches with the target, and with a null target that shows the limit of the load generator itself. */
async function searched(load: Load, options: CheckedCapacityOptions, signal: AbortSignal): Promise<Search> {
  const nullTarget = await startNull();
  const environment = {
    target: load.runStep,
    nullTarget: load.against(nullTarget.url),
    now: () => performance.now(),
    pause: (ms: number, ending: AbortSignal) => sleep(ms, undefined, { signal: ending }).catch(() => {}),
    ...progressHandlers(),
  };
  const { requestsPerJourney, waitMs, seed } = load;
  try {
    const before = await load.identity();
    const search = await runSearch(
      { ...options, requestsPerJourney, waitMs, seed: seedOf(seed) },
      environment,
      signal,
    );
    const reason = signal.aborted ? undefined : await invalidBecause(load, before, search);
    if (reason === undefined || !search.outcome) return search;
    // The format has no verdict for a search that is not valid: its figures are withdrawn as those of one cut off.
    const outcome = {
      verdict: 'ABORTED',
      reason,
      capacity: null,
      interval: [null, null],
      limit: null,
    } as const;
    return { ...search, outcome };
  } finally {
    await nullTarget.close();
  }
}

/** Why the search is not valid: the target became another one, or sessions ended; undefined if it is valid. */
async function invalidBecause(load: Load, before: Identity, { taken }: Search): Promise<string | undefined> {
  const changed = await changedSince(before, load.identity);
  if (changed !== undefined) return `the target was another at the end than at the start (${changed})`;
  const last = taken.findLast(({ purpose }) => purpose !== 'ceiling');
  if (!last || !isUnauthorised(last.step) || !(await load.sessionsAreOver())) return undefined;
  return 'sessions ended during the search: players signed in before the search now get 401, and load signs nobody in again; take a shorter --budget, or sessions that live longer';
}

/** Progress is shown on terminals only, finished steps everywhere. */
function progressHandlers() {
  const { stderr, env } = process;
  const { redraws } = terminalOf(stderr, env);
  return {
    onNext: (next: Parameters<typeof nextLine>[0]) => {
      if (redraws) stderr.write(`\r\x1b[K${nextLine(next)} …`);
    },
    onStep: (search: Search) => {
      if (redraws) stderr.write('\r\x1b[K');
      console.log(stepLine(search));
    },
  };
}
