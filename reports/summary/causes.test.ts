import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { catalog } from '../../catalog/catalog.ts';
import { documentedPath } from '../../catalog/request-path.ts';
import { pinnedCause } from '../../engine/run/pins.ts';
import type { Result } from '../../engine/run/result.ts';
import { sampleResult, sampleResults } from '../../fixtures/kit/sample-run.ts';
import { catalogPlaces, causes, claimOf, clauseText, furtherLines, seenText, titleOf } from './causes.ts';

test('failures with one cause are one finding, its operations each once', () => {
  const failures = sampleResults(6, (index) => ({
    id: `party.op${index % 3}#rule${index}`,
    outcome: 'fail',
    cause: 'the host is down',
  }));
  const [cause, ...rest] = causes(failures);
  expect(rest).toEqual([]);
  expect(cause?.results).toEqual(failures);
  expect(cause?.example).toBe(failures[0]);
  expect(cause?.operations).toEqual(['party.op0', 'party.op1', 'party.op2']);
});

test('without a cause of their own, failures fold where clause, expected and actual are equal', () => {
  const found = causes([
    sampleResult({ id: 'a.a#x', outcome: 'fail' }),
    sampleResult({ id: 'b.b#x', outcome: 'fail' }),
    sampleResult({ id: 'c.c#x', outcome: 'fail', actual: '500' }),
    sampleResult({ id: 'd.d#x', outcome: 'fail', expected: '204' }),
    sampleResult({ id: 'e.e#x', outcome: 'fail', clause: 'endpoints.match' }),
  ]);
  expect(found.map(({ operations }) => operations)).toEqual([['a.a', 'b.b'], ['c.c'], ['d.d'], ['e.e']]);
});

test('further checks of a cause stand with their own rule and what they saw, three of them', () => {
  const failures = sampleResults(6, (index) => ({
    id: `party/s${index}`,
    outcome: 'fail',
    cause: 'one',
    actual: `saw ${index}`,
    title: index < 2 ? 'the member is gone' : `rule ${index}`,
  }));
  const [cause] = causes(failures);
  expect(cause && furtherLines(cause)).toEqual([
    'party/s2 (rule 2): saw 2',
    'party/s3 (rule 3): saw 3',
    'party/s4 (rule 4): saw 4',
    'and 1 more',
  ]);
  const [plain] = causes(failures.slice(0, 2));
  expect(plain && furtherLines(plain)).toEqual([]);
});

test('a logout that ends nothing is one finding, shown by the check of the logout itself', () => {
  const alive = (id: string, actual: string) =>
    sampleResult({ id, title: `title of ${id}`, clause: 'auth.logout', outcome: 'fail', actual });
  const [cause, ...rest] = causes([
    alive('login/after-logout', 'still shows the data'),
    alive('archives.journal#dead-session', 'answered 200'),
    alive('me.logout#ends-session', 'answered 200, as signed in'),
  ]);
  expect(rest).toEqual([]);
  expect(cause?.example.id).toBe('me.logout#ends-session');
  expect(cause && furtherLines(cause)).toHaveLength(2);
});

test('a broken rule stands before behaviours that the profile expected otherwise, however many', () => {
  const found = causes([
    sampleResult({ id: 'a.a#anonymous', outcome: 'fail', level: 'profile', cause: `${pinnedCause}x` }),
    sampleResult({ id: 'b.b#anonymous', outcome: 'fail', level: 'profile', cause: `${pinnedCause}x` }),
    sampleResult({ id: 'c.c#private', outcome: 'fail', level: 'inferred', cause: 'private' }),
  ]);
  expect(found.map(({ example }) => example.id)).toEqual(['c.c#private', 'a.a#anonymous']);
});

test('only results of the outcome asked for are folded', () => {
  const mixed = [sampleResult(), sampleResult({ outcome: 'warn' }), sampleResult({ outcome: 'fail' })];
  expect(causes(mixed).map(({ example }) => example.outcome)).toEqual(['fail']);
  expect(causes(mixed, 'warn').map(({ example }) => example.outcome)).toEqual(['warn']);
});

/** A check that met a server error at this moment. */
const broken = (id: string, clause: string, at: number, over: Partial<Result> = {}) =>
  sampleResult({
    id,
    clause,
    outcome: 'warn',
    level: 'inferred',
    title: `title of ${id}`,
    cause: id,
    actual: '500',
    exchange: {
      request: { method: 'GET', url: 'http://127.0.0.1:8080/x', headers: [] },
      response: { status: 500, headers: [], body: '', bytes: 0 },
      startedAt: at,
      durationMs: 1,
      attempts: 1,
      waits: 0,
    },
    ...over,
  });

test('server errors are one finding whichever checks met them, under a title of its own, with how many calls met one', () => {
  const found = causes(
    [
      broken('a.x#anonymous-private', 'sense.no-server-error', 1),
      broken('a.y#reliable', 'sense.reliable', 2),
      broken('a.z#reliable', 'sense.reliable', 3),
      broken('login/logout-others', 'effects.login.others', 4),
      broken('login/refused-others', 'effects.login.others', 4),
    ],
    'warn',
  );
  expect(found.map(({ results }) => results.length)).toEqual([5]);
  const [cause] = found;
  if (cause === undefined) throw new Error('no cause');
  expect(titleOf(cause)).toBe('the server answers 4 calls with a server error');
  expect(seenText(cause)).toBe('500 (2 #reliable, 2 steps of flows, 1 #anonymous-private)');
  expect(cause.example.id).toBe('a.x#anonymous-private');
  expect(furtherLines(cause)).toEqual([
    'a.y#reliable (title of a.y#reliable): 500',
    'a.z#reliable (title of a.z#reliable): 500',
    'login/logout-others (title of login/logout-others): 500',
    'and 1 more',
  ]);
});

test('the example of server errors is of the heaviest level; what a step was about to judge is not what it is held to', () => {
  const of = (...results: readonly Result[]) => {
    const [cause, ...others] = causes(results, 'fail');
    if (cause === undefined || others.length > 0) throw new Error('not one cause');
    return cause;
  };
  const plain = broken('a.x#answers', 'sense.answers', 1, { outcome: 'fail' });
  const step = broken('login/logout-others', 'effects.login.others', 2, { outcome: 'fail' });
  const stated = broken('a.y#answers', 'endpoints.default-form', 3, { outcome: 'fail', level: 'documented' });
  expect(of(step, plain).example).toBe(plain);
  expect(of(step, plain, stated).example).toBe(stated);
  expect(claimOf(of(step, plain)).says).toBe(clauseText('sense.answers').says);
  expect(claimOf(of(step))).toEqual({
    says: `No call of the step is answered with a server error; it judges this: ${clauseText('effects.login.others').says}`,
    why: clauseText('sense.answers').why,
  });
});

test('what is found in a server error, or after an attack, is no server error; nor is a connection that breaks', () => {
  const broke = broken('a.d#query-long', 'sense.no-server-error', 4);
  const { response: _, ...without } = broke.exchange ?? {};
  const found = causes(
    [
      broken('a.a#anonymous-private', 'sense.no-server-error', 1),
      broken('a.b#no-internals', 'sense.no-internals', 2),
      broken('races/seat', 'effects.races.seat', 3, { attack: true }),
      { ...broke, exchange: without as Exclude<Result['exchange'], undefined> },
    ],
    'warn',
  );
  expect(found.map(seenText)).toEqual(['500', '500', '500', '500']);
  expect(found.map(titleOf)).toEqual([
    'the server answers 1 call with a server error',
    'title of races/seat',
    'title of a.b#no-internals',
    'title of a.d#query-long',
  ]);
});

test('the more operations the heavier, and what is documented outweighs good sense', () => {
  const of = (cause: string, count: number, level: 'documented' | 'inferred') =>
    sampleResults(count, (index) => ({ id: `${cause}.o${index}#x`, outcome: 'fail', cause, level }));
  const found = causes([
    ...of('one', 1, 'documented'),
    ...of('sense', 3, 'inferred'),
    ...of('two', 2, 'documented'),
  ]);
  expect(found.map(({ example }) => example.cause)).toEqual(['two', 'one', 'sense']);
});

test('data of another player stands first, whatever else was found', () => {
  const of = (cause: string, count: number, shown?: { readonly othersData: true }) =>
    sampleResults(count, (at) => ({
      id: `${cause}.o${at}#x`,
      outcome: 'warn',
      cause,
      level: shown ? 'inferred' : 'documented',
      ...shown,
    }));
  const found = causes([...of('sense', 3), ...of('shown', 1, { othersData: true })], 'warn');
  expect(found.map(({ example }) => example.cause)).toEqual(['shown', 'sense']);
});

test('failures stand in this order: server errors, what is stated, what is played, how answers are written', () => {
  const of = (cause: string, count: number, over: Partial<Result> = {}) =>
    sampleResults(count, (at) => ({
      id: `a.${cause}${at}#x`,
      outcome: 'fail',
      cause,
      level: 'inferred',
      ...over,
    }));
  const found = causes([
    ...of('headers', 90, { level: 'standard' }),
    ...of('missing', 9, { level: 'documented' }),
    ...of('queue', 1, { id: 'queue/match' }),
    ...of('stated', 1, { level: 'profile' }),
    { ...broken('a.b#answers', 'sense.answers', 1), outcome: 'fail', cause: 'error' },
  ]);
  expect(found.map(({ example }) => example.cause)).toEqual([
    'error',
    'missing',
    'stated',
    'queue',
    'headers',
  ]);
});

test('equal weights stay in plan order', () => {
  const found = causes(sampleResults(5, (index) => ({ outcome: 'fail', cause: `c${index}` })));
  expect(found.map(({ example }) => example.cause)).toEqual(['c0', 'c1', 'c2', 'c3', 'c4']);
});

const lines = readFileSync(new URL('../../catalog/interface.md', import.meta.url), 'utf8').split('\n');

test('every operation of the catalog has its line in the document', () => {
  const placeOf = catalogPlaces();
  for (const operation of catalog) {
    const { file, line } = placeOf({ operation: operation.id });
    expect(file).toBe('catalog/interface.md');
    const path = documentedPath(operation);
    const named = /\/content\/\{gameVersion\}\/(.*)$/.exec(path)?.[1] ?? `${operation.method} | ${path}`;
    expect(lines[line - 1]?.replace(': GET ', ': GET | ')).toContain(named);
  }
});

test('a check is filed under the first of its operations; an unknown one stands at its beginning', () => {
  const placeOf = catalogPlaces();
  expect(placeOf({ operation: ['party.create', 'party.get'] })).toEqual(
    placeOf({ operation: 'party.create' }),
  );
  expect(placeOf({ operation: 'party.dance' })).toEqual({ file: 'catalog/interface.md', line: 1 });
});
