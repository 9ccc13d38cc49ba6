import { expect, test } from 'vitest';
import { flow } from '../../engine/flow/flow.ts';
import { type Put, rehearseFlow, withoutWaits } from '../../fixtures/kit/flow-rehearsal.ts';
import { removing } from './removing.ts';

const made = flow('sample');
removing(made);

interface Ban {
  /** How a banned player who asks to join is answered. */
  readonly join?: { readonly status?: number; readonly body?: object };
  /** The leader's consent lifts it. */
  readonly isLifted?: boolean;
}

/** Judges the return of the banned member on a server with a leader, a member, and one who is banned. */
async function banned({ join = {}, isLifted = true }: Ban) {
  const members = new Set([1]);
  const bans = new Set<number>();
  const ids = () => [...members].map((nth) => ({ id: `id-of-player-${nth}` }));
  const named = ({ ask }: Put) => Number(String(ask.params?.playerId).split('-').at(-1));
  const answer = (put: Put) => {
    const whom = named(put);
    if (put.operation === 'party.join' && bans.has(put.player)) return { status: 200, body: {}, ...join };
    if (put.operation === 'party.acceptJoin') {
      if (bans.has(whom) && !isLifted) return { status: 403 };
      members.add(whom);
    }
    if (put.operation === 'party.removePlayer') {
      members.delete(whom);
      if (put.ask.params?.ban === 'true') bans.add(whom);
    }
    if (put.operation === 'party.join') return { body: {} };
    const isIn = put.operation !== 'party.details' || members.has(put.player);
    return { body: isIn ? { partyId: 'p-1', members: ids() } : {} };
  };
  const { play } = rehearseFlow(answer, { flows: { pointer: () => '/partyId' } });
  const steps = [
    'remove',
    'removed-view',
    'remove-with-ban',
    'banned-view',
    'removed-returns',
    'banned-returns',
  ];
  const judgements = await withoutWaits(() => play(made.suite(), ...steps));
  return judgements.at(-1);
}

test('a ban that is refused, at once or by the leader’s consent, is one', async () => {
  expect(await banned({ join: { status: 403 }, isLifted: false })).toMatchObject({ kind: 'pass' });
  expect(await banned({ isLifted: false })).toMatchObject({ kind: 'pass' });
});

test('a ban that is announced may still let the player in', async () => {
  expect(await banned({ join: { status: 202 } })).toMatchObject({ kind: 'pass' });
  expect(await banned({ join: { body: { isBanned: true } } })).toMatchObject({ kind: 'pass' });
});

test('a ban that makes no difference is good sense’s alone', async () => {
  expect(await banned({})).toMatchObject({ kind: 'violation', level: 'inferred' });
});
