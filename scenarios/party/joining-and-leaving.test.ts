import { expect, test } from 'vitest';
import { flow } from '../../engine/flow/flow.ts';
import { type Put, rehearseFlow, withoutWaits } from '../../fixtures/kit/flow-rehearsal.ts';
import { changingParties, joining } from './joining-and-leaving.ts';

test('a player whose request is not answered yet does not ask a second time', async () => {
  const requests: number[] = [];
  const answer = ({ operation, player }: Put) => {
    if (operation === 'party.join' && requests.includes(player)) return { status: 409 };
    if (operation === 'party.join') requests.push(player);
    return { body: { partyId: 'p-1', members: [{ id: 'id-of-player-1' }, { id: 'id-of-player-2' }] } };
  };
  const suite = flow('joining');
  joining(suite);
  const { play } = rehearseFlow(answer, { flows: { pointer: () => '/partyId' } });
  const judgements = await play(suite.suite(), 'join', 'join-accept');
  expect(judgements.map(({ kind }) => kind)).toEqual(['pass', 'pass']);
});

interface Server {
  /** Rejected requests stay where open ones are listed. */
  readonly isListed: boolean;
  /** Whom a leader lets in. */
  readonly admits: 'who asks' | 'who was rejected too' | 'anybody';
}

/** The judgement of a rejected request to join on a server with a leader, a friend and another. */
async function judgedRejection({ isListed, admits }: Server) {
  const members = new Set<number>();
  const [open, rejected] = [new Set<number>(), new Set<number>()];
  const numberIn = (id: unknown) => Number(String(id).split('-').at(-1));
  const answer = ({ operation, player, ask: { params = {} } }: Put) => {
    const named = numberIn(params.playerId);
    if (operation === 'party.create') members.add(player);
    if (operation === 'party.join') open.add(player);
    if (operation === 'party.leave') members.delete(player);
    if (operation === 'party.rejectJoin' && open.delete(named)) rejected.add(named);
    if (operation === 'party.acceptJoin') {
      const hasAsked = open.has(named) || (admits === 'who was rejected too' && rejected.has(named));
      if (!hasAsked && admits !== 'anybody') return { status: 404 };
      for (const each of [open, rejected]) each.delete(named);
      members.add(named);
    }
    const idsOf = (players: Iterable<number>) => [...players].map((each) => ({ id: `id-of-player-${each}` }));
    const asking = isListed ? [...open, ...rejected] : open;
    return { body: { partyId: 'p-1', members: idsOf(members), requests: idsOf(asking) } };
  };
  const suite = flow('rejecting');
  joining(suite);
  const { play } = rehearseFlow(answer, { flows: { pointer: () => '/partyId' } });
  const [judgement] = await withoutWaits(() => play(suite.suite(), 'rejected-view'));
  return { kind: judgement?.kind, members: members.size };
}

test.each<[string, Server, string]>([
  ['is gone', { isListed: false, admits: 'who asks' }, 'pass'],
  ['stays listed, and is accepted no more', { isListed: true, admits: 'who asks' }, 'pass'],
  ['stays listed, where the leader admits anybody', { isListed: true, admits: 'anybody' }, 'pass'],
  ['stays, and lets the player in', { isListed: true, admits: 'who was rejected too' }, 'violation'],
])('a rejected request that %s', async (_, server, kind) => {
  // The leader and the friend alone, at the end.
  expect(await judgedRejection(server)).toEqual({ kind, members: 2 });
});

test.each<[string, (asker: number) => object, boolean, string]>([
  ['names the party, and leads to nothing', () => ({ partyId: 'p-1' }), false, 'violation'],
  ['names the party, and is listed', () => ({ partyId: 'p-1' }), true, 'inconclusive'],
  ['says nothing', () => ({}), false, 'inconclusive'],
])('a join that %s, where there is nothing to accept: %4$s', async (_, joined, isListed, kind) => {
  const asking: number[] = [];
  const answer = ({ operation, player }: Put) => {
    if (operation === 'party.acceptJoin') return { status: 404 };
    if (operation === 'party.join') {
      asking.push(player);
      return { body: joined(player) };
    }
    if (operation === 'party.details' && player !== 1) return { status: 404 };
    const requests = isListed ? asking.map((each) => ({ id: `id-of-player-${each}` })) : [];
    return { body: { partyId: 'p-1', members: [{ id: 'id-of-player-1' }], requests } };
  };
  const suite = flow('joining');
  joining(suite);
  const { play } = rehearseFlow(answer, { flows: { pointer: () => '/partyId' } });
  const [judgement] = await withoutWaits(() => play(suite.suite(), 'join-accept'));
  expect(judgement?.kind).toBe(kind);
});

interface Lists {
  /** What becomes of the entry of a request: after it was accepted, and after it was rejected. */
  readonly accepted: 'gone' | 'stays';
  readonly rejected: 'gone' | 'stays';
  /** Who is marked as the leader. */
  readonly marked?: 'leader' | 'joiner' | 'both' | 'nobody';
}

/** Judges a step on a server whose leader's view lists requests. */
async function judgedLists(step: string, { accepted, rejected, marked }: Lists) {
  const members = new Set<number>();
  const requests = new Set<number>();
  const answer = ({ operation, player, ask: { params = {} } }: Put) => {
    const named = Number(String(params.playerId).split('-').at(-1));
    if (operation === 'party.create') members.add(player);
    if (operation === 'party.join') requests.add(player);
    if (operation === 'party.rejectJoin' && rejected === 'gone') requests.delete(named);
    if (operation === 'party.acceptJoin') {
      if (accepted === 'gone') requests.delete(named);
      members.add(named);
    }
    if (operation === 'party.details' && !members.has(player)) return { body: {} };
    const leads = (nth: number) => marked === 'both' || marked === (nth === 1 ? 'leader' : 'joiner');
    const listed = [...members].map((nth) => ({
      id: `id-of-player-${nth}`,
      ...(marked && { isLeader: leads(nth) }),
    }));
    return {
      body: { partyId: 'p-1', members: listed, requests: [...requests].map((nth) => `id-of-player-${nth}`) },
    };
  };
  const suite = flow('lists');
  joining(suite);
  const { play } = rehearseFlow(answer, { flows: { pointer: () => '/partyId' } });
  const [judgement] = await withoutWaits(() => play(suite.suite(), step));
  return judgement?.kind;
}

test.each<[string, Lists, string]>([
  ['is gone', { accepted: 'gone', rejected: 'gone' }, 'pass'],
  ['stays, as others go', { accepted: 'stays', rejected: 'gone' }, 'violation'],
  ['stays, as every other does: a history', { accepted: 'stays', rejected: 'stays' }, 'not-applicable'],
])('the entry of an accepted request %s', async (_, lists, kind) => {
  expect(await judgedLists('joined-request', lists)).toBe(kind);
});

test.each<[NonNullable<Lists['marked']> | undefined, string]>([
  ['leader', 'pass'],
  ['joiner', 'violation'],
  ['both', 'pass'],
  ['nobody', 'pass'],
  [undefined, 'not-applicable'],
])('a list that marks the %s as leader: %s', async (marked, kind) => {
  const lists: Lists = { accepted: 'gone', rejected: 'gone', ...(marked && { marked }) };
  expect(await judgedLists('leader-marked', lists)).toBe(kind);
});

test.each<[string, 'refuses' | 'moves' | 'lists in both', string]>([
  ['is refused', 'refuses', 'not-applicable'],
  ['leaves the first', 'moves', 'pass'],
  ['is in both', 'lists in both', 'violation'],
])('a member who joins another party %s', async (_, how, kind) => {
  const parties = new Map<number, Set<number>>();
  const partyOf = new Map<number, number>();
  const answer = ({ operation, player, ask: { params = {} } }: Put) => {
    const named = Number(String(params.playerId).split('-').at(-1));
    if (operation === 'party.create') {
      parties.set(player, new Set([player]));
      partyOf.set(player, player);
    }
    if (operation === 'party.acceptJoin' || operation === 'party.invite') {
      const before = partyOf.get(named);
      if (before !== undefined && before !== player && how === 'refuses') return { status: 409 };
      if (before !== undefined && how === 'moves') parties.get(before)?.delete(named);
      if (operation === 'party.acceptJoin') {
        parties.get(player)?.add(named);
        partyOf.set(named, player);
      }
    }
    const leader = partyOf.get(player);
    if (leader === undefined) return { body: {} };
    const members = [...(parties.get(leader) ?? [])].map((nth) => ({ id: `id-of-player-${nth}` }));
    return { body: { partyId: `p-${leader}`, members } };
  };
  const suite = flow('two parties');
  changingParties(suite);
  const { play } = rehearseFlow(answer, { flows: { pointer: () => '/partyId' } });
  const [judgement] = await withoutWaits(() => play(suite.suite(), 'one-party'));
  expect(judgement?.kind).toBe(kind);
});
