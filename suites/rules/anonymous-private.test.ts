import { expect, test } from 'vitest';
import { needsPlayer, ownReads } from '../../catalog/about-caller.ts';
import { areas } from '../../catalog/catalog.ts';
import type { Operation } from '../../catalog/operation.ts';
import type { Exchange } from '../../engine/http/exchange.ts';
import { type Answer, rehearse, type Script } from '../../fixtures/kit/rule-rehearsal.ts';
import { anonymousPrivate, identifies, ownData } from './anonymous-private.ts';

const operation = areas.general.currencies;
const mine: Answer = { body: { playerId: 'player-1111', coins: 5 } };
const readers: Answer = { body: { playerId: 'player-2222', coins: 7 } };
const refused: Answer = { status: 401 };

/** Answers by who asks. */
const to =
  (nobodys: Answer, spoiledOnes: Answer = nobodys, reader: Answer = readers): Script =>
  ({ as = 'main' }) =>
    as === '(nobody)' ? nobodys : as === '(spoiled)' ? spoiledOnes : as === 'another' ? reader : mine;

test('without a session there is nothing to compare with', async () => {
  const facts = { noSession: () => 'nobody could sign in' };
  expect((await rehearse(anonymousPrivate, operation, to(refused), facts)).judgement).toMatchObject({
    reason: 'no-session',
  });
});

test('refused without a valid credential: nothing is shown, and nobody else is asked', async () => {
  const { judgement, asked } = await rehearse(anonymousPrivate, operation, to(refused));
  expect(judgement.kind).toBe('pass');
  expect(asked).toHaveLength(3);
});

test.each<[string, Script]>([
  ['without a credential', to(mine)],
  ['with a spoiled one', to(refused, mine)],
])("the signed-in player's own data %s violates", async (_, script) => {
  expect((await rehearse(anonymousPrivate, operation, script)).judgement).toMatchObject({
    kind: 'violation',
    actual: expect.stringContaining('/playerId'),
  });
});

test.each<[string, Script, string, string]>([
  ['nobody', to({ status: 500 }, refused), 'without a credential', '500'],
  ['a spoiled credential', to(refused, { status: 502 }), 'with a spoiled credential', '502'],
  ['nobody, whatever the rest', to({ status: 500 }, mine, refused), 'without a credential', '500'],
])('a server error is no refusal: %s', async (_, script, how, status) => {
  expect((await rehearse(anonymousPrivate, operation, script)).judgement).toMatchObject({
    kind: 'violation',
    clause: 'sense.no-server-error',
    expected: 'a refusal',
    actual: `${status} ${how}`,
  });
});

test('data shown to one anonymous caller weighs more than a server error for the other', async () => {
  const { judgement } = await rehearse(anonymousPrivate, operation, to({ status: 500 }, mine));
  expect(judgement).toMatchObject({ kind: 'violation', actual: expect.stringContaining('/playerId') });
  expect(judgement).not.toHaveProperty('clause');
});

test('an answer that holds no JSON is no reason to break either', async () => {
  const text: Script = ({ as = 'main' }) => (as === 'main' ? { body: 'text' } : { status: 500 });
  expect((await rehearse(anonymousPrivate, operation, text)).verdict).toBe('violation');
});

test.each<[string, Answer, string]>([
  ['an announced outage', { status: 503, headers: { 'retry-after': '9' } }, 'rate-limited'],
  ['what is not implemented', { status: 501 }, 'pass'],
  ['a server error that passes', { status: 502 }, 'pass'],
])('no server error to blame anybody for: %s', async (_, first, expected) => {
  const script: Script = (ask, operation) =>
    ask.as === '(nobody)' && ask.nth === undefined ? first : to(refused)(ask, operation);
  expect((await rehearse(anonymousPrivate, operation, script)).verdict).toBe(expected);
});

test("finds another player's data in an anonymous answer: their id stands where the player's own id does", async () => {
  const anybodys: Answer = { body: { playerId: 'player-3333', coins: 9 } };
  expect((await rehearse(anonymousPrivate, operation, to(anybodys))).judgement).toMatchObject({
    kind: 'violation',
    actual: expect.stringContaining('/playerId'),
  });
  const guests: Answer = { body: { playerId: 'guest-99887766', coins: 0 } };
  expect((await rehearse(anonymousPrivate, operation, to(guests))).judgement.kind).toBe('pass');
});

test('what every player is answered is public', async () => {
  expect((await rehearse(anonymousPrivate, operation, to(mine, mine, mine))).judgement).toMatchObject({
    kind: 'not-applicable',
  });
});

test("a default that nobody owns is not the player's", async () => {
  expect(
    (await rehearse(anonymousPrivate, operation, to({ body: { playerId: null, coins: 5 } }))).judgement.kind,
  ).toBe('pass');
});

test("a value that time changed is no player's: it has to come back the same", async () => {
  const clock: Script = ({ as = 'main', nth }) => ({
    body: { build: as === 'another' || nth ? `build-${nth ?? 0}${as.length}99` : 'build-1000' },
  });
  expect((await rehearse(anonymousPrivate, operation, clock)).judgement.kind).toBe('pass');
});

test('a second player who is not signed in is no measure', async () => {
  expect((await rehearse(anonymousPrivate, operation, to(mine, mine, refused))).judgement).toMatchObject({
    reason: 'needs-players',
  });
});

test('the second player asks about the same id', async () => {
  const { asked } = await rehearse(anonymousPrivate, areas.general.richPresence, to(mine));
  expect(asked.find(({ as }) => as === 'another')?.path).toBe('/api/v1/friends/richPresence/assay-playerId');
});

const answer = (body: unknown, path = '/api/v1/wallet'): Exchange => ({
  request: { method: 'GET', url: `http://target.test${path}`, headers: [] },
  response: {
    status: 200,
    headers: [],
    body: new TextEncoder().encode(JSON.stringify(body)),
    wire: { bytes: 0 },
  },
  startedAt: 0,
  durationMs: 1,
  attempts: 1,
  waits: 0,
});

test.each([
  ['"8f14e45f-ceea-467f"', true],
  ['"player-1093"', true],
  ['"someone@example.org"', true],
  ['"treatment"', false],
  ['true', false],
  ['250', false],
  ['"2026-11-21T10:00:00Z"', false],
  ['"1763700000000"', false],
  ['"1763700000"', false],
])('%s identifies somebody: %s', (leaf, expected) => {
  expect(identifies(leaf)).toBe(expected);
});

test("what two players share is nobody's own", () => {
  const same = answer({ items: ['item-1234'] });
  expect(ownData(same, answer({ items: ['item-1234'] }), same)).toEqual({ own: [], shown: [] });
});

test("one player's value that a third answer holds is shown", () => {
  const mine = answer({ id: 'player-1111', coins: 5 });
  expect(ownData(mine, answer({ id: 'player-2222', coins: 7 }), mine)).toMatchObject({ shown: ['body/id'] });
  expect(ownData(mine, answer({ id: 'player-2222', coins: 7 }), mine).own).toHaveLength(2);
});

test('a default that happens to be alike does not count', () => {
  const mine = answer({ inPool: true });
  expect(ownData(mine, answer({ inPool: false }), mine)).toEqual({ own: ['body/inPool'], shown: [] });
});

test('an id that the path asked for does not count', () => {
  const asked = (id: string) => answer({ id }, `/api/v1/friends/${id}`);
  expect(ownData(asked('player-1111'), asked('player-2222'), asked('player-1111')).own).toEqual([]);
});

const wallet: Answer = { body: { coins: 5 } };
/** Two new players have the same; the other reads of own data answer an anonymous caller so. */
const letIn =
  (others: Answer): Script =>
  ({ as = 'main' }, { id }) =>
    id !== operation.id && as === '(nobody)' ? others : wallet;

test.each([
  ['the other reads refuse', operation, refused, 'violation'],
  ['other reads let them in as well', operation, wallet, 'not-applicable'],
  ['it is about no player', areas.general.config, refused, 'not-applicable'],
] as const)(
  'an anonymous caller gets what every player has, where %s',
  async (_, operation, others, kind) => {
    expect((await rehearse(anonymousPrivate, operation, letIn(others))).judgement.kind).toBe(kind);
  },
);

test('an anonymous caller is let in like a player who has nothing, where the other reads refuse', async () => {
  const script: Script = ({ as = 'main' }, { id }) =>
    id !== operation.id && as === '(nobody)'
      ? refused
      : to({ body: { playerId: '', coins: 0 } })({ as }, operation);
  expect((await rehearse(anonymousPrivate, operation, script)).judgement).toMatchObject({
    kind: 'violation',
    actual: '200 without a credential, in the form that a player gets',
  });
});

const { mysteryBox, general, me, game, players } = areas;
const boxes: Answer = { body: { boxes: [] } };
const reads = ownReads.filter((each) => needsPlayer.has(each));

/** A host that answers everybody the same where it lets them in: the operation, and so many other reads of own data. */
const lettingIn =
  (operation: Operation, others = 0, answer = boxes): Script =>
  ({ as = 'main' }, { id }) => {
    const open = [operation, ...reads.filter((each) => each !== operation).slice(0, others)];
    return as.startsWith('(') && !open.some((each) => each.id === id) ? refused : answer;
  };

test.each<[string, Operation, Script, string]>([
  [
    'a call about its caller alone lets anybody in',
    mysteryBox.status,
    lettingIn(mysteryBox.status),
    'violation',
  ],
  ['one in eight does', mysteryBox.status, lettingIn(mysteryBox.status, 2), 'violation'],
  ['more than one in eight does', mysteryBox.status, lettingIn(mysteryBox.status, 4), 'not-triggered'],
  ['no call wants a session', mysteryBox.status, lettingIn(mysteryBox.status, 99), 'not-triggered'],
  ['an empty list is for anybody', players.blocked, lettingIn(players.blocked, 0, { body: [] }), 'violation'],
  ['a write is for anybody', game.updateGifts, lettingIn(game.updateGifts), 'violation'],
  [
    'a call without content is',
    game.updateGifts,
    lettingIn(game.updateGifts, 0, { status: 204 }),
    'violation',
  ],
  ['the terms may be read by anybody', general.consent, lettingIn(general.consent), 'not-triggered'],
  ['anybody may log out', me.logout, lettingIn(me.logout), 'not-triggered'],
])('judges the session check of a call where %s', async (_, operation, script, expected) => {
  const { judgement, verdict } = await rehearse(anonymousPrivate, operation, script);
  expect(verdict).toBe(expected);
  if (expected === 'violation') expect(judgement).toMatchObject({ clause: 'sense.wants-session' });
});

test.each<[string, Answer, string]>([
  ['redirected', { status: 302, headers: { location: '/sign-in' } }, 'pass'],
  ['refused in the body', { body: { error: 'sign in' }, refuses: true }, 'pass'],
  ['answered in another form', { body: { message: 'sign in' } }, 'not-triggered'],
])('an anonymous caller who is %s is not let in', async (_, answer, expected) => {
  const script: Script = (ask, operation) =>
    ask.as?.startsWith('(') && operation.id === mysteryBox.status.id
      ? answer
      : lettingIn(mysteryBox.status)(ask, operation);
  expect((await rehearse(anonymousPrivate, mysteryBox.status, script)).verdict).toBe(expected);
});

test('names how many other calls want a session', async () => {
  const { judgement } = await rehearse(anonymousPrivate, mysteryBox.status, lettingIn(mysteryBox.status));
  expect(judgement).toMatchObject({
    expected: `a refusal, as ${reads.length - 1} other calls about their caller want a session`,
    actual: 'answers anybody: 200 without a credential',
  });
});
