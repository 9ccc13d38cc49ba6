// `npm run bench -- load`: what a journey of one request costs beside the barest k6 script, on a target that does nothing:
// processor time at the same rate, and throughput with as many under way. Both collect garbage by the same rules.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { median } from '../../engine/values/quantile.ts';
import type { BarePlan } from '../../load/k6/bare.ts';
import { resolveK6 } from '../../load/k6-install/build.ts';
import { startNull } from '../../load/null-target/start.ts';
import { runK6 } from '../../load/run/k6-process.ts';
import type { StepPlan } from '../../load/step/plan.ts';
import { openGenerator } from './generator.ts';

const rounds = 5;
const durationMs = 5_000;
/** Requests per second at which processor time is compared. */
const sameRate = 2_000;
/** VUs that send that rate in time: rate × (lead + 4 × p99). */
const pool = 100;
/** Under way at once where throughput is compared. */
const together = 20;
/** More than any machine's k6 sends: what it reaches is its throughput. */
const endless = 40_000;
/** Above what the barest script sends, so that another journey is always due. */
const spare = 1.3;
const mostCpu = 1;

const signal = new AbortController().signal;
const percent = (ratio: number) => `${(ratio * 100).toFixed(0)} %`;

interface Sent {
  readonly perSecond: number;
  /** Cores, and ms of one for each request. */
  readonly cpu: number;
  readonly msPerRequest: number;
}

const sentOf = (sent: number, cpu: number): Sent => ({
  perSecond: sent / (durationMs / 1_000),
  cpu,
  msPerRequest: (cpu * durationMs) / sent,
});

export async function loadOverhead(): Promise<number> {
  const nowhere = await startNull();
  const folder = mkdtempSync(join(tmpdir(), 'assay-bench-load-'));
  const load = await openGenerator({ journey: '', operation: 'general.healthcheck', say: console.log });
  const own = async (given: Pick<StepPlan, 'rate' | 'arrivals' | 'inFlight'>): Promise<Sent> => {
    const plan = { ...given, durationMs, warmupMs: 0, seed: 1, label: 'bench' };
    const { sent, cpu } = await load.against(nowhere.url)(plan, signal);
    return sentOf(sent, cpu);
  };
  try {
    const k6 = await resolveK6(process.env, console.log);
    const ratios: { readonly cpu: number; readonly throughput: number }[] = [];
    for (let round = 1; round <= rounds; round += 1) {
      const bareSame = await bare(k6, folder, nowhere.url, sameRate, pool);
      const ownSame = await own({ rate: sameRate, arrivals: 'poisson', inFlight: 2_000 });
      const bareMost = await bare(k6, folder, nowhere.url, endless, together);
      const rate = Math.round(bareMost.perSecond * spare);
      const ownMost = await own({ rate, arrivals: 'even', inFlight: together });
      const cpu = ownSame.msPerRequest / bareSame.msPerRequest;
      const throughput = ownMost.perSecond / bareMost.perSecond;
      ratios.push({ cpu, throughput });
      console.log(
        `round ${round}: at ${sameRate}/s ${ownSame.cpu.toFixed(2)} cores against ${bareSame.cpu.toFixed(2)}; ${together} under way ${ownMost.perSecond.toFixed(0)}/s against ${bareMost.perSecond.toFixed(0)}/s`,
      );
    }
    const cpu = median(ratios.map((each) => each.cpu));
    const throughput = median(ratios.map((each) => each.throughput));
    console.log(
      `processor time of a Poisson arrival at ${sameRate}/s, of the barest script's even one: ${percent(cpu)} (median; ≤ ${percent(mostCpu)}) ${cpu <= mostCpu ? 'ok' : 'MISSED'}`,
    );
    console.log(
      `throughput with ${together} under way, of the barest script's: ${percent(throughput)} (median)`,
    );
    return cpu <= mostCpu ? 0 : 1;
  } finally {
    await load.close();
    await nowhere.close();
    rmSync(folder, { recursive: true });
  }
}

/** The barest script, with k6's own summary, as nobody runs it without. */
async function bare(k6: string, folder: string, url: string, rate: number, vus: number): Promise<Sent> {
  const summaryFile = join(folder, 'bare.json');
  const plan: BarePlan = { url: `${url}/api/v1/healthcheck`, rate, durationMs, vus, summaryFile };
  const planFile = join(folder, 'bare-plan.json');
  writeFileSync(planFile, JSON.stringify(plan));
  const script = fileURLToPath(new URL('../../load/k6/bare.ts', import.meta.url));
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
