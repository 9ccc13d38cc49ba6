// Tries the CLI on a hostile server as a user starts it, and lists which of Assay's promises were broken.
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../../engine/files.ts';
import { randomFrom } from '../../engine/values/random.ts';
import { sideBySide } from '../../engine/values/side-by-side.ts';
import { formsOf, type Hostile, makeTokens } from '../../fixtures/hostile/hostile.ts';
import { serveHostile, startElsewhere } from '../../fixtures/hostile/serve.ts';
import { startWords } from '../../fixtures/kit/programs.ts';

interface Tree {
  /** The sum of the processes' own peaks, in MiB; undefined where the system does not report them. */
  readonly peakMebibytes: () => number | undefined;
  /** CPU time of all processes; undefined where the system does not report it. */
  readonly cpuSeconds: () => number | undefined;
  /** Ids of the processes that are still alive, except the first. */
  readonly survivors: () => readonly number[];
  readonly stop: () => void;
}

export function watchTree(pid: number, everyMs = 50): Tree {
  const peaks = new Map<number, number>();
  const births = new Map<number, string>();
  const ticks = new Map<number, number>();
  const look = () => {
    for (const each of [pid, ...descendants(pid)]) {
      const peak = peakOf(each);
      if (peak === undefined) continue;
      peaks.set(each, Math.max(peak, peaks.get(each) ?? 0));
      const stat = statOf(each);
      if (stat[birth] === undefined) continue;
      births.set(each, stat[birth]);
      ticks.set(each, Number(stat[user] ?? 0) + Number(stat[system] ?? 0));
    }
  };
  const timer = setInterval(look, everyMs);
  look();
  return {
    peakMebibytes: () =>
      peaks.size === 0 ? undefined : Math.round([...peaks.values()].reduce((sum, peak) => sum + peak) / 1024),
    cpuSeconds: () =>
      ticks.size === 0 ? undefined : [...ticks.values()].reduce((sum, each) => sum + each) / ticksPerSecond,
    // The system may have given the number to another process since.
    survivors: () =>
      [...births].flatMap(([each, at]) => (each !== pid && statOf(each)[birth] === at ? [each] : [])),
    stop: () => clearInterval(timer),
  };
}

const read = (path: string): string => {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
};

/** The peak memory of a process, in KiB. */
function peakOf(pid: number): number | undefined {
  const found = /^VmHWM:\s+(\d+) kB/m.exec(read(`/proc/${pid}/status`))?.[1];
  return found === undefined ? undefined : Number(found);
}

/** The unit in which Linux reports CPU time, whatever the kernel's own clock. */
const ticksPerSecond = 100;
/** Indexes in what follows the name in /proc/PID/stat: user time, system time and start time, all in ticks. */
const [user, system, birth] = [11, 12, 19] as const;

/** The fields of /proc/PID/stat after the name; without values where there is no such process. */
const statOf = (pid: number) =>
  read(`/proc/${pid}/stat`)
    .replace(/^.*\) /s, '')
    .split(' ');

function descendants(pid: number): number[] {
  const children = tasks(pid).flatMap((task) =>
    read(`/proc/${pid}/task/${task}/children`).split(' ').filter(Boolean).map(Number),
  );
  return children.flatMap((child) => [child, ...descendants(child)]);
}

function tasks(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
}

// The promises that hold whatever a target does; each broken one becomes a line.
interface TrialRun {
  readonly hostile: Hostile;
  readonly planned: readonly string[];
  readonly exit: number | string;
  readonly seconds: number;
  readonly mebibytes: number | undefined;
  /** Processes that were left behind. */
  readonly survivors: readonly number[];
  /** Standard output and standard error. */
  readonly shown: string;
  readonly out: string;
  readonly secrets: readonly string[];
  /** Requests that a foreign server received. */
  readonly came: readonly string[];
}

const most = { seconds: 60, mebibytes: 400 } as const;

function brokenPromises(seen: TrialRun): string[] {
  const { hostile, planned, exit, seconds, mebibytes = 0, survivors, shown, out, secrets, came } = seen;
  const files = readdirSync(out, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name, parentPath }) => ({ name, text: readFileSync(join(parentPath, name), 'utf8') }));
  const broken: string[] = [];
  const hold = (holds: boolean, otherwise: string) => {
    if (!holds) broken.push(otherwise);
  };
  const { exits = [1] } = hostile;
  hold(exits.includes(exit as number), `exit ${exit}, ${exits.join(' or ')} is right`);
  hold(seconds <= most.seconds, `took ${seconds} s`);
  hold(mebibytes <= most.mebibytes, `took ${mebibytes} MiB`);
  hold(survivors.length === 0, `left processes behind: ${survivors.join(', ')}`);
  for (const { name, text } of [...files, { name: 'the console', text: shown }]) {
    const found = secrets.find((secret) => formsOf(secret).some((form) => text.includes(form)));
    hold(found === undefined, `${name} holds a secret: ${found}`);
  }
  hold(!steering.test(shown.replaceAll('\n', '')), 'control characters reach the terminal');
  hold(!/^\s+at .*:\d+:\d+/m.test(shown), 'a stack trace reaches the user');
  for (const { name, text } of files) {
    hold(
      !/\.(html|md|xml)$/.test(name) || !/<(script>alert|img src=x)/.test(text),
      `${name} holds markup of the target's`,
    );
    hold(!/href=["']?\s*javascript:/i.test(text), `${name} has a link of the target's`);
    hold(!name.endsWith('.md') || !/^# h$/m.test(text), `${name} has a heading of the target's`);
    hold(
      !name.endsWith('.xml') || !/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/u.test(text),
      `${name} is no XML`,
    );
  }
  hold(came.length === 0, `asked somebody else: ${came[0]?.slice(0, 300)}`);
  broken.push(...ofResult(files.find(({ name }) => name === 'result.json')?.text, planned, hostile));
  return broken;
}

const steering = /[\p{Cc}\p{Cs}\u202a-\u202e\u2028\u2029]/u;

function ofResult(
  text: string | undefined,
  planned: readonly string[],
  { resultPattern: reported }: Hostile,
): string[] {
  if (text === undefined) return ['there is no result.json'];
  const { checks } = JSON.parse(text) as { checks: { id: string; outcome: string; detail?: string }[] };
  const ids = new Set(checks.map(({ id }) => id));
  const missing = planned.filter((id) => !ids.has(id));
  const ours = checks.find(({ outcome }) => outcome === 'harness-error');
  return [
    ...(missing.length === 0
      ? []
      : [`${missing.length} planned checks are not in the result: ${missing[0]}`]),
    ...(ours === undefined ? [] : [`our own error in ${ours.id}: ${ours.detail}`]),
    ...(reported === undefined || reported.test(text) ? [] : [`the result does not tell ${reported}`]),
  ];
}

export interface Trial {
  readonly name: string;
  /** What the target does, in a phrase. */
  readonly does: string;
  /** The exit code, or the signal that ended it. */
  readonly exit: number | string;
  readonly seconds: number;
  /** CPU time of all processes together, which a busy machine does not change. */
  readonly cpuSeconds: number | undefined;
  /** Memory of all processes together; undefined where the system does not report it. */
  readonly mebibytes: number | undefined;
  /** A line for each promise that was broken. */
  readonly broken: readonly string[];
}

/** The process is killed only after this time, long after every limit. */
const mostMs = 150_000;
/** Few enough that some flows wait for players of others; with 12 the slowest run takes half as long again. */
const players = 24;

/** @param only words of `--only`; empty for all checks */
async function tryOn(hostile: Hostile, planned: readonly string[], only: readonly string[]): Promise<Trial> {
  const tokens = makeTokens(players);
  const elsewhere = await startElsewhere();
  const served = await serveHostile(hostile, { elsewhere: elsewhere.url, tokens });
  const out = mkdtempSync(join(tmpdir(), 'assay hostile '));
  const { hosts } = served;
  const begun = performance.now();
  const selected = only.length > 0 ? ['--only', ...only] : [];
  const child = spawn(process.execPath, [...startWords, 'run', '--out', out, ...selected], {
    cwd: root,
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      // Node passes coverage on to child processes, which would distort memory and time.
      NODE_V8_COVERAGE: undefined,
      BASE_URL: hosts.base,
      CDN_URL: hosts.cdn,
      GAMELOGS_URL: hosts.gamelogs,
      LOGIN_TOKEN: tokens.join(' '),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: mostMs,
    killSignal: 'SIGKILL',
  });
  let shown = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (shown += chunk));
  const tree = watchTree(child.pid ?? 0);
  const exit = await new Promise<number | string>((resolve) =>
    child.once('close', (code, signal) => resolve(code ?? signal ?? 'no exit')),
  );
  tree.stop();
  const seconds = Math.round((performance.now() - begun) / 100) / 10;
  const mebibytes = tree.peakMebibytes();
  const cpuSeconds = tree.cpuSeconds();
  served.close();
  elsewhere.close();
  const broken = brokenPromises({
    hostile,
    planned,
    exit,
    seconds,
    mebibytes,
    survivors: tree.survivors(),
    shown,
    out,
    secrets: [...tokens, ...served.issued],
    came: elsewhere.came,
  });
  if (process.env.ASSAY_KEEP) console.log(out, '\n', shown);
  else rmSync(out, { recursive: true, force: true });
  return { name: hostile.name, does: hostile.does, exit, seconds, cpuSeconds, mebibytes, broken };
}

/**
 * Draws the checks of a trial: the rules of a sixth of the operations, and a third of the flows, others by server.
 * @returns the ids of those checks, and the words that select them
 */
export function drawnFor(
  { name }: Pick<Hostile, 'name'>,
  all: readonly string[],
): { readonly planned: readonly string[]; readonly only: readonly string[] } {
  const wordOf = (id: string) => id.replace(/([#/]).*/, '$1*');
  const isDrawn = (word: string) => randomFrom(name, word)() < (word.endsWith('#*') ? 1 / 6 : 1 / 3);
  const only = [...new Set(all.map(wordOf))].filter(isDrawn);
  return { planned: all.filter((id) => only.includes(wordOf(id))), only };
}

/** Ids of all the checks, as `--list` prints them. */
export async function plannedChecks(): Promise<string[]> {
  const child = spawn(process.execPath, [...startWords, 'run', '--list'], {
    cwd: root,
    env: { PATH: process.env.PATH, HOME: process.env.HOME },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  child.stdout.on('data', (chunk) => (text += chunk));
  await new Promise((resolve) => child.once('close', resolve));
  return text.trim().split('\n');
}

interface TryAllOptions {
  /** Ids of all the checks there are. */
  readonly planned: readonly string[];
  /** Trials side by side: most of them wait for a target that does nothing. */
  readonly atATime: number;
  /** All but those that measure are asked a share of the checks. */
  readonly drawn?: boolean;
  /** Called as each ends. */
  readonly onEnd?: (trial: Trial) => void;
}

/**
 * Runs all trials and returns them in the given order. Neighbours in the list load the machine alike (compute or wait),
 * so trials far apart in it run side by side. A trial that only took too much time or memory is run once more, alone:
 * Assay's promise is about a single run, and runs side by side slow each other and their garbage collection down.
 */
export async function tryAll(
  hostiles: readonly Hostile[],
  { planned, atATime, drawn = false, onEnd }: TryAllOptions,
): Promise<Trial[]> {
  const trials: Trial[] = [];
  const tryOne = (hostile: Hostile) => {
    const asked = drawn && !hostile.whole ? drawnFor(hostile, planned) : { planned, only: [] };
    return tryOn(hostile, asked.planned, asked.only);
  };
  const each = Math.ceil(hostiles.length / atATime);
  const order = [...hostiles.keys()].sort((a, b) => (a % each) - (b % each) || a - b);
  await sideBySide(order, atATime, async (at) => {
    const trial = await tryOne(hostiles[at] as Hostile);
    trials[at] = trial;
    if (!onlyTookTooMuch(trial)) onEnd?.(trial);
  });
  for (const [at, trial] of trials.entries()) {
    if (!onlyTookTooMuch(trial)) continue;
    const again = await tryOne(hostiles[at] as Hostile);
    trials[at] = again;
    onEnd?.(again);
  }
  return trials;
}

/** Returns whether time or memory is the only broken promise. */
const onlyTookTooMuch = ({ seconds, mebibytes = 0, broken }: Trial) =>
  broken.length === 1 && (seconds > most.seconds || mebibytes > most.mebibytes);
