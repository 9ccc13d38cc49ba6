// Where no URL is given: the embedded server, as a process of its own, so that it neither shares a thread with the runner nor its memory.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { reference } from '../../fixtures/server/reference.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const longestMs = 20_000;

export interface Embedded {
  /** What the environment would say of it. */
  readonly env: Readonly<Record<string, string>>;
  readonly parameters: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

export async function startEmbeddedProcess(seed: number): Promise<Embedded> {
  const args = ['--import', './runtime.js', 'cli.ts', 'serve', '--seed', String(seed)];
  const child = spawn(process.execPath, args, {
    cwd: root,
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const end = () => child.kill('SIGKILL');
  process.once('exit', end);
  const close = () =>
    new Promise<void>((settle) => {
      process.removeListener('exit', end);
      if (child.exitCode !== null || child.signalCode !== null) return settle();
      child.once('exit', () => settle());
      end();
    });
  const line = await new Promise<string>((settle, fail) => {
    const timer = setTimeout(() => fail(new Error('the embedded server did not start in time')), longestMs);
    createInterface({ input: child.stdout }).once('line', (text) => {
      clearTimeout(timer);
      settle(text);
    });
    child.once('exit', (code) => fail(new Error(`the embedded server ended with ${code}`)));
  }).catch(async (error) => {
    await close();
    throw error;
  });
  const urls = JSON.parse(line) as Record<'base_url' | 'cdn_url' | 'gamelogs_url', string>;
  const { cdnRootFolderPath, gameVersion, versionPattern, ...known } = reference;
  return {
    env: {
      BASE_URL: urls.base_url,
      CDN_URL: urls.cdn_url,
      GAMELOGS_URL: urls.gamelogs_url,
      CDN_ROOT_FOLDER_PATH: cdnRootFolderPath,
      GAME_VERSION: gameVersion,
      VERSION_PATTERN: versionPattern,
    },
    parameters: Object.fromEntries(
      Object.entries(known).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
    ),
    close,
  };
}
