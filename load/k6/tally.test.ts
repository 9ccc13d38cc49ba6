import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createFigures } from '../run/figures.ts';
import { readLine } from '../run/script-output.ts';
import type { Response } from './http.ts';
import { type Away, type Part, tallyOf } from './tally.ts';

const request = { method: 'POST', url: 'http://a.test/api/v1/a?token=t', body: '{"b":1}' };
const answer = (status: number, duration = 1, connecting = 0, headers = {}) =>
  ({ status, headers, request, timings: { duration, connecting } }) as Response;

let now = 0;
let left: Away[] = [];
let lines: string[] = [];
let counted: [string, number][] = [];
let tally: ReturnType<typeof tallyOf>;

beforeEach(() => {
  [now, left, lines, counted] = [5_000, [], [], []];
  vi.spyOn(console, 'log').mockImplementation((line: string) => void lines.push(line));
  tally = tallyOf({
    clock: () => now,
    awayMs: 10_000,
    onAway: (away) => left.push(away),
    count: (name, many) => counted.push([name, many]),
  });
});
afterEach(() => void vi.restoreAllMocks());

function printed(isLast = false): Part {
  tally.print(isLast);
  const message = readLine(lines.at(-1)?.replace('assay ', '') ?? '');
  if (!message || !('part' in message)) throw new Error(`no part: ${lines.at(-1)}`);
  return message.part;
}

function begun(cohort: 'warmup' | 'measured', lateMs = 0): void {
  tally[cohort].begins(lateMs);
}

test('a line holds what came since the last one, of the warm-up and of the measured part', () => {
  begun('warmup', 2);
  begun('measured', 4);
  tally.warmup.right('a', answer(200, 5, 0.3));
  tally.warmup.ends(false);
  now += 1_000;
  expect(printed()).toMatchObject({
    second: 1,
    at: 1_000,
    inFlight: 1,
    warmup: { begun: 1, done: 1, unbegun: 0, connections: 1, operations: { a: { count: 1 } } },
    measured: { begun: 1, done: 0, late: { max: 4 } },
  });
  now += 1_000;
  tally.measured.ends(false);
  const second = printed(true);
  expect(second).toMatchObject({ second: 2, at: 2_000, inFlight: 0, last: true, measured: { done: 1 } });
  expect(second.warmup).toBeUndefined();
});

test('every journey begun is done, found no room or nobody to play it, or is in flight', () => {
  const figures = createFigures();
  for (let nth = 0; nth < 5; nth += 1) begun('measured');
  tally.measured.findsNoRoom();
  for (const isUnbegun of [false, false, true]) tally.measured.ends(isUnbegun);
  figures.add(0, printed());
  tally.measured.ends(false);
  figures.add(0, printed(true));
  expect(figures.account()).toEqual({ begun: 6, done: 3, unbegun: 2, inFlight: 1 });
});

test('a refused call takes no time, and one that timed out takes as long as it was waited for', () => {
  tally.measured.right('a', answer(200, 7));
  tally.measured.wrong('a', 'refused', answer(0, 0), 10_000);
  tally.measured.wrong('a', 'timeout', answer(0, 0), 10_000);
  const { measured } = printed();
  expect(measured?.operations.a).toMatchObject({
    count: 3,
    times: { sum: 10_007, max: 10_000 },
    wrong: { refused: 1, timeout: 1 },
  });
});

const waits = { 'Retry-After': '30' };

test.each([
  ['no answer', answer(0), 'refused', 'silent'],
  ['server errors', answer(500), 'status 500', 'broken'],
  ['429', answer(429), 'status 429', 'waiting'],
  ['Retry-After', answer(503, 1, 0, waits), 'status 503', 'waiting'],
] as const)(
  '%s alone for ten seconds ends the load, any other answer begins it anew',
  (_, said, kind, how) => {
    const fails = (times: number) => {
      for (let nth = 0; nth < times; nth += 1) {
        now += 2_000;
        tally.measured.wrong('a', kind, said, 1);
      }
    };
    fails(5);
    expect(left).toEqual([]);
    expect(printed().away).toEqual({ how, since: 2_000 });
    tally.measured.wrong('a', 'status 404', answer(404), 1);
    expect(printed().away).toBeUndefined();
    fails(5);
    expect(left).toEqual([]);
    fails(1);
    expect(left).toEqual([{ how, since: 12_000 }]);
  },
);

test('what is cut off as the load ends is no error of the target, and an answer still counts', () => {
  const fails = () => tally.measured.wrong('a', 'refused', answer(0), 1);
  for (; left.length === 0; now += 2_000) fails();
  const { measured } = printed();
  fails();
  tally.measured.wrong('a', 'status 404', answer(404), 1);
  expect(left).toHaveLength(1);
  expect(measured?.operations.a?.wrong).toEqual({ refused: 6 });
  expect(printed().measured?.operations.a?.wrong).toEqual({ 'status 404': 1 });
});

test('what was waited for in vain began to be silent when it was sent; one such answer alone is not enough', () => {
  now += 4_000;
  tally.measured.right('a', answer(200));
  now += 30_000;
  tally.measured.wrong('a', 'timeout', answer(0), 10_000);
  expect(left).toEqual([]);
  tally.measured.wrong('a', 'timeout', answer(0), 10_000);
  tally.measured.wrong('a', 'status 500', answer(500), 1);
  expect(left[0]).toEqual({ how: 'silent', since: 24_000 });
});

test('what journeys note ends in the figures of the step: sums of all, times of the measured part', () => {
  const figures = createFigures();
  tally.warmup.notes.count('purchases');
  for (const _ of [1, 2]) tally.measured.notes.count('purchases');
  tally.warmup.notes.time('match', 900);
  tally.measured.notes.time('match', 300);
  tally.measured.notes.record('name', 'p1 a');
  const part = printed(true);
  expect(part.measured?.records).toEqual({ name: ['p1 a'] });
  figures.add(0, part);
  expect(figures.noted()).toMatchObject({
    counts: { purchases: 3 },
    times: { match: { count: 1, max: 300, p50: 300 } },
  });
});

test('counters of k6 add up to the same figures, so that several machines can be collected', () => {
  for (let nth = 0; nth < 3; nth += 1) {
    begun('measured', 1);
    tally.measured.right('a', answer(200, 2 + nth, nth === 0 ? 0.3 : 0));
    tally.measured.ends(false);
    printed();
  }
  const sum = (name: string) =>
    counted.filter(([each]) => each === name).reduce((all, [, many]) => all + many, 0);
  const names = ['begun', 'done', 'unbegun', 'durations', 'duration_sum', 'late', 'connections'];
  expect(names.map((name) => sum(`assay_${name}`))).toEqual([3, 3, 0, 3, 9, 3, 1]);
});

test('the first wrong answer of each kind is kept, with when it came and without what may be a secret', () => {
  const figures = createFigures();
  const refused = (body: string) => ({ ...answer(409, 2), body });
  now += 1_240;
  tally.measured.wrong('a', 'status 409', refused(`{"why":"taken","token":"${'x'.repeat(60)}"}`), 0);
  now += 500;
  tally.measured.wrong('a', 'status 409', refused('{"why":"later"}'), 0);
  figures.add(0, printed(true));
  expect(figures.figures(['a'], true).errors.byOperation).toEqual([
    {
      operation: 'a',
      answer: '409',
      count: 2,
      since: 1.2,
      sample: {
        status: 409,
        body: '{"why":"taken","token":"…"}',
        request: { method: 'POST', path: '/api/v1/a?token=t', body: '{"b":1}' },
      },
    },
  ]);
});
