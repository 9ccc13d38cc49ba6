import { expect, test } from 'vitest';
import { areas } from '../../catalog/catalog.ts';
import { type Answer, rehearseCheck } from '../../fixtures/kit/rule-rehearsal.ts';
import { errorShape } from './errors.ts';

const check = errorShape(areas.general.healthcheck);

/** The recorded behaviour of a host that answers like this on a path that does not exist. */
async function judged(error: Answer, plain: Answer = { body: { status: 'OK' } }) {
  const { judgement } = await rehearseCheck([check], check.id, ({ path }) =>
    path === undefined ? plain : error,
  );
  return judgement;
}

test.each<[Answer, string]>([
  [{ status: 404, body: { message: 'no', code: 7 } }, 'error: 404, application/json, {code, message}'],
  [
    { status: 404, body: { errors: [{ code: 1 }], at: null } },
    'error: 404, application/json, {at, errors: […]}',
  ],
  [{ status: 404, body: { a: { b: { c: { d: 1 } } } } }, 'error: 404, application/json, {a: {b: {c}}}'],
  [{ status: 404, body: [] }, 'error: 404, application/json, […]'],
  [{ status: 404, headers: { 'content-type': 'text/html' }, body: '<p>' }, 'error: 404, text/html'],
  [{ status: 404 }, 'error: 404, no type'],
])('%j is recorded by its names, and never by its values', async (error, behaviour) => {
  expect(await judged(error)).toMatchObject({ kind: 'observed', behaviour });
});

test('records twenty names at most', async () => {
  const body = Object.fromEntries(Array.from({ length: 50 }, (_, nth) => [`n${nth + 10}`, nth]));
  const { behaviour } = (await judged({ status: 400, body })) as { behaviour: string };
  expect(behaviour.split(', ').slice(2)).toHaveLength(20);
});

test('records nothing where one of the two calls gets no answer', async () => {
  expect(await judged({ error: 'timeout' })).toMatchObject({ kind: 'inconclusive', reason: 'timeout' });
  expect(await judged({}, { error: 'reset' })).toMatchObject({ kind: 'inconclusive', reason: 'reset' });
});
