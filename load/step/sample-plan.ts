// Of tests: a journey of one call, made ready as the rehearsal would.
import { areas } from '../../fixtures/catalog/catalog.ts';
import type { Call, Data, Plan } from '../k6/plan.ts';
import type { Step } from './step.ts';

export const sampleCall: Call = {
  operation: areas.general.config,
  signed: true,
  as: 0,
  other: 0,
  about: 0,
  params: {},
  from: [],
  headers: { accept: '*/*' },
  body: { kind: 'none' },
  accepts: [],
  begins: '{',
  gives: {},
  hands: false,
  validators: false,
};

export const sampleSecret = 'secret-of-player-one';

export const sampleData: Data = {
  casts: [
    [{ headers: { authorization: `Bearer ${sampleSecret}` }, query: '', values: { 'player.id': 'p1' } }],
  ],
  batches: {},
};

export function samplePlan(given: Partial<Plan> = {}): { plan: Plan; data: Data } {
  const plan: Plan = {
    hosts: { base: 'http://127.0.0.1:9' },
    ambient: {},
    words: null,
    visits: [{ name: 'sample', weight: 1, calls: [sampleCall] }],
    queries: false,
    exclusive: false,
    own: false,
    left: [],
    leaving: false,
    batches: [],
    dataFile: '',
    batchFile: '',
    summaryFile: '',
    segments: 1,
    stages: [{ from: 50, to: 50, durationMs: 1_000 }],
    arrivals: 'even',
    seed: 1,
    warmupMs: 0,
    leadMs: 0,
    inFlight: 10,
    vus: 10,
    timeoutMs: 5_000,
    leavesMs: 1_000,
    graceMs: 5_000,
    forgiving: false,
    ...given,
  };
  return { plan, data: sampleData };
}

const mostTries = 4;
const mostLagMs = { p95: 30, max: 250 };

/** For tests that count what a step did: once more, where the machine held up the generator itself. */
export async function undisturbed<T extends { readonly step: Step }>(perform: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    const performed = await perform();
    const { lagMs, missing } = performed.step;
    const isIdle = lagMs.p95 < mostLagMs.p95 && lagMs.max < mostLagMs.max && missing === 0;
    if (isIdle || tries === mostTries) return performed;
  }
}

/** A step in which nothing happened. */
export const sampleStep: Step = {
  rate: 50,
  durationMs: 1_000,
  warmupMs: 0,
  seed: 1,
  arrivals: 'even',
  inFlight: 10,
  label: 'sample',
  startedAt: '2026-01-01T00:00:00.000Z',
  ended: 'complete',
  sent: 0,
  journeys: 0,
  achieved: 0,
  dropped: 0,
  missing: 0,
  capped: false,
  latency: { p50: 0, p95: 0, p99: 0, p999: 0, max: 0, mean: 0 },
  errors: { wrong: 0, transport: 0, kinds: {}, byOperation: [] },
  lagMs: { p95: 0, max: 0 },
  cpu: 0,
  operations: {},
};
