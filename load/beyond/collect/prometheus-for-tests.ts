import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/** Skipped aloud where there is none; in CI it has to be there. */
export function hasPrometheus(): boolean {
  const found = spawnSync('prometheus', ['--version'], { timeout: 10_000 }).status === 0;
  if (found) return true;
  if (process.env.CI === 'true') throw new Error('prometheus is not installed; apt-get install prometheus');
  console.warn('SKIPPED: no distributed run is collected; prometheus is not installed');
  return false;
}

const longestMs = 20_000;

/** One of its own, empty, on loopback. */
export async function startPrometheus(): Promise<{ url: string; close(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'assay prometheus '));
  writeFileSync(join(folder, 'prometheus.yml'), 'scrape_configs: []\n');
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const child = spawn(
    'prometheus',
    [
      `--config.file=${join(folder, 'prometheus.yml')}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
      '--web.enable-remote-write-receiver',
      '--enable-feature=native-histograms',
    ],
    { stdio: 'ignore' },
  );
  const end = () => child.kill('SIGKILL');
  process.once('exit', end);
  const close = async () => {
    process.removeListener('exit', end);
    if (child.exitCode === null && child.signalCode === null) {
      const ended = new Promise((settle) => child.once('exit', settle));
      end();
      await ended;
    }
    rmSync(folder, { recursive: true, force: true });
  };
  const deadline = Date.now() + longestMs;
  while (!(await isReady(url))) {
    if (Date.now() > deadline || child.exitCode !== null) {
      await close();
      throw new Error('prometheus did not start in time');
    }
    await pause(100);
  }
  return { url, close };
}

const isReady = (url: string): Promise<boolean> =>
  fetch(`${url}/-/ready`, { signal: AbortSignal.timeout(2_000) }).then(
    ({ ok }) => ok,
    () => false,
  );

function freePort(): Promise<number> {
  return new Promise((settle) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => settle(typeof address === 'object' && address ? address.port : 0));
    });
  });
}
