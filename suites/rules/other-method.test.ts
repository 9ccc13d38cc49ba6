import { expect, test } from 'vitest';
import { areas } from '../../catalog/catalog.ts';
import type { Operation } from '../../catalog/operation.ts';
import { type Answer, rehearse } from '../../fixtures/kit/rule-rehearsal.ts';
import { otherMethod, otherMethodRule } from './other-method.ts';

test.each<{ readonly operation: Operation; readonly method: string }>([
  { operation: areas.general.config, method: 'PATCH' },
  { operation: areas.party.create, method: 'GET' },
  { operation: areas.party.update, method: 'PATCH' },
  { operation: areas.party.leave, method: 'PATCH' },
  { operation: areas.match.create, method: 'PATCH' },
  { operation: areas.match.quit, method: 'GET' },
  { operation: areas.extensions.bundles, method: 'PATCH' },
  { operation: areas.auth.login, method: 'GET' },
])('$operation.id is asked by $method', ({ operation, method }) => {
  expect(otherMethod(operation).method).toBe(method);
});

test('asks an operation that ends a session as the caller who may lose it', () => {
  expect(otherMethod(areas.me.logout).as).toBe('leaver');
});

const documented: Answer = { body: { partyId: 'a' } };

test.each<[string, Answer, string]>([
  ['405', { status: 405, headers: { allow: 'POST' } }, 'pass'],
  ['404', { status: 404 }, 'pass'],
  ['501', { status: 501 }, 'pass'],
  ['the documented answer with other values', { body: { partyId: 'b' } }, 'violation'],
  ['a body of another shape', { body: [1] }, 'pass'],
  [
    'a page that is served for every path',
    { body: '<html>', headers: { 'content-type': 'text/html' } },
    'pass',
  ],
  ['another status', { status: 202, body: { partyId: 'b' } }, 'pass'],
  ['a broken connection', { error: 'reset' }, 'inconclusive'],
])('judges another method that is answered with %s', async (_, answer, expected) => {
  const { judgement } = await rehearse(otherMethodRule, areas.party.create, ({ method }) =>
    method ? answer : documented,
  );
  expect(judgement.kind).toBe(expected);
});

test('returns a violation where a file is delivered for every method', async () => {
  const file = { body: 'news of today' };
  expect((await rehearse(otherMethodRule, areas.clientData.news, () => file)).judgement.kind).toBe(
    'violation',
  );
});

test('returns inconclusive where the documented call is refused, since there is no answer to compare with', async () => {
  expect((await rehearse(otherMethodRule, areas.party.create, () => ({ status: 400 }))).judgement.kind).toBe(
    'inconclusive',
  );
  const inBody: Answer = { body: { ok: false, code: 'needs a name' }, refuses: true };
  expect((await rehearse(otherMethodRule, areas.party.create, () => inBody)).judgement.kind).toBe(
    'inconclusive',
  );
});

test('a refusal with a success status is none of the documented answers, though its form is theirs', async () => {
  const { judgement } = await rehearse(otherMethodRule, areas.party.create, ({ method }) =>
    method ? { body: { ok: false, code: 'method' }, refuses: true } : { body: { ok: true, code: 'made' } },
  );
  expect(judgement.kind).toBe('pass');
});
