// `npm run capacity -- JOURNEY --slo p95=80ms`: from options to a search, capacity.json and an exit code.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { writableFolder } from '../../fixtures/files/folder.ts';
import { writeWhole } from '../../fixtures/files/whole-file.ts';
import { ConfigurationError } from '../../fixtures/target/configuration-error.ts';
import { changedSince } from '../prepare/identity.ts';
import { type Load, openLoad } from '../step/open-load.ts';
import { seedOf } from '../step/requested.ts';
import { startNull } from '../truth/null.ts';
import { capacityJson } from './capacity-json.ts';
import { nextLine, outcomeLines, stepLine } from './console.ts';
import { exitCodeOf } from './exit-code.ts';
import { type CheckedCapacityOptions, checkedCapacityOptions, type RawCapacityOptions } from './options.ts';
import { runSearch } from './run-search.ts';
import type { Outcome, Search } from './search-types.ts';

/**
 * Searches, shows, writes `capacity.json`, and leaves the exit code.
 * @throws ConfigurationError where nothing could be measured
 */
export async function capacityCommand(journey: string | undefined, raw: RawCapacityOptions): Promise<void> {
  const options = checkedCapacityOptions(raw);
  if (journey === undefined && raw.operation === undefined)
    throw new ConfigurationError(['capacity: no journey; give one, or --operation ID (--help lists them)']);
  const file = join(writableFolder(raw.out, '--out'), 'capacity.json');
  rmSync(file, { force: true });
  const stop = new AbortController();
  process.once('SIGINT', () => stop.abort()).once('SIGTERM', () => stop.abort());
  const { signal } = stop;
  const load = await openLoad({
    journey: journey ?? '',
    operation: raw.operation,
    env: process.env,
    cwd: process.cwd(),
    profile: raw.profile,
    seed: raw.seed,
    rate: options.maxRate,
    say: (line) => console.log(line),
    signal,
  });
  try {
    const startedAt = new Date();
    const search = await searched(load, options, signal);
    const outcome = outcomeIn(search);
    const subject = {
      ...load,
      startedAt: startedAt.toISOString(),
      durationMs: Date.now() - startedAt.getTime(),
    };
    const told = capacityJson(subject, options, search, outcome);
    for (const line of ['', ...outcomeLines(outcome, told.unit, options.atLeast)]) console.log(line);
    writeWhole(file, `${JSON.stringify(told, null, 1)}\n`);
    console.log(join(raw.out, 'capacity.json'));
    process.exitCode = exitCodeOf(outcome, options.atLeast, signal.aborted);
  } finally {
    await load.close();
  }
  process.exit();
}

function outcomeIn({ outcome }: Search): Outcome {
  if (!outcome) throw new Error('a search without a next step has an outcome');
  return outcome;
}

/** Against the target, with its null beside it; a target that is another at the end has no capacity. */
async function searched(load: Load, options: CheckedCapacityOptions, signal: AbortSignal): Promise<Search> {
  const nowhere = await startNull();
  const around = {
    target: load.runStep,
    nowhere: load.against(nowhere.url),
    now: () => performance.now(),
    rest: (ms: number, ending: AbortSignal) => sleep(ms, undefined, { signal: ending }).catch(() => {}),
    ...shown(),
  };
  const { requestsPerJourney, seed } = load;
  try {
    const before = await load.identity();
    const search = await runSearch({ ...options, requestsPerJourney, seed: seedOf(seed) }, around, signal);
    const changed = signal.aborted ? undefined : await changedSince(before, load.identity);
    if (changed === undefined || !search.outcome) return search;
    const reason = `the target was another at the end than at the start (${changed})`;
    return { ...search, outcome: { ...search.outcome, verdict: 'ABORTED', reason } };
  } finally {
    await nowhere.close();
  }
}

/** What is under way goes to a terminal only; what is done goes everywhere. */
function shown() {
  const { stderr } = process;
  return {
    onNext: (next: Parameters<typeof nextLine>[0]) => {
      if (stderr.isTTY) stderr.write(`\r\x1b[K${nextLine(next)} …`);
    },
    onStep: (search: Search) => {
      if (stderr.isTTY) stderr.write('\r\x1b[K');
      console.log(stepLine(search));
    },
  };
}
