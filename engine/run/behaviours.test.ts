import { expect, test } from 'vitest';
import { type Behaviours, behavioursOf } from './behaviours.ts';

const about = {
  runId: 'k3v9x2ab',
  target: { embedded: false, base: 'http://127.0.0.1:40001/api', cdn: 'http://127.0.0.1:40001' },
};
const observed = (id: string, behaviour: string) => ({ id, outcome: 'observed', behaviour }) as const;
const settled = (behaviour: string): string | undefined =>
  behavioursOf([observed('a#b', behaviour)], about)['a#b'];

test('holds what was observed, sorted by id, whatever the order of the checks', () => {
  const checks = [observed('b#x', '2'), observed('a.z#x', '1'), observed('B/x', '3')];
  const expected: Behaviours = { 'B/x': '3', 'a.z#x': '1', 'b#x': '2' };
  expect(JSON.stringify(behavioursOf(checks, about))).toBe(JSON.stringify(expected));
  expect(JSON.stringify(behavioursOf(checks.toReversed(), about))).toBe(JSON.stringify(expected));
});

test('holds nothing of checks that were judged, or could not be', () => {
  expect(
    behavioursOf(
      [
        { id: 'a#b', outcome: 'pass' },
        { id: 'a#c', outcome: 'inconclusive' },
        { id: 'a#d', outcome: 'fail', behaviour: 'x' },
      ],
      about,
    ),
  ).toEqual({});
});

test.each([
  ['the run id', '200 {"AssayK3k3v9x2ab":"number"}', '200 {"AssayK3‹run›":"number"}'],
  ['an address', 'answered 308, to http://127.0.0.1:40001/api/v2/x', 'answered 308, to ‹base›/v2/x'],
  ['an address that begins another', 'to http://127.0.0.1:40001/x', 'to ‹cdn›/x'],
  ['an address without its scheme', 'to //127.0.0.1:40001/x', 'to //‹cdn›/x'],
  ['a UUID', 'party 1b4e28ba-2fa1-11d2-883f-0016d3cca427', 'party ‹id›'],
  ['an ISO time', 'at 2026-11-21T06:00:00.123Z', 'at ‹time›'],
  ['an HTTP date', 'until Sat, 21 Nov 2026 10:00:00 GMT', 'until ‹time›'],
  ['milliseconds since the epoch', 'at 1795212345678', 'at ‹n›'],
])('%s is of one run and is left out', (_, behaviour, expected) => {
  expect(settled(behaviour)).toBe(expected);
});

test('an address that begins another is not taken for it, whichever host has it', () => {
  const target = { embedded: false, base: 'http://h:1', cdn: 'http://h:1/files' };
  const ledger = behavioursOf([observed('a#b', 'to http://h:1/files/x')], { runId: 'r', target });
  expect(ledger['a#b']).toBe('to ‹cdn›/x');
});

test.each([
  'error: 404, application/json, {error: {code, message}}',
  'limit: 5242880 bytes',
  'the day 2026-11-21',
])('%s is a choice and stays', (behaviour) => {
  expect(settled(behaviour)).toBe(behaviour);
});

test('a host that was not given, and a run without an id, change nothing', () => {
  expect(behavioursOf([observed('a#b', 'x')], { runId: '', target: { embedded: true } })).toEqual({
    'a#b': 'x',
  });
});
