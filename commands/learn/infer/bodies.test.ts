import { expect, test } from 'vitest';
import { harFile, type PlannedCall } from '../../../fixtures/kit/scratch.ts';
import { learnFromCaptures } from '../har/read-har.ts';
import { profileText } from '../profile-text.ts';

const api = 'http://127.0.0.1';
const login = (nth: number): PlannedCall => ({
  method: 'POST',
  url: `${api}/api/v1/auth/provider/storefront/login?token=t${nth}.x.y`,
  answers: { playerId: `player-000${nth}`, token: `session-token-${nth}` },
});
const by = (nth: number, call: PlannedCall): PlannedCall => ({
  ...call,
  headers: { authorization: `Bearer session-token-${nth}` },
});

/** The template learnt from what these players sent to open a party, one after another. */
async function templateFrom(
  ...sent: readonly (readonly [player: number, body: unknown])[]
): Promise<unknown> {
  const calls = sent.map(([nth, sends]) =>
    by(nth, { method: 'POST', url: `${api}/api/v1/party`, sends, answers: {} }),
  );
  const others = [
    by(1, { url: `${api}/api/v1/party/party-77?autoJoinKey=join-key-77&includeState=true`, answers: {} }),
    by(1, { method: 'POST', url: `${api}/api/v1/playername/storefront/Rowan`, answers: {} }),
    by(1, { url: `${api}/api/v1/archives/stories/get/story?storyId=S1-story`, answers: {} }),
  ];
  const { learnt } = await learnFromCaptures([harFile([login(1), login(2), ...others, ...calls])]);
  const { operations } = profileText(learnt).profile as { operations: Record<string, { body?: unknown }> };
  return operations['party.create']?.body;
}

test('what is always the same stays, in the order of its names', async () => {
  expect(
    await templateFrom(
      [1, { size: 4, open: true, mode: 'ranked' }],
      [2, { mode: 'ranked', open: true, size: 4 }],
    ),
  ).toEqual({ mode: 'ranked', open: true, size: 4 });
});

test('what equals an id or a name of a player’s becomes its placeholder', async () => {
  const body = {
    me: 'player-0001',
    guests: ['player-0002'],
    leader: 'Rowan',
    partyId: 'party-77',
    key: 'join-key-77',
  };
  expect(await templateFrom([1, body])).toEqual({
    me: '{{player.id}}',
    guests: ['{{other.id}}'],
    leader: '{{player.name}}',
    partyId: '{{partyId}}',
    key: '{{autoJoinKey}}',
  });
});

test('an id that was sent as a number is sent so again', async () => {
  const party = by(1, { url: `${api}/api/v1/match/7000000004`, answers: {} });
  const sent = (nth: number) =>
    by(nth, { method: 'POST', url: `${api}/api/v1/party`, sends: { of: [7000000004] }, answers: {} });
  const { learnt } = await learnFromCaptures([harFile([login(1), login(2), party, sent(1), sent(2)])]);
  expect(learnt.bodyOf('party.create')).toEqual({ of: ['{{matchId:number}}'] });
});

test('a parameter’s own value becomes the parameter', async () => {
  expect(await templateFrom([1, { storyId: 'S1-story' }])).toEqual({ storyId: '{{storyId}}' });
});

test('a time becomes now; free text, and what differs, a value of the caller’s', async () => {
  const at = (nth: number) => ({ at: `2026-05-0${nth}T10:00:00Z`, text: `Hello ${nth}!`, tag: `abc${nth}` });
  expect(await templateFrom([1, at(1)], [2, at(2)])).toEqual({
    at: '{{now}}',
    text: '{{value}}',
    tag: '{{value}}',
  });
});

test('a word in capitals and small letters stays where two players agree, one alone is not enough', async () => {
  expect(await templateFrom([1, { role: 'SeekerRole' }], [1, { role: 'SeekerRole' }])).toEqual({
    role: '{{value}}',
  });
  expect(await templateFrom([1, { role: 'SeekerRole' }], [2, { role: 'SeekerRole' }])).toEqual({
    role: 'SeekerRole',
  });
});

test('a small number stays, one that could be somebody’s does not', async () => {
  expect(await templateFrom([1, { size: 4, slot: 123456789, accountId: 7 }])).toEqual({
    accountId: 1,
    size: 4,
    slot: 1,
  });
});

test('members that not every body has are left out', async () => {
  expect(await templateFrom([1, { a: true, once: true }], [2, { a: true }])).toEqual({ a: true });
});

test('a list of things is one of them; calls without a body say so', async () => {
  expect(await templateFrom([1, { items: [{ n: 1 }, { n: 1 }], none: [] }])).toEqual({
    items: [{ n: 1 }],
    none: [],
  });
  expect(await templateFrom([1, undefined])).toBeNull();
});
