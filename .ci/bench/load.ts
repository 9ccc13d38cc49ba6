// `npm run bench -- load`: compares a journey of one request with a minimal k6 script, on a target that does nothing:
// CPU time at the same rate, and throughput with equally many parallel requests. Both use the same GC settings.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { median } from '../../engine/values/quantile.ts';
import { resolveK6 } from '../../load/k6-install/build.ts';
import { startNull } from '../../load/null-target/start.ts';
import { runK6 } from '../../load/run/k6-process.ts';
import type { StepPlan } from '../../load/step/plan.ts';
import type { BarePlan } from './bare.ts';
import { openGenerator } from './generator.ts';

const rounds = 5;
const durationMs = 5_000;
/** Requests per second at which CPU time is compared. */
const sameRate = 2_000;
/** VUs of the bare script that keep up with that rate: rate × (lead + 4 × p99). */
const bareVus = 100;
/** Parallel requests at which throughput is compared. */
const parallelRequests = 20;
/** Requests per second that k6 reaches on no machine: what it does reach is its throughput. */
const unreachableRate = 40_000;
/** Times the throughput of the bare script, so that the next journey is always due. */
const rateMargin = 1.3;
/** The most CPU time per request that a journey may take, in multiples of the bare script's. */
const mostCpuRatio = 1;

const signal = new AbortController().signal;
const percent = (ratio: number) => `${(ratio * 100).toFixed(0)} %`;

interface Sent {
  /** Requests per second. */
  readonly perSecond: number;
  /** CPU use in cores: 1 is one core all the time. */
  readonly cpu: number;
  /** CPU time per request in ms. */
  readonly msPerRequest: number;
}

const sentOf = (sent: number, cpu: number): Sent => ({
  perSecond: sent / (durationMs / 1_000),
  cpu,
  msPerRequest: (cpu * durationMs) / sent,
});

/** @returns the exit code: 1 if a journey takes more CPU time than `mostCpuRatio` allows */
export async function loadOverhead(): Promise<number> {
  const target = await startNull();
  const folder = mkdtempSync(join(tmpdir(), 'assay-bench-load-'));
  const load = await openGenerator({ journey: '', operation: 'general.healthcheck', say: console.log });
  const runJourney = async (given: Pick<StepPlan, 'rate' | 'arrivals' | 'inFlight'>): Promise<Sent> => {
    const plan = { ...given, durationMs, warmupMs: 0, seed: 1, label: 'bench' };
    const { sent, cpu } = await load.against(target.url)(plan, signal);
    return sentOf(sent, cpu);
  };
  try {
    const k6 = await resolveK6(process.env, console.log);
    const ratios: { readonly cpu: number; readonly throughput: number }[] = [];
    for (let round = 1; round <= rounds; round += 1) {
      const bareAtRate = await runBare(k6, folder, target.url, sameRate, bareVus);
      const journeyAtRate = await runJourney({ rate: sameRate, arrivals: 'poisson', inFlight: 2_000 });
      const bareAtFull = await runBare(k6, folder, target.url, unreachableRate, parallelRequests);
      const rate = Math.round(bareAtFull.perSecond * rateMargin);
      const journeyAtFull = await runJourney({ rate, arrivals: 'even', inFlight: parallelRequests });
      const cpu = journeyAtRate.msPerRequest / bareAtRate.msPerRequest;
      const throughput = journeyAtFull.perSecond / bareAtFull.perSecond;
      ratios.push({ cpu, throughput });
      console.log(
        `round ${round}: at ${sameRate}/s ${journeyAtRate.cpu.toFixed(2)} cores against ${bareAtRate.cpu.toFixed(2)}; ${parallelRequests} under way ${journeyAtFull.perSecond.toFixed(0)}/s against ${bareAtFull.perSecond.toFixed(0)}/s`,
      );
    }
    const cpu = median(ratios.map((each) => each.cpu));
    const throughput = median(ratios.map((each) => each.throughput));
    console.log(
      `processor time of a Poisson arrival at ${sameRate}/s, of the barest script's even one: ${percent(cpu)} (median; ≤ ${percent(mostCpuRatio)}) ${cpu <= mostCpuRatio ? 'ok' : 'MISSED'}`,
    );
    console.log(
      `throughput with ${parallelRequests} under way, of the barest script's: ${percent(throughput)} (median)`,
    );
    return cpu <= mostCpuRatio ? 0 : 1;
  } finally {
    await load.close();
    await target.close();
    rmSync(folder, { recursive: true });
  }
}

/**
 * Runs the smallest possible script, with k6's own summary, which everybody leaves on.
 * @param rate requests per second
 */
async function runBare(k6: string, folder: string, url: string, rate: number, vus: number): Promise<Sent> {
  const summaryFile = join(folder, 'bare.json');
  const plan: BarePlan = { url: `${url}/api/v1/healthcheck`, rate, durationMs, vus, summaryFile };
  const planFile = join(folder, 'bare-plan.json');
  writeFileSync(planFile, JSON.stringify(plan));
  const script = fileURLToPath(new URL('./bare.ts', import.meta.url));
  const { cpu } = await runK6({
    k6,
    script,
    folder,
    variables: { ASSAY_PLAN: planFile, K6_SUMMARY_MODE: 'compact' },
    limitMs: 60_000,
    signal,
    onLine: () => {},
  });
  return sentOf(JSON.parse(readFileSync(summaryFile, 'utf8')).metrics.http_reqs.values.count, cpu);
}
