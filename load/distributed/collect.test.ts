import { expect, test } from 'vitest';
import { sampleStep } from '../../fixtures/kit/sample-step.ts';
import { type Counted, createTimes } from '../k6/histogram.ts';
import { secondsOf, stepOf, type Totals } from './collect.ts';
import type { DistributedRun } from './run-file.ts';

const { rate, durationMs, warmupMs, seed, arrivals, inFlight, label } = sampleStep;
const run: DistributedRun = {
  name: 'assay-sample-1',
  journey: 'sample',
  connections: 'shared',
  requestsPerJourney: 2,
  shape: 'steady',
  seed: 'seed',
  slo: { bounds: [], errors: 0.001 },
  perOperation: {},
  target: {},
  operations: ['party.create', 'party.leave'],
  parallelism: 3,
  stages: [{ from: 50, to: 50, durationMs: 2_000 }],
  plan: { rate, durationMs, warmupMs, seed, arrivals, inFlight, label },
};

/** So many samples between 10 and 11. */
function quick(count: number): Counted {
  const times = createTimes();
  for (let nth = 0; nth < count; nth += 1) times.add(10.5);
  const { sum = 0, at = [] } = times.take() ?? {};
  return { sum, at, max: 0 };
}
const totals: Totals = {
  began: Date.UTC(2026, 0, 1),
  finished: 3,
  begun: 60,
  done: 45,
  unbegun: 15,
  connections: 12,
  byOperation: new Map([
    ['party.create', quick(60)],
    ['party.leave', quick(38)],
  ]),
  errors: [
    { operation: 'party.create', kind: 'status 404', count: 4 },
    { operation: 'party.create', kind: 'timeout', count: 1 },
    { operation: 'party.leave', kind: 'status 404', count: 2 },
    { operation: 'party.leave', kind: 'refused', count: 2 },
  ],
  late: { sum: 0, max: 0, at: [] },
  away: [],
};

const away = [
  { how: 'silent', since: 3, generators: 1 },
  { how: 'broken', since: 12.41, generators: 2 },
];

test('journeys are those that began, errors are reported by kind and by operation, times are in ms', () => {
  const step = stepOf(run, totals);
  expect(step).toMatchObject({
    startedAt: '2026-01-01T00:00:00.000Z',
    ended: 'complete',
    sent: 100,
    journeys: 45,
    achieved: 45,
    dropped: 15,
    connections: 12,
    account: { begun: 60, done: 45, unbegun: 15, inFlight: 0 },
    errors: { wrong: 6, transport: 3, kinds: { 'status 404': 6, timeout: 1, refused: 2 } },
  });
  expect(step.latency.p95).toBeGreaterThan(10);
  expect(step.latency.p95).toBeLessThanOrEqual(11);
  expect(step.latency.mean).toBeCloseTo(10.5, 9);
  expect(step.operations['party.create']).toMatchObject({
    count: 60,
    errors: { 'status 404': 4, timeout: 1 },
  });
  expect(step.operations['party.leave']).toMatchObject({
    count: 40,
    errors: { 'status 404': 2, refused: 2 },
  });
});

test('journeys that no generator counted are missing, unless the target was left alone', () => {
  const due = (run.stages[0]?.durationMs ?? 0) * (run.stages[0]?.from ?? 0) * 1e-3;
  expect(stepOf(run, { ...totals, begun: due }).missing).toBe(0);
  const few = { ...totals, begun: 20, done: 20, unbegun: 0 };
  expect(stepOf(run, few).missing).toBe(due - 20);
  expect(stepOf(run, { ...few, finished: 0, away }).missing).toBe(0);
});

test('a generator that did not come to its end makes the run unusable', () => {
  expect(stepOf(run, { ...totals, finished: 2 }).ended).toBe('no-summary');
});

test('generators that left a target alone are not dead, and say why and since when', () => {
  const ended = { ended: 'complete', away: { how: 'broken', since: 12.4, stopped: true } };
  expect(stepOf(run, { ...totals, finished: 0, away })).toMatchObject(ended);
  expect(stepOf(run, { ...totals, finished: 0, away: away.slice(1) }).ended).toBe('no-summary');
  expect(stepOf(run, totals).away).toBeUndefined();
});

test('the time line shows what came in each second', () => {
  const at = (second: number, value: number) => ({ at: totals.began / 1_000 + second, value });
  const seconds = secondsOf(
    run,
    {
      stepSeconds: 1,
      done: [at(0, 0), at(1, 40), at(2, 95)],
      errors: [at(1, 0), at(2, 3)],
      inFlight: [at(0, 5), at(1, 7), at(2, 6)],
      durations: [
        { labels: { bucket: '640' }, values: [at(1, 60), at(2, 150)] },
        { labels: { bucket: '900' }, values: [at(1, 20), at(2, 40)] },
      ],
    },
    totals.began,
  );
  expect(seconds).toMatchObject([
    { at: 1, offered: 50, achieved: 40, requests: 80, errors: 0, inFlight: 7 },
    { at: 2, offered: 50, achieved: 55, requests: 110, errors: 3, inFlight: 6 },
  ]);
  // The buckets end at 2^10 and 2^14.06 µs.
  expect(seconds[1]?.p50).toBeCloseTo(1.02, 2);
  expect(seconds[1]?.p95).toBeCloseTo(17.1, 0);
});
