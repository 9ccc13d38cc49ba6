import { afterAll, expect, test } from 'vitest';
import { harFile, type PlannedCall, scratchFolder } from '../../fixtures/kit/scratch.ts';
import { learnFromCaptures } from './har/read-har.ts';
import { summaryLines } from './learn.ts';
import { matchCall } from './match/match-call.ts';
import type { ObservedCall } from './observed-call.ts';
import {
  createKnownValues,
  createWorkingValues,
  isEnumWord,
  isFieldName,
  isPlainPath,
  isPlainWord,
  isVersion,
  type Use,
} from './privacy.ts';
import { profileText } from './profile-text.ts';

const api = 'https://api.example/v9';
const segment = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
const jwt = (subject: string) => `${segment({ alg: 'HS256' })}.${segment({ sub: subject })}.c2lnbmF0dXJl`;

/** What must not be found, by what it is. */
const planted = {
  loginTokens: [jwt('subject-one'), jwt('subject-two')],
  sessions: ['sess-Yk29vQx81LmZ', 'sess-Pw04nRt66HsA'],
  cookies: ['cookie-7fd1e02b9a', 'trk-99aa17'],
  basic: ['dXNlcjpwYXNzd29yZA=='],
  apiKey: ['AKfycbx3PlantedKey77'],
  mail: ['ottoline@players.example', 'barty.m@players.example'],
  names: ['Ottoline', 'Bartholomew', 'Perpetua', 'Wilhelmina Stone', 'zebedee', 'ZEBEDEE'],
  playerIds: ['7d0c6f52-0d3e-4b7c-9a51-1f7a3c2e0001', '7d0c6f52-0d3e-4b7c-9a51-1f7a3c2e0002'],
  numbers: ['90210447', '5551234567'],
  partyIds: ['52b1d3c8-6e0f-4c55-8f0e-90a7b4d10001', '52b1d3c8-6e0f-4c55-8f0e-90a7b4d10002'],
  joinKeys: ['a7c1e5f0b2d94863', 'b8d2f6a1c3e05974'],
  matchIds: ['c3f8a2d4-1b7e-4f3a-b6c9-2e5d8f7a0001'],
  addresses: ['203.0.113.77', '198.51.100.4', '2001:db8::77'],
  devices: ['IPHONE-8F2C-11AA', 'hwid_00ffab12cd', 'devbox-jo'],
  codes: ['GIFT-4XK2-99QP'],
  freeText: ['call me after ten', 'Rowan Lane 7'],
};

function session(nth: 0 | 1): PlannedCall[] {
  const at = <T>(list: readonly T[]) => list[nth] as T;
  const other = (list: readonly string[]) => list[1 - nth] as string;
  const { devices, playerIds, partyIds, joinKeys, matchIds, names, mail, numbers, addresses } = planted;
  const headers = {
    authorization: `Bearer ${at(planted.sessions)}`,
    cookie: `sid=${planted.cookies[0]}; _trk=${planted.cookies[1]}`,
    'proxy-authorization': `Basic ${planted.basic[0]}`,
    'x-api-key': planted.apiKey[0] as string,
    'x-device-id': devices[0] as string,
    'x-machine': devices[2] as string,
    'x-forwarded-for': addresses[0] as string,
    'x-client-version': '3.1.4',
  };
  const me = { playerId: at(playerIds), playerName: at(names), email: at(mail), account: Number(numbers[0]) };
  const person = (name: string, id: string) => ({ displayName: name, playerId: id, lastIp: addresses[1] });
  const friends = {
    friends: { [other(names)]: person(other(names), other(playerIds)), Perpetua: { online: true } },
    byId: { [other(playerIds)]: { since: 1 }, [other(mail)]: { since: 2 } },
    members: { zebedee: { rank: 1 } },
    [at(playerIds)]: true,
    [`note ${planted.freeText[0]}`]: 1,
    count: 1,
  };
  const party = { partyId: at(partyIds), autoJoinKey: at(joinKeys), leader: me, ipv6: addresses[2] };
  return [
    {
      method: 'POST',
      url: `${api}/api/v1/auth/provider/shop/login?token=${at(planted.loginTokens)}`,
      headers: { 'x-api-key': headers['x-api-key'], 'x-client-version': '3.1.4' },
      sends: { deviceId: devices[1], token: at(planted.loginTokens), email: at(mail), os: 'windows' },
      answers: { ...me, auth: { token: at(planted.sessions) } },
      answerHeaders: { 'set-cookie': `sid=${planted.cookies[0]}; Path=/; HttpOnly` },
    },
    { method: 'POST', url: `${api}/api/v1/playername/shop/${at(names)}`, headers, answers: me },
    {
      url: `${api}/api/v1/playername/search/crossplatformv2?playerName=${other(names)}`,
      headers,
      answers: [me],
    },
    { url: `${api}/api/v1/players/${at(playerIds)}/friends?platform=steamy`, headers, answers: friends },
    {
      method: 'POST',
      url: `${api}/api/v1/party`,
      headers,
      status: 201,
      sends: {
        privacy: 'OPEN',
        title: `${at(names)}'s party`,
        contact: at(mail),
        phone: numbers[1],
        nick: 'zebedee',
        greets: 'zebedee',
        handle: 'ZEBEDEE',
        street: planted.freeText[1],
        [at(playerIds)]: 'leader',
        host: addresses[0],
        invited: [other(playerIds), 'Wilhelmina Stone'],
        machine: devices[2],
        [other(mail)]: true,
        account: Number(numbers[0]),
        seat: Number(numbers[1]),
      },
      answers: party,
    },
    {
      url: `${api}/api/v1/party/${at(partyIds)}?autoJoinKey=${at(joinKeys)}&includeState=true`,
      headers,
      answers: party,
    },
    {
      url: `${api}/api/v1/match/${matchIds[0]}`,
      headers,
      answers: { matchId: matchIds[0], players: friends, scores: { Ottoline: 3, Bartholomew: 4 } },
    },
    { method: 'POST', url: `${api}/api/v1/redeemableCodes/${planted.codes[0]}`, headers, answers: {} },
    { url: `${api}/api/v1/archives/stories/get/story?storyId=${at(playerIds)}`, headers, answers: {} },
    { url: `${api}/api/v1/archives/rewards/get-popup-status?archiveId=${devices[1]}`, headers, answers: {} },
    { url: `${api}/api/v1/extensions/news?locale=${at(mail)}`, headers, answers: {} },
    { url: `${api}/api/v1/players/me/photo/${at(mail)}?session=${at(planted.sessions)}`, headers },
    { url: `https://tracker.example/${devices[0]}/${addresses[0]}?id=${numbers[0]}`, headers },
    {
      url: `${api}/api/v1/messages/listV2?limit=10&session=${at(planted.sessions)}`,
      headers,
      answers: { list: [] },
    },
  ];
}

const { learnt, counts } = await learnFromCaptures([
  harFile([...session(0), ...session(1)], scratchFolder(afterAll)),
]);
const written = profileText(learnt);
const everything = Object.entries(planted).flatMap(([kind, values]) =>
  values.map((value) => [kind, value] as const),
);

test.each(everything)('no %s enters the profile, nor the console: %s', (_, value) => {
  const shown = [written.text, ...summaryLines(learnt, written, counts)].join('\n').toLowerCase();
  for (const part of [
    value,
    encodeURIComponent(value),
    ...value.split(/[. @-]/).filter((each) => each.length > 7),
  ])
    expect(shown).not.toContain(part.toLowerCase());
});

test('what is nobody’s is learnt all the same', () => {
  expect(written.profile).toMatchObject({
    words: { storefront: 'shop' },
    parameters: { limit: '10', platform: 'steamy' },
    headers: { 'x-api-key': { env: 'X_API_KEY' }, 'x-client-version': '3.1.4' },
    session: {
      body: { deviceId: '{{unique}}', token: '{{token}}', os: 'windows' },
      transport: {
        kind: 'combined',
        parts: [
          { kind: 'cookie', names: ['sid'] },
          { kind: 'bearer', source: '/auth/token' },
        ],
      },
    },
    operations: {
      'party.create': {
        accepts: [201],
        body: { privacy: 'OPEN', invited: ['{{other.id}}'] },
        ids: { partyId: '/partyId', autoJoinKey: '/autoJoinKey' },
      },
      // Keyed by people: a map.
      'players.friends': { schema: { type: 'object', additionalProperties: {} } },
    },
  });
});

const use = (over: Partial<Use>): Use => ({
  operation: 'party.get',
  name: 'partyId',
  value: 'p-1234',
  isSuccess: true,
  isInvented: false,
  ...over,
});

function worksAs(...uses: readonly Partial<Use>[]) {
  const working = createWorkingValues();
  for (const each of uses) working.note(use(each));
  return working.worksAs('p-1234');
}

test('a value that a call succeeds with works', () => {
  expect(worksAs({})).toBe('partyId');
});

test('one that is refused does not', () => {
  expect(worksAs({ isSuccess: false })).toBeUndefined();
});

const madeUp = { value: 'made-up', isInvented: true };

test.each([
  ['before', [madeUp, {}]],
  ['after', [{}, madeUp]],
])('success tells nothing where a call that was put %s succeeds with what was made up', (_, uses) => {
  expect(worksAs(...uses)).toBeUndefined();
});

test('it works by whichever call is careful', () => {
  expect(worksAs({ operation: 'party.leave' }, { ...madeUp, operation: 'party.leave' }, {})).toBe('partyId');
  expect(worksAs({}, { ...madeUp, isSuccess: false })).toBe('partyId');
  expect(worksAs({ name: 'autoJoinKey' }, { ...madeUp, name: 'autoJoinKey' }, {})).toBe('partyId');
});

interface Call {
  readonly method?: string;
  readonly path: string;
  readonly status?: number;
  readonly sends?: unknown;
  readonly answers?: unknown;
}

const side = (value: unknown): ObservedCall['request'] => ({
  headers: [],
  type: 'application/json',
  body: value === undefined ? { kind: 'none' } : { kind: 'json', value },
});

/** What these calls teach; what holds `Assay` was made up. */
function taughtBy(...calls: readonly Call[]) {
  const known = createKnownValues((text) => text.includes('Assay'));
  for (const { method = 'GET', path, status = 200, sends, answers } of calls) {
    const url = new URL(`http://h${path}`);
    const observedCall = {
      source: 'a run',
      method,
      url,
      status,
      request: side(sends),
      answer: side(answers),
    };
    known.note(observedCall, matchCall(method, url));
  }
  return known;
}

const partyOf = (id: string, key = 'none') => `/api/v1/party/${id}?autoJoinKey=${key}&includeState=true`;

test.each([
  ['its own name', { partyId: 'ours-1' }],
  ['its name in another spelling', { party_id: 'ours-1' }],
])('an answer tells an identifier by %s', (_, answers) => {
  expect(taughtBy({ path: '/api/v1/party/details', answers }).identifies('ours-1')).toBe('partyId');
});

test('an identifier under a strange name is known by the call that takes it', () => {
  const known = taughtBy({ path: partyOf('ours-1') }, { path: partyOf('Assay-x'), status: 404 });
  expect(known.identifies('ours-1')).toBe('partyId');
});

test('a name that we gave ourselves is no key, though a call with it succeeds and answers hold it', () => {
  const known = taughtBy(
    { path: partyOf('ours-1', 'AssayX7') },
    { path: '/api/v1/me/name', answers: { name: 'AssayX7' } },
  );
  expect(known.identifies('AssayX7')).toBeUndefined();
});

test('what was tried as an identifier and refused is none, and still must not be shown', () => {
  const known = taughtBy({ path: partyOf('Rowan'), status: 404 });
  expect(known.identifies('Rowan')).toBeUndefined();
  expect(known.isPersonal('Rowan')).toBe(true);
});

test('a name works as an identifier where a call takes it and no made-up one', () => {
  const tried = [
    { path: partyOf('Rowan'), answers: { name: 'Rowan' } },
    { path: partyOf('Assay-x'), status: 404 },
  ];
  expect(taughtBy(...tried).identifies('Rowan')).toBe('partyId');
  expect(taughtBy(...tried, { path: partyOf('Assay-y') }).identifies('Rowan')).toBeUndefined();
});

test('an answer that repeats what was made up reports nothing', () => {
  const known = taughtBy({ path: partyOf('Assay-x'), answers: { partyId: 'Assay-x' } });
  expect(known.identifies('Assay-x')).toBeUndefined();
});

test.each(['S1-story', 'FullProfile', 'en-US', 'v2', 'news-spring.json', 'WELCOME'])(
  '%s is a plain word',
  (text) => {
    expect(isPlainWord(text)).toBe(true);
  },
);

test.each([
  'two words',
  'a@b.example',
  '7d0c6f52-0d3e-4b7c-9a51-1f7a3c2e0001',
  'deadbeef01',
  'AbCdEfGhIjKl',
  'zebra1234',
  '5551234',
  'eyJhbGciOiJub25lIn0',
  'bcdfghjk',
  'x'.repeat(41),
  '',
])('%s is none', (text) => {
  expect(isPlainWord(text)).toBe(false);
});

test('an enumeration’s word is of one case, without digits', () => {
  expect(['online', 'PRIVATE', 'in-lobby', 'IN_LOBBY'].every(isEnumWord)).toBe(true);
  expect(['Online', 'seat1', 'a b', ''].some(isEnumWord)).toBe(false);
});

test('a version has up to three numbers; four are an address', () => {
  expect(['7', '7.2', '7.2.0', '7.2.0_1', '8.5.0-rc1', '8.5.0_1947292live'].every(isVersion)).toBe(true);
  expect(['203.0.113.9', '7.2.0.1', '12345678', 'v1', ''].some(isVersion)).toBe(false);
});

test('a folder is made of words and versions', () => {
  expect(isPlainPath('shared/live/7.2')).toBe(true);
  expect(isPlainPath('users/7d0c6f520d3e4b7c')).toBe(false);
});

test('a field’s name is what programmers write', () => {
  expect(['playerId', 'max_players', '$type', '_id', 'x1', 'UTF8Name'].every(isFieldName)).toBe(true);
  expect(['player 1', 'a@b', '12', '7d0c6f520d3e4b7c', 'u90210447'].some(isFieldName)).toBe(false);
});
