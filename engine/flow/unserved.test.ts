import { expect, test } from 'vitest';
import { areas } from '../../catalog/catalog.ts';
import type { Operation } from '../../catalog/operation.ts';
import { exchangeOf } from '../../fixtures/kit/exchanges.ts';
import { fakeContext } from '../../fixtures/kit/fake-context.ts';
import type { Ask } from '../http/ask.ts';
import { looksUnserved, withoutExcuse } from './unserved.ts';

const { match, messages, party, players } = areas;
const [partyId, member] = ['party-of-three', 'player-seven'];
const kick: Ask = { params: { partyId, playerId: member } };

interface Case {
  readonly operation?: Operation;
  readonly ask?: Ask;
  /** The answer to the call, by how often it was sent before. */
  readonly answer?: (nth: number) => number;
  /** What is answered for an id that nobody has, and for a path without a route. */
  readonly unknown?: unknown;
  readonly unrouted?: unknown;
  /** Ids that the target's answers gave. */
  readonly named?: readonly string[];
  /** Who is in the party, as its leader sees it. */
  readonly shown?: readonly string[];
  /** What a caller without a credential is answered: to this call, and to the other operations. */
  readonly anonymously?: { readonly here: number; readonly others: (operation: Operation) => number };
}

/** What is found, and the operations that count as not served. */
async function found({
  operation = party.removePlayer,
  ask = kick,
  answer = () => 404,
  unknown = { error: 'no such player' },
  unrouted = { error: 'nothing here' },
  named = [partyId, member],
  shown = [member],
  anonymously = { here: 401, others: () => 401 },
}: Case) {
  const unserved: string[] = [];
  let puts = 0;
  const context = fakeContext({
    ask: async (asked) => exchangeOf({ status: anonymously.others(asked), body: { error: 'nothing here' } }),
    flows: {
      send: async () => exchangeOf({ status: anonymously.here, body: { error: 'nothing here' } }),
      unrouted: async () => exchangeOf({ status: 404, body: unrouted }),
      noteUnserved: ({ id }) => void unserved.push(id),
    },
  });
  const result = await withoutExcuse({
    operation,
    ask,
    exchange: exchangeOf({ status: answer(0), body: { error: 'nothing here' } }),
    player: undefined,
    async send(called, { params = {} }) {
      if (called === party.details) return exchangeOf({ status: 200, body: { partyId, members: shown } });
      if (params.playerId !== member) return exchangeOf({ status: 404, body: unknown });
      puts += 1;
      return exchangeOf({ status: answer(puts), body: { error: 'nothing here' } });
    },
    named: new Set(named),
    context,
  });
  return { result, unserved };
}

test('a call that is answered as a path without a route is not served, though OPTIONS may list it', async () => {
  expect(await found({})).toMatchObject({
    result: { kind: 'judged', judgement: { kind: 'inconclusive', reason: 'not-served' } },
    unserved: ['party.removePlayer'],
  });
});

test('a call that is answered only as for an id that nobody has is a violation of the step', async () => {
  expect(await found({ unknown: { error: 'nothing here' }, unrouted: 'a page' })).toMatchObject({
    result: { kind: 'judged', judgement: { kind: 'violation' } },
    unserved: [],
  });
});

test('a call that is taken once copies have caught up is late', async () => {
  expect(await found({ answer: (nth) => (nth === 0 ? 404 : 200) })).toMatchObject({
    result: { kind: 'late' },
    unserved: [],
  });
});

const acceptance: Case = { operation: party.acceptJoin };

/** A POST that nobody is asked a credential for, and what a caller without one is answered elsewhere. */
const missing = (others: (operation: Operation) => number): Case => ({
  ...acceptance,
  anonymously: { here: 404, others },
});

test.each<[string, Case]>([
  ['a POST', missing(() => 401)],
  ['a POST of a server with public reads', missing(({ method }) => (method === 'GET' ? 200 : 403))],
  ['a call with a body', { ask: { ...kick, body: '{}' }, anonymously: { here: 404, others: () => 401 } }],
])('%s is not served where a credential is asked for everywhere else', async (_, facts) => {
  expect(await found(facts)).toMatchObject({
    result: { kind: 'judged', judgement: { kind: 'inconclusive', reason: 'not-served' } },
    unserved: [(facts.operation ?? party.removePlayer).id],
  });
});

test.each<[string, Case]>([
  ['its refusal is like neither control', { unrouted: 'a page' }],
  ['it is refused for a reason of its own', { answer: () => 409 }],
  ['the caller is refused', { answer: () => 403 }],
  ['an id was not given by the target', { named: [partyId] }],
  ['no other call shows what it names', { shown: [] }],
  ['it has a body, and a credential is asked for first', { ask: { ...kick, body: '{}' } }],
  ['it is a POST, and a credential is asked for first', acceptance],
  ['it is a POST, and an anonymous caller sees no route', missing(() => 404)],
  [
    'it is a POST, and one of its area shows no route',
    missing(({ id }) => (id === party.get.id ? 404 : 401)),
  ],
  ['it is a POST, and nobody is asked for a credential', missing(() => 200)],
  ['it is a POST, and bodies are read before a credential', missing(() => 400)],
  [
    'the document does not say whom it names',
    { operation: party.cancelJoin, ask: { params: { partyId, friendId: member } } },
  ],
  ['no other read shows such a thing', { operation: match.get, ask: { params: { matchId: partyId } } }],
  ['one of its values is a guess', { operation: players.friends, ask: { params: { playerId: member } } }],
])('nothing is said of a call where %s', async (_, facts) => {
  expect(await found(facts)).toEqual({ result: undefined, unserved: [] });
});

test.each([
  ['is not served', {}, { reason: 'not-served' }],
  ['decides nothing where its 404 is its own', { status404: 'no such name' }, undefined],
  ['decides nothing where it was answered before', { wasServed: true }, undefined],
  ['decides nothing where its route is known', { isRouted: true }, undefined],
])('a read that finds nothing of what an earlier step made %s', async (_, given, expected) => {
  const {
    status404 = 'nothing here',
    wasServed = false,
    isRouted = false,
  } = given as { status404?: string; wasServed?: boolean; isRouted?: boolean };
  const noted: string[] = [];
  const context = fakeContext({
    routed: async () =>
      isRouted
        ? { served: true, why: '404, unlike unrouted paths' }
        : { served: undefined, reason: 'unknown-resource', why: 'like all' },
    flows: {
      wasServed: () => wasServed,
      unrouted: async () => exchangeOf({ status: 404, body: 'nothing here' }),
      noteLooksUnserved: ({ id }) => void noted.push(id),
    },
  });
  const judgement = await looksUnserved({
    operation: areas.playerName.search,
    ask: { params: { playerName: 'Assay' } },
    exchange: exchangeOf({ status: 404, body: status404 }),
    player: undefined,
    send: async () => exchangeOf({ status: 404 }),
    named: new Set(),
    context,
  });
  if (expected) expect(judgement).toMatchObject(expected);
  else expect(judgement).toBeUndefined();
  expect(noted).toEqual(expected ? ['playerName.search'] : []);
});

/** What is found of a call whose body names a message, by how its inbox lists messages. */
async function foundInInbox(
  sent: object,
  listed: object,
  { operation = messages.markAs, again = 404 }: { operation?: Operation; again?: number } = {},
) {
  const ask: Ask = { body: JSON.stringify(sent) };
  const refusal = exchangeOf({ status: 404, body: {} });
  return withoutExcuse({
    operation,
    ask,
    exchange: { ...refusal, request: { ...refusal.request, body: JSON.stringify(sent) } },
    player: undefined,
    send: async (called) =>
      called === messages.list
        ? exchangeOf({ status: 200, body: { messages: [listed] } })
        : exchangeOf({ status: again, body: {} }),
    named: new Set(),
    context: fakeContext({}),
  });
}

test('a message that is not found is a violation where the inbox lists it under the same name', async () => {
  const sent = { messageIds: ['m-1'], status: 'read' };
  const violation = { kind: 'judged', judgement: { kind: 'violation' } };
  expect(await foundInInbox(sent, { messageId: 'm-1' })).toMatchObject(violation);
  expect(await foundInInbox({ message_ids: [7] }, { messageId: 7 })).toMatchObject(violation);
  expect(await foundInInbox(sent, { messageId: 'm-1' }, { again: 200 })).toMatchObject({ kind: 'late' });
});

test.each<[string, object, object, Operation?]>([
  ['under another name', { messageIds: ['m-1'] }, { id: 'm-1' }],
  ['as a number', { messageIds: ['7'] }, { messageId: 7 }],
  ['without another id that the body names', { messageIds: ['m-1'], inboxId: 'i' }, { messageId: 'm-1' }],
  ['with nothing to claim', { messageId: 'm-1' }, { messageId: 'm-1' }, messages.claim],
])('nothing is said of a message that the inbox lists %s', async (_, sent, listed, operation) => {
  expect(await foundInInbox(sent, listed, operation && { operation })).toBeUndefined();
});
