import { describe, expect, test } from 'vitest';
import type { Level } from '../../catalog/clauses/clause.ts';
import { planned, result } from '../../fixtures/kit/assembled.ts';
import { sampleResult } from '../../fixtures/kit/sample-run.ts';
import type { Outcome } from '../judgement.ts';
import { skeletonOf } from '../values/json-shape.ts';
import {
  type Behaviours,
  behaviourChanges,
  behavioursOf,
  type ChangeKind,
  type Comparable,
  compareRuns,
  kindOf,
  shapeChanges,
} from './compare-runs.ts';
import type { Result } from './result.ts';

test('one change is reported once, however many operations it was seen at, the most frequent first', () => {
  const before = { 'c#anonymous': '200', 'a#anonymous': '401', 'b#anonymous': '401', 'a#spoiled': '401' };
  const after = { 'c#anonymous': '401', 'a#anonymous': '403', 'b#anonymous': '403', 'a#spoiled': '403' };
  expect(behaviourChanges(before, after)).toEqual([
    { points: ['a#anonymous', 'b#anonymous'], before: '401', after: '403' },
    { points: ['c#anonymous'], before: '200', after: '401' },
    { points: ['a#spoiled'], before: '401', after: '403' },
  ]);
});

test('what only one of them holds is no change of behaviour', () => {
  expect(behaviourChanges({ a: '1' }, { b: '1' })).toEqual([]);
  expect(behaviourChanges({ constructor: '1' }, {})).toEqual([]);
});

test('a shape is compared place by place, and equal changes are one', () => {
  const [change, ...others] = behaviourChanges(
    { 'a#shape': '200 {"id":"number","x":[]}', 'b#shape': '200 {"id":"number"}' },
    { 'a#shape': '200 {"id":"string","x":[]}', 'b#shape': '200 {"id":"string"}' },
  );
  expect(others).toEqual([]);
  expect(change?.points).toEqual(['a#shape', 'b#shape']);
  expect(change?.places).toEqual([{ at: '/id', before: 'number', after: 'string' }]);
});

test('a shape that differs only by what was there at the moment has not changed', () => {
  expect(behaviourChanges({ 'a#shape': '200 {"x":[]}' }, { 'a#shape': '200 {"x":["string"]}' })).toEqual([]);
});

const options = { strict: false, readOnly: false, minJudged: 80, only: [], rerun: false };
const run = (
  outcomes: Readonly<Record<string, Outcome>>,
  over: Partial<Comparable> = {},
  each: Partial<Result> = {},
): Comparable => ({
  checks: Object.entries(outcomes).map(([id, outcome]) => ({ ...result(planned(id), outcome), ...each })),
  options,
  judgedShare: {},
  target: { embedded: true },
  runId: 'r1',
  ended: 'complete',
  ...over,
});
const ids = (results: readonly Pick<Result, 'id'>[]) => results.map(({ id }) => id);

test('every check of the later run is of one kind, in its order', () => {
  const { kinds } = compareRuns(
    run({ a: 'pass', b: 'pass', c: 'fail', d: 'fail', e: 'pass', f: 'pass', h: 'warn', i: 'inconclusive' }),
    run({
      b: 'fail',
      a: 'fail',
      c: 'pass',
      d: 'fail',
      e: 'warn',
      f: 'inconclusive',
      g: 'pass',
      h: 'pass',
      i: 'not-applicable',
    }),
  );
  const byKind = Object.entries(kinds).map(([kind, changes]) => [
    kind,
    ids(changes.map(({ after }) => after)),
  ]);
  expect(Object.fromEntries(byKind)).toEqual({
    worse: ['b', 'a'],
    'unjudged-before': [],
    lost: ['f'],
    'newly-warned': ['e'],
    'no-longer-warned': ['h'],
    repaired: ['c'],
    'still-failing': ['d'],
    waived: [],
    'newly-judged': ['g'],
    otherwise: ['i'],
    alike: [],
  });
});

test('a change holds both results', () => {
  const [change] = compareRuns(run({ a: 'pass' }), run({ a: 'fail' })).kinds.worse;
  expect([change?.before?.outcome, change?.after.outcome]).toEqual(['pass', 'fail']);
});

test('distinguishes checks that are gone from checks that are new', () => {
  const { gone, added, notAsked } = compareRuns(run({ a: 'pass', b: 'pass' }), run({ b: 'pass', c: 'pass' }));
  expect([ids(gone), ids(added), notAsked]).toEqual([['a'], ['c'], 0]);
});

test.each([{ only: ['b'] }, { rerun: true }])('a run with %j was not asked the others', (part) => {
  const whole = run({ a: 'pass', b: 'pass' });
  const partial = run({ b: 'pass' }, { options: { ...options, ...part } });
  expect(compareRuns(whole, partial)).toMatchObject({ gone: [], notAsked: 1 });
  expect(compareRuns(partial, whole)).toMatchObject({ added: [], notAsked: 1 });
});

const documented = (id: string, outcome: Result['outcome']) =>
  sampleResult({ id, outcome, level: 'documented', host: 'base' });

test('a later run that asks a part is held against the same part of the earlier one', () => {
  const whole = run(
    {},
    {
      checks: [documented('a', 'pass'), documented('b', 'inconclusive')],
      judgedShare: { base: 0.99 },
    },
  );
  const part = (only: readonly string[], outcome: Result['outcome']) =>
    run(
      {},
      {
        checks: only.map((id) => documented(id, outcome)),
        judgedShare: { base: outcome === 'inconclusive' ? 0 : 1 },
        options: { ...options, only },
      },
    );
  expect(compareRuns(whole, part(['b'], 'inconclusive')).shortfalls).toEqual([]);
  expect(compareRuns(whole, part(['a'], 'inconclusive')).shortfalls).toEqual([
    { host: 'base', before: 1, after: 0 },
  ]);
  const rerun = { ...part(['a'], 'inconclusive'), options: { ...options, rerun: true } };
  expect(compareRuns(whole, rerun).shortfalls).toEqual([]);
});

test('a failure that only the later run asked about is worse all the same', () => {
  const { kinds } = compareRuns(
    run({ b: 'pass' }, { options: { ...options, only: ['b'] } }),
    run({ a: 'fail' }),
  );
  expect(kinds.worse).toHaveLength(1);
});

test.each([
  [{ base: 0.9 }, { base: 0.5 }, [{ host: 'base', before: 0.9, after: 0.5 }]],
  [{ base: 0.6 }, { base: 0.5 }, [{ host: 'base', before: 0.6, after: 0.5 }]],
  [{ base: 0.5 }, { base: 0.5 }, []],
  [{ base: 0.4 }, { base: 0.5 }, []],
  [{ base: 1 }, { base: 0.8 }, []],
  [{ base: 1 }, {}, []],
  [{}, { cdn: 0.1 }, [{ host: 'cdn', after: 0.1 }]],
])('judged shares %j, then %j', (before, after, expected) => {
  const { shortfalls } = compareRuns(run({}, { judgedShare: before }), run({}, { judgedShare: after }));
  expect(shortfalls).toEqual(expected);
});

test.each([
  ['was cut off', { ended: 'interrupted' as const }],
  ['was out of time', { ended: 'budget' as const }],
  ['asked a part alone', { options: { ...run({}).options, only: ['party'] } }],
])('what a run could judge that %s is no measure', (_, how) => {
  const before = run({}, { judgedShare: { base: 0.1 }, ...how });
  const { shortfalls } = compareRuns(before, run({}, { judgedShare: { base: 0.2 } }));
  expect(shortfalls).toEqual([{ host: 'base', after: 0.2 }]);
});

test('behaviours are compared by what does not change from run to run', () => {
  const runWith = (runId: string, behaviour: string) =>
    run({ 'a#anonymous': 'observed' }, { runId }, { behaviour });
  expect(
    compareRuns(runWith('r1aaaaaa', 'x r1aaaaaa'), runWith('r2bbbbbb', 'x r2bbbbbb')).behaviours,
  ).toEqual([]);
  expect(compareRuns(runWith('r1aaaaaa', '401'), runWith('r2bbbbbb', '403')).behaviours).toEqual([
    { points: ['a#anonymous'], before: '401', after: '403' },
  ]);
});

test('an id that stands twice counts once', () => {
  const twice = run({ a: 'pass' });
  const { kinds } = compareRuns(twice, { ...twice, checks: [...twice.checks, ...twice.checks] });
  expect(kinds.alike).toHaveLength(1);
});

const same = { strictnessDiffers: false };
const made = (outcome: Outcome, over: Partial<Result> = {}): Result => ({
  ...result(planned('a.x#r'), outcome),
  ...over,
});

test.each<[Outcome, Outcome, ChangeKind]>([
  ['pass', 'fail', 'worse'],
  ['warn', 'fail', 'worse'],
  ['observed', 'fail', 'worse'],
  ['inconclusive', 'fail', 'worse'],
  ['not-applicable', 'fail', 'worse'],
  ['harness-error', 'fail', 'worse'],
  ['fail', 'fail', 'still-failing'],
  ['pass', 'warn', 'newly-warned'],
  ['inconclusive', 'warn', 'newly-warned'],
  ['warn', 'warn', 'alike'],
  ['fail', 'warn', 'repaired'],
  ['fail', 'pass', 'repaired'],
  ['fail', 'observed', 'repaired'],
  ['pass', 'pass', 'alike'],
  ['observed', 'observed', 'alike'],
  ['observed', 'pass', 'otherwise'],
  ['warn', 'pass', 'no-longer-warned'],
  ['warn', 'observed', 'no-longer-warned'],
  ['inconclusive', 'pass', 'newly-judged'],
  ['not-applicable', 'observed', 'newly-judged'],
  ['pass', 'inconclusive', 'lost'],
  ['fail', 'inconclusive', 'lost'],
  ['warn', 'not-applicable', 'lost'],
  ['observed', 'harness-error', 'lost'],
  ['inconclusive', 'inconclusive', 'alike'],
  ['inconclusive', 'not-applicable', 'otherwise'],
])('%s, then %s: %s', (before, after, kind) => {
  expect(kindOf(made(before), made(after), same)).toBe(kind);
});

test.each<[Outcome, ChangeKind]>([
  ['fail', 'worse'],
  ['warn', 'newly-warned'],
  ['pass', 'newly-judged'],
  ['inconclusive', 'otherwise'],
])('a new check with %s: %s', (after, kind) => {
  expect(kindOf(undefined, made(after), same)).toBe(kind);
});

describe('what passed and cannot be asked any more', () => {
  test.each<[NonNullable<Result['reason']>, ChangeKind]>([
    ['not-served', 'worse'],
    ['timeout', 'worse'],
    ['reset', 'worse'],
    ['unreachable', 'worse'],
    ['target-lost', 'worse'],
    ['no-session', 'lost'],
    ['needs-state', 'lost'],
    ['budget', 'lost'],
    ['interrupted', 'lost'],
  ])('because of %s: %s', (reason, kind) => {
    expect(kindOf(made('pass'), made('inconclusive', { reason }), same)).toBe(kind);
  });

  test('is only lost where it had not passed', () => {
    const after = made('inconclusive', { reason: 'not-served' });
    expect(kindOf(made('warn'), after, same)).toBe('lost');
    expect(kindOf(made('observed'), after, same)).toBe('lost');
  });
});

describe('what an earlier run that was cut off had not judged', () => {
  test.each<[NonNullable<Result['reason']>, ChangeKind]>([
    ['interrupted', 'unjudged-before'],
    ['budget', 'unjudged-before'],
    ['no-session', 'worse'],
    ['timeout', 'worse'],
  ])('inconclusive because of %s, then fail: %s', (reason, kind) => {
    expect(kindOf(made('inconclusive', { reason }), made('fail'), same)).toBe(kind);
  });

  test('is waived all the same', () => {
    const waived = { reason: 'r', link: 'l', expires: '2030-01-01' };
    expect(kindOf(made('inconclusive', { reason: 'budget' }), made('fail', { waived }), same)).toBe('waived');
  });
});

test('a waived failure is not worse', () => {
  const waived = { reason: 'r', link: 'l', expires: '2030-01-01' };
  expect(kindOf(made('pass'), made('fail', { waived }), same)).toBe('waived');
});

test('where both were strict, a warning that became a failure is worse', () => {
  const level = 'inferred';
  expect(kindOf(made('warn', { level }), made('fail', { level }), same)).toBe('worse');
});

describe('where only one of the runs was strict', () => {
  const differs = { strictnessDiffers: true };
  test.each<[Level, ChangeKind]>([
    ['inferred', 'alike'],
    ['documented', 'worse'],
    ['standard', 'worse'],
  ])('a warning that became a failure of level %s: %s', (level, kind) => {
    expect(kindOf(made('warn', { level }), made('fail', { level }), differs)).toBe(kind);
  });
});

const of = (value: unknown, status = 200) => `${status} ${JSON.stringify(skeletonOf(value))}`;

test.each([
  ['null and a value', { at: null }, { at: 'now' }],
  ['an empty and a full list', { items: [] }, { items: [{ id: 1 }] }],
  ['an empty and a full map', { byId: {} }, { byId: { 1: { x: 1 } } }],
  ['a name that only some elements have', [{ id: 1 }, { id: 2, x: 1 }], [{ id: 1 }]],
  ['a map that is there beside names', { total: 1, 7: 'x' }, { total: 1 }],
  ['other values', { a: 1 }, { a: 2 }],
])('%s are one shape', (_, a, b) => {
  expect(shapeChanges(of(a), of(b))).toEqual([]);
  expect(shapeChanges(of(b), of(a))).toEqual([]);
});

test.each([
  ['another type', { a: { b: 1 } }, { a: { b: '1' } }, '/a/b: number → string'],
  ['a type more', [{ a: 1 }], [{ a: 1 }, { a: 'x' }], '/*/a: number → number or string'],
  ['a name that is gone', { id: 1, x: { y: 1 } }, { id: 1 }, '/x: object → absent'],
  ['a name that is new', { id: 1 }, { id: 1, list: [] }, '/list: absent → list'],
  ['a list where an object was', {}, [], ': object → list'],
  ['another type in a map', { 1: { x: 1 } }, { 2: { x: true } }, '/{}/x: number → boolean'],
  ['a name with a tilde', { d: 1 }, { d: 1, 'a~b': 1 }, '/a~0b: absent → number'],
])('%s is reported with its place', (_, a, b, line) => {
  const lines = shapeChanges(of(a), of(b)).map(({ at, before, after }) => `${at}: ${before} → ${after}`);
  expect(lines).toContain(line);
});

test('several places are reported in order', () => {
  const changes = shapeChanges(of({ a: 1, b: 1, c: 1 }), of({ b: 'x', c: true, d: 1 }, 201));
  expect(changes.map(({ at }) => at)).toEqual(['', '/a', '/b', '/c', '/d']);
  expect(changes[0]).toEqual({ at: '', before: '200', after: '201' });
});

test('what is not JSON is reported as a whole, cut where it is long', () => {
  expect(shapeChanges('200 text/html', '204 empty')).toEqual([
    { at: '', before: '200', after: '204' },
    { at: '', before: 'text/html', after: 'empty' },
  ]);
  const [change] = shapeChanges('200 text/html', `200 ${JSON.stringify('x'.repeat(500)).slice(1)}`);
  expect(change?.after.length).toBeLessThanOrEqual(120);
});

test('nothing is reported of what was cut', () => {
  expect(shapeChanges('200 {"a":"…"}', '200 {"a":{"b":"number"}}')).toEqual([]);
});

test('a text that is no observation of a shape is compared as it stands', () => {
  expect(shapeChanges('', '')).toEqual([]);
  expect(shapeChanges('x', 'y')).toEqual([{ at: '', before: 'x', after: 'y' }]);
});

test.each([
  '[null]',
  '{"|":7}',
  '{"|":[null,{"a":[[7]]}]}',
  'null',
  '['.repeat(100_000) + ']'.repeat(100_000),
])('a form that no skeleton has does no harm: %.30s', (form) => {
  expect(shapeChanges('200 {"a":["string"]}', `200 ${form}`).length).toBeLessThanOrEqual(2);
  expect(shapeChanges(`200 ${form}`, `200 ${form}`)).toEqual([]);
});

test('JSON under another label is a change of its label alone', () => {
  const labelled = `${of({ 'a as b': 1 })} as text/html`;
  expect(shapeChanges(of({ 'a as b': 1 }), labelled)).toEqual([
    { at: '', before: 'labelled JSON', after: 'labelled text/html' },
  ]);
  expect(shapeChanges(labelled, labelled)).toEqual([]);
});

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
