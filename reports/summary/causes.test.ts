import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { catalog } from '../../catalog/catalog.ts';
import { documentedPath } from '../../catalog/request-path.ts';
import { sampleResult, sampleResults } from '../../fixtures/kit/sample-run.ts';
import { catalogPlaces, causes, furtherLines } from './causes.ts';

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
    ...{ id: `party/s${index}`, outcome: 'fail', cause: 'one', actual: `saw ${index}` },
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

test('only results of the outcome asked for are folded', () => {
  const mixed = [sampleResult(), sampleResult({ outcome: 'warn' }), sampleResult({ outcome: 'fail' })];
  expect(causes(mixed).map(({ example }) => example.outcome)).toEqual(['fail']);
  expect(causes(mixed, 'warn').map(({ example }) => example.outcome)).toEqual(['warn']);
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
