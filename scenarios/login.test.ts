import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { areas } from '../catalog/catalog.ts';
import type { Form } from '../engine/players/body-template.ts';
import type { Forging, Player } from '../engine/players/players.ts';
import { notSent } from '../engine/probe/evidence.ts';
import { whyOmitted } from '../engine/target/profile.ts';
import { exchangeOf } from '../fixtures/kit/exchanges.ts';
import { type Facts, guess, type Put, rehearseFlow } from '../fixtures/kit/flow-rehearsal.ts';
import login from './login.ts';

const { players } = areas;
const template = { name: '{{stateName}}', value: '{{value}}' };
const stated: Form = { template, carries: ['stateName', 'value'], from: 'profile' };

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** How both steps end that need something which stays with a player, where a state does not and a party does. */
async function ends(answer: ReturnType<Parameters<typeof rehearseFlow>[0]>, form: Form) {
  let isOut = false;
  const script = ({ operation, player }: Put) => {
    if (operation === players.setState.id) return answer;
    if (operation === 'me.logout' && player === 1) isOut = true;
    if (operation === 'party.create') return { body: { partyId: 'party-77' } };
    return { body: operation === 'party.details' && !isOut ? { partyId: 'party-77' } : {} };
  };
  const flows: Facts['flows'] = {
    forms: ({ id }) => (id === players.setState.id ? [form] : []),
    withSecondSession: async (player) => player,
  };
  const playing = rehearseFlow(script, { flows }).play(login, 'same-player', 'sign-in-after-logout');
  await vi.runAllTimersAsync();
  return playing;
}

test.each([
  ['the data of the first', ({ value }: { value: string }) => value, 'violation'],
  ['data of their own', () => 'nothing', 'violation'],
])('of two whom the login calls one, the other reads %s: %s', async (_, shownToOther, kind) => {
  let value = '';
  const script = ({ operation, player, ask }: Put) => {
    if (operation === players.setState.id) value = JSON.parse(`${ask.body}`).value;
    const shown = player === 2 ? shownToOther({ value }) : value;
    return { body: operation === players.seenStoreItems.id ? { shown } : {} };
  };
  const player = (account: number): Player => ({
    name: `player ${account}`,
    account,
    id: 'one',
    shared: false,
    token: async () => undefined,
    session: async () => undefined,
  });
  const flows: Facts['flows'] = {
    forms: ({ id }) => (id === players.setState.id ? [stated] : []),
    lookalikes: async () => [player(1), player(2)],
  };
  const playing = rehearseFlow(script, { flows }).play(login, 'two-tokens');
  await vi.runAllTimersAsync();
  expect((await playing)[0]?.kind).toBe(kind);
});

test('a state that was accepted and is not read back is reported as that', async () => {
  const expected = {
    kind: 'inconclusive',
    reason: 'prerequisite-failed',
    detail:
      "what players.setState wrote is not read back: expected players.seenStoreItems shows the player's data, got 200 without it anywhere",
  };
  expect(await ends({ status: 200 }, stated)).toMatchObject([expected, expected]);
});

test('a state that the profile leaves out is reported as left out', async () => {
  const held = notSent(players.setState, { hosts: {} }, whyOmitted('not built'));
  const expected = {
    kind: 'inconclusive',
    reason: 'prerequisite-failed',
    detail:
      'no data is known that stays with a player: players.setState was not called: the profile leaves it out: not built',
  };
  expect(await ends(held, stated)).toMatchObject([expected, expected]);
});

test('a body that was a guess and is refused is to be given', async () => {
  const expected = {
    reason: 'needs-body',
    detail:
      'no data is known that stays with a player: players.setState is answered 400; sent: {"name":"{{stateName}}","value":"{{value}}"} (guessed)',
  };
  const guessed = guess(template, 'stateName', 'value');
  expect(await ends({ status: 400 }, guessed)).toMatchObject([expected, expected]);
});

test.each([
  ['their own id', (player: number) => player, 'pass'],
  ['the id of the first', () => 1, 'violation'],
])(
  'where nothing can be written, a read that names each player %s tells two players',
  async (_, named, kind) => {
    const script = ({ operation, player }: Put) =>
      operation === 'me.location'
        ? { body: { playerId: `id-of-player-${named(player)}` } }
        : { status: operation === 'players.setState' || operation === 'party.create' ? 404 : 200, body: {} };
    const flows: Facts['flows'] = { forms: () => [] };
    const playing = rehearseFlow(script, { flows }).play(login, 'two-players');
    await vi.runAllTimersAsync();
    expect((await playing)[0]).toMatchObject({ kind });
  },
);

const csrfToken = 'F00Zb4rQ9-csrf';

test.each<[string, readonly string[], string | undefined, number, string]>([
  ['no cookie', ['authorization'], csrfToken, 200, 'the session does not travel in a cookie'],
  ['a cookie alone', ['cookie'], undefined, 200, 'the login gives no CSRF token'],
  ['a CSRF token that nobody asks for', ['cookie'], csrfToken, 200, '3 kinds of calls are accepted'],
  [
    'a CSRF token that is asked for',
    ['cookie', 'x-csrf-token'],
    csrfToken,
    403,
    'pass me.setRichPresence is answered 403',
  ],
  [
    'a CSRF token that is not compared',
    ['cookie', 'x-csrf-token'],
    csrfToken,
    200,
    '3 kinds of calls are accepted',
  ],
])('a session with %s: a call from another site is %4$s', async (_, names, given, status, expected) => {
  const credentials = names.map((name) => [name, `${name} of the player`] as const);
  const intruder = { name: 'another site', account: 9, session: async () => undefined } as unknown as Player;
  const own = {
    name: 'player 1',
    account: 1,
    token: async () => 'token',
    session: async () => ({ credentials }),
  } as unknown as Player;
  const answer = exchangeOf({
    status: 200,
    body: JSON.stringify(given ? { csrfToken: given.repeat(2) } : {}),
  });
  const flows: Facts['flows'] = {
    actors: async () => ({ ok: true, players: [own] }),
    forging: {
      enter: async () => ({ kind: 'in', player: own, login: answer }),
      carrying: async () => intruder,
    } as unknown as Forging,
  };
  const script = ({ ask }: Put) => ({ status: ask.headers === undefined ? 200 : status, body: {} });
  const playing = rehearseFlow(script, { flows }).play(login, 'cross-site');
  await vi.runAllTimersAsync();
  const [judgement] = await playing;
  expect(Object.values(judgement ?? {}).join(' ')).toContain(expected);
});

/** A JWT of one subject with these claims, unsigned. */
const tokenOf = (claims: object) =>
  ['{}', JSON.stringify({ sub: 'subject', ...claims }), 'x']
    .map((part) => Buffer.from(part).toString('base64url'))
    .join('.');

test.each<[string, { isSame: boolean; refusesExpired: boolean; accepts?: boolean }, string]>([
  ['the same player', { isSame: true, refusesExpired: false }, 'pass'],
  ['another player', { isSame: false, refusesExpired: true }, 'violation'],
  ['another player, as any text does', { isSame: false, refusesExpired: false }, 'not-applicable'],
  ['nobody', { isSame: false, refusesExpired: true, accepts: false }, 'inconclusive'],
])('a new token of the same subject signs in %s: %3$s', async (_, server, kind) => {
  const { isSame, refusesExpired, accepts = true } = server;
  const stored = new Map<number, string>();
  const person = (account: number) =>
    ({ name: `player ${account}`, account, id: `id-${account}`, session: async () => undefined }) as Player;
  const script = ({ operation, player, ask }: Put) => {
    const who = isSame && player === 9 ? 1 : player;
    if (operation === players.setState.id) stored.set(who, JSON.parse(`${ask.body}`).value);
    return { body: operation === players.seenStoreItems.id ? { shown: stored.get(who) } : {} };
  };
  const flows: Facts['flows'] = {
    forms: ({ id }) => (id === players.setState.id ? [stated] : []),
    actors: async () => ({ ok: true, players: [person(1), person(2)] }),
    forging: {
      tokenWith: async (_: Player, claims: object) => tokenOf(claims),
      enter: async (token: string) => {
        const isOver = atob(token.split('.')[1] ?? '').includes('"exp"');
        if (!accepts || (isOver && refusesExpired)) return { kind: 'refused' };
        return { kind: 'in', player: person(9), login: exchangeOf({ status: 200 }) };
      },
    } as unknown as Forging,
  };
  const playing = rehearseFlow(script, { flows }).play(login, 'new-token');
  await vi.runAllTimersAsync();
  expect((await playing)[0]?.kind).toBe(kind);
});
