import { expect, test } from 'vitest';
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
