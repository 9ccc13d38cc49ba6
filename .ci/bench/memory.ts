// `npm run bench -- --memory`: measures whether the engine keeps memory from one run to the next.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { serve } from './targets.ts';

const runs = 50;
/** The first runs fill caches that stay. */
const warmUp = 10;
/** What the heap may have grown by over the runs that follow. */
const mostMiB = 5;

const script = fileURLToPath(new URL('./flat.ts', import.meta.url));

/** @returns the exit code: 1 where the heap grew */
export async function memory(): Promise<0 | 1> {
  const server = await serve();
  try {
    const heaps = await heapsOf(server.urls);
    const mean = (from: number, to: number) =>
      heaps.slice(from, to).reduce((sum, each) => sum + each, 0) / (to - from);
    const [first, last] = [mean(warmUp, warmUp + 10), mean(runs - 10, runs)];
    const grown = last - first;
    const verdict = grown <= mostMiB ? 'ok' : 'MISSED';
    console.log(
      `heap over ${runs} runs in one process: ${first.toFixed(1)} MiB in runs ${warmUp + 1} to ${warmUp + 10}, ${last.toFixed(1)} MiB in the last ten; ≤ ${mostMiB} MiB more  ${verdict}`,
    );
    return grown <= mostMiB ? 0 : 1;
  } finally {
    server.close();
  }
}

async function heapsOf(urls: Readonly<Record<string, string>>): Promise<number[]> {
  const child = spawn(process.execPath, ['--expose-gc', '--import', './runtime.js', script, String(runs)], {
    cwd: fileURLToPath(new URL('../..', import.meta.url)),
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { PATH: process.env.PATH, ...urls },
  });
  const printed = await child.stdout.toArray();
  return JSON.parse(Buffer.concat(printed).toString());
}
