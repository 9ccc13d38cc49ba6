// A distributed run with a real Prometheus: two k6 processes, as two pods would run them, write to it.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { ConfigurationError } from '../../engine/values/configuration-error.ts';
import { listen } from '../../fixtures/kit/loopback.ts';
import { hasPrometheus, k6ForTests, startPrometheus } from '../../fixtures/kit/programs.ts';
import { sampleCall, sampleData, samplePlan, undisturbed } from '../../fixtures/kit/sample-step.ts';
import { segmentArgs } from '../k6/plan.ts';
import { createFigures } from '../run/figures.ts';
import { runK6 } from '../run/k6-process.ts';
import { readLine } from '../run/script-output.ts';
import { parseSlo } from '../slo.ts';
import { planOf, type StepPlan } from '../step/plan.ts';
import { collect, spanOf } from './collect.ts';
import { prometheusOf } from './prometheus.ts';
import type { DistributedRun } from './run-file.ts';

const k6 = await k6ForTests();
const ready = k6 !== undefined && hasPrometheus();
const script = fileURLToPath(new URL('../k6/journey.ts', import.meta.url));
const stages = [{ from: 100, to: 100, durationMs: 8_000 }];
const step: StepPlan = {
  rate: 100,
  durationMs: 8_000,
  warmupMs: 0,
  seed: 5,
  arrivals: 'poisson',
  inFlight: 60,
  label: 'sample steady',
};

/** The two samples between which a quantile lies: which of them it is, or what in between, is a matter of definition. */
function aroundQuantile(samples: readonly number[], q: number): readonly [number, number] {
  const sorted = [...samples].sort((a, b) => a - b);
  const at = q * (sorted.length - 1);
  return [sorted[Math.floor(at)] ?? 0, sorted[Math.ceil(at)] ?? 0];
}

let isBroken = false;
let prometheus: Awaited<ReturnType<typeof startPrometheus>>;
let target: Awaited<ReturnType<typeof listen>>;

beforeAll(async () => {
  if (!ready) return;
  let nth = 0;
  // Most answers at once, every tenth after 40 ms, every fiftieth wrong.
  target = await listen(
    createServer((_, response) => {
      nth += 1;
      const wrong = nth % 50 === 0;
      if (isBroken) response.statusCode = 503;
      setTimeout(() => response.end(wrong ? '<html>' : '{"fine":true}'), nth % 10 === 0 ? 40 : 4);
    }),
  );
  prometheus = await startPrometheus();
});

afterAll(async () => {
  await target?.close();
  await prometheus?.close();
});

/** Two generators, of which as many as asked for are started. */
async function distributed(name: string, started: number) {
  const folder = mkdtempSync(join(tmpdir(), 'assay collect '));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const dataFile = join(folder, 'data.json');
  writeFileSync(dataFile, JSON.stringify(sampleData), { mode: 0o600 });
  const { plan: shared } = samplePlan({ hosts: { base: target.url }, dataFile });
  const { plan } = planOf(shared, shared.visits, step, stages, 2);
  const planFile = join(folder, 'plan.json');
  writeFileSync(planFile, JSON.stringify(plan));
  const figures = createFigures();
  const samples = [0, 1].map((nth) => join(folder, `samples-${nth}.json`));
  const ends = samples.slice(0, started).map((file, nth) =>
    runK6({
      k6: k6 ?? '',
      script,
      folder,
      variables: {
        ASSAY_PLAN: planFile,
        K6_PROMETHEUS_RW_SERVER_URL: `${prometheus.url}/api/v1/write`,
        K6_PROMETHEUS_RW_PUSH_INTERVAL: '1s',
      },
      args: [
        ...segmentArgs(nth, 2),
        ...['--tag', `testid=${name}`, '--tag', `instance_id=${nth + 1}`],
        ...['--out', 'experimental-prometheus-rw', '--out', `json=${file}`],
      ],
      limitMs: 30_000,
      signal: new AbortController().signal,
      onLine: (line) => {
        const message = readLine(line);
        if (message && 'part' in message) figures.add(nth, message.part);
      },
    }),
  );
  await Promise.all(ends);
  const run: DistributedRun = {
    name,
    journey: 'sample',
    connections: 'shared',
    requestsPerJourney: 1,
    shape: 'steady',
    seed: 'seed',
    target: { base: target.url },
    parallelism: 2,
    stages,
    plan: step,
    perOperation: {},
    slo: parseSlo('p95=500ms,errors=5%'),
    operations: [sampleCall.operation.id],
  };
  return { run, own: figures.figures(run.operations, false), raw: samples.slice(0, started).flatMap(rawIn) };
}

/** Every duration that a k6 process saw, as its own JSON output has it, in ms. */
function rawIn(file: string): number[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line) => {
      if (!line.includes('"http_req_duration"') || !line.includes('"Point"')) return [];
      return Number(JSON.parse(line).data.value);
    });
}

test.skipIf(!ready)(
  'a run of two generators is collected as one: figures, time line and verdict',
  async () => {
    let tries = 0;
    const {
      step: collected,
      verdict,
      json,
      own,
      raw,
    } = await undisturbed(async () => {
      tries += 1;
      const { run, ...made } = await distributed(`assay-sample-two-${tries}`, 2);
      return { ...(await collect(run, prometheusOf(prometheus.url, {}), Date.now())), ...made };
    });
    expect(verdict).toEqual({ verdict: 'PASS', reasons: [expect.stringContaining('holds')] });
    expect(collected.sent).toBe(own.sent);
    expect(collected.journeys).toBe(own.journeys);
    expect(collected.errors).toEqual({
      wrong: own.errors.wrong,
      transport: 0,
      kinds: collected.errors.kinds,
      byOperation: [
        { operation: sampleCall.operation.id, answer: 'wrong body', count: collected.errors.wrong },
      ],
    });
    expect(collected.errors.kinds).toEqual({ body: collected.errors.wrong });
    // The whole run was measured: its very samples are those that k6 wrote down one by one.
    expect(collected.sent).toBe(raw.length);
    for (const [quantile, q] of [
      ['p50', 0.5],
      ['p95', 0.95],
      ['p99', 0.99],
    ] as const) {
      const [below, above] = aroundQuantile(raw, q);
      expect(collected.latency[quantile], quantile).toBeGreaterThan(below * 0.99);
      expect(collected.latency[quantile], quantile).toBeLessThan(above * 1.01);
    }
    expect(collected.latency.mean).toBeCloseTo(own.latency.mean, 3);
    expect(collected.connections).toBe(own.connections);
    expect(json).toMatchObject({ schema: 'assay.load/1', verdict: 'PASS', generator: { segments: 2 } });
    expect(json.seconds.length).toBeGreaterThanOrEqual(2);
    expect(Math.max(...json.seconds.map(({ achieved }) => achieved))).toBeGreaterThan(30);
  },
);

test.skipIf(!ready)('generators that left their target alone are at their end, and say why', async () => {
  isBroken = true;
  const { run } = await distributed('assay-sample-broken', 2);
  isBroken = false;
  const { step } = await collect(run, prometheusOf(prometheus.url, {}), Date.now());
  expect(step).toMatchObject({ ended: 'complete', missing: 0, away: { how: 'broken', stopped: true } });
});

test.skipIf(!ready)(
  'a generator that is missing is waited for, and at the end makes the run INVALID',
  async () => {
    const { run } = await distributed('assay-sample-one', 1);
    const asked = prometheusOf(prometheus.url, {});
    await expect(collect(run, asked, Date.now())).rejects.toThrow('1 of 2 generators have finished');
    const later = Date.now() + spanOf(run);
    expect((await collect(run, asked, later)).verdict).toEqual({
      verdict: 'INVALID',
      reasons: ['1 of 2 generators did not come to their end'],
    });
  },
);

test.skipIf(!ready)(
  'a run that nobody started, and a Prometheus that is none, are reported as what they are',
  async () => {
    const { run } = await distributed('assay-sample-none', 0);
    await expect(collect(run, prometheusOf(prometheus.url, {}), Date.now())).rejects.toThrow(
      'no sample of assay-sample-none',
    );
    await expect(collect(run, prometheusOf(target.url, {}), Date.now())).rejects.toThrow(ConfigurationError);
    await expect(collect(run, prometheusOf('http://127.0.0.1:39', {}), Date.now())).rejects.toThrow(
      'does not answer (ECONNREFUSED)',
    );
  },
);
