// `npm run bench -- load`: what a journey of one request costs beside the barest k6 script, on a target that does nothing.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startEmbeddedProcess } from '../../commands/serve/embedded.ts';
import type { BarePlan } from '../../load/k6/bare.ts';
import { resolveK6 } from '../../load/k6-install/build.ts';
import { startNull } from '../../load/null-target/start.ts';
import { runK6 } from '../../load/run/k6-process.ts';
import { openLoad } from '../../load/step/open-load.ts';

const rounds = 5;
const durationMs = 4_000;
const vus = 20;
/** More than any machine's k6 sends: what it reaches is its throughput. */
const rate = 40_000;
const least = 0.9;

const signal = new AbortController().signal;
const median = (values: readonly number[]) =>
  [...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;

export async function loadOverhead(): Promise<number> {
  const nowhere = await startNull();
  const folder = mkdtempSync(join(tmpdir(), 'assay-bench-load-'));
  const load = await openLoad({
    journey: '',
    operation: 'general.healthcheck',
    embedded: startEmbeddedProcess,
    env: { ...process.env, BASE_URL: undefined, CDN_URL: undefined, GAMELOGS_URL: undefined },
    cwd: folder,
    say: console.log,
  });
  try {
    const k6 = await resolveK6(process.env, console.log);
    const ratios: number[] = [];
    for (let round = 1; round <= rounds; round += 1) {
      const bare = await bareThroughput(k6, folder, nowhere.url);
      const step = {
        rate,
        durationMs,
        warmupMs: 0,
        seed: 1,
        arrivals: 'even',
        inFlight: vus,
        label: 'bench',
      } as const;
      const own = (await load.against(nowhere.url)(step, signal)).sent / (durationMs / 1_000);
      ratios.push(own / bare);
      console.log(
        `round ${round}: ${own.toFixed(0)}/s against ${bare.toFixed(0)}/s of the barest script: ${((own / bare) * 100).toFixed(1)} %`,
      );
    }
    const ratio = median(ratios);
    console.log(
      `throughput of a journey of one request, of the barest script's: ${(ratio * 100).toFixed(1)} % (median; ≥ ${least * 100} %) ${ratio >= least ? 'ok' : 'MISSED'}`,
    );
    return ratio >= least ? 0 : 1;
  } finally {
    await load.close();
    await nowhere.close();
    rmSync(folder, { recursive: true });
  }
}

/** Requests per second. */
async function bareThroughput(k6: string, folder: string, url: string): Promise<number> {
  const summaryFile = join(folder, 'bare.json');
  const plan: BarePlan = { url: `${url}/api/v1/healthcheck`, rate, durationMs, vus, summaryFile };
  const planFile = join(folder, 'bare-plan.json');
  writeFileSync(planFile, JSON.stringify(plan));
  const script = fileURLToPath(new URL('../../load/k6/bare.ts', import.meta.url));
  await runK6({
    k6,
    script,
    folder,
    variables: { ASSAY_PLAN: planFile, K6_SUMMARY_MODE: 'compact' },
    limitMs: 60_000,
    signal,
    onLine: () => {},
  });
  return JSON.parse(readFileSync(summaryFile, 'utf8')).metrics.http_reqs.values.count / (durationMs / 1_000);
}
