import { expect, test } from 'vitest';
import { sampleResult, sampleRun } from '../../fixtures/kit/sample-run.ts';
import { applyPins } from './pins.ts';

const about = sampleRun([]);
const open = (id: string, behaviour: string) =>
  sampleResult({ id, outcome: 'observed', level: 'open', behaviour });
const checks = [
  open('party/full', 'takes 5'),
  open('party/kick', '403'),
  open('a.b#shape', '200 {"id":"string"}'),
];
const known = checks.map(({ id }) => id);
const held = { today: '2026-01-02' };
const failing = (expects: Readonly<Record<string, string>>) =>
  applyPins(checks, expects, known, about, held).checks.filter(({ outcome }) => outcome === 'fail');

test('an open point that is answered otherwise than the profile expects fails at level profile', () => {
  expect(failing({ 'party/full': 'takes 4', 'party/kick': '403' })).toMatchObject([
    { id: 'party/full', level: 'profile', expected: 'takes 4 (expected by the profile)', actual: 'takes 5' },
  ]);
});

test('open points that are as pinned are named, and no others', () => {
  const expects = { 'party/full': 'takes 4', 'party/kick': '403', 'a.b#shape': '200 {}' };
  expect([...applyPins(checks, expects, known, about, held).asPinned]).toEqual(['party/kick', 'a.b#shape']);
  expect(applyPins(checks, {}, known, about, held).asPinned.size).toBe(0);
});

test('an id of its own goes before a glob', () => {
  expect(failing({ 'party/*': '403' }).map(({ id }) => id)).toEqual(['party/full']);
  expect(failing({ 'party/*': '403', 'party/full': 'takes 5' })).toEqual([]);
});

test('a shape with more members is the one that was pinned', () => {
  expect(failing({ 'a.b#shape': '200 {}' })).toEqual([]);
  expect(failing({ 'a.b#shape': '200 {"id":"number"}' }).map(({ id }) => id)).toEqual(['a.b#shape']);
});

test('a pin that matches no check is a problem, with the nearest id', () => {
  const { problems } = applyPins(checks, { 'party/ful': 'takes 4' }, known, about, held);
  expect(problems).toEqual(['expects: "party/ful" matches no check (nearest: party/full)']);
});

test('a pin on a check that a rule judges is a problem, and nothing is said of one that was not judged', () => {
  const judged = [
    sampleResult({ id: 'a.b#answers', outcome: 'pass', level: 'documented' }),
    sampleResult({ id: 'a.c#answers', outcome: 'inconclusive', level: 'documented' }),
  ];
  const problemsOf = (glob: string) =>
    applyPins(
      [...checks, ...judged],
      { [glob]: '200' },
      [...known, 'a.b#answers', 'a.c#answers'],
      about,
      held,
    ).problems;
  expect(problemsOf('a.b#answers')).toEqual([
    'expects: "a.b#answers" is no open point: a rule judges it, and no behaviour is recorded; delete it',
  ]);
  expect(problemsOf('a.c#answers')).toEqual([]);
  expect(problemsOf('party/*')).toEqual([]);
});

test('a pin holds through its last day, and is a problem from then on, whatever the server does', () => {
  const problems = (until: string) =>
    applyPins(checks, { 'party/full': 'takes 5' }, known, about, { ...held, until: { 'party/full': until } })
      .problems;
  expect(problems('2026-01-02')).toEqual([]);
  expect(problems('2026-01-01')).toEqual([
    'expects: "party/full" expired on 2026-01-01; accept what the server does now, or give a later day',
  ]);
});

test('a pin holds a value, or the sentence that an older version wrote; a status of the same meaning fits', () => {
  expect(failing({ 'party/kick': 'refused' })).toEqual([]);
  expect(failing({ 'party/kick': '409' })).toEqual([]);
  expect(failing({ 'party/kick': 'accepted' })).toMatchObject([
    { actual: 'refused', expected: 'accepted (expected by the profile)' },
  ]);
});
