// What single checks joined or made is taken back, each once, and values that were replaced are written back.
import { describe, expect, test } from 'vitest';
import { areas } from '../../catalog/catalog.ts';
import type { Operation } from '../../catalog/operation.ts';
import { exchangeOf } from '../../fixtures/kit/exchanges.ts';
import type { Ask } from '../http/ask.ts';
import type { Exchange } from '../http/exchange.ts';
import type { Player } from '../players/players.ts';
import { createPutBack, createWrittenValues } from './undo.ts';

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

describe('values that a run replaces on players who stay', () => {
  const done = exchangeOf({ status: 200 });

  /** A server that keeps one text, and what became of it once all was put back. */
  async function kept(first: string | undefined, { refusesOld = false, outlive = true } = {}) {
    const written = createWrittenValues(outlive);
    let value = first;
    const asked: string[] = [];
    const read = async () => {
      asked.push('read');
      return exchangeOf(
        value === undefined
          ? { status: 404 }
          : { status: 200, body: { state: value, version: asked.length } },
      );
    };
    const write = async (_: unknown, __: unknown, request: Exchange['request']) => {
      const { data } = JSON.parse(String(request.body));
      asked.push(data);
      if (refusesOld && data === first) return exchangeOf({ status: 409 });
      value = data;
      return done;
    };
    for (const data of ['ours', 'ours too']) {
      const request = {
        method: 'POST',
        url: 'http://t/s',
        headers: [],
        body: JSON.stringify({ key: 'SeenStoreItems', data }),
      } as const;
      await written.before(one, players.setState, request, read);
      written.note(one, players.setState, { ...(await write(one, players.setState, request)), request });
    }
    return { left: await written.putBack(read, write), value, asked };
  }

  test('are written back with the request that the target took', async () => {
    expect(await kept('theirs "1"')).toEqual({
      left: [],
      value: 'theirs "1"',
      asked: ['read', 'ours', 'ours too', 'read', 'theirs "1"', 'read'],
    });
  });

  const line =
    'states of 1 player: as this run left them: nothing stood there before, or it was not taken back';

  test('are named where nothing stood there before, or where the target does not take it back', async () => {
    expect(await kept(undefined)).toMatchObject({ left: [line], value: 'ours too' });
    expect(await kept('theirs', { refusesOld: true })).toMatchObject({ left: [line], value: 'ours too' });
  });

  test('are not restored in a run that created its players', async () => {
    expect(await kept('theirs', { outlive: false })).toEqual({
      left: [],
      value: 'ours too',
      asked: ['ours', 'ours too'],
    });
  });

  test('are named by kind, and by how many players have them', async () => {
    const written = createWrittenValues(true);
    written.note(one, areas.onboarding.updateProgress, done);
    written.note(one, areas.onboarding.updateProgress, done);
    written.note(two, areas.onboarding.updateProgress, done);
    written.note(two, areas.game.loadout, exchangeOf({ status: 400 }));
    written.note(two, party.create, done);
    const nothing = async () => done;
    expect(await written.putBack(nothing, nothing)).toEqual([
      'onboarding of 2 players: as this run left them: nothing stood there before, or it was not taken back',
    ]);
  });
});
