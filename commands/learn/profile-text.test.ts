import { expect, test } from 'vitest';
import { readProfile } from '../../engine/target/profile.ts';
import type { Json } from '../../engine/target/profile-validation.ts';
import { harFile } from '../../fixtures/kit/scratch.ts';
import { learnFromCaptures } from './har/read-har.ts';
import { keepOperations, profileText } from './profile-text.ts';

const body = { friend: '{{other.id}}' };

test('a body that somebody wrote is there after learning, and so is everything else that was said', () => {
  const kept = {
    operations: {
      'players.addFriend': { body, accepts: [200, 204], effect: 'own', ids: { playerId: '/who' } },
      'party.create': { body: { open: true } },
    },
    sources: { '/operations/party.create/body': '3 requests of client.har' },
  };
  const learnt = {
    operations: {
      'players.addFriend': { body: {}, accepts: [201], ids: { playerId: '/id', partyId: '/p' }, schema: {} },
    },
    sources: {
      '/operations/players.addFriend/body': '1 request',
      '/operations/players.addFriend/accepts': '1 answer',
      '/operations/players.addFriend/ids/playerId': '2 answers',
      '/operations/players.addFriend/ids/partyId': '2 answers',
      '/words/game': '4 operations',
    },
  };
  expect(keepOperations(kept, learnt)).toEqual({
    operations: {
      'players.addFriend': {
        body,
        accepts: [200, 201, 204],
        effect: 'own',
        ids: { partyId: '/p', playerId: '/who' },
        schema: {},
      },
      'party.create': { body: { open: true } },
    },
    sources: {
      '/operations/party.create/body': '3 requests of client.har',
      '/operations/players.addFriend/ids/partyId': '2 answers',
      '/words/game': '4 operations',
    },
  });
});

test('without a profile it is what was learnt', () => {
  const learnt = { operations: { 'party.create': { accepts: [201] } }, sources: { '/words/game': 'x' } };
  expect(keepOperations({}, learnt)).toEqual(learnt);
});

test('where nobody was seen to sign in, the session that was stated stays', async () => {
  const { learnt } = await learnFromCaptures([
    harFile([{ url: 'http://127.0.0.1:1/api/v1/version', answers: {} }]),
  ]);
  const session = {
    transport: { kind: 'header', source: '/session/key', name: 'x-session' },
    body: { ticket: '{{token}}' },
    jwt: { alg: 'ES256' },
  };
  const sources = { '/session/transport': 'seen on 3 calls, in night.har' };
  expect(profileText({ ...learnt, kept: { session, sources } }).profile).toMatchObject({ session, sources });
  expect(profileText(learnt).profile).not.toHaveProperty('session');
});

test('what captures and a run teach is merged: a client’s body goes before ours, and of two schemas the common part holds', () => {
  const id = 'players.addFriend';
  const learntFrom = (source: string, entry: Readonly<Record<string, Json>>) => ({
    operations: { [id]: entry },
    sources: Object.fromEntries(Object.keys(entry).map((key) => [`/operations/${id}/${key}`, source])),
  });
  const schema = (...required: readonly string[]) => ({ type: 'object', required });
  const ofRun = { body: { playerId: '{{other.id}}' }, schema: schema('a', 'b') };
  const ofCapture = { body: { friend: '{{other.id}}' }, schema: schema('b', 'c') };
  const run = learntFrom('requests in a run', ofRun);
  const capture = learntFrom('3 requests in a.har', ofCapture);
  const both = { body: ofCapture.body, schema: schema('b') };
  expect(keepOperations(run, capture)).toEqual({
    operations: { [id]: both },
    sources: {
      [`/operations/${id}/body`]: '3 requests in a.har',
      [`/operations/${id}/schema`]: 'requests in a run; 3 requests in a.har',
    },
  });
  expect(keepOperations(capture, run).operations).toEqual({ [id]: both });
  const merged = keepOperations(run, capture);
  expect(keepOperations(merged as unknown as Record<string, Json>, capture)).toEqual(merged);
});

test('a schema that somebody wrote is not weakened by what was learnt', () => {
  const written = { operations: { 'party.create': { schema: { required: ['a'] } } } };
  const learnt = { operations: { 'party.create': { schema: { required: ['b'] } } }, sources: {} };
  expect(keepOperations(written, learnt).operations).toEqual(written.operations);
});

test('what is not served is left out beside what was left out before', async () => {
  const { learnt } = await learnFromCaptures([
    harFile([{ url: 'http://127.0.0.1:1/api/v1/version', answers: {} }]),
  ]);
  const [before, found] = ['party.*', 'ranks.*'].map((operation) => ({ operation, reason: 'not served' }));
  const omissions = found ? [found] : [];
  const { text, profile } = profileText({ ...learnt, kept: { omit: [before as Json] }, omissions });
  expect(profile.omit).toEqual([before, found]);
  expect(readProfile(text, {})).not.toHaveProperty('mistakes');
});

test('a name that one path takes and other bodies hold is stated with the operation of that path', async () => {
  const calls = [
    { method: 'POST', url: 'http://127.0.0.1:1/api/v1/purchases/Herald', answers: { ok: true } },
    { url: 'http://127.0.0.1:1/api/v1/extensions/news?locale=en', answers: { ok: true } },
  ];
  const { learnt } = await learnFromCaptures([harFile(calls)]);
  // A capture of one player does not show whose name that is.
  const known = { ...learnt.known, isPersonal: () => false };
  const parameters = new Map([
    ...learnt.parameters,
    ['characterName', { value: 'Herald', calls: 1 }] as const,
  ]);
  const profileWith = (body: Json | undefined) => {
    const bodyOf = (id: string) => (id === 'game.loadout' ? body : undefined);
    const { profile } = profileText({ ...learnt, parameters, known, bodyOf });
    return [profile.parameters, (profile.operations as Record<string, Json>)['general.purchase']];
  };
  expect(profileWith({ name: '{{characterName}}' })).toMatchObject([
    { locale: 'en' },
    { parameters: { characterName: 'Herald' } },
  ]);
  const [shared, purchase] = profileWith({ name: 'Herald' });
  expect(shared).toMatchObject({ characterName: 'Herald' });
  expect(purchase).not.toHaveProperty('parameters');
});
