// Runs `npm start`: performs the checks of a run, writes its reports and sets the exit code.

import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { claimFolder, readRegularFile, unwritten, writableFolder } from '../../engine/files.ts';
import type { Preflight } from '../../engine/preflight/preflight.ts';
import { interruption, stopCompiling, unlessAborted } from '../../engine/process.ts';
import { type AttackMode, attackNotes } from '../../engine/run/attacks.ts';
import type { Gate } from '../../engine/run/baseline.ts';
import { type OpenedTarget, openTarget } from '../../engine/run/open-target.ts';
import { unmatchedPins } from '../../engine/run/pins.ts';
import { type Plan, planOf } from '../../engine/run/plan.ts';
import type { RunResult } from '../../engine/run/result.ts';
import { startRunner } from '../../engine/run/runner.ts';
import { readStoredResult } from '../../engine/run/stored-result.ts';
import { ConfigurationError } from '../../engine/values/configuration-error.ts';
import { quotedWord } from '../../engine/values/shell.ts';
import { quoted } from '../../engine/values/text.ts';
import { cutToWidth } from '../../reports/console/layout.ts';
import { type Format, headFile, resultFile } from '../../reports/files.ts';
import type { Show } from '../../reports/show.ts';
import { unselectedLines } from '../command-line.ts';
import { startEmbedded } from '../serve/embedded.ts';
import {
  attackOn,
  goneLine,
  otherSettingsLines,
  otherTargetLines,
  readEarlierRuns,
  rerunEnd,
  rerunLines,
} from './earlier-runs.ts';
import { workerEntry } from './warm-threads.ts';

export interface RunCommandOptions {
  readonly only?: readonly string[];
  readonly list?: boolean;
  readonly out?: string;
  readonly strict?: boolean;
  readonly readOnly?: boolean;
  readonly attack?: AttackMode;
  readonly minJudged: number;
  readonly bail?: number;
  /** ms */
  readonly budget: number;
  /** ms */
  readonly timeout: number;
  readonly concurrency?: number;
  readonly rate?: number;
  readonly seed?: string;
  readonly jwtAlg?: string;
  readonly profile?: string;
  readonly baseline?: string;
  readonly failOn?: readonly Gate[];
  readonly rerun?: string;
  readonly insecure?: boolean;
  /** ms */
  readonly waitFor?: number;
  readonly keep?: string;
  readonly format?: readonly Format[];
}

const rerunFolder = 'rerun';

/** The folder of the result files. A rerun has another one, so that the first result can be rerun once more. */
export const outIn = ({ out, rerun }: Pick<RunCommandOptions, 'out' | 'rerun'>): string =>
  out ?? (rerun === undefined ? 'reports/out' : join(dirname(rerun), rerunFolder));

/** The folder for commands that run one check again: they must not replace the reports that name them. */
export function rerunOut(options: Pick<RunCommandOptions, 'out' | 'rerun'>): string {
  const out = outIn(options);
  return basename(out) === rerunFolder ? out : join(out, rerunFolder);
}

/** Options for a command that runs a check again, so that it has the same baseline; undefined without one. */
const rerunBaseline = ({ baseline, failOn }: Pick<RunCommandOptions, 'baseline' | 'failOn'>) =>
  baseline && `--baseline ${quotedWord(baseline)}${failOn ? ` --fail-on ${failOn.join(',')}` : ''}`;

/** The limits of a run, with times in milliseconds. */
export const limitsIn = (options: RunCommandOptions) => ({
  minJudged: options.minJudged,
  bail: options.bail,
  budgetMs: options.budget,
  timeoutMs: options.timeout,
  concurrency: options.concurrency,
  rate: options.rate,
  waitForMs: options.waitFor,
});

/** Performs a run, shows it and sets the exit code. @throws ConfigurationError for a mistake in the settings */
export async function runCommand(raw: RunCommandOptions, show: Show): Promise<void> {
  const startedAt = Date.now();
  const options = limitsIn(raw);
  const { baseline, again, before, strict, readOnly } = readEarlierRuns(raw);
  refuseContradiction({ ...raw, readOnly });
  const selection = { only: raw.only ?? [], again };
  if (raw.list) {
    const { everySuite } = await import('./suites.ts');
    const { checks } = agreed(planOf(everySuite, selection), again);
    process.stdout.write(checks.map(({ id }) => `${id}\n`).join(''));
    return;
  }
  const out = writableFolder(outIn(raw), '--out', show.files);
  claimFolder(out);
  const stop = interruption();
  const planning = Promise.withResolvers<Plan>();
  // Opening the target with its preflight, and starting the worker with its plan, run side by side.
  const opening = openAsAsked(
    { ...raw, readOnly },
    show,
    planning.promise.then(({ calls }) => calls),
  );
  const runner = startRunner({ entry: workerEntry, selection, out, onProgress: show.progress });
  for (const promise of [opening, planning.promise]) promise.catch(() => {});
  runner.plan.then(planning.resolve, planning.reject);
  // Reports a mistake in the settings of either before it waits for the other.
  const [opened, { checks, known, notes }] = await unlessAborted(
    stop,
    Promise.all([opening, planning.promise.then((plan) => agreed(plan, again))]),
    'the first check',
  );
  try {
    const asksAnother = otherTargetLines(before, opened.target);
    keepEarlierResults(opened, out);
    // Removed here and no earlier: a run that cannot begin must leave an earlier run's files alone.
    const kept = makeRoom(out, show, raw.only);
    removeReports(out, show);
    const { target, preflight } = opened;
    const attack = attackOn(raw.attack, target, before);
    const until = attackUntil(raw, target);
    const attacks = checks.filter((check) => check.attack).length;
    const isAway = preflight.nothingReachable;
    if (isAway) for (const line of preflight.lines) console.error(`assay: ${line}`);
    show.preflight([
      ...(isAway ? [] : preflight.lines),
      ...notes,
      ...kept,
      ...unmatchedPins(target.profile?.expects ?? {}, known),
      ...unselectedLines(process.env, process.argv, process.stdout),
      ...rerunLines(before, checks, { strict, readOnly }),
      ...asksAnother,
      ...otherSettingsLines({ '--rerun': before?.options, '--baseline': baseline?.options }, opened, {
        rate: raw.rate,
        timeoutMs: raw.timeout,
      }),
      ...(isAway
        ? []
        : attackNotes(
            attack,
            {
              target,
              discovery: preflight.discovery,
              rate: raw.rate,
              readOnly,
            },
            attacks,
            until !== undefined,
          )),
    ]);
    show.begin(checks.length);
    const result = await runner.run({
      ...options,
      opened,
      // Waiting for a server to start does not count as judging it.
      startedAt: startedAt + opened.waitedMs,
      only: raw.only ?? [],
      strict,
      readOnly,
      attack,
      attackUntil: until,
      rerunOut: rerunOut(raw),
      rerunBaseline: rerunBaseline(raw),
      earlier: before?.outcomes,
      baseline,
      failOn: raw.failOn,
      signal: stop,
    });
    // Frees its memory before the reports need theirs.
    await opened.close();
    stopCompiling();
    await show.end(result, out);
    for (const line of rerunEnd(before, result.checks)) process.stdout.write(`${line}\n`);
    process.exitCode = result.exitCode;
  } finally {
    await opened.close();
  }
}

/** @throws ConfigurationError where options ask for what others forbid */
export function refuseContradiction({
  attack,
  readOnly,
  rate,
}: Pick<RunCommandOptions, 'attack' | 'readOnly' | 'rate'>): void {
  if (attack !== 'on') return;
  if (readOnly)
    throw new ConfigurationError([
      '--attack on: attacks change what they meet, and --read-only forbids that; leave out one of the two',
    ]);
  if (rate !== undefined)
    throw new ConfigurationError([
      '--attack on: attacks send calls at one moment, and --rate forbids that; leave out one of the two',
    ]);
}

/** Time in ms for a whole run against the embedded server, and the part of it that npm and the reports take. */
const [wholeCommandMs, besidesMs] = [4_000, 750];

/** The time at which attacks that the user did not ask for end, so that a run on the embedded server stays short. */
export const attackUntil = (
  { attack = 'auto', only, rerun }: Pick<RunCommandOptions, 'attack' | 'only' | 'rerun'>,
  { embedded }: Pick<OpenedTarget['target'], 'embedded'>,
): number | undefined =>
  embedded && attack === 'auto' && only === undefined && rerun === undefined
    ? performance.timeOrigin + wholeCommandMs - besidesMs
    : undefined;

/**
 * Where no host answers, nothing was judged: the results of an earlier run in the folder stay.
 * @throws ConfigurationError where there are some
 */
export function keepEarlierResults(
  { preflight }: { readonly preflight: Pick<Preflight, 'lines' | 'nothingReachable'> },
  out: string,
): void {
  const earlier = preflight.nothingReachable ? earlierResult(join(out, resultFile)) : undefined;
  // A result that cannot be read is kept, too.
  if (earlier === undefined || (earlier !== 'unreadable' && earlier.exitCode === 2)) return;
  throw new ConfigurationError([
    ...preflight.lines,
    `no host answers, so nothing was judged; ${quoted(out)} keeps the results of an earlier run`,
  ]);
}

/** The result of an earlier run at this path; undefined where there is none. */
function earlierResult(path: string): RunResult | 'unreadable' | undefined {
  try {
    return existsSync(path) ? readStoredResult(path, '--out') : undefined;
  } catch {
    return 'unreadable';
  }
}

/** Opens the target that these options name; `calls` are shown before a host that is not loopback is called. */
export const openAsAsked = (
  options: RunCommandOptions,
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
    print: (line) => show.preflight([line]),
    ...limitsIn(options),
    calls,
  });

/** Folder in the output folder for a whole run that the next one would replace. */
const wholeRunFolder = 'before';

/**
 * Moves the files of an earlier run of all checks aside, since a user who runs again may want to compare, and a command
 * that repeats one check must not cost the run that printed it. Replaces a run of some checks; a run of all checks also
 * replaces one that was cut off.
 * @returns a line that says where the earlier run is, or that it is replaced; none where there was no such run
 * @throws ConfigurationError where that is not allowed
 */
export function makeRoom(
  out: string,
  { files }: Pick<Show, 'files'>,
  only: readonly string[] | undefined,
): string[] {
  const earlier = headOf(out);
  if (earlier === undefined) return [];
  const some = partOf(earlier);
  if (some === undefined && (only !== undefined || earlier.ended === 'complete'))
    return [moveAside(earlier, out, files)];
  return [
    `the run ${some ?? `that was cut off (${earlier.ended})`} in ${quoted(out)} (${earlier.startedAt}) is replaced; --out DIR keeps the next one apart`,
  ];
}

const mostHeadBytes = 2 ** 20;

type Head = Pick<RunResult, 'options' | 'ended' | 'startedAt'>;

/** Reads the head of the run in a folder; only without a head file its result, which is many times as large. */
function headOf(out: string): Head | undefined {
  try {
    const text = readRegularFile(join(out, headFile), mostHeadBytes).toString();
    const { options, ended, startedAt } = JSON.parse(text) as Head;
    return { options: { ...options, only: options.only.map(String) }, ended, startedAt: String(startedAt) };
  } catch {
    // There is no whole head file: an older version wrote none, or the run broke off.
  }
  const earlier = earlierResult(join(out, resultFile));
  return earlier === 'unreadable' ? undefined : earlier;
}

/** The options that limited a run to some checks; undefined for a run of all. */
function partOf({ options: { only, rerun } }: Head): string | undefined {
  if (rerun) return 'with --rerun';
  return only.length > 0 ? `with --only ${cutToWidth(only.map(quotedWord).join(' '), 60)}` : undefined;
}

function moveAside({ startedAt }: Head, out: string, files: readonly string[]): string {
  const aside = join(out, wholeRunFolder);
  const replaced = headOf(aside);
  const instead = replaced === undefined ? '' : `, in place of the one of ${replaced.startedAt}`;
  try {
    mkdirSync(aside, { recursive: true });
    // Removes every file of the replaced run, so that none is taken for this one's.
    for (const name of files) rmSync(join(aside, name), { force: true });
    for (const name of files) if (existsSync(join(out, name))) renameSync(join(out, name), join(aside, name));
  } catch (error) {
    throw unwritten('--out', aside, error);
  }
  return `the run of all checks that was in ${quoted(out)} (${startedAt}) is kept in ${quoted(aside)}${instead}`;
}

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
