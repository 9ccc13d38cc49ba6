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
