import { expect, onTestFinished, test } from 'vitest';
import { areas, catalog } from '../../catalog/catalog.ts';
import { readProfile } from '../../engine/target/profile.ts';
import { identifiers } from '../../fixtures/conforming-variants/identifiers.ts';
import { about, jsonReply, type Mutation, stacked } from '../../fixtures/mutants/mutant.ts';
import { startMutatedServer } from '../../fixtures/mutants/serve.ts';
import { makeHosts } from '../../fixtures/reference/server.ts';
import { learnFromRun } from './from-run.ts';
import { profileText } from './profile-text.ts';

const learn = async () => profileText(await learnFromRun({ env: {}, cwd: '/' }));

test('a run against the embedded server teaches its profile, the same again the next time', {
  timeout: 240_000,
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
      // Refused without a flow before it, or about a state: flows alone show what they are answered with.
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
  // As few members as have the effect, and a list where there is one: nobody would sign a body that spells one id in
  // eleven ways, and a list can name two.
  expect(
    Object.fromEntries(operations.flatMap(([id, { body }]) => (body === undefined ? [] : [[id, body]]))),
  ).toEqual({
    'archives.updateXp': { archiveId: '{{archiveId}}', xp: 1 },
    'game.loadout': { characterName: '{{characterName}}', loadout: { assay: '{{value}}' } },
    'game.saveVoiceOver': { settings: { assay: '{{value}}' } },
    'me.setRichPresence': { status: '{{value}}' },
    'general.purchase': {},
    'onboarding.playBotMatch': {},
    'party.invite': { playerIds: ['{{other.id}}'] },
    'party.setPlayerState': { state: { assay: '{{value}}' } },
    'party.update': { state: { assay: '{{value}}' } },
    'players.addFriend': { playerIds: ['{{other.id}}'] },
    'players.addRecentlyPlayed': { playerIds: ['{{other.id}}'] },
    'players.block': { playerIds: ['{{other.id}}'] },
    'players.removeFriend': { playerIds: ['{{other.id}}'] },
    'players.setState': { stateName: '{{stateName}}', data: { assay: '{{value}}' } },
    'players.unblock': { playerIds: ['{{other.id}}'] },
  });
  expect(operations).toHaveLength(catalog.length);
  expect(operations.filter(([, entry]) => !('accepts' in entry)).map(([id]) => id)).toEqual([]);
  expect(readProfile(first.text, {})).not.toHaveProperty('mistakes');
  expect((await learn()).text).toBe(first.text);
});

test('a body is not learnt that is refused as soon as the same people are met again', {
  timeout: 120_000,
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
  timeout: 120_000,
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
      'party.invite': { body: { playerIds: ['{{other.id:number}}'] } },
      'players.addFriend': { body: { playerIds: ['{{other.id:number}}'] } },
    },
  });
});

test('of what no player called with success the status is that of players, who stay signed in where 200 refuses', {
  timeout: 120_000,
}, async () => {
  const politely: Mutation = () => (_, forward) =>
    forward().then((reply) =>
      reply.status === 401 ? jsonReply({ success: false, error: { code: 401 } }) : reply,
    );
  const broken = about(areas.general.inventories, async (_, forward) => {
    const reply = await forward();
    return reply.status === 401 ? reply : jsonReply({}, undefined, 500);
  });
  const { hosts, close } = await startMutatedServer(makeHosts(), stacked(politely, broken));
  onTestFinished(() => void close());
  const { unlearnt } = await learnFromRun({ env: { BASE_URL: hosts.base }, cwd: '/' });
  expect(unlearnt?.answered.get('general.inventories')).toBe(500);
});
