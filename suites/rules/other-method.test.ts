import { expect, test } from 'vitest';
import { areas } from '../../catalog/catalog.ts';
import type { Operation } from '../../catalog/operation.ts';
import { type Answer, rehearse } from '../../fixtures/kit/rule-rehearsal.ts';
import { otherMethod, otherMethodRule } from './other-method.ts';

test.each<[Operation, string]>([
  [areas.general.config, 'PATCH'],
  [areas.party.create, 'GET'],
  [areas.party.update, 'PATCH'],
  [areas.party.leave, 'PATCH'],
  [areas.match.create, 'PATCH'],
  [areas.match.quit, 'GET'],
  [areas.extensions.bundles, 'PATCH'],
  [areas.auth.login, 'GET'],
])('$id is asked by %s', (operation, expected) => {
  expect(otherMethod(operation).method).toBe(expected);
});

test('whatever ends a session or a party is asked by a player who may lose them', () => {
  expect(otherMethod(areas.me.logout).as).toBe('leaver');
});

const documented: Answer = { body: { partyId: 'a' } };

test.each<[string, Answer, string]>([
  ['405', { status: 405, headers: { allow: 'POST' } }, 'pass'],
  ['404', { status: 404 }, 'pass'],
  ['501', { status: 501 }, 'pass'],
  ['the same with other values', { body: { partyId: 'b' } }, 'violation'],
  ['an answer of its own', { body: [1] }, 'pass'],
  ['the page of a single-page host', { body: '<html>', headers: { 'content-type': 'text/html' } }, 'pass'],
  ['another status', { status: 202, body: { partyId: 'b' } }, 'pass'],
  ['a broken connection', { error: 'reset' }, 'inconclusive'],
])('another method answered with %s', async (_, answer, expected) => {
  const { judgement } = await rehearse(otherMethodRule, areas.party.create, ({ method }) =>
    method ? answer : documented,
  );
  expect(judgement.kind).toBe(expected);
});

test('a file that comes whatever the method violates', async () => {
  const file = { body: 'news of today' };
  expect((await rehearse(otherMethodRule, areas.clientData.news, () => file)).judgement.kind).toBe(
    'violation',
  );
});

test('a call that is not answered with success has nothing to be like', async () => {
  expect((await rehearse(otherMethodRule, areas.party.create, () => ({ status: 400 }))).judgement.kind).toBe(
    'inconclusive',
  );
});
