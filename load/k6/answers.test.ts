import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { readLine, type Tally } from '../run/beats.ts';
import { type Kind, shareOfLatencies, tallyOf } from './answers.ts';
import type { Response } from './http.ts';

const answer = (duration: number) => ({ timings: { duration } }) as Response;

let all: ReturnType<typeof tallyOf>;
const lines: string[] = [];
let nextStart = 1_700_000_000_000;

beforeEach(() => {
  // The module is one VU, whose clock does not go back from test to test.
  nextStart += 60_000;
  vi.useFakeTimers({ now: nextStart });
  vi.spyOn(console, 'log').mockImplementation((line: string) => void lines.push(line));
  all = tallyOf(1);
  // Silent for long, it tells at once.
  all.right(answer(1));
  lines.length = 0;
});

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const tallies = (): Tally[] =>
  lines.flatMap((line) => {
    const read = readLine(line.replace('assay ', ''));
    return read && 'tally' in read ? [read.tally] : [];
  });

test('a VU tells at most twice a second, and then of all answers since', () => {
  for (const ms of [5, 6]) all.right(answer(ms));
  expect(tallies()).toEqual([]);
  vi.advanceTimersByTime(500);
  all.right(answer(7));
  expect(tallies()).toEqual([
    { wrong: 0, broken: 0, lastNotBroken: Date.now(), answered: 3, latencies: [5, 6, 7], rows: [] },
  ]);
});

test('server errors are reported sooner, and counted in a row until another answer comes', () => {
  vi.advanceTimersByTime(200);
  expect(
    [500, 503].map((status) => all.wrong('party.create', `status ${status}` as Kind, status, answer(1))),
  ).toEqual([1, 2]);
  expect(all.wrong('queue.cancel', 'status 404', 404, answer(1))).toBe(0);
  expect(all.wrong('party.create', 'status 500', 500, answer(1))).toBe(1);
  expect(tallies()).toMatchObject([{ wrong: 1, broken: 1, answered: 1 }]);
});

test('wrong answers are reported by operation and by what was wrong, and of many different ones the rest together', () => {
  for (const kind of ['status 404', 'status 404', 'timeout'] as const)
    all.wrong('queue.cancel', kind, kind === 'timeout' ? 0 : 404, answer(1));
  vi.advanceTimersByTime(500);
  all.right(answer(1));
  expect(tallies()[0]?.rows).toEqual([
    { operation: 'queue.cancel', answer: '404', count: 2 },
    { operation: 'queue.cancel', answer: 'timeout', count: 1 },
  ]);
  lines.length = 0;
  for (let nth = 0; nth < 40; nth += 1) all.wrong(`row.${nth}`, 'body', 200, answer(1));
  vi.advanceTimersByTime(500);
  all.right(answer(1));
  const rows = tallies()[0]?.rows ?? [];
  expect(rows).toHaveLength(13);
  expect(rows.at(-1)).toEqual({ operation: 'others', answer: 'others', count: 28 });
});

test('where many answers are due, a share of the latencies is reported, of every call of a journey alike', () => {
  expect(shareOfLatencies(500)).toBe(1);
  const share = shareOfLatencies(5_000);
  expect(share).toBeCloseTo(1 / 10.6, 2);
  const some = tallyOf(share);
  for (let nth = 0; nth < 9_000; nth += 1) some.right(answer(nth % 3));
  vi.advanceTimersByTime(500);
  some.right(answer(0));
  const [{ answered, latencies } = { answered: 0, latencies: [] }] = tallies();
  expect(answered).toBe(9_001);
  const byCall = [0, 1, 2].map((call) => latencies.filter((ms) => ms === call).length);
  for (const many of byCall) expect(many / latencies.length).toBeCloseTo(1 / 3, 1);
});
