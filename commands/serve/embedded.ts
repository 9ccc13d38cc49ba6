// Starts the embedded server for runs without a URL, with the settings that it is known to need.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { ambientParameters } from '../../catalog/request-path.ts';
import type { Target } from '../../engine/target/target.ts';
import { reference } from '../../fixtures/reference/existing-values.ts';
import { startServerThread } from '../../fixtures/reference/own-thread.ts';
import type { Embedded } from '../../load/step/open-load.ts';

const longestMs = 20_000;

const { cdnRootFolderPath, gameVersion, versionPattern, ...known } = reference;
const parameters: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(known).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
);

/**
 * Starts the server in a thread of its own. The target gets the server's own values, as from a profile; values that
 * the environment gives take precedence.
 */
export async function startEmbedded(read: Target): Promise<{ target: Target; close: () => Promise<void> }> {
  const { baseUrl, cdnUrl, gamelogsUrl, close } = await startServerThread({
    seed: Number.parseInt(read.seed, 36) || 1,
  });
  const ambient = { CDN_ROOT_FOLDER_PATH: cdnRootFolderPath, gameVersion, versionPattern };
  const given = Object.fromEntries(read.given.map((name) => [name, read.ambient[name]]));
  return {
    target: {
      ...read,
      hosts: { base: baseUrl, cdn: cdnUrl, gamelogs: gamelogsUrl },
      ambient: { ...ambient, ...given },
      given: ambientParameters,
      parameters: { ...parameters, ...read.parameters },
    },
    close,
  };
}

/** Starts the server in a process of its own, so that it shares neither thread nor memory with the load generator. */
export async function startEmbeddedProcess(seed: number): Promise<Embedded> {
  const args = [fileURLToPath(import.meta.resolve('#self')), 'serve', '--seed', String(seed)];
  const child = spawn(process.execPath, args, {
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
  return {
    env: {
      BASE_URL: urls.base_url,
      CDN_URL: urls.cdn_url,
      GAMELOGS_URL: urls.gamelogs_url,
      CDN_ROOT_FOLDER_PATH: cdnRootFolderPath,
      GAME_VERSION: gameVersion,
      VERSION_PATTERN: versionPattern,
    },
    parameters,
    close,
  };
}
