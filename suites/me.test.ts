import { expect, test } from 'vitest';
import { areas } from '../catalog/catalog.ts';
import type { Operation } from '../catalog/operation.ts';
import { type Answer, rehearseCheck, type Script } from '../fixtures/kit/rule-rehearsal.ts';
import me from './me.ts';

const logout =
  (deads: Answer, distinct: Operation = areas.me.location): Script =>
  ({ as }, operation) =>
    as === '(dead)'
      ? deads
      : as === '(nobody)' && operation === distinct
        ? { status: 401 }
        : { body: { a: 1 } };

test('logout ends the session', async () => {
  expect((await rehearseCheck(me.checks, 'ends-session', logout({ status: 401 }))).judgement.kind).toBe(
    'pass',
  );
  expect((await rehearseCheck(me.checks, 'ends-session', logout({ body: { a: 1 } }))).judgement.kind).toBe(
    'violation',
  );
});

test('where the first call does not tell, another one may', async () => {
  expect(
    (await rehearseCheck(me.checks, 'ends-session', logout({ status: 401 }, areas.general.currencies)))
      .judgement.kind,
  ).toBe('pass');
  expect(
    (await rehearseCheck(me.checks, 'ends-session', logout({ status: 401 }, areas.auth.login))).judgement,
  ).toMatchObject({ kind: 'inconclusive' });
});

test('where the first call is not answered, another one may tell', async () => {
  const silentAt: Script = (ask, operation) =>
    operation === areas.me.location
      ? { status: 429 }
      : logout({ status: 401 }, areas.general.currencies)(ask, operation);
  expect((await rehearseCheck(me.checks, 'ends-session', silentAt)).verdict).toBe('pass');
});
