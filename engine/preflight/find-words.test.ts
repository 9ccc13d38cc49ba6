import { expect, test } from 'vitest';
import { catalog } from '../../catalog/catalog.ts';
import type { Answer } from '../../fixtures/kit/loopback.ts';
import {
  type Behaviour,
  loginPath,
  signsInBy,
  standIn,
  twoMachines,
} from '../../fixtures/kit/sign-in-server.ts';
import { createRedactor } from '../http/redact.ts';
import type { Discovery } from '../players/sign-in-discovery.ts';
import { createPlayerTokens } from '../players/tokens.ts';
import { silentProfile } from '../target/profile.ts';
import { createSources, putter } from './ask-target.ts';
import { discoverByAnyName, findGame, findOpen, inWords, together } from './find-words.ts';
import { preflight } from './preflight.ts';

const notFound: Answer = { status: 404, body: { error: 'not found' } };
const versionReply = { '/api/v1/version': { service: 'rally-backend', version: '1.2.0' } };

/** Answers what stands in the table, by path. */
const serving =
  (table: Readonly<Record<string, unknown>>): Behaviour =>
  ({ path }) =>
    Object.hasOwn(table, path) ? { body: table[path] } : notFound;

const speaking = (word: string) => ({
  [`/api/v1/${word}-challenges`]: { open: ['walk'] },
  [`/api/v1/${word}-player-card/get`]: { card: 7 },
});

async function found(behaviour: Behaviour, env = {}, discovery?: Discovery) {
  const { target, client, calls } = await standIn(behaviour, env);
  const put = putter(client, target, discovery);
  return { word: await findGame(put, target, discovery), calls, target };
}

test('a word that the target names itself is found where two reads are served by it', async () => {
  const { word } = await found(serving({ ...versionReply, ...speaking('rally') }));
  expect(word?.game).toEqual({
    word: 'rally',
    because: 'health, version or config name it',
    by: ['game.challenges', 'game.playerCard'],
  });
});

test.each<[string, Answer['headers'], Record<string, string>, string]>([
  ['a header of answers', { 'x-rally-pass': '1' }, {}, 'answers have a header x-rally-pass'],
  ['the Server header', { server: 'rally/4.1 (nginx)' }, {}, 'the Server header names it'],
  [
    'the realm of its challenge',
    { 'www-authenticate': 'Bearer error="x", realm="Rally"' },
    {},
    'the realm of its challenge names it',
  ],
  [
    'the folder of the client data',
    {},
    { CDN_ROOT_FOLDER_PATH: 'rally/live' },
    'it stands in CDN_ROOT_FOLDER_PATH',
  ],
  [
    'who made LOGIN_TOKEN',
    {},
    { LOGIN_TOKEN: `x.${btoa('{"iss":"https://id.rally.example","aud":"a"}')}.y` },
    'iss of LOGIN_TOKEN names it',
  ],
])('%s may tell it', async (_, headers = {}, env, because) => {
  const table = serving({ '/api/v1/version': 1, ...speaking('rally') });
  const { word } = await found((call) => ({ ...table(call), headers }), env);
  expect(word?.game).toMatchObject({ word: 'rally', because });
});

test('the document word that is served is kept, and nothing else is tried', async () => {
  const { word, calls } = await found(
    serving({ ...versionReply, ...speaking('rally'), ...speaking('game') }),
  );
  expect(word).toBeUndefined();
  expect(calls.filter(({ path }) => path.includes('rally'))).toEqual([]);
});

test('no read is served by the document word because another of two machines answers it', async () => {
  const table = serving({ ...versionReply, ...speaking('rally') });
  const otherwise = twoMachines('/api/v1/game-challenges', /-challenges$/);
  const { word } = await found((call) => {
    const answer = table(call);
    return answer === notFound ? otherwise(call) : answer;
  });
  expect(word?.game).toMatchObject({ word: 'rally' });
});

test('one read by the document word is enough to keep it', async () => {
  const table = {
    ...versionReply,
    ...speaking('rally'),
    '/api/v1/game-shrine/get-available': { offers: ['coat'] },
  };
  expect((await found(serving(table))).word).toBeUndefined();
});

test('one read alone is no proof; the word is reported as worth trying', async () => {
  const { word } = await found(serving({ ...versionReply, '/api/v1/rally-challenges': { open: [] } }));
  expect(word).toEqual({
    missing: true,
    clues: [{ word: 'rally', because: 'health, version or config name it' }],
  });
});

test('a word of the Server header that serves nothing is of the software, and is not reported', async () => {
  const table = serving({ ...versionReply, '/api/v1/rally-challenges': { open: [] } });
  const { word } = await found((call) => ({ ...table(call), headers: { server: 'demo/1.0' } }));
  expect(word?.clues.map((clue) => clue.word)).toEqual(['rally']);
});

test('two words that are both served leave it open', async () => {
  const names = { '/api/v1/version': { service: 'rally', title: 'arena' } };
  const { word } = await found(serving({ ...names, ...speaking('rally'), ...speaking('arena') }));
  expect([word?.game, word?.clues.map((clue) => clue.word)]).toEqual([undefined, ['rally', 'arena']]);
});

test.each<[string, Behaviour]>([
  ['everything', () => ({ body: { ok: true } })],
  ['everything, in other words each time', () => ({ body: { at: Math.random(), ok: [Math.random()] } })],
  ['everything with what was asked for', ({ path }) => ({ body: { path } })],
  [
    'whatever begins with the word',
    (call) => (call.path.startsWith('/api/v1/rally-') ? { body: {} } : serving(versionReply)(call)),
  ],
  [
    'any word of five letters',
    (call) =>
      /v1\/[a-z]{5}-(challenges|player-card\/get)$/.test(call.path)
        ? { body: {} }
        : serving(versionReply)(call),
  ],
  [
    'no rally with anything but success',
    (call) => (call.path.includes('rally-') ? { status: 400, body: {} } : serving(versionReply)(call)),
  ],
  ['nobody who is not signed in', () => ({ status: 401 })],
  ['nothing', () => notFound],
])('a server that answers %s yields no word', async (_, behaviour) => {
  const named: Behaviour = (call) =>
    call.path === '/api/v1/version' ? serving(versionReply)(call) : behaviour(call);
  for (const each of [behaviour, named]) expect((await found(each)).word?.game).toBeUndefined();
});

test('tries no word and lists none as missing when reads are refused', async () => {
  const { word, calls } = await found((call) =>
    call.path.includes('challenges') ? { status: 401 } : serving(versionReply)(call),
  );
  expect(word).toBeUndefined();
  expect(calls).toHaveLength(3);
});

test('a word that was given is believed', async () => {
  const { target, client, calls } = await standIn(serving(versionReply));
  const game = { missing: true, clues: [], game: { word: 'quest', because: '', by: [] } };
  const given = inWords(target, together({ game }));
  expect(given.profile?.words).toEqual({ game: 'quest' });
  expect(await findGame(putter(client, given, undefined), given, undefined)).toBeUndefined();
  expect(calls).toEqual([]);
});

test('where the login is missing, what may be its word is reported and nothing is tried', async () => {
  const table = serving({ ...versionReply, '/api/v1/game-challenges': { open: ['walk'] } });
  const { word, calls } = await found(table, {}, { kind: 'unrouted', status: 404 });
  expect(word).toMatchObject({ missing: false, clues: [{ word: 'rally' }] });
  expect(calls.filter(({ path }) => path.includes('rally'))).toEqual([]);
});

test('no more than twelve words are tried, by GET alone', async () => {
  const names = Array.from({ length: 40 }, (_, at) => `tribe${String.fromCharCode(97 + (at % 26))}${at}`);
  const { word, calls } = await found(serving({ '/api/v1/version': { name: names.join(' ') } }));
  expect(word?.clues).toHaveLength(12);
  expect(new Set(calls.map(({ method }) => method))).toEqual(new Set(['GET']));
  const [unknown, document, identifierSources] = [2, 6, 4];
  expect(calls).toHaveLength(unknown + document + identifierSources + 24);
});

test('where the profile leaves out every read that holds the word, it is not looked for', async () => {
  const { target: plain, client } = await standIn(serving(versionReply));
  const omitted = new Map(catalog.map(({ id }) => [id, 'not built']));
  const target = { ...plain, profile: { ...silentProfile, omitted } };
  expect(await findGame(putter(client, plain, undefined), plain, undefined)).toMatchObject({ missing: true });
  expect(await findGame(putter(client, target, undefined), target, undefined)).toBeUndefined();
});

test('no word is missed where a wrong one is answered 503', async () => {
  const table = serving({ ...versionReply, ...speaking('game') });
  const { word } = await found((call) => {
    const answer = table(call);
    return answer?.status === 404 ? { status: 503, body: 'no backend' } : answer;
  });
  expect(word?.missing ?? false).toBe(false);
});

const findOpenNotFound: Answer = { status: 404, body: { error: 'not found' } };
const files = '/clientData/live/content/1.0.0';

async function findOpenFound(behaviour: Behaviour, sending = true) {
  const { target, client, calls } = await standIn(behaviour);
  const { base = '' } = target.hosts;
  const all = {
    ...target,
    hosts: { base, cdn: base, gamelogs: base },
    ambient: { ...target.ambient, CDN_ROOT_FOLDER_PATH: 'live', gameVersion: '1.0.0' },
  };
  return { at: await findOpen(putter(client, all, undefined), all, 'rally', sending), calls };
}

const findOpenServing =
  (table: Readonly<Record<string, Answer>>, otherwise = findOpenNotFound): Behaviour =>
  ({ path }) =>
    table[path] ?? otherwise;

const refused: Answer = { status: 400, body: { error: 'nothing to log' } };

test('what is served by the own word alone is spelled by it, in the case that the document has', async () => {
  const table = {
    '/api/v1/rallyLogs/batch': refused,
    '/api/v1/gameDataAnalytics/v2/batch': refused,
    [`${files}/RallyConfigs.json`]: { body: { fog: 1 } },
    [`${files}/gameplayTunables.json`]: { body: { speed: 2 } },
  };
  expect((await findOpenFound(findOpenServing(table))).at).toEqual({
    'logs.logsBatch': { game: 'rally' },
    'clientData.gameConfigs': { game: 'Rally' },
  });
});

test('the spelling of the document is not there because another of two machines refuses it', async () => {
  const own = `${files}/RallyConfigs.json`;
  const otherwise = twoMachines(`${files}/GameConfigs.json`, /Configs\.json$/, 403);
  const { at } = await findOpenFound(
    (call) => (call.path === own ? { body: { fog: 1 } } : otherwise(call)),
    false,
  );
  expect(at).toEqual({ 'clientData.gameConfigs': { game: 'Rally' } });
});

test.each<[string, Behaviour]>([
  ['serves both', findOpenServing({ '/api/v1/rallyLogs/batch': refused, '/api/v1/gameLogs/batch': refused })],
  ['answers everything', () => ({ body: { ok: true } })],
  ['lets nobody in', () => ({ status: 401 })],
  ['takes whatever ends so', ({ path }) => (/Logs\/batch$/.test(path) ? refused : findOpenNotFound)],
  ['knows the path by another method', findOpenServing({ '/api/v1/rallyLogs/batch': { status: 405 } })],
  ['fails there', findOpenServing({ '/api/v1/rallyLogs/batch': { status: 500 } })],
])('a target that %s keeps the spelling of the document', async (_, behaviour) => {
  expect((await findOpenFound(behaviour)).at).toEqual({});
});

test('no log is sent where nothing but reads may be', async () => {
  const { at, calls } = await findOpenFound(findOpenServing({ '/api/v1/rallyLogs/batch': refused }), false);
  expect(at).toEqual({});
  expect(new Set(calls.map(({ method }) => method))).toEqual(new Set(['GET']));
});

const secret = 'c2Vzc2lvbi1vZi10aGUtcGxheWVy';
const api = signsInBy(
  () => ({ body: { token: secret } }),
  ({ authorization }) => authorization === `Bearer ${secret}`,
);

/** Signs in by this word alone, and says so in its config. */
const by =
  (word: string, config: unknown): Behaviour =>
  (call) => {
    if (call.path === '/api/v1/config') return { body: config };
    if (call.path === loginPath) return { status: 404, body: { error: 'no such path' } };
    return api({ ...call, path: call.path.replace(`/provider/${word}/`, '/provider/storefront/') });
  };

async function findStorefrontFound(behaviour: Behaviour, words = {}) {
  const { target: read, client, calls } = await standIn(behaviour);
  const target = { ...read, profile: { ...silentProfile, words } };
  const redactor = createRedactor();
  const tokens = createPlayerTokens(target, redactor);
  const { discovery, storefront } = await discoverByAnyName(client, target, tokens, redactor);
  const logins = new Set(calls.flatMap(({ path }) => /provider\/(.+)\/login/.exec(path)?.[1] ?? []));
  return { kind: discovery.kind, storefront, logins };
}

test.each([
  ['a list of providers', { providers: ['shop'] }],
  ['the name of one', { auth: { providerName: 'shop' } }],
  ['a path to the login', { links: { enter: 'https://x.example/api/v1/auth/provider/shop/login?v=1' } }],
])('a login is found by %s', async (_, config) => {
  expect(await findStorefrontFound(by('shop', config))).toMatchObject({
    kind: 'found',
    storefront: { word: 'shop', because: 'general.config names it' },
  });
});

test('a login is found by the word in the description of the API, before any other', async () => {
  const { target, client, calls } = await standIn(by('shop', { providers: ['a1', 'shop'] }));
  const redactor = createRedactor();
  const tokens = createPlayerTokens(target, redactor);
  const described = { at: '/openapi.json', words: { storefront: ['shop'] }, prefixes: [], bodies: {} };
  const found = await discoverByAnyName(
    client,
    target,
    tokens,
    redactor,
    createSources(),
    Promise.resolve(described),
  );
  expect(found).toMatchObject({ storefront: { word: 'shop', because: '/openapi.json names it' } });
  expect(calls.some(({ path }) => path.includes('/a1/'))).toBe(false);
});

test('the first word that lets in is taken, and four at most are tried', async () => {
  const names = ['a1', 'b2', 'c3', 'shop', 'e5'];
  expect(await findStorefrontFound(by('shop', { providers: names }))).toMatchObject({
    storefront: { word: 'shop' },
  });
  const { kind, logins } = await findStorefrontFound(by('e5', { providers: names }));
  expect(kind).toBe('unrouted');
  expect(['a1', 'b2', 'c3', 'shop'].every((word) => logins.has(word))).toBe(true);
  expect(logins.has('e5')).toBe(false);
});

test('where the document has the right word, or another was given, nothing else is tried', async () => {
  const behaviour: Behaviour = (call) =>
    call.path === '/api/v1/config' ? { body: { providers: ['shop'] } } : api(call);
  expect(await findStorefrontFound(behaviour)).toMatchObject({ kind: 'found', storefront: undefined });
  const given = await findStorefrontFound(by('shop', { providers: ['shop'] }), { storefront: 'stall' });
  expect(given).toMatchObject({ kind: 'unrouted', storefront: undefined });
  expect(given.logins.has('shop')).toBe(false);
});

test('preflight says what was found, and what to put into the profile', async () => {
  const { target, client } = await standIn(by('shop', { providers: ['shop'] }));
  const { lines, target: settled } = await preflight({ client, target, redactor: createRedactor() });
  expect(lines.filter((line) => line.startsWith('words: ')).slice(0, 2)).toEqual([
    'words: storefront is "shop" here: tried because general.config names it, and its login lets in',
    'words: put into the profile: {"words":{"storefront":"shop"}}',
  ]);
  expect(settled.profile?.words).toEqual({ storefront: 'shop' });
});
