import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { areas, operationById } from '../../catalog/catalog.ts';
import type { Exchange } from '../../engine/http/exchange.ts';
import { readProfile } from '../../engine/target/profile.ts';
import { identifiers } from '../../fixtures/conforming-variants/identifiers.ts';
import { serve } from '../../fixtures/kit/loopback.ts';
import { about, jsonReply, type Mutation, stacked } from '../../fixtures/mutants/mutant.ts';
import { startMutatedServer } from '../../fixtures/mutants/serve.ts';
import { makeHosts, startServer } from '../../fixtures/reference/server.ts';
import { learnFromRun, observedCallOf } from './from-run.ts';
import { profileText } from './profile-text.ts';

const exchange = (body: string): Exchange => ({
  request: {
    method: 'POST',
    url: 'http://a/x',
    headers: [['Content-Type', 'application/json; charset=utf-8']],
    body: '{"a":1}',
  },
  response: { status: 200, headers: [], body: new TextEncoder().encode(body), wire: { bytes: body.length } },
  startedAt: 0,
  durationMs: 1,
  attempts: 1,
  waits: 0,
});

test('an exchange of ours is a sighting in a run', () => {
  expect(observedCallOf(exchange('{"b":2}'), false)).toMatchObject({
    source: 'a run',
    request: { type: 'application/json', body: { kind: 'json', value: { a: 1 } } },
    answer: { body: { kind: 'json', value: { b: 2 } } },
  });
});

test('what an answer gives back of our own objects is not its form', () => {
  const body = '{"members":[{"state":{"assay":"x","more":1}}]}';
  expect(observedCallOf(exchange(body), false)?.answer.body).toEqual({
    kind: 'json',
    value: { members: [{ state: {} }] },
  });
});

test('a member that repeats one of the request is not its form, in whatever spelling', () => {
  const body = '{"A":1,"b":2,"in":{"a":1,"c":[{"a":2}]}}';
  expect(observedCallOf(exchange(body), false)?.answer.body).toEqual({
    kind: 'json',
    value: { b: 2, in: { c: [{ a: 2 }] } },
  });
});

test('nor is one that repeats what a guess of this run said earlier', () => {
  const isGuess = (name: string, value: unknown) => name === 'privacy' && value === 'private';
  const answered = (privacy: string) =>
    observedCallOf(exchange(JSON.stringify({ privacy, b: 2 })), false, isGuess)?.answer.body;
  expect(answered('private')).toEqual({ kind: 'json', value: { b: 2 } });
  expect(answered('open')).toEqual({ kind: 'json', value: { privacy: 'open', b: 2 } });
});

test('a call without an answer is none', () => {
  const { response: _, ...unanswered } = exchange('');
  expect(observedCallOf(unanswered, false)).toBeUndefined();
});

const learn = async () => profileText(await learnFromRun({ env: {}, cwd: '/' }));

test('a run against the embedded server teaches its profile, the same again the next time', {
  timeout: 90_000,
}, async () => {
  const first = await learn();
  expect(first.profile).toMatchObject({
    parameters: {
      CDN_ROOT_FOLDER_PATH: 'live',
      gameVersion: '7.2.0_1',
      versionPattern: '7.2',
      archiveId: 'S1',
    },
    headers: {},
    session: { body: {}, transport: { kind: 'bearer', source: '/token' } },
    operations: {
      'auth.login': { accepts: [200], ids: { playerId: '/playerId' } },
      'party.create': {
        ids: { partyId: '/partyId', autoJoinKey: '/autoJoinKey' },
        schema: { type: 'object' },
      },
      'match.create': { ids: { matchId: '/matchId' } },
      'party.setPlayerState': { body: { state: { assay: '{{value}}' } } },
      // Refused out of the blue, or about a state: flows alone show what they are answered with.
      'party.join': { accepts: [200] },
      'party.acceptInvite': { accepts: [200] },
      'party.cancelJoin': { accepts: [200] },
      'party.removePlayer': { accepts: [200] },
      'players.unblock': { accepts: [200] },
      'players.seenNewsArticles': { accepts: [200] },
    },
  });
  // It says the document's own words, which a profile leaves out.
  expect(first.profile.words).toEqual({});
  const operations = Object.entries(first.profile.operations as Record<string, { readonly body?: unknown }>);
  // As few members as have the effect: nobody would sign a body that spells one id in eleven ways.
  expect(
    Object.fromEntries(operations.flatMap(([id, { body }]) => (body === undefined ? [] : [[id, body]]))),
  ).toEqual({
    'game.loadout': { characterName: '{{characterName}}', loadout: { assay: '{{value}}' } },
    'game.saveVoiceOver': { settings: { assay: '{{value}}' } },
    'me.setRichPresence': { status: '{{value}}' },
    'onboarding.playBotMatch': {},
    'party.invite': { playerId: '{{other.id}}' },
    'party.setPlayerState': { state: { assay: '{{value}}' } },
    'party.update': { state: { assay: '{{value}}' } },
    'players.addFriend': { playerId: '{{other.id}}' },
    'players.addRecentlyPlayed': { playerIds: ['{{other.id}}'] },
    'players.block': { playerId: '{{other.id}}' },
    'players.removeFriend': { playerId: '{{other.id}}' },
    'players.setState': { stateName: '{{stateName}}', data: { assay: '{{value}}' } },
    'players.unblock': { playerId: '{{other.id}}' },
  });
  expect(operations).toHaveLength(184);
  expect(operations.filter(([, entry]) => !('accepts' in entry)).map(([id]) => id)).toEqual([]);
  expect(readProfile(first.text, {})).not.toHaveProperty('mistakes');
  expect((await learn()).text).toBe(first.text);
});

test('a body is not learnt that is refused as soon as the same people are met again', {
  timeout: 90_000,
}, async () => {
  const added = new Set<string>();
  const mutation = about(areas.players.addFriend, async ({ headers, body }, forward) => {
    const who = `${headers.authorization} ${body}`;
    const isAgain = `${body}`.includes('-') && added.has(who);
    added.add(who);
    return isAgain ? jsonReply({}, undefined, 400) : forward();
  });
  const { hosts, close } = await startMutatedServer(makeHosts(), mutation);
  onTestFinished(() => void close());
  const env = { BASE_URL: hosts.base, CDN_URL: hosts.cdn, GAMELOGS_URL: hosts.gamelogs };
  const { operations } = profileText(await learnFromRun({ env, cwd: '/' })).profile as {
    operations: Record<string, object>;
  };
  expect(operations['players.addFriend']).toHaveProperty('accepts');
  expect(operations['players.addFriend']).not.toHaveProperty('body');
  expect(operations['players.block']).toHaveProperty('body');
});

test('where ids are numbers, bodies say so: sent as text they would be refused', {
  timeout: 90_000,
}, async () => {
  const numbers = identifiers.find(({ name }) => name === 'numbers for ids')?.layer;
  const asText = /"7\d{9}"/;
  const strict: Mutation = () => (call) =>
    call.host === 'base' && asText.test(`${call.body}`)
      ? Promise.resolve(jsonReply({}, undefined, 400))
      : undefined;
  const { hosts, close } = await startMutatedServer(makeHosts(), stacked(strict, numbers as Mutation));
  onTestFinished(() => void close());
  const env = { BASE_URL: hosts.base, CDN_URL: hosts.cdn, GAMELOGS_URL: hosts.gamelogs };
  expect(profileText(await learnFromRun({ env, cwd: '/' })).profile).toMatchObject({
    operations: {
      'party.invite': { body: { playerId: '{{other.id:number}}' } },
      'players.addFriend': { body: { playerId: '{{other.id:number}}' } },
    },
  });
});

test('what changes the target is not learnt where it is to be left as it is', {
  timeout: 90_000,
}, async () => {
  const printed = vi.spyOn(console, 'error').mockImplementation(() => {});
  const { profile } = profileText(await learnFromRun({ env: { BASE_URL: '' }, cwd: '/', readOnly: true }));
  expect(printed.mock.calls).toEqual([
    ['assay: BASE_URL: set to nothing, so the embedded server is asked and none of yours'],
  ]);
  printed.mockRestore();
  const learnt = Object.keys(profile.operations as object);
  expect(learnt).toContain('general.currencies');
  const changing = learnt.filter((id) => operationById(id)?.effect !== 'read');
  expect(changing).toEqual(['auth.login']);
});

test('a run that the login refuses tells why nobody is signed in, and learns no segment that it had to assume', {
  timeout: 90_000,
}, async () => {
  const BASE_URL = await serve(({ url = '' }, response) => {
    response.statusCode = url.includes('/login') ? 401 : /\/version(\?|$)/.test(url) ? 200 : 404;
    response.setHeader('content-type', 'application/json').end('{"at":1}');
  });
  const folder = await mkdtemp(join(tmpdir(), 'assay-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const profile = join(folder, 'profile.json');
  await writeFile(profile, JSON.stringify({ omit: [{ operation: 'party.*', reason: 'none' }] }));
  const learnt = await learnFromRun({
    env: { BASE_URL },
    cwd: '/',
    readOnly: true,
    profile,
    omitMissing: true,
  });
  const left = learnt.omissions?.map(({ operation }) => operation);
  expect(left).toContain('general.config');
  // Not what answers, what the profile leaves out already, and the login, which all the rest needs.
  expect(left).not.toContain('general.version');
  expect(left?.filter((id) => /^(party[.]|auth[.]login)/.test(id))).toEqual([]);
  expect(learnt.omitted?.get('party.create')).toBe('none');
  expect(learnt.transport).toBeUndefined();
  expect(profileText(learnt).profile).not.toHaveProperty('parameters.versionPattern');
  expect(learnt.whyNoSession).toBe(
    'sign-in: the login answers 401 to a test JWT; set LOGIN_TOKEN (several tokens: several players) or LOGIN_TOKEN_COMMAND',
  );
});

test('hosts that want the session are learnt, and what the profile says of them stays', {
  timeout: 90_000,
}, async () => {
  const { baseUrl, cdnUrl, gamelogsUrl, close } = await startServer({ sessionHosts: ['cdn', 'gamelogs'] });
  onTestFinished(close);
  const env = { BASE_URL: baseUrl, CDN_URL: cdnUrl, GAMELOGS_URL: gamelogsUrl };
  const learnt = await learnFromRun({ env, cwd: '/', readOnly: true });
  const first = profileText(learnt);
  expect(first.profile).toMatchObject({
    session: { hosts: { cdn: true, gamelogs: true } },
    sources: { '/session/hosts/cdn': 'calls in a run' },
  });
  expect(readProfile(first.text, {})).not.toHaveProperty('mistakes');
  const kept = { session: { hosts: { gamelogs: false } } };
  expect(profileText({ ...learnt, kept }).profile.session).toMatchObject({
    hosts: { cdn: true, gamelogs: false },
  });
});
