// `npm start`: from options to an exit code.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { unwritten, writableFolder } from '../../engine/files.ts';
import { interruption, unlessAborted } from '../../engine/process.ts';
import { type OpenedTarget, openTarget } from '../../engine/run/open-target.ts';
import { type Plan, planOf } from '../../engine/run/plan.ts';
import { startRunner } from '../../engine/run/run.ts';
import { ConfigurationError } from '../../engine/values/configuration-error.ts';
import type { Show } from '../../reports/show.ts';
import { startEmbedded } from '../serve/embedded.ts';
import { goneLine, readEarlierRuns } from './earlier-runs.ts';
import { limitsIn, type RunOptions, refuseOptionsOfNpm } from './options.ts';
import { workerEntry } from './warm-threads.ts';

/** Runs, shows, and leaves the exit code; a mistake in the settings is thrown as ConfigurationError. */
export async function runCommand(raw: RunOptions, show: Show): Promise<void> {
  const startedAt = Date.now();
  refuseOptionsOfNpm(process.env);
  const options = limitsIn(raw);
  const { baseline, again } = readEarlierRuns(raw);
  const selection = { only: raw.only ?? [], again };
  if (raw.list) {
    const { suites } = await import('./suites.ts');
    const { checks } = agreed(planOf(suites, selection), again);
    process.stdout.write(checks.map(({ id }) => `${id}\n`).join(''));
    return;
  }
  const out = writableFolder(raw.out, '--out', show.files);
  const stop = interruption();
  const planning = Promise.withResolvers<Plan>();
  // Two things that take their time, side by side: the target's start and look, and the worker's start and plan.
  const opening = openAsAsked(
    raw,
    show,
    planning.promise.then(({ calls }) => calls),
  );
  const runner = startRunner({ entry: workerEntry, selection, out, onProgress: show.progress });
  for (const promise of [opening, planning.promise]) promise.catch(() => {});
  runner.plan.then(planning.resolve, planning.reject);
  // Reports a mistake in the settings of either before it waits for the other.
  const [opened, { checks, notes }] = await unlessAborted(
    stop,
    Promise.all([opening, planning.promise.then((plan) => agreed(plan, again))]),
    'the first check',
  );
  try {
    // What an earlier run left there is not this one's, however this one ends; a run that cannot begin takes nothing away.
    removeReports(out, show);
    show.preflight([...opened.preflight.lines, ...notes]);
    show.begin(checks.length);
    const result = await runner.judge({
      ...options,
      opened,
      // Waiting for a server to start is no part of judging it.
      startedAt: startedAt + opened.waitedMs,
      only: raw.only ?? [],
      strict: raw.strict ?? false,
      readOnly: raw.readOnly ?? false,
      baseline,
      signal: stop,
    });
    await show.end(result, out);
    // What is still on its way (a worker that was interrupted, kept connections) has nothing more to tell.
    process.exit(result.exitCode);
  } finally {
    await opened.close();
  }
}

/** Opens the target that these options name; `calls` are shown before a host that is not loopback is called. */
export const openAsAsked = (
  options: RunOptions,
  show: Show,
  calls?: Promise<Plan['calls']>,
): Promise<OpenedTarget> =>
  openTarget({
    embedded: startEmbedded,
    env: process.env,
    cwd: process.cwd(),
    profile: options.profile,
    seed: options.seed,
    jwtAlg: options.jwtAlg,
    insecure: options.insecure,
    readOnly: options.readOnly,
    tell: (line) => show.preflight([line]),
    ...limitsIn(options),
    calls,
  });

/**
 * Removes what an earlier run left in the output folder.
 * @throws ConfigurationError where that is not allowed
 */
export function removeReports(out: string, { files }: Show): void {
  for (const name of files) {
    const path = join(out, name);
    try {
      rmSync(path, { force: true });
    } catch (error) {
      throw unwritten('--out', path, error);
    }
  }
}

/**
 * The plan, with the lines to print about it.
 * @throws ConfigurationError where a word of the selection matches nothing, or nothing is left to ask again
 */
function agreed(plan: Plan, again: readonly string[] | undefined): Plan & { readonly notes: string[] } {
  if (plan.mistakes.length > 0) throw new ConfigurationError(plan.mistakes);
  const gone = goneLine(again, plan);
  return { ...plan, notes: gone === undefined ? [] : [gone] };
}
