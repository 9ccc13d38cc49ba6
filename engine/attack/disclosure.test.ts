import { expect, test } from 'vitest';
import { areas } from '../../catalog/catalog.ts';
import { saidBy } from '../../fixtures/kit/attack-step.ts';
import { exchangeOf } from '../../fixtures/kit/exchanges.ts';
import type { StepContext } from '../flow/step-context.ts';
import type { Ask } from '../http/ask.ts';
import type { Routed } from '../probe/served/routed-table.ts';
import { readByItsId, readInTheNameOf } from './disclosure.ts';

const { currencies } = areas.general;

interface Answer {
  readonly status?: number;
  readonly body?: unknown;
}

/** What a step noted, observed or ended with, where calls are answered like that. */
function said(
  run: (context: StepContext) => Promise<void>,
  answer: (role: string | undefined, ask: Ask, nth: number) => Answer,
  routed: Routed = { served: true, why: 'it answers' },
): Promise<string> {
  let calls = 0;
  return saidBy(run, {
    id: (role) => `id-of-${role}`,
    routed: async () => routed,
    async send(role, _, ask = {}) {
      calls += 1;
      const { status = 200, body = {} } = answer(role, ask, calls);
      const exchange = exchangeOf({ status, body: JSON.stringify(body) });
      const url = `${exchange.request.url}?${ask.extraQuery ?? ''}`;
      return { ...exchange, request: { ...exchange.request, url } };
    },
    mentions: ({ response }, value) => Buffer.from(response?.body ?? []).includes(value),
  });
}

const coinsOf = (role: string | undefined) => ({ coins: role === 'owner' ? 250 : 100 });
const inName = (
  answer: (role: string | undefined, ask: Ask, nth: number) => Answer,
  ...routed: readonly Routed[]
) =>
  said(
    (context) => readInTheNameOf(context, currencies, { owner: 'owner', attacker: 'attacker' }),
    answer,
    ...routed,
  );

test('passes when a read returns the wallet of its caller, whichever player is named', async () => {
  expect(await inName((role) => ({ body: coinsOf(role), status: role === undefined ? 401 : 200 }))).toBe(
    'asked in the name of the owner, as another player and without a session',
  );
});

test.each([
  ['another player', 'attacker'],
  ['somebody without a session', undefined],
] as const)('a wallet of whom %s names is a finding', async (who, leaksTo) => {
  const answer = (role: string | undefined, { extraQuery }: Ask) =>
    role === undefined && leaksTo !== undefined
      ? { status: 401 }
      : { body: coinsOf(extraQuery !== undefined && role === leaksTo ? 'owner' : role) };
  expect(await inName(answer)).toBe(
    `broken: general.currencies shows ${who} nothing of the player whom they name; what that player reads at /coins`,
  );
});

test('reports no disclosure for values that show only sometimes or that repeat the request', async () => {
  const sometimes = (role: string | undefined, { extraQuery }: Ask, nth: number) => ({
    body: { ...coinsOf(role), machine: extraQuery === undefined && role === 'attacker' && nth < 4 ? 1 : 2 },
  });
  expect(await inName(sometimes)).toMatch(/^asked/);
  const inTurn = (role: string | undefined, _: Ask, nth: number) => ({
    body: { ...coinsOf(role), machine: nth % 3 === 0 ? 'one' : 'two' },
  });
  expect(await inName(inTurn)).toMatch(/^asked/);
  const repeats = (role: string | undefined, { extraQuery }: Ask) => ({
    body: { ...coinsOf(role), asked: extraQuery ? 'id-of-owner' : `id-of-${role}` },
  });
  expect(await inName(repeats)).toMatch(/^asked/);
});

test('is not exercised when both players read the same, or when the read is not answered', async () => {
  expect(await inName(() => ({ body: { coins: 1 } }))).toMatch(
    /^not-triggered: .*one player's own, but for their id$/,
  );
  const onlyId = (role: string | undefined) => ({ body: { player: `id-of-${role}`, level: 1 } });
  expect(await inName(onlyId)).toMatch(/^not-triggered: .*but for their id$/);
  expect(await inName((_, { extraQuery }) => ({ status: extraQuery ? 200 : 500 }))).toMatch(
    /^needs-state: .*not answered to both players$/,
  );
  const toTheOwnerAlone = (role: string | undefined) => ({ status: role === 'owner' ? 200 : 404 });
  expect(await inName(toTheOwnerAlone)).toMatch(/^needs-state: .*not answered to both players$/);
});

test('a read that is not served proves nothing about who is shown it', async () => {
  const nowhere = () => ({ status: 404 });
  expect(await inName(nowhere)).toMatch(/^needs-state: .*not answered to both players$/);
  const unrouted = {
    served: false,
    kind: 'unrouted',
    why: 'it is answered as a path that nobody serves',
  } as const;
  expect(await inName(nowhere, unrouted)).toMatch(
    /^not-served: not exercised: general.currencies is not served: it is answered as/,
  );
});

const byId = (answer: (role: string | undefined, id: unknown) => Answer) =>
  said(
    (context) =>
      readByItsId(context, {
        read: areas.party.get,
        owner: 'owner',
        attacker: 'attacker',
        secrets: ['secret'],
        keptApart: ['kept'],
        ask: { params: { partyId: '1' } },
        unknown: { params: { partyId: '2' } },
      }),
    (role, { params }) => answer(role, params?.partyId),
  );
const toOwner = (role: string | undefined) =>
  role === 'owner' ? { body: { word: 'secret' } } : { status: 404 };

test('what is read by its id: by its owner alone, by everybody, by other players', async () => {
  expect(await byId(toOwner)).toMatch(/^another player, and somebody without a session, are shown nothing/);
  expect(await byId(() => ({ body: { word: 'secret' } }))).toMatch(/^broken: party.get shows nothing/);
  const toPlayers = (role: string | undefined) => (role === undefined ? { status: 401 } : toOwner('owner'));
  expect(await byId(toPlayers)).toBe('observed: 200, what the owner reads');
});

test('another player is shown nothing that only the owner is to read', async () => {
  const whole = (role: string | undefined) =>
    role === undefined ? { status: 401 } : { body: { word: 'secret', states: ['kept'] } };
  expect(await byId(whole)).toMatch(/^broken: party.get shows another player nothing .*; "kept"/);
});

test('observes that a refusal shows whether an id exists', async () => {
  const answer = (role: string | undefined, id: unknown) =>
    role === 'attacker' && id === '1' ? { status: 403 } : toOwner(role);
  expect(await byId(answer)).toMatch(/^observed: existence is visible: .* 403, and 404/);
});

test('what the owner cannot read is not exercised', async () => {
  expect(await byId(() => ({ status: 404 }))).toMatch(/^needs-state: not exercised/);
});
