// Captures that Chromium 156 (by Playwright), Firefox 153 (its developer tools) and mitmproxy 11 wrote of one client.
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { readProfile } from '../../engine/target/profile.ts';
import { harFile } from '../../fixtures/kit/scratch.ts';
import { learnFromCaptures } from './har/read-har.ts';
import { summaryLines } from './learn.ts';
import { profileText } from './profile-text.ts';

const folder = fileURLToPath(new URL('../../fixtures/captures/', import.meta.url));
const files = readdirSync(folder).sort();
const learnFrom = async (...names: readonly string[]) => {
  const { learnt, counts } = await learnFromCaptures(names.map((name) => folder + name));
  return { learnt, counts, written: profileText(learnt) };
};

test.each(files)('%s teaches words, segments, session, bodies, ids and shapes', async (name) => {
  const { written } = await learnFrom(name);
  expect(written.profile).toMatchObject({
    words: { game: 'acme', storefront: 'vendor', console: 'handheld', creatorSupport: 'creatorClub' },
    wordsAt: { 'clientData.gameConfigs': { game: 'Acme' }, 'logs.logsBatch': { game: 'acme' } },
    parameters: {
      CDN_ROOT_FOLDER_PATH: 'shared/live',
      gameVersion: '7.2.0_1',
      versionPattern: '7.2',
      archiveId: 'S1',
    },
    headers: { 'x-api-key': { env: 'X_API_KEY' }, 'x-client-version': '7.2.0' },
    session: {
      body: { platform: 'pc', deviceId: '{{unique}}' },
      transport: { kind: 'bearer', source: '/token' },
    },
    operations: {
      'auth.login': { accepts: [200], ids: { playerId: '/playerId' } },
      'party.create': {
        accepts: [201],
        body: { privacy: 'PRIVATE', maxPlayers: 4, displayName: '{{value}}' },
        ids: { partyId: '/partyId', autoJoinKey: '/autoJoinKey' },
        schema: { type: 'object', properties: { members: { type: 'array', items: { type: 'object' } } } },
      },
      'party.invite': { body: { playerIds: ['{{other.id}}'] } },
      'party.setPlayerState': { body: { state: { ready: true, clientTime: '{{now}}' } } },
      'logs.logsBatch': { body: { logs: [{ level: 'info', message: '{{value}}', at: '{{now}}' }] } },
    },
    sources: { '/operations/party.create/schema': `2 answers in ${name}` },
  });
});

test('they lie on three hosts, each with its own path prefix or none', async () => {
  const { learnt } = await learnFrom(...files);
  expect(learnt.findings.hosts).toMatchObject({
    base: { url: 'http://127.0.0.1:8410/edge' },
    cdn: { url: 'http://127.0.0.1:8411' },
    gamelogs: { url: 'http://127.0.0.1:8412/sink' },
  });
});

test('calls that match no operation are listed, without what is somebody’s in their paths', async () => {
  const { learnt, counts, written } = await learnFrom(...files);
  expect(summaryLines(learnt, written, counts).slice(-3)).toEqual([
    '12 calls matched no operation of the interface:',
    '  GET http://127.0.0.1:8410/edge/api/v1/daily-extra × 6',
    '  GET http://127.0.0.1:8410/edge/api/v1/extras/{…} × 6',
  ]);
});

test('all three together teach the same again, in whichever order they are named', async () => {
  const { written } = await learnFrom(...files);
  expect((await learnFrom(...files.toReversed())).written.text).toBe(written.text);
  expect((written.profile.sources as Record<string, string>)['/words/game']).toBe(
    '3 operations in chromium.har, firefox.har, mitmproxy.har',
  );
});

test('what is written is a profile', async () => {
  const { written } = await learnFrom(...files);
  expect(readProfile(written.text, { X_API_KEY: 'k' })).not.toHaveProperty('mistakes');
});

test('the captures hold planted secrets alone, and none of them is shown', async () => {
  const { learnt, counts, written } = await learnFrom(...files);
  const shown = written.text + summaryLines(learnt, written, counts).join('\n');
  for (const name of files) {
    const held = readFileSync(folder + name, 'utf8');
    expect(held.match(/Bearer [^"\\]+/g)?.every((each) => each.startsWith('Bearer planted-'))).toBe(true);
    for (const secret of held.match(/planted[\w-]+|Ottoline|Bartholomew|[0-9a-f]{8}-[0-9a-f-]{27}/g) ?? [])
      expect(shown).not.toContain(secret);
  }
});

test.each<[string, (token: string) => Record<string, string>, unknown]>([
  ['a header', (token) => ({ authorization: `Bearer ${token}` }), { gamelogs: true }],
  ['a cookie alone, which a browser sends by itself', (token) => ({ cookie: `sid=${token}` }), undefined],
  ['nothing', () => ({}), undefined],
])('where the client sends its logs with %s, that is learnt', async (_, headers, hosts) => {
  const token = 'bG9nLXNlc3Npb24tdG9rZW4';
  const base = 'http://127.0.0.1:1';
  const har = harFile([
    {
      method: 'POST',
      url: `${base}/api/v1/auth/provider/storefront/login?token=e30.e30.x`,
      answers: { token },
      answerHeaders: { 'set-cookie': `sid=${token}` },
    },
    { url: `${base}/api/v1/me/location`, headers: { authorization: `Bearer ${token}` }, answers: {} },
    ...[1, 2, 3].map(() => ({
      method: 'POST',
      url: 'http://127.0.0.1:3/api/v1/gameLogs/batch',
      sends: { logs: [] },
      answers: {},
      headers: headers(token),
    })),
  ]);
  const { profile } = profileText((await learnFromCaptures([har])).learnt);
  expect((profile.session as { hosts?: unknown } | undefined)?.hosts).toEqual(hosts);
});
