import { expect, test } from 'vitest';
import { areas } from '../../catalog/catalog.ts';
import { exchangeOf } from '../../fixtures/kit/exchanges.ts';
import { judgeStep, type TwoPeople } from '../../fixtures/kit/flow-rehearsal.ts';
import { createShownPlaces, heldBy, mentions, namedBeside, placesOf, valuesUnder } from './places.ts';
import { readBy, type View } from './views.ts';

const answer = (body: unknown) => exchangeOf({ status: 200, body });
const pathsOf = (body: unknown, value: string) => [...placesOf(answer(body), value).keys()];

test.each<[string, unknown, string, string[]]>([
  ['as a value', { party: { id: 'party-77' } }, 'party-77', ['/party/id']],
  ['in a list of ids', { blocked: ['you-id', 'me-id'] }, 'me-id', ['/blocked/#']],
  ['in a list of objects', { members: [{ id: 'me-id' }] }, 'me-id', ['/members/#/id']],
  ['in a list at the root', ['me-id'], 'me-id', ['/#']],
  ['as a name', { members: { 'me-id': {} } }, 'me-id', ['/members/*']],
  ['in a map by number', { slots: { 1: 'me-id' } }, 'me-id', ['/slots/#']],
  ['within a longer text', { href: '/api/party/party-77?x' }, 'party-77', ['/href']],
  ['in JSON that is the text of a member', { sent: '{"to":["me-id"]}' }, 'me-id', ['/sent/$/to/#']],
  ['in JSON that is one text', '"[\\"me-id\\"]"', 'me-id', ['/$/#']],
  ['in a text that is no JSON', '<p>party-77</p>', 'party-77', ['']],
  ['a short one, under whatever name', { blocked: [5, 7] }, '5', ['/blocked/#']],
  ['a short one in another', { playerId: 57, name: 'x5' }, '5', []],
  ['a long one in another', { id: 'party-778', of: 'xparty-77' }, 'party-77', []],
  ['nowhere', { id: 'party-78' }, 'party-77', []],
])('a value stands %s', (_, body, value, paths) => {
  expect(pathsOf(body, value)).toEqual(paths);
  expect(mentions(answer(body), value)).toBe(paths.length > 0);
});

const ready = { character: 'ready-77' };
test.each<[string, unknown, boolean | undefined]>([
  [
    'of a list',
    {
      members: [
        { id: 'me-id', state: ready },
        { id: 'you-id', state: ready },
      ],
    },
    true,
  ],
  ['of a list, another', { members: [{ id: 'me-id' }, { id: 'you-id', state: ready }] }, false],
  ['of a map', { members: { 'me-id': { state: ready }, 'you-id': {} } }, true],
  ['of a map of lists', { states: { 'me-id': [ready], 'you-id': [] } }, true],
  ['beside the value', { members: [{ id: 'me-id' }, { id: 'you-id' }], state: ready }, false],
  ['beside one whom it names', { members: [{ id: 'me-id' }], leaderId: 'you-id', state: ready }, undefined],
  ['that names both', { calls: [{ from: 'me-id', to: 'you-id', state: ready }] }, undefined],
  ['of two lists of ids', { members: ['me-id', 'you-id'], states: [ready, ready] }, undefined],
])('an entry %s', (_, body, expected) => {
  expect(heldBy(answer(body), 'me-id', 'you-id', 'ready-77')).toBe(expected);
});

test('values under a name are texts and whole numbers, each once', () => {
  const answer = exchangeOf({
    body: {
      nodes: [
        { nodeId: 7 },
        { node_id: 'n-8' },
        { nodeId: 7 },
        { nodeId: '' },
        { nodeId: 0.5 },
        { nodeId: null },
      ],
      count: 3,
    },
  });
  expect(valuesUnder(answer, /node.*id$/i)).toEqual(['7', 'n-8']);
});

test('a list tells its items apart from what stands alone', () => {
  const places = placesOf(answer({ last: 'me-id', all: ['me-id', 'me-id'] }), 'me-id');
  expect(places.get('/last')).toMatchObject({ listed: false, times: 1 });
  expect(places.get('/all/#')).toMatchObject({ listed: true, times: 2 });
});

test('reads deeply nested and very long answers only within bounds', () => {
  const deep = Array.from({ length: 1_000 }).reduce<unknown>((inner) => [inner], 'me-id');
  expect(pathsOf(deep, 'me-id')).toEqual([]);
  const wide = { ids: Array.from({ length: 300_000 }, () => 1) };
  expect(pathsOf(wide, 'me-id')).toEqual([]);
});

test.each<[string, string, unknown, boolean]>([
  ['where a fellow stands', 'you-id', { players: ['me-id', 'you-id'] }, true],
  ['elsewhere', 'you-id', { players: ['me-id'], cancelled: ['you-id'] }, false],
  ['where no fellow is named', 'your-id', { opponent: 'your-id' }, true],
  ['by chance, where no fellow is named', '30', { waitedSeconds: 30 }, false],
])('somebody is named %s', (_, id, body, isNamed) => {
  expect(namedBeside(id, ['me-id'], [answer(body)])).toBe(isNamed);
});

const { party, players } = areas;
const [leader, friend] = ['id-of-player-1', 'id-of-player-2'];

test('the example of the places that are remembered holds', () => {
  const places = createShownPlaces();
  const view = readBy('leader', { operation: party.details, what: 'p2', value: 'p2', fellow: 'p1' });
  const log = [{ by: 'p2' }];
  const joined = answer({ members: [{ id: 'p1' }, { id: 'p2' }], log });
  places.noteBefore(view, answer({ members: [{ id: 'p1' }], log: [] }));
  expect(places.shown(view, joined)).toBe('yes');
  places.noteShown(view, joined);
  expect(places.membership(view, answer({ members: [{ id: 'p1' }], log }))).toBe('out');
  const marked = answer({ members: [{ id: 'p1' }, { id: 'p2', state: 'left' }] });
  expect(places.membership(view, marked)).toBe('in');
  expect(places.changedFields(view, marked, marked)).toEqual(['/state']);
});

const member: View = { operation: party.details, what: 'the friend', value: friend, fellow: leader };
const mine: View = { operation: party.details, what: 'the party', value: 'party-77' };

/** What is said of a view that showed `seen`, and shows `now` from then on. */
async function after(
  seen: unknown,
  now: unknown,
  judge: (context: TwoPeople) => Promise<unknown>,
  view: View = member,
) {
  let shown = seen;
  const run = async (context: TwoPeople) => {
    await context.sees('leader', view);
    shown = now;
    await judge(context);
  };
  const { judgement } = await judgeStep(run, () =>
    typeof shown === 'number' ? { status: shown } : { body: shown },
  );
  return judgement?.kind === 'inconclusive' ? judgement.reason : judgement?.kind;
}

const isGone =
  (view: View = member) =>
  (context: TwoPeople) =>
    context.seesNot('leader', view);
const isStillThere = (context: TwoPeople) => context.stillSees('leader', member);

const two = (more: object = {}) => ({ members: [{ id: leader }, { id: friend }], ...more });
const one = (more: object = {}) => ({ members: [{ id: leader }], ...more });

test.each<[string, unknown, unknown, string]>([
  ['is in no list', two(), one(), 'pass'],
  ['is in a list of those who left', two(), one({ leftPlayers: [friend] }), 'pass'],
  ['is in a list of those who left, under any name', two(), one({ x: [{ id: friend }] }), 'pass'],
  ['is named as the last to leave', two(), one({ last: friend }), 'pass'],
  ['is in the list of members', two(), two(), 'violation'],
  ['is there by name', { all: { [leader]: {}, [friend]: {} } }, { all: { [leader]: {} } }, 'pass'],
  [
    'is still there by name',
    { all: { [leader]: {}, [friend]: {} } },
    { all: { [leader]: {}, [friend]: {} } },
    'violation',
  ],
  [
    'is in a log of who came as well',
    two({ log: [leader, friend] }),
    one({ log: [leader, friend] }),
    'unknown-resource',
  ],
  [
    'is twice in a log that showed them once',
    { log: [leader, friend] },
    { log: [leader, friend, friend] },
    'unknown-resource',
  ],
  ['is named by a refusal', two(), 404, 'pass'],
  ['is listed by a body that is a text', JSON.stringify(two()), JSON.stringify(two()), 'violation'],
  [
    'is gone from a body that is a text',
    { a: JSON.stringify(two()) },
    { a: JSON.stringify(one({ left: [friend] })) },
    'pass',
  ],
])('who left, and %s', async (_, seen, now, expected) => {
  expect(await after(seen, now, isGone())).toBe(expected);
});

const as = (state: string, more: object = {}) => ({
  members: [
    { id: leader, state: 'in', at: 1, ...more },
    { id: friend, state, at: 2, ...more },
  ],
});

test.each<[string, unknown, unknown, string]>([
  ['says otherwise of them than of who is in', as('in'), as('left'), 'unknown-resource'],
  ['says what it said', as('in'), as('in'), 'violation'],
  ['says otherwise of both', as('in'), as('in', { round: 2 }), 'violation'],
  ['never said the same of both', as('guest'), as('visitor'), 'violation'],
])('who left stays in a list that %s', async (_, seen, now, expected) => {
  expect(await after(seen, now, isGone())).toBe(expected);
});

test.each<[string, unknown, string]>([
  ['stays in the list', two(), 'pass'],
  ['stays in another order', { members: [{ id: friend }, { id: leader }] }, 'pass'],
  ['is listed as one who left', one({ leftPlayers: [friend] }), 'violation'],
  ['is listed nowhere', one(), 'violation'],
])('who did not leave, and %s', async (_, now, expected) => {
  expect(await after(two(), now, isStillThere)).toBe(expected);
});

test.each<[string, unknown, unknown, string]>([
  ['is in none', { partyId: 'party-77' }, { partyId: null }, 'pass'],
  ['gets the party they were in', { partyId: 'party-77' }, { partyId: null, last: ['party-77'] }, 'pass'],
  ['gets it where it stood', { partyId: 'party-77' }, { partyId: 'party-77', as: 'former' }, 'violation'],
  [
    'gets it in a list that named it before',
    { id: 'party-77', all: ['party-77'] },
    { id: null, all: ['party-77'] },
    'unknown-resource',
  ],
])('whose party is over, and %s', async (_, seen, now, expected) => {
  expect(await after(seen, now, isGone(mine), mine)).toBe(expected);
});

test('a player who was never in may be listed with another state than all who are in', async () => {
  const judged = async (state: string, friendly: string) => {
    const body = {
      members: [
        { id: leader, name: 'a', state: 'in' },
        { id: friend, name: 'b', state: friendly },
        { id: 'an-outsider', name: 'c', state },
      ],
    };
    const { judgement } = await judgeStep(
      async (context) => {
        await context.sees('leader', member);
        await context.seesNot('leader', { ...member, value: 'an-outsider' });
      },
      () => ({ body }),
    );
    return judgement?.kind === 'inconclusive' ? judgement.detail : judgement?.kind;
  };
  expect(await judged('declined', 'in')).toContain('says something else of it at /state');
  expect(await judged('in', 'in')).toBe('violation');
  expect(await judged('declined', 'ready')).toBe('violation');
});

test('who does not lead is not therefore out', async () => {
  const members = [leader, friend, 'an-outsider'].map((id) => ({ id, isLeader: id === leader }));
  const { judgement } = await judgeStep(
    async (context) => {
      await context.sees('leader', member);
      await context.seesNot('leader', { ...member, value: 'an-outsider' });
    },
    () => ({ body: { members } }),
  );
  expect(judgement?.kind).toBe('violation');
});

test('for an outsider, every place counts that showed the value to another player', async () => {
  const kindAfter = async (others: object, outsider: object = {}) => {
    const { judgement } = await judgeStep(
      async (context) => {
        await context.sees('leader', mine);
        await context.seesNot('friend', { ...mine, ...outsider });
      },
      ({ player }) => ({ body: player === 1 ? { partyId: 'party-77', all: ['party-77'] } : others }),
    );
    return judgement?.kind;
  };
  expect(await kindAfter({ all: ['party-77'] }, { outsider: true })).toBe('violation');
  expect(await kindAfter({ invitedTo: ['party-77'] }, { outsider: true })).toBe('pass');
  expect(await kindAfter({ all: ['party-77'] })).toBe('inconclusive');
});

test.each<[string, object, string]>([
  ['stands in the list', { in: ['a-friend', friend] }, 'violation'],
  ['is listed as declined', { in: ['a-friend'], declined: [friend] }, 'pass'],
])('who was never in, and %s', async (_, now, expected) => {
  const view = { ...member, fellow: 'a-friend' };
  const { judgement } = await judgeStep(
    (context) => context.seesNot('leader', view),
    () => ({ body: now }),
  );
  expect(judgement?.kind).toBe(expected);
});

test('a list that shows who is merely invited does not show who is in', async () => {
  const invited = { members: [leader, friend] };
  const { judgement } = await judgeStep(
    async (context) => {
      await context.sampleBefore('leader', member);
      await context.seesNot('leader', member);
    },
    () => ({ body: invited }),
  );
  expect(judgement).toMatchObject({ kind: 'inconclusive', reason: 'needs-state' });
});

const blocked: View = { operation: players.blocked, what: 'who was blocked', value: '7', inList: true };

test.each<[string, unknown, unknown, string]>([
  ['under a name of its own', { blocked: [] }, { blocked: [7] }, 'pass'],
  ['by a name', { by: {} }, { by: { 7: {} } }, 'pass'],
  ['nowhere but in a count', { blocked: [], count: 6 }, { blocked: [], count: 7 }, 'violation'],
  ['where it stood before', { suggested: [7] }, { suggested: [7] }, 'needs-state'],
  [
    'where it stood before, as something else',
    { all: [{ id: 7 }] },
    { all: [{ id: 7, is: 'blocked' }] },
    'pass',
  ],
  ['in a list of its own, beside where it stood before', { old: [7] }, { old: [7], now: [7] }, 'pass'],
])('an id of one letter is listed %s', async (_, before, now, expected) => {
  let shown = before;
  const { judgement } = await judgeStep(
    async (context) => {
      await context.sampleBefore('leader', blocked);
      shown = now;
      await context.sees('leader', blocked);
    },
    () => ({ body: shown }),
  );
  expect(judgement?.kind === 'inconclusive' ? judgement.reason : judgement?.kind).toBe(expected);
});

test('a value that nobody else may read is searched everywhere', async () => {
  const { judgement } = await judgeStep(
    async (context) => {
      await context.sees('leader', mine);
      await context.seesNot('friend', { ...mine, anywhere: true });
    },
    ({ player }) => ({ body: player === 1 ? { id: 'party-77' } : { cache: ['party-77'] } }),
  );
  expect(judgement?.kind).toBe('violation');
});

test('a count that once was an id of one letter is none of the places that showed it', async () => {
  const search: View = { operation: players.friendInfo, what: 'the player', value: '1', outsider: true };
  const { judgement } = await judgeStep(
    async (context) => {
      await context.sees('leader', search);
      await context.seesNot('friend', search);
    },
    ({ player }) => ({ body: { total: 1, found: [{ id: player === 1 ? 1 : 2 }] } }),
  );
  expect(judgement?.kind).toBe('pass');
});
