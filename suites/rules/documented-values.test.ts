// types[], brackets, booleans, the inbox filter and the redirect parameter.
import { expect, test } from 'vitest';
import { areas } from '../../catalog/catalog.ts';
import type { Ask } from '../../engine/http/ask.ts';
import { type Answer, rehearse, type Script } from '../../fixtures/kit/rule-rehearsal.ts';
import { booleans } from './booleans.ts';
import { brackets } from './brackets.ts';
import { inboxFilter } from './inbox-filter.ts';
import { redirectParameter } from './redirect-parameter.ts';
import { typesRepeated } from './types-repeated.ts';

const isPlain = (ask: Ask) => Object.keys(ask).length === 0;
const script =
  (plain: Answer, other: Answer): Script =>
  (ask) =>
    isPlain(ask) ? plain : other;
const items = { body: { items: [1] } };

test('types[] is repeated with the value that was taken once', async () => {
  const { judgement, asked } = await rehearse(typesRepeated, areas.extensions.catalogItems, () => items);
  expect(judgement.kind).toBe('pass');
  expect(asked[1]).toEqual({ extraQuery: 'types%5B%5D=assay-types' });
});

test.each([400, 422, 500])('types[] refused with %i the second time violates', async (status) => {
  const { judgement } = await rehearse(
    typesRepeated,
    areas.extensions.catalogItems,
    script(items, { status }),
  );
  expect(judgement.kind).toBe('violation');
});

test('types[] that is refused once already says nothing', async () => {
  expect(
    (await rehearse(typesRepeated, areas.extensions.catalogItems, () => ({ status: 403 }))).judgement.kind,
  ).toBe('inconclusive');
});

test.each<[string, Answer, string]>([
  ['the same', { body: { items: [] } }, 'pass'],
  ['another form', { body: { error: 'x' } }, 'violation'],
  ['a refusal by the application', { status: 400, body: { error: 'x' } }, 'violation'],
  [
    'a refusal by a firewall',
    { status: 403, body: '<h1>Forbidden', headers: { 'content-type': 'text/html' } },
    'not-applicable',
  ],
  ['a 400 without a word', { status: 400 }, 'not-applicable'],
  ['a rate limit', { status: 429 }, 'inconclusive'],
])('raw brackets answered with %s', async (_, raw, expected) => {
  const answers: Script = ({ rawBrackets }) => (rawBrackets ? raw : items);
  expect((await rehearse(brackets, areas.messages.listInbox, answers)).judgement.kind).toBe(expected);
});

test('an answer that looks different each time says nothing of brackets', async () => {
  let nth = 0;
  const answers: Script = () => ({ body: { [`member${nth++}`]: 1 } });
  expect((await rehearse(brackets, areas.messages.listInbox, answers)).told).toBe('unstable-answers');
});

test.each<[number, number, string]>([
  [200, 200, 'pass'],
  [200, 400, 'violation'],
  [422, 200, 'violation'],
  [200, 404, 'inconclusive'],
  [404, 404, 'inconclusive'],
  [400, 400, 'inconclusive'],
])('true answered %i and false %i', async (plain, other, expected) => {
  const { judgement } = await rehearse(
    booleans,
    areas.party.details,
    script({ status: plain }, { status: other }),
  );
  expect(judgement.kind).toBe(expected);
});

test('each boolean of a call is turned round, by a player who has a party of his own', async () => {
  const { asked } = await rehearse(booleans, areas.party.removePlayer, () => ({}));
  expect(asked[1]).toEqual({
    as: 'party.removePlayer, turned round',
    params: { ban: 'true', disband: 'true' },
  });
});

test('inbox is taken with another limit', async () => {
  expect((await rehearse(inboxFilter, areas.messages.listInbox, () => items)).judgement.kind).toBe('pass');
  expect(
    (await rehearse(inboxFilter, areas.messages.listInbox, script(items, { status: 400 }))).judgement.kind,
  ).toBe('violation');
});

const redirecting =
  (given: number, without: number, turned: number): Script =>
  (ask) => ({
    status: isPlain(ask) ? given : ask.path === undefined ? turned : without,
  });

test.each<[string, Script, object]>([
  ['taken both ways', redirecting(200, 200, 200), { kind: 'pass' }],
  ['"not allowed" for false', redirecting(200, 200, 409), { kind: 'pass' }],
  ['refused with the parameter alone', redirecting(400, 200, 400), { kind: 'violation' }],
  ['refused with and without', redirecting(403, 403, 403), { kind: 'inconclusive' }],
  ['a server error for false only warns', redirecting(200, 200, 500), { kind: 'violation', onlyWarns: true }],
])('the redirect parameter: %s', async (_, answers, expected) => {
  expect(
    (await rehearse(redirectParameter, areas.general.marketingRedirect, answers)).judgement,
  ).toMatchObject(expected);
});
