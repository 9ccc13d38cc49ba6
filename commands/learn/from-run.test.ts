import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { operationById } from '../../catalog/catalog.ts';
import type { Exchange } from '../../engine/http/exchange.ts';
import { readProfile } from '../../engine/target/profile.ts';
import { serve } from '../../fixtures/kit/loopback.ts';
import { startServer } from '../../fixtures/reference/server.ts';
import { learnFromRun, observedCallOf } from './from-run.ts';
import { operationIn } from './gather.ts';
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

test('a call to a host that was not given is no operation', () => {
  const called = (url: string) => operationIn({ method: 'GET', url, headers: [] });
  expect(called('/clientData/live/content/1.0.0/catalog.json')).toBeUndefined();
  expect(called('http://cdn/clientData/live/content/1.0.0/catalog.json')).toBe('clientData.catalog');
});

test('a target that serves nothing is not said to have bodies that are looked at', {
  timeout: 60_000,
}, async () => {
  const BASE_URL = await serve((request, response) => {
    request.resume();
    response.writeHead(404).end();
  });
  const notes: string[] = [];
  await learnFromRun({ env: { BASE_URL }, cwd: '/', note: (line) => notes.push(line) });
  expect(notes.join('\n')).toMatch(/^0 are served/m);
  expect(notes.join('\n')).not.toContain('bodies');
});

test('what changes the target is not learnt where it is to be left as it is', {
  timeout: 120_000,
}, async () => {
  const printed = vi.spyOn(console, 'error').mockImplementation(() => {});
  const notes: string[] = [];
  const note = (line: string) => notes.push(line);
  const { profile } = profileText(
    await learnFromRun({ env: { GAME_VERSION: '' }, cwd: '/', readOnly: true, note }),
  );
  expect(notes[0]).toMatch(/^asks \d+ operations one by one/);
  // No body was sent, so none is said to be looked at.
  expect(notes).toHaveLength(3);
  expect(printed.mock.calls).toEqual([['assay: GAME_VERSION: set to nothing, so taken as not set']]);
  printed.mockRestore();
  const learnt = Object.keys(profile.operations as object);
  expect(learnt).toContain('general.currencies');
  const changing = learnt.filter((id) => operationById(id)?.effect !== 'read');
  expect(changing).toEqual(['auth.login']);
});

test('a run that the login refuses says why nobody is signed in, and learns no segment that it had to assume', {
  timeout: 120_000,
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
  // Not decided, so left to the user.
  expect(learnt.undecided).toContainEqual({ operation: 'players.friends', reason: 'unknown-resource' });
  expect(left).not.toContain('players.friends');
  expect(learnt.transport).toBeUndefined();
  expect(profileText(learnt).profile).not.toHaveProperty('parameters.versionPattern');
  expect(learnt.whyNoSession).toBe(
    'sign-in: the login answers 401 to a test JWT; set LOGIN_TOKEN (several tokens: several players) or LOGIN_TOKEN_COMMAND',
  );
});

test.each([
  [
    { CDN_ROOT_FOLDER_PATH: 'prod', GAME_VERSION: '1.0' },
    { CDN_ROOT_FOLDER_PATH: 'prod', gameVersion: '1.0' },
  ],
  [{ GAME_VERSION: '20260115' }, { CDN_ROOT_FOLDER_PATH: 'live', gameVersion: '20260115' }],
  [{ CDN_ROOT_FOLDER_PATH: 'prod' }, {}],
])(
  'of %o the folder and version of client data are learnt together, or neither',
  {
    timeout: 120_000,
  },
  async (given, parameters) => {
    const CDN_URL = await serve(({ url }, response) => {
      const isThere = /^\/clientData\/(prod\/content\/1\.0|live\/content\/20260115)\/catalog\.json$/.test(
        url ?? '',
      );
      response.statusCode = isThere ? 200 : 404;
      response.setHeader('content-type', 'application/json').end('{}');
    });
    const learnt = await learnFromRun({ env: { CDN_URL, ...given }, cwd: '/', readOnly: true });
    expect(profileText(learnt).profile.parameters).toEqual(parameters);
  },
);

test('hosts that want the session are learnt, and what the profile says of them stays', {
  timeout: 120_000,
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
