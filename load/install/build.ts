// k6 from source: the module that is pinned beside this, every dependency checked against its go.sum.
import { spawn } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ConfigurationError } from '../../fixtures/target/configuration-error.ts';
import type { Environment } from './resolve.ts';
import { k6Version } from './version.ts';

const source = fileURLToPath(new URL('../k6', import.meta.url));
/** A slow machine with a slow line needs minutes; a build that hangs needs an end. */
const longestMs = 20 * 60_000;
const tellEveryMs = 10_000;

interface BuildOptions {
  readonly go: string;
  readonly env: Environment;
  /** Path of the program. */
  readonly to: string;
  readonly say: (line: string) => void;
}

/**
 * Builds into a folder beside its place and moves it there, so that two builds at once do no harm.
 * @throws ConfigurationError with the end of what Go said
 */
export async function buildK6({ go, env, to, say }: BuildOptions): Promise<string> {
  mkdirSync(dirname(to), { recursive: true });
  const folder = mkdtempSync(join(dirname(to), 'k6-build-'));
  const startedAt = Date.now();
  say(`k6: building ${k6Version} from source, once; a minute or two`);
  const ticking = setInterval(() => {
    say(`k6: still building (${Math.round((Date.now() - startedAt) / 1_000)} s)`);
  }, tellEveryMs);
  try {
    for (const file of ['go.mod', 'go.sum']) copyFileSync(join(source, file), join(folder, file));
    const said = await run(go, ['install', 'tool'], folder, {
      ...env,
      GOBIN: folder,
      GOFLAGS: '-mod=readonly -buildvcs=false',
    });
    if (said !== undefined)
      throw new ConfigurationError([
        `k6: ${said}; Go ≥ 1.25 and a way to its module proxy are needed, or set K6_BIN to a k6 2.x`,
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
