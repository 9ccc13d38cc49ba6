import { expect, test } from 'vitest';
import { sampleResult, sampleRun } from '../../fixtures/kit/sample-run.ts';
import { steadyValues } from './expects.ts';

const runOf = (behaviours: Readonly<Record<string, string>>) =>
  sampleRun([
    ...Object.entries(behaviours).map(([id, behaviour]) =>
      sampleResult({ id, outcome: 'observed', level: 'open', behaviour }),
    ),
    sampleResult({ id: 'a.b#answers', outcome: 'pass' }),
  ]);

test('pins the values that both runs saw, and no shape', () => {
  const first = runOf({ 'queue/find': 'they find one another', 'party/kick': '403', 'a.b#shape': '200 {}' });
  const second = runOf({ 'queue/find': 'they find one another', 'party/kick': '409', 'a.b#shape': '200 {}' });
  expect(steadyValues(first, second)).toEqual({
    'queue/find': 'matched with one another',
    'party/kick': 'refused',
  });
});

test('pins nothing that differs, or that one run alone saw', () => {
  const first = runOf({ 'party/kick': '403', 'party/full': 'a party of 4 takes no other' });
  expect(steadyValues(first, runOf({ 'party/kick': '200' }))).toEqual({});
  expect(steadyValues(runOf({ 'party/kick': '200' }), first)).toEqual({});
});

test('pins no error of the server, however steady it is', () => {
  const broken = runOf({ 'party/kick': '500', 'a.b#anonymous': 'without a credential: 503', 'c.d/e': '502' });
  expect(steadyValues(broken, broken)).toEqual({});
});
