// `npm run bench -- hour`: checks that a k6 process that sends for long, by default an hour, stays within 600 MiB.
import { startNull } from '../../load/null-target/start.ts';
import { openGenerator } from './generator.ts';

/** The most memory that the k6 process may take. */
const mostMiB = 600;

/**
 * Sends logs to a target that does nothing.
 * @param args how many minutes, and how many requests per second; by default 60 and 2,000
 * @returns the exit code: 1 if k6 took more memory than `mostMiB`
 */
export async function hourBench([minutes = '60', perSecond = '2000']: readonly string[]): Promise<0 | 1> {
  const rate = Number(perSecond);
  const target = await startNull();
  const load = await openGenerator({ journey: 'logs' });
  try {
    const plan = { rate, durationMs: Number(minutes) * 60_000, warmupMs: 1_000, seed: 1, inFlight: rate };
    const { memoryMiB, sent, lagMs } = await load.against(target.url)(
      { ...plan, arrivals: 'poisson', label: 'hour' },
      new AbortController().signal,
    );
    console.log(
      `${minutes} min at ${rate}/s: ${memoryMiB} MiB at most (≤ ${mostMiB}), ${sent.toLocaleString('en')} requests, late by ${lagMs.p95.toFixed(1)} ms (p95)`,
    );
    return memoryMiB <= mostMiB ? 0 : 1;
  } finally {
    await load.close();
    await target.close();
  }
}
