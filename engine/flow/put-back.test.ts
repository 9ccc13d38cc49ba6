// What single checks joined or made is taken back, each once.
import { expect, test } from 'vitest';
import { areas } from '../../catalog/catalog.ts';
import type { Operation } from '../../catalog/operation.ts';
import type { Ask } from '../http/ask.ts';
import type { Player } from '../players/players.ts';
import { exchangeOf } from '../probe/evidence.ts';
import { createPutBack, createWrittenValues } from './put-back.ts';

const { party, queue, match, players } = areas;
const [one, two] = [1, 2].map((account) => ({ account }) as Player) as [Player, Player];

type Made = readonly [Player, Operation, { readonly status: number; readonly body?: unknown }, string?];

async function takenBack(...made: readonly Made[]) {
  const back = createPutBack();
  for (const [player, operation, answer, body] of made) {
    const exchange = exchangeOf(answer);
    const request = { ...exchange.request, ...(body !== undefined && { body }) };
    back.note(player, operation, { ...exchange, request });
  }
  const sent: unknown[] = [];
  const send = async ({ account }: Player, { id }: Operation, { params, body }: Ask) => {
    sent.push([account, id, ...Object.values(params ?? {}), ...(body == null ? [] : [`${body}`])]);
    return exchangeOf({ status: 200 });
  };
  for (const { put } of back.cleanUps(send)) await put();
  expect(back.cleanUps(send)).toEqual([]);
  return sent;
}

test('a party that several calls made is left once by each player', async () => {
  const made = { status: 201, body: { partyId: 'p' } };
  expect(
    await takenBack([one, party.create, made], [one, party.create, made], [two, party.join, made]),
  ).toEqual([
    [1, 'party.leave', 'true'],
    [2, 'party.leave', 'true'],
  ]);
});

test('a ticket is cancelled, and a match that was made is quit by its id', async () => {
  expect(
    await takenBack(
      [one, queue.enter, { status: 202, body: { state: 'waiting', matchId: null } }],
      [two, match.create, { status: 201, body: { data: { match_id: 7 } } }],
    ),
  ).toEqual([
    [1, 'queue.cancel'],
    [1, 'match.quit', '7'],
    [2, 'match.quit', '7'],
  ]);
});

test('a player whose ticket made a match with that of another one quits it as well', async () => {
  const waiting = { status: 202, body: { state: 'waiting' } };
  const met = { status: 202, body: { matchId: 'm' } };
  expect(await takenBack([one, queue.enter, waiting], [two, queue.enter, met])).toEqual([
    [1, 'queue.cancel'],
    [1, 'match.quit', 'm'],
    [2, 'queue.cancel'],
    [2, 'match.quit', 'm'],
  ]);
});

test('a block and a friendship end with the body that made them', async () => {
  expect(
    await takenBack(
      [one, players.block, { status: 200 }, '{"id":"x"}'],
      [one, players.addFriend, { status: 200 }, '{"id":"y"}'],
      [two, players.block, { status: 200 }, '[[1]]'],
    ),
  ).toEqual([
    [1, 'players.unblock', '{"id":"x"}'],
    [1, 'players.removeFriend', '{"id":"y"}'],
  ]);
});

test('what was refused, or only read, leaves nothing', async () => {
  expect(
    await takenBack([one, party.create, { status: 409 }], [one, party.details, { status: 200, body: {} }]),
  ).toEqual([]);
});

test('values that were written to players who stay are named, each kind once', () => {
  const written = createWrittenValues(true);
  const done = exchangeOf({ status: 200 });
  written.note(one, areas.playerName.set, done);
  written.note(one, areas.playerName.set, done);
  written.note(one, players.setState, done);
  written.note(two, players.setState, done);
  written.note(two, areas.me.setRichPresence, exchangeOf({ status: 400 }));
  written.note(two, party.create, done);
  expect(written.lines()).toEqual([
    'name of 1 player: as this run wrote them, since no call takes that back',
    'states of 2 players: as this run wrote them, since no call takes that back',
  ]);
  const ofNewAccounts = createWrittenValues(false);
  ofNewAccounts.note(one, players.setState, done);
  expect(ofNewAccounts.lines()).toEqual([]);
});
