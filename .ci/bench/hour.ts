// `npm run bench -- hour`: does the memory of one k6 process stay what it is, however long it sends?
import { startNull } from '../../load/null-target/start.ts';
import { openGenerator } from './generator.ts';

const mostMiB = 600;
/** Beyond what it takes after a minute. */
const mostGrowth = 1.25;

/**
 * Sends to a target that does nothing, for a minute and then for long.
 * @param args minutes and requests per second, 60 and 2,000 where nothing is said
 * @returns the exit code: 1 where it grew
 */
export async function hourBench([minutes = '60', perSecond = '2000']: readonly string[]): Promise<0 | 1> {
  const rate = Number(perSecond);
  const nowhere = await startNull();
  const load = await openGenerator({ journey: 'logs' });
  try {
    const taken: number[] = [];
    for (const length of [1, Number(minutes)]) {
      const plan = { rate, durationMs: length * 60_000, warmupMs: 1_000, seed: 1, inFlight: rate };
      const step = await load.against(nowhere.url)(
        { ...plan, arrivals: 'poisson', label: 'hour' },
        new AbortController().signal,
      );
      const { memoryMiB, sent, lagMs } = step;
      taken.push(memoryMiB);
      console.log(
        `${length} min at ${rate}/s: ${memoryMiB} MiB at most, ${sent.toLocaleString('en')} requests, late by ${lagMs.p95.toFixed(1)} ms (p95)`,
      );
    }
    const [short = 0, long = 0] = taken;
    return long <= mostMiB && long <= mostGrowth * short ? 0 : 1;
  } finally {
    await load.close();
    await nowhere.close();
  }
}
