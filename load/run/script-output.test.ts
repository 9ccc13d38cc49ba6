import { expect, test } from 'vitest';
import { createEffectRecorder } from '../k6/effects.ts';
import { createTimes } from '../k6/histogram.ts';
import type { Answers, Cohort, Part } from '../k6/tally.ts';
import { createMerger, createSeconds, readLine, type Second } from './script-output.ts';

function answers(wrong: Readonly<Record<string, number>>, ...all: number[]): Answers {
  const times = createTimes();
  for (const ms of all) times.add(ms);
  const counted = times.take();
  return { count: all.length, ...(counted && { times: counted }), wrong };
}

const cohort = (operations: Cohort['operations'], done = 0): Cohort => ({
  begun: done,
  done,
  unbegun: 0,
  connections: 0,
  operations,
});

const part = (second: number, more: Partial<Part>): Part => ({
  second,
  inFlight: 0,
  at: second * 1_000,
  ...more,
});

test('a second holds what all processes did in it, the warm-up included', () => {
  const seconds: Second[] = [];
  const tick = createSeconds([{ from: 10, to: 10, durationMs: 5_000 }], (second) => seconds.push(second));
  const { times: late = { sum: 0, max: 0, at: [] } } = answers({}, 4);
  tick([
    part(1, { inFlight: 2, warmup: cohort({ 'queue.cancel': answers({ 'status 404': 1 }, 3, 1) }, 4) }),
    part(1, {
      inFlight: 1,
      measured: { ...cohort({ 'queue.cancel': answers({ 'status 404': 2 }, 2) }, 5), late },
    }),
  ]);
  tick([part(2, {})]);
  tick([part(6, { last: true })]);
  expect(seconds).toMatchObject([
    {
      at: 1,
      offered: 10,
      achieved: 9,
      requests: 3,
      errors: 3,
      inFlight: 3,
      lagMs: 4,
      wrong: [{ operation: 'queue.cancel', answer: '404', count: 3 }],
    },
    { at: 2, offered: 10, achieved: 0, p50: 0, p95: 0, requests: 0, errors: 0, inFlight: 0, lagMs: 0 },
  ]);
  expect(seconds[0]?.p50).toBeCloseTo(2, 1);
  expect(seconds[0]?.p95).toBeCloseTo(3, 1);
});

test('a line of the script is read as what it says', () => {
  const line = part(3, { measured: cohort({ a: answers({}, 1) }) });
  expect(readLine(`part ${JSON.stringify(line)}`)).toEqual({ part: line });
  expect(readLine('out 7')).toEqual({ out: 7 });
  const recorder = createEffectRecorder();
  recorder.begins(1, 0, 'party.create', 3).ends(true);
  const effects = recorder.recorded();
  expect(readLine(`effects ${JSON.stringify(effects)}`)).toEqual({ effects });
  expect(readLine('threw TypeError: no')).toEqual({ threw: 'TypeError: no' });
});

test.each(['', 'part', 'part {', 'part null', 'part {"second":"1"}', 'other 1', 'left', 'out x'])(
  '%j is no line of the script',
  (line) => {
    expect(readLine(line)).toBeUndefined();
  },
);

function listen(processes: number) {
  const heard: number[][] = [];
  const merger = createMerger(processes, (parts) => heard.push(parts.map(({ inFlight }) => inFlight)));
  return { heard, merger };
}

test('a second is passed on when all processes have printed it', () => {
  const { heard, merger } = listen(2);
  merger.add(0, part(1, { inFlight: 3 }));
  expect(heard).toEqual([]);
  merger.add(1, part(1, { inFlight: 5 }));
  expect(heard).toEqual([[3, 5]]);
});

test('a process that ended holds nobody up', () => {
  const { heard, merger } = listen(2);
  merger.add(0, part(1, { inFlight: 1 }));
  merger.add(1, part(1, { inFlight: 2 }));
  merger.add(1, part(2, { inFlight: 4 }));
  merger.ended(0);
  merger.add(1, part(3, { inFlight: 6 }));
  merger.ended(1);
  expect(heard).toEqual([[1, 2], [4], [6]]);
});

test('players who stay in what they entered are read with who of them is in it', () => {
  const state = { visit: 0, inside: 7, sure: 5, given: { partyId: 'a' }, isStaying: true };
  expect(readLine(`left 7 ${JSON.stringify([state])}`)).toEqual({ left: { place: 7, states: [state] } });
  expect(readLine('left 7 [{"visit":0')).toBeUndefined();
});
