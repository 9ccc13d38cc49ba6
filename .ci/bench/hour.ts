// `npm run bench -- hour`: measures whether the memory of one k6 process stays within bounds, however long it sends.
import { startNull } from '../../load/null-target/start.ts';
import { openGenerator } from './generator.ts';

const mostMiB = 600;

/**
 * Sends to a target that does nothing.
 * @param args minutes and requests per second, by default 60 and 2,000
 * @returns the exit code: 1 where it took more
 */
export async function hourBench([minutes = '60', perSecond = '2000']: readonly string[]): Promise<0 | 1> {
  const rate = Number(perSecond);
  const nowhere = await startNull();
  const load = await openGenerator({ journey: 'logs' });
  try {
    const plan = { rate, durationMs: Number(minutes) * 60_000, warmupMs: 1_000, seed: 1, inFlight: rate };
    const { memoryMiB, sent, lagMs } = await load.against(nowhere.url)(
      { ...plan, arrivals: 'poisson', label: 'hour' },
      new AbortController().signal,
    );
    console.log(
      `${minutes} min at ${rate}/s: ${memoryMiB} MiB at most (≤ ${mostMiB}), ${sent.toLocaleString('en')} requests, late by ${lagMs.p95.toFixed(1)} ms (p95)`,
    );
    return memoryMiB <= mostMiB ? 0 : 1;
  } finally {
    await load.close();
    await nowhere.close();
  }
}
