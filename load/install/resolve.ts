// Which k6: K6_BIN, else one on PATH, else the one that was built, else a build.
import { execFile } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, isAbsolute, join, resolve } from 'node:path';
import { ConfigurationError } from '../../fixtures/target/configuration-error.ts';
import { quoted } from '../../fixtures/target/quoted.ts';
import { buildK6 } from './build.ts';
import { k6Version } from './version.ts';

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
      `k6: not found, and there is no Go to build it with; set K6_BIN to a k6 2.x, put one on PATH, or install Go ≥ 1.25 (npm run k6:install then builds k6 ${k6Version})`,
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
