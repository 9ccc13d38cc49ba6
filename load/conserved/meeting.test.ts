import { expect, test } from 'vitest';
import { sampleCall, samplePlan, sampleStep } from '../../fixtures/kit/sample-step.ts';
import { createMatches, longestWaitMs, meetingLine, meetingOf, meetingRule, shownLine } from './meeting.ts';

const times = { count: 118, p50: 0.812, p95: 250.7, p99: 251, p999: 251, max: 252 };
const step = {
  ...sampleStep,
  durationMs: 30_000,
  ranMs: 3_000,
  noted: { counts: { sought: 120, met: 118 }, times: { meeting: times } },
};
const made = 59;

test('says how long both sides waited, how many matches were made, and who waited in vain', () => {
  const meeting = meetingOf(step, made, { metBefore: true });
  expect(meeting).toMatchObject({ sought: 120, met: 118, matches: 59, time: { p50: 0.812, p95: 250.7 } });
  expect(meeting && meetingLine(meeting)).toBe(
    'time to match: p50 0.812 ms, p95 251 ms for 118 of 120 players; 59 matches, 19.7/s; never matched 1.7 %',
  );
});

test('says how far the waiting that the target shows is from the real one, or that it shows none', () => {
  const off = { ...times, p50: 400, p95: 900 };
  const noted = {
    counts: { sought: 2, met: 2 },
    times: { meeting: times, 'waited off': off, expected: { ...times, p50: 30_000 }, 'expected off': off },
  };
  const member = (name: string) => ({ name, pointer: `/${name}`, unitMs: 1_000 });
  const shows = { waited: member('waited'), expected: member('eta') };
  const meeting = meetingOf({ ...step, noted }, made, { metBefore: true, shows });
  expect(meeting && shownLine(meeting)).toBe(
    'waiting shown: waited is off by 400 ms (p50), 900 ms (p95); eta says 30 s (p50), off by 400 ms (p50)',
  );
  const silent = meetingOf(step, made, { metBefore: true, shows });
  expect(silent && shownLine(silent)).toContain('no answer to somebody who waited');
});

test('a journey that brings nobody together has none', () => {
  expect(meetingOf(sampleStep, 0, { metBefore: false })).toBeUndefined();
});

test('a match that both sides were told of counts once', () => {
  const matches = createMatches();
  const cohort = { begun: 0, done: 0, unbegun: 0, connections: 0, operations: {} };
  const part = { second: 1, inFlight: 0, at: 0 };
  matches.add([{ ...part, measured: { ...cohort, records: { meeting: ['a', 'a', 'b'] } } }]);
  expect(matches.count()).toBe(2);
  const many = Array.from({ length: 60_000 }, (_, nth) => `${nth}`);
  for (const each of many)
    matches.add([{ ...part, measured: { ...cohort, records: { meeting: [each, each] } } }]);
  expect(matches.count()).toBe(60_002);
});

test('a matchmaker that brings nobody together any more is found', () => {
  const dead = meetingOf({ ...step, noted: { counts: { sought: 60 }, times: {} } }, 0, {
    metBefore: true,
  });
  expect(dead && meetingRule(dead, 40, 'queue.enter')).toMatchObject({ broken: 60, looked: 60 });
  expect(dead && meetingRule(dead, 1, 'queue.enter')).toMatchObject({ broken: 0, looked: 0 });
  expect(dead && meetingLine(dead)).toBe(
    'time to match: 0 of 60 players; 0 matches, 0/s; never matched 100 %',
  );
});

test('one that brought nobody together before the load either is not accused', () => {
  const never = meetingOf({ ...step, noted: { counts: { sought: 60 }, times: {} } }, 0, {
    metBefore: false,
  });
  expect(never && meetingRule(never, 40, 'queue.enter')).toMatchObject({
    broken: 0,
    notChecked: 'nobody met before the load either',
  });
});

test('one that brings some together is right, however few', () => {
  const meeting = meetingOf({ ...step, noted: { counts: { sought: 60, met: 1 }, times: {} } }, made, {
    metBefore: true,
  });
  expect(meeting && meetingRule(meeting, 40, 'queue.enter')).toMatchObject({ broken: 0, looked: 60 });
});

test('the longest wait is that of all times that a call is made again', () => {
  const visit = { name: 'queue', weight: 1, calls: [sampleCall, { ...sampleCall, waits: [250, 500] }] };
  expect(longestWaitMs([visit, ...samplePlan().plan.visits])).toBe(750);
  expect(longestWaitMs([])).toBe(0);
});
