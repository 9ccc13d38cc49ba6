import { describe, expect, test } from 'vitest';
import { areas } from '../../catalog/catalog.ts';
import type { Operation } from '../../catalog/operation.ts';
import { requestPath } from '../../catalog/request-path.ts';
import { exchangeOf } from '../../fixtures/kit/exchanges.ts';
import { createIdentities } from '../players/identities.ts';
import { type Session, signed } from '../players/session.ts';
import { createWatch } from './named-players.ts';

const { extensions, general, messages, party, playerName, players, queue } = areas;

const base = 'http://a.test/prefix';
const ambient = { CDN_ROOT_FOLDER_PATH: 'root', gameVersion: '1', versionPattern: '1' };
const idOf = (account: number) => `0000000${account}-aaaa-4bbb-8ccc-00000000000${account}`;

/** A run with five players, whose answers a test makes up. */
function run() {
  const identities = createIdentities();
  const sessions = [1, 2, 3, 4, 5].map((account): Session => {
    const session: Session = {
      transport: { kind: 'bearer', source: '/token' },
      credentials: [['authorization', `Bearer secret-${account}`]],
      secrets: [`secret-${account}`],
      playerId: idOf(account),
      names: [`Name-${account}`],
    };
    identities.noteSession(session, account);
    return session;
  });
  const watch = createWatch(identities, { hosts: { base }, ambient });
  const answered = (
    operation: Operation,
    account: number,
    body: unknown,
    how: {
      params?: Record<string, string>;
      sent?: unknown;
      status?: number;
      path?: string;
    } = {},
  ) => {
    const { params = {}, sent, status = 200, path = requestPath(operation, params) } = how;
    const made = exchangeOf({
      method: operation.method,
      url: base + path,
      status,
      body,
    });
    const request = { ...made.request, ...(sent !== undefined && { body: JSON.stringify(sent) }) };
    watch.note(operation, { ...made, request: signed(request, sessions[account - 1] as Session) });
  };
  return { watch, answered, identities };
}

const { inventories } = general;
const owned = (account: number) => ({ owner: { id: idOf(account) }, items: [{ by: idOf(3) }] });

describe('a player in the place of the caller', () => {
  test('is found once two callers were named there, with both exchanges', () => {
    const { watch, answered } = run();
    for (const account of [1, 2, 1, 2]) answered(inventories, account, owned(account));
    answered(inventories, 1, owned(4));
    const { otherPlayer, callers } = watch.named(inventories, false);
    expect(callers).toEqual(['/owner/id']);
    expect(otherPlayer).toMatchObject({ place: '/owner/id', times: 1, of: 5 });
    expect(otherPlayer?.wrong.response?.body.toString()).not.toBe(
      otherPlayer?.right?.response?.body.toString(),
    );
  });

  test('is found though it came before anybody knew the place', () => {
    const { watch, answered } = run();
    answered(inventories, 1, owned(4));
    for (const account of [1, 2, 3, 2]) answered(inventories, account, owned(account));
    expect(watch.named(inventories, false).otherPlayer?.times).toBe(1);
  });

  test('is found by name and by token', () => {
    for (const value of [(nth: number) => `Name-${nth}`, (nth: number) => `secret-${nth}`]) {
      const { watch, answered } = run();
      for (const account of [1, 2, 1, 2]) answered(inventories, account, { 'whose it is': value(account) });
      answered(inventories, 1, { 'whose it is': value(5) });
      expect(watch.named(inventories, false).otherPlayer?.place).toBe('/whose it is');
    }
  });

  test('is no finding where one caller alone was named: that may be the featured player', () => {
    const { watch, answered } = run();
    for (const account of [1, 1, 1, 1, 2, 3])
      answered(extensions.recommendations, account, { featured: idOf(1) });
    expect(watch.named(extensions.recommendations, false)).toEqual({ callers: [], ids: [] });
  });

  test('is a finding there where the operation is about its caller alone', () => {
    const { watch, answered } = run();
    for (const account of [1, 1, 2, 3]) answered(inventories, account, owned(1));
    expect(watch.named(inventories, true).otherPlayer?.times).toBe(2);
  });

  test('is a finding though ids are short, once other answers name their callers under that member', () => {
    const short = (account: number) => 40 + account;
    const wallet = (account: number) => ({ meta: { owner_id: short(account) } });
    const named = (others: readonly number[]) => {
      const { watch, answered, identities } = run();
      for (const account of [1, 2, 3]) identities.noteValue(account, short(account));
      for (const account of others) answered(inventories, account, wallet(account));
      for (const account of [1, 1, 2, 3]) answered(general.currencies, account, wallet(1));
      return watch.named(general.currencies, true).otherPlayer?.times;
    };
    expect([named([1, 2]), named([1, 2, 3])]).toEqual([undefined, 2]);
  });

  test('is a finding though no answer names its caller, once others name theirs at that place', () => {
    const last = (others: readonly number[], place: (id: string) => unknown) => {
      const { watch, answered } = run();
      for (const account of others) answered(inventories, account, { meta: { owner: idOf(account) } });
      for (const account of [1, 2, 1]) answered(general.currencies, account, place(idOf(5)));
      return watch.named(general.currencies, true).otherPlayer?.times;
    };
    const there = (owner: string) => ({ meta: { owner } });
    expect([last([1, 2, 3], there), last([1, 2], there)]).toEqual([3, undefined]);
    // The player above them in a list of ranks, say.
    expect(last([1, 2, 3], (owner) => ({ above: { owner } }))).toBeUndefined();
  });

  test('is no finding where players come after one another, and each is named to the others', () => {
    const { watch, answered } = run();
    for (const newest of [1, 2, 3])
      for (const account of [newest, 4, 5])
        answered(extensions.recommendations, account, { newest: idOf(newest) });
    expect(watch.named(extensions.recommendations, false).otherPlayer).toBeUndefined();
  });

  test.each([
    ['a list', (nth: number) => ({ members: [{ id: idOf(nth) }] })],
    ['a map by ids', (nth: number) => ({ members: { [idOf(nth)]: { id: idOf(nth) } } })],
  ])('is no finding in %s', (_, body) => {
    const { watch, answered } = run();
    for (const account of [1, 2, 1, 2]) answered(messages.list, account, body(account));
    answered(messages.list, 1, body(4));
    expect(watch.named(messages.list, true)).toEqual({ callers: [], ids: [] });
  });

  test.each([
    [
      'whom the caller named',
      (answered: ReturnType<typeof run>['answered']) =>
        answered(players.addFriend, 1, {}, { sent: { ids: [idOf(4)] } }),
    ],
    [
      'who named the caller',
      (answered: ReturnType<typeof run>['answered']) =>
        answered(players.addFriend, 4, {}, { sent: { ids: [idOf(1)] } }),
    ],
    [
      'whose party the caller named',
      (answered: ReturnType<typeof run>['answered']) => {
        answered(party.create, 4, { id: 'party-0042' });
        answered(party.acceptInvite, 1, {}, { params: { partyId: 'party-0042' } });
      },
    ],
    [
      'who waited in the queue as well',
      (answered: ReturnType<typeof run>['answered']) => {
        answered(queue.enter, 1, {});
        answered(queue.enter, 4, {});
      },
    ],
  ])('is no finding where it is one %s', (_, meet) => {
    const { watch, answered } = run();
    for (const account of [1, 2, 1, 2]) answered(party.details, account, { leaderId: idOf(account) });
    answered(party.details, 1, { leaderId: idOf(4) });
    expect(watch.named(party.details, false).otherPlayer).toBeDefined();
    meet(answered);
    expect(watch.named(party.details, false)).toEqual({ callers: ['/leaderId'], ids: [] });
  });

  test('is no finding among players of one scenario', () => {
    const { watch, answered } = run();
    for (const account of [1, 2, 1, 2]) answered(party.details, account, { leaderId: idOf(account) });
    answered(party.details, 1, { leaderId: idOf(4) });
    watch.acquaint([1, 4]);
    expect(watch.named(party.details, false).otherPlayer).toBeUndefined();
  });

  test('is no finding in an answer about another player, as a search or a path names one', () => {
    const { watch, answered } = run();
    for (const account of [1, 2, 1, 2])
      answered(
        playerName.search,
        account,
        { best: idOf(account) },
        { params: { playerName: `Name-${account}` } },
      );
    answered(playerName.search, 1, { best: idOf(4) }, { params: { playerName: 'Na' } });
    expect(watch.named(playerName.search, false).otherPlayer).toBeUndefined();
  });

  test('is the caller in another spelling: capitals, a UUID without hyphens, a number as text', () => {
    const { watch, answered, identities } = run();
    identities.noteValue(1, 70001);
    for (const account of [1, 2, 1, 2])
      answered(inventories, account, { a: idOf(account), b: idOf(account) });
    answered(inventories, 1, { a: idOf(1).toUpperCase(), b: idOf(1).replaceAll('-', '') });
    answered(inventories, 1, { a: '70001', b: 70001 });
    expect(watch.named(inventories, true).otherPlayer).toBeUndefined();
  });

  test('is no finding where an id goes by two accounts: they are one player with two tokens', () => {
    const { watch, answered, identities } = run();
    for (const account of [1, 2, 1, 2]) answered(inventories, account, owned(account));
    answered(inventories, 1, owned(4));
    identities.noteValue(1, idOf(4));
    expect(watch.named(inventories, true).otherPlayer).toBeUndefined();
  });

  test('is no finding where several took one name, as the body asked for it and not the path', () => {
    const { watch, answered, identities } = run();
    for (const account of [1, 2, 1, 2]) answered(playerName.get, account, { name: `Name-${account}` });
    answered(
      playerName.set,
      1,
      {},
      { params: { providerPlayerName: 'Name-1' }, sent: { name: 'Captain' }, status: 201 },
    );
    // The next session of another player who took it too shows the name.
    identities.noteValue(4, 'Captain');
    answered(playerName.get, 1, { name: 'Captain' });
    expect(watch.named(playerName.get, true).otherPlayer).toBeUndefined();
  });

  test('is no finding where short ids meet a number that other answers count up', () => {
    const { watch, answered, identities } = run();
    for (const account of [1, 2, 3, 4]) identities.noteValue(account, account);
    for (const [account, level] of [
      [1, 1],
      [2, 2],
      [3, 9],
      [4, 12],
      [1, 2],
    ] as const)
      answered(extensions.playerLevel, account, { level });
    expect(watch.named(extensions.playerLevel, true).otherPlayer).toBeUndefined();
  });

  test('is no finding where short ids meet how many entries lists have', () => {
    const { watch, answered, identities } = run();
    for (const account of [1, 2, 3, 4, 5]) identities.noteValue(account, account);
    const counted = (operation: Operation, totals: Readonly<Record<number, number>>) => {
      for (const [account, total] of Object.entries(totals))
        answered(operation, Number(account), { meta: { total } });
    };
    counted(inventories, { 1: 1 });
    counted(messages.list, { 2: 2 });
    counted(extensions.playerLevel, { 3: 3, 1: 2 });
    counted(general.currencies, { 1: 3, 2: 3, 3: 3, 4: 3, 5: 3 });
    expect(watch.named(general.currencies, true).otherPlayer).toBeUndefined();
    counted(playerName.get, { 1: 1, 2: 2, 3: 3, 4: 2, 5: 2 });
    for (const total of [1, 3, 3, 1]) counted(playerName.get, { 4: total, 5: total });
    expect(watch.named(playerName.get, true).otherPlayer).toBeUndefined();
  });

  test('is no finding in a refusal, nor in an answer to nobody or on a path without a route', () => {
    const { watch, answered } = run();
    for (const account of [1, 2, 1, 2]) answered(inventories, account, owned(account));
    answered(inventories, 1, owned(4), { status: 409 });
    watch.note(inventories, exchangeOf({ url: `${base}/api/v1/inventories`, status: 200, body: owned(4) }));
    answered(inventories, 1, owned(4), { path: '/api/v1/inventorize' });
    expect(watch.named(inventories, true).otherPlayer).toBeUndefined();
  });
});

describe('an id that the path did not name', () => {
  const about = (
    answered: ReturnType<typeof run>['answered'],
    account: number,
    asked: string,
    told = asked,
  ) => answered(party.get, account, { partyId: told }, { params: { partyId: asked, autoJoinKey: 'k' } });

  test('is found where the operation repeated two others', () => {
    const { watch, answered } = run();
    for (const [account, id] of [
      [1, 'party-0001'],
      [2, 'party-0002'],
      [1, 'party-0001'],
    ] as const)
      about(answered, account, id);
    about(answered, 1, 'party-0001', 'party-0002');
    expect(watch.named(party.get, false)).toMatchObject({
      ids: ['/partyId'],
      otherId: { place: '/partyId', times: 1, of: 4 },
    });
  });

  test('is no finding where it is the party that the caller is in', () => {
    const { watch, answered } = run();
    for (const [account, id] of [
      [1, 'party-0001'],
      [2, 'party-0002'],
      [1, 'party-0001'],
    ] as const)
      about(answered, account, id);
    about(answered, 3, 'party-0003');
    about(answered, 3, 'party-0001', 'party-0003');
    expect(watch.named(party.get, false).otherId).toBeUndefined();
  });

  test('is no finding where the body named it', () => {
    const { watch, answered } = run();
    const take = (account: number, name: string, body = name) =>
      answered(
        playerName.set,
        account,
        { name: body },
        { params: { providerPlayerName: name }, sent: { name: body } },
      );
    for (const name of ['Captain', 'Somebody']) for (const account of [1, 2, 3]) take(account, name);
    for (const account of [1, 2]) take(account, 'Somebody', 'Captain');
    expect(watch.named(playerName.set, false).otherId).toBeUndefined();
  });

  test('is no finding where nobody knows it: an alias, or an id in another form', () => {
    const { watch, answered } = run();
    for (const account of [1, 2, 1, 2]) about(answered, account, `party-000${account}`);
    about(answered, 1, 'PARTY-0001', 'party-0001');
    about(answered, 1, 'mine', 'party-of-somebody');
    expect(watch.named(party.get, false).otherId).toBeUndefined();
  });
});

test('keeps no more than a bounded number of places and answers', () => {
  const { watch, answered } = run();
  for (let nth = 0; nth < 300; nth++)
    answered(inventories, (nth % 5) + 1, { [`place${nth}`]: idOf(1), whose: idOf((nth % 5) + 1) });
  const { callers } = watch.named(inventories, false);
  expect(callers.length).toBeLessThanOrEqual(64);
});
