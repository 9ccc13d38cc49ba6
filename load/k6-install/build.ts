// Finds a k6 2.x on this machine, or builds the pinned one from source.
import { execFile, spawn } from 'node:child_process';
import { accessSync, constants, copyFileSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, dirname, isAbsolute, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ConfigurationError } from '../../engine/values/configuration-error.ts';
import { quoted } from '../../engine/values/text.ts';
import { typed } from '../../engine/values/typed-command.ts';

/** The version of k6 that `k6/go.mod` pins; a test compares the two. */
export const k6Version = '2.2.0';

// The build: the module that is pinned in `k6`, with every dependency checked against its go.sum.
const source = fileURLToPath(new URL('../k6', import.meta.url));
/** Deadline of a build: a slow machine with a slow line needs minutes. */
const longestMs = 20 * 60_000;
const tellEveryMs = 10_000;

interface BuildOptions {
  readonly go: string;
  readonly env: Environment;
  /** The path that the built program gets. */
  readonly to: string;
  readonly say: (line: string) => void;
}

/**
 * Builds into a folder beside its place and moves it there, so that two builds at once do no harm.
 * @throws ConfigurationError with the end of what Go said
 */
async function buildK6({ go, env, to, say }: BuildOptions): Promise<string> {
  mkdirSync(dirname(to), { recursive: true });
  const folder = mkdtempSync(join(dirname(to), 'k6-build-'));
  const startedAt = Date.now();
  say(`k6: building ${k6Version} from source, once; one to five minutes`);
  const ticking = setInterval(() => {
    say(`k6: still building (${Math.round((Date.now() - startedAt) / 1_000)} s)`);
  }, tellEveryMs);
  try {
    for (const file of ['go.mod', 'go.sum']) copyFileSync(join(source, file), join(folder, file));
    const failure = await run(go, ['install', '-trimpath', 'tool'], folder, {
      ...env,
      GOBIN: folder,
      GOFLAGS: '-mod=readonly -buildvcs=false',
    });
    if (failure !== undefined)
      throw new ConfigurationError([
        `k6: ${failure}; Go ≥ 1.25 and a way to its module proxy are needed, or set K6_BIN to a k6 2.x`,
      ]);
    renameSync(join(folder, process.platform === 'win32' ? 'k6.exe' : 'k6'), to);
    say(`k6: built in ${Math.round((Date.now() - startedAt) / 1_000)} s: ${to}`);
    return to;
  } finally {
    clearInterval(ticking);
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @returns what went wrong, in one line; undefined where nothing did */
function run(
  go: string,
  args: readonly string[],
  cwd: string,
  env: Environment,
): Promise<string | undefined> {
  return new Promise((settle) => {
    const child = spawn(go, args, { cwd, env, stdio: ['ignore', 'ignore', 'pipe'], detached: true });
    let last = '';
    const stop = () => {
      try {
        if (child.pid) process.kill(-child.pid, 'SIGKILL');
      } catch {
        // It has ended.
      }
    };
    const timer = setTimeout(stop, longestMs);
    process.once('exit', stop);
    child.stderr.on('data', (chunk: Buffer) => {
      last = (last + chunk.toString()).slice(-2_000);
    });
    child.once('error', (error) => settle(`go cannot be started (${error.message})`));
    child.once('close', (code) => {
      clearTimeout(timer);
      process.removeListener('exit', stop);
      const line = last.trim().split('\n').at(-1)?.slice(0, 300);
      settle(code === 0 ? undefined : `the build failed: ${line ?? `go ended with ${code}`}`);
    });
  });
}

// The choice of k6: K6_BIN, else one on PATH, else the one that was built, else a build.
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * @returns the path of a k6 2.x
 * @throws ConfigurationError where K6_BIN names none, or there is neither k6 nor Go
 */
export async function resolveK6(env: Environment, say: (line: string) => void): Promise<string> {
  const found = await findK6(env);
  if (found !== undefined) return found;
  const [go] = onPath('go', env);
  if (go === undefined)
    throw new ConfigurationError([
      `k6: not found, and there is no Go to build it with; set K6_BIN to a k6 2.x, put one on PATH, or install Go ≥ 1.25 (${typed('k6-install')} then builds k6 ${k6Version})`,
    ]);
  return buildK6({ go, env, to: cachedK6(env), say });
}

/**
 * @returns the path of a k6 2.x that is there already
 * @throws ConfigurationError where K6_BIN names none
 */
export async function findK6(env: Environment): Promise<string | undefined> {
  const named = env.K6_BIN?.trim();
  if (named) return checked(named);
  for (const path of onPath('k6', env)) if ((await versionOf(path))?.startsWith('2.')) return path;
  const cached = cachedK6(env);
  return isExecutable(cached) ? cached : undefined;
}

/** Outside the checkout, so that a fresh clone need not build again. */
function cachedK6(env: Environment): string {
  const cache =
    env.XDG_CACHE_HOME && isAbsolute(env.XDG_CACHE_HOME)
      ? env.XDG_CACHE_HOME
      : join(env.HOME ?? homedir(), '.cache');
  return join(cache, 'assay', `k6-${k6Version}`);
}

/** `2.2.0`; undefined where the program is no k6, or does not answer in time. */
export function versionOf(path: string): Promise<string | undefined> {
  return new Promise((settle) => {
    const limits = { timeout: 10_000, maxBuffer: 64 * 1024, killSignal: 'SIGKILL' } as const;
    execFile(path, ['version'], limits, (_, stdout) =>
      settle(/\bv(\d+\.\d+\.\d+\S*)/.exec(String(stdout))?.[1]),
    );
  });
}

async function checked(named: string): Promise<string> {
  const path = resolve(named);
  if (!isExecutable(path))
    throw new ConfigurationError([`K6_BIN: ${quoted(named)} is no program; expected the path of a k6 2.x`]);
  const version = await versionOf(path);
  if (version?.startsWith('2.')) return path;
  throw new ConfigurationError([
    `K6_BIN: ${quoted(named)} is ${version === undefined ? 'no k6' : `k6 ${quoted(version)}`}; expected a k6 2.x`,
  ]);
}

const onPath = (name: string, { PATH = '' }: Environment): string[] =>
  PATH.split(delimiter)
    .filter((folder) => isAbsolute(folder))
    .map((folder) => join(folder, name))
    .filter(isExecutable);

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
