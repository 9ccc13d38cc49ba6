import { expect, test } from 'vitest';
import type { Second } from './run/script-output.ts';
import { parseSlo } from './slo.ts';
import type { Step } from './step/plan.ts';
import { isUnauthorised, type Judged, recoveryIn, trendIn, unauthorisedSince, verdictOf } from './verdict.ts';

const wrongWith = (kinds: Readonly<Record<string, number>>, transport = 0) => ({
  errors: { wrong: Object.values(kinds).reduce((sum, each) => sum + each, 0), transport, kinds },
});
const line = (...errors: number[]) => errors.map((many, at) => ({ at: at + 1, errors: many }));

test('401 to nearly all that went wrong begins in the first second with a wrong answer', () => {
  const step = wrongWith({ 'status 401': 95, 'status 404': 3 });
  expect(unauthorisedSince(step, line(0, 0, 20, 40, 38))).toBe(3);
});

test.each([
  ['nothing went wrong', wrongWith({})],
  ['something else did as well', wrongWith({ 'status 401': 50, 'status 403': 50 })],
  ['many got no answer', wrongWith({ 'status 401': 50 }, 50)],
])('where %s, nobody says that sessions ended', (_, step) => {
  expect(isUnauthorised(step)).toBe(false);
  expect(unauthorisedSince(step, line(0, 9))).toBeUndefined();
});

const timeLineLine = (
  p95s: readonly (readonly [offered: number, p95: number, errors?: number])[],
): Second[] =>
  p95s.map(([offered, p95, errors = 0], at) => ({
    at: at + 1,
    offered,
    achieved: offered,
    p50: p95 / 2,
    p95,
    requests: 100,
    errors,
    inFlight: 1,
    lagMs: 0,
  }));
const calm = [10, 20] as const;

test('who is as fast after the spike as before has come back, whatever the spike did', () => {
  const seconds = timeLineLine([calm, calm, [50, 900], [50, 900], [10, 600], calm, calm, calm]);
  expect(recoveryIn(seconds)).toEqual({ recovered: true, beforeMs: 20, afterMs: 20 });
});

test('who stays slow, or wrong, has not', () => {
  const stuck = [10, 300] as const;
  expect(recoveryIn(timeLineLine([calm, [50, 900], stuck, stuck, stuck, stuck])).recovered).toBe(false);
  const wrong = [10, 20, 30] as const;
  expect(recoveryIn(timeLineLine([calm, [50, 900], wrong, wrong, wrong, wrong])).recovered).toBe(false);
});

test('who was not seen after the spike has not', () => {
  expect(recoveryIn(timeLineLine([calm, calm, [50, 20]])).recovered).toBe(false);
});

test('latency or errors that grow from the first quarter to the last are a trend', () => {
  expect(trendIn(timeLineLine([calm, calm, calm, calm])).worse).toBe(false);
  expect(trendIn(timeLineLine([calm, [10, 30], [10, 40], [10, 50]])).worse).toBe(true);
  expect(trendIn(timeLineLine([calm, calm, calm, [10, 20, 5]])).worse).toBe(true);
});

const latency = { p50: 5, p95: 20, p99: 40, p999: 60, max: 80, mean: 8 };
const fine: Step = {
  rate: 100,
  durationMs: 10_000,
  warmupMs: 1_000,
  seed: 1,
  arrivals: 'poisson',
  inFlight: 40,
  label: 'test',
  startedAt: '2026-01-01T00:00:00.000Z',
  ended: 'complete',
  sent: 1_000,
  ranMs: 11_000,
  journeys: 1_000,
  achieved: 100,
  dropped: 0,
  missing: 0,
  account: { begun: 0, done: 0, unbegun: 0, inFlight: 0 },
  connections: 0,
  noted: { counts: {}, times: {} },
  latency,
  errors: { wrong: 0, transport: 0, kinds: {}, byOperation: [] },
  lagMs: { p95: 1, max: 5 },
  cpu: 0.3,
  memoryMiB: 80,
  operations: { 'party.create': { count: 1_000, ...latency, errors: {} } },
};
const judge = (step: Partial<Step>, rest: Partial<Judged> = {}) =>
  verdictOf({
    step: { ...fine, ...step },
    slo: parseSlo('p95=30ms,errors=0.1%'),
    perOperation: {},
    seconds: [],
    ...rest,
  });
const slow = { latency: { ...latency, p95: 31 } };

test('right answers in time pass', () => {
  expect(judge({}).verdict).toBe('PASS');
});

test.each([
  ['no-summary', 'k6 died before its end; what it had said until then is shown'],
  ['threw', 'the script threw an exception'],
  ['killed', 'k6 did not end in time and was killed; the rate may be far beyond this machine'],
  ['interrupted', 'it was interrupted'],
] as const)('a step that ended as %s is invalid', (ended, reason) => {
  expect(judge({ ended })).toEqual({ verdict: 'INVALID', reasons: [reason] });
});

test('a step that sent nothing is invalid, not green', () => {
  expect(judge({ sent: 0, journeys: 0 })).toMatchObject({ verdict: 'INVALID' });
});

test('more wrong answers than allowed fail, whatever the generator’s state', () => {
  const errors = { wrong: 2, transport: 0, kinds: { body: 2 }, byOperation: [] };
  expect(judge({ errors, lagMs: { p95: 900, max: 900 } })).toMatchObject({ verdict: 'FAIL' });
  expect(judge({ errors: { ...errors, wrong: 1 } }).verdict).toBe('PASS');
});

const kept = {
  rule: 'players.setState: the last write that was acknowledged is read',
  journey: 'states',
  looked: 40,
  acknowledged: 900,
  unknown: 0,
  broken: 0,
  examples: [],
};

test('effects that went wrong have a verdict of their own, with the rate, however fast the answers are', () => {
  const conserved = [kept, { ...kept, broken: 3, examples: ['one wrote b and reads a'] }];
  expect(judge({ conserved })).toEqual({
    verdict: 'WRONG_UNDER_LOAD',
    reasons: [
      'at 100 journeys/s effects went wrong: players.setState: the last write that was acknowledged is read: not so for 3 of 40 (one wrote b and reads a)',
    ],
  });
});

test('effects that held, or could not be checked, leave the verdict as it is', () => {
  expect(judge({ conserved: [kept, { ...kept, looked: 0, notChecked: 'no read shows it' }] }).verdict).toBe(
    'PASS',
  );
});

test('a target that was replaced in the middle may have begun anew', () => {
  expect(
    judge({ conserved: [{ ...kept, broken: 3 }] }, { changed: 'base: server was a, now it is b' }).verdict,
  ).toBe('INVALID');
});

test('a queue that matches nobody is no PASS, however fast it answers', () => {
  const time = { p50: 0, p95: 0, p99: 0, p999: 0, max: 0 };
  const meeting = {
    sought: 60,
    met: 0,
    matches: 0,
    perSecond: 0,
    neverMet: 1,
    metBefore: false,
    time,
    shown: {},
  };
  expect(judge({ meeting })).toMatchObject({
    verdict: 'INVALID',
    reasons: [expect.stringContaining('nobody was matched, of 60 players who entered')],
  });
  expect(judge({ meeting: { ...meeting, met: 2 } }).verdict).toBe('PASS');
});

test('a target that went away is named first, with when', () => {
  const errors = { wrong: 0, transport: 50, kinds: { refused: 50 }, byOperation: [] };
  expect(judge({ errors, away: { how: 'silent', since: 12.4, stopped: true } }).reasons[0]).toBe(
    'the target is gone since t = 12.4 s: no call was answered; the load stopped ten seconds later',
  );
  expect(judge({ errors, away: { how: 'waiting', since: 3 } }).reasons[0]).toBe(
    'the target asks everybody to wait since t = 3 s: every call was answered with 429 or Retry-After',
  );
});

test('refusals are no fault of the target where journeys had to share their players', () => {
  const row = { operation: 'queue.cancel', answer: '404', count: 84 };
  const errors = { wrong: 84, transport: 0, kinds: { 'status 404': 84 }, byOperation: [row] };
  const { verdict, reasons } = judge({ errors, peopleShared: true });
  expect([verdict, reasons[0]]).toEqual(['INVALID', expect.stringContaining('had to share their players')]);
  expect(reasons[1]).toContain('queue.cancel 404 x 84');
  expect(judge({ errors }).verdict).toBe('FAIL');
  const broken = { ...errors, byOperation: [{ ...row, answer: '500' }] };
  expect(judge({ errors: broken, peopleShared: true }).verdict).toBe('FAIL');
});

test('an operation with a bound of its own names its own wrong answers alone', () => {
  const byOperation = [
    { operation: 'party.leave', answer: '500', count: 9 },
    { operation: 'party.create', answer: 'timeout', count: 7 },
  ];
  const operations = { 'party.create': { count: 1_000, ...latency, errors: { timeout: 7 } } };
  const errors = { wrong: 9, transport: 7, kinds: { 'status 5xx': 9, timeout: 7 }, byOperation };
  const perOperation = { 'party.create': parseSlo('errors=0.1%') };
  expect(judge({ errors, operations }, { perOperation }).reasons).toEqual([
    expect.stringMatching(/: party\.leave 500 x 9, party\.create timeout x 7$/),
    expect.stringMatching(/^party\.create: 7 of 1000 .*: party\.create timeout x 7$/),
  ]);
});

test('shares are written as people write them', () => {
  const byOperation = [{ operation: 'party.create', answer: 'refused', count: 1_000 }];
  const errors = { wrong: 0, transport: 1_000, kinds: { refused: 1_000 }, byOperation };
  expect(judge({ errors }).reasons).toEqual([
    '1000 of 1000 requests were answered wrongly or not at all (100 %, at most 0.1 %): party.create refused x 1000',
  ]);
});

test('wrong answers since the sessions ended are no fault of the target', () => {
  const errors = { wrong: 900, transport: 0, kinds: { 'status 401': 900 }, byOperation: [] };
  const { verdict, reasons } = judge({ errors }, { sessionsEndedAt: 41 });
  expect([verdict, reasons[0]]).toEqual(['INVALID', expect.stringContaining('sessions ended after 41 s')]);
  expect(judge({ errors }).verdict).toBe('FAIL');
  expect(judge({}, { sessionsEndedAt: 41 }).verdict).toBe('PASS');
});

test('a latency over its bound fails and says by how much', () => {
  expect(judge(slow)).toEqual({ verdict: 'FAIL', reasons: ['p95 is 31 ms, more than 30 ms'] });
});

test('a latency over its bound is invalid where the generator alone takes a good part of it', () => {
  expect(judge(slow, { nullP95: 2 }).verdict).toBe('INVALID');
  expect(judge(slow, { nullP95: 1 }).verdict).toBe('FAIL');
});

test('a late generator makes it invalid', () => {
  expect(judge({ lagMs: { p95: 41, max: 50 } }).verdict).toBe('INVALID');
});

test('what found no room in flight fails', () => {
  expect(judge({ dropped: 100, journeys: 900 })).toMatchObject({ verdict: 'FAIL' });
});

test('journeys without any figures make it invalid, however good the others were', () => {
  expect(judge({ missing: 700, journeys: 300, sent: 300 })).toMatchObject({
    verdict: 'INVALID',
    reasons: [expect.stringContaining('700 journeys were due')],
  });
});

test('a target that was another at the end was not measured', () => {
  expect(judge({}, { changed: 'server was a, now it is b' }).verdict).toBe('INVALID');
});

test('an operation over its own bound fails, and one that is not called says so', () => {
  expect(judge({}, { perOperation: { 'party.create': parseSlo('p99=39ms') } }).reasons).toEqual([
    'party.create: p99 is 40 ms, more than 39 ms',
  ]);
  expect(judge({}, { perOperation: { 'party.leave': parseSlo('p99=39ms') } }).verdict).toBe('FAIL');
});

test('no recovery after a spike and growth over time fail', () => {
  const stuck = [10, 300] as const;
  const spike = timeLineLine([calm, [50, 900], stuck, stuck, stuck, stuck]);
  expect(judge({}, { asks: 'recovery', seconds: spike }).verdict).toBe('FAIL');
  const growth = timeLineLine([calm, [10, 30], [10, 40], [10, 50]]);
  expect(judge({}, { asks: 'trend', seconds: growth }).verdict).toBe('FAIL');
  expect(judge({}, { seconds: growth }).verdict).toBe('PASS');
});
