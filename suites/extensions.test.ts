import { expect, test } from 'vitest';
import { type Answer, rehearseCheck, type Script } from '../fixtures/kit/rule-rehearsal.ts';
import extensions from './extensions.ts';

const script =
  (plain: Answer, other: Answer): Script =>
  (ask) =>
    Object.keys(ask).length === 0 ? plain : other;
const items = { body: { items: [1] } };

test('types[] is repeated with the value that was taken once', async () => {
  const { judgement, asked } = await rehearseCheck(extensions.checks, 'types-repeated', () => items);
  expect(judgement.kind).toBe('pass');
  expect(asked[1]).toEqual({ extraQuery: 'types%5B%5D=assay-types' });
});

test.each([400, 422, 500])('types[] refused with %i the second time violates', async (status) => {
  const { judgement } = await rehearseCheck(extensions.checks, 'types-repeated', script(items, { status }));
  expect(judgement.kind).toBe('violation');
});

test('types[] that is refused once already says nothing', async () => {
  expect(
    (await rehearseCheck(extensions.checks, 'types-repeated', () => ({ status: 403 }))).judgement.kind,
  ).toBe('inconclusive');
});

test('no answer the second time accuses nobody', async () => {
  const silent = script(items, { error: 'timeout' });
  expect((await rehearseCheck(extensions.checks, 'types-repeated', silent)).verdict).toBe('timeout');
});

const catalogOf = (...types: string[]): Answer => ({ body: { items: types.map((type) => ({ type })) } });
const asked = 'assay-types';

/** A catalog of charms and of what is asked for. @param both answers two types */
const store =
  (both: Answer, all = catalogOf(asked, 'charm', asked)): Script =>
  ({ path, params, extraQuery }) => {
    if (extraQuery !== undefined) return both;
    if (path !== undefined) return all;
    return params ? catalogOf('charm') : catalogOf(asked, asked);
  };

test.each<[string, Script, string]>([
  ['both kinds', store(catalogOf(asked, 'charm')), 'pass'],
  ['the first alone', store(catalogOf(asked, asked)), 'violation'],
  ['the second alone', store(catalogOf('charm')), 'violation'],
  ['nothing', store(catalogOf()), 'violation'],
  ['a refusal', store({ status: 400 }), 'prerequisite-failed'],
  ['the first alone, in pages', store(catalogOf(asked, asked), catalogOf(asked, 'charm')), 'not-triggered'],
  ['the first alone, and there is no second', store(catalogOf(asked), catalogOf(asked)), 'not-triggered'],
  ['items that do not say their type', () => ({ body: { items: [{ id: 1 }] } }), 'not-triggered'],
])('two types are answered with %s', async (_, script, expected) => {
  const { verdict } = await rehearseCheck(extensions.checks, 'types-union', script);
  expect(verdict).toBe(expected);
});

test.each([
  [200, 'pass'],
  [404, 'pass'],
  [500, 'violation'],
])('news in another locale answered %i', async (status, expected) => {
  const script: Script = ({ params }) => ({ status: params ? status : 200 });
  expect((await rehearseCheck(extensions.checks, 'other-locale', script)).verdict).toBe(expected);
});
