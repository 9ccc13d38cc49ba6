// Checks two players who add one another at one moment.
import { players } from '../../catalog/areas/players.ts';
import { effects } from '../../catalog/clauses/flows.ts';
import { race } from '../../engine/attack/race.ts';
import type { Flow } from '../../engine/flow/flow.ts';
import type { StepContext } from '../../engine/flow/step-context.ts';
import { isSuccess } from '../../engine/http/exchange.ts';
import { friendsOf } from '../friends/make-friends.ts';

/** Whether each of the two sees the other among their friends. */
type Sides = readonly [boolean, boolean];

/** Two players add one another at one moment. */
export function friendships(flow: Flow): void {
  const { step } = flow.scenario();
  step(
    'friends',
    [players.addFriend, players.friends],
    effects.races.sides,
    'two players who add one another at one moment are friends on both sides, or on neither',
    crossing,
  );
}

/** Runs the race; both sides must end alike, as they do when the two calls come one after another. */
async function crossing(context: StepContext): Promise<void> {
  await race<Sides>(context, {
    people: () => 2,
    onlyEndCounts: true,
    // Where a friendship takes both, one call alone shows nothing.
    effectNeedsAll: true,
    async begin({ people: [one = '', other = ''] }) {
      context.addTeardown(one, players.removeFriend, { carry: { 'other.id': context.id(other) } });
      context.addTeardown(other, players.removeFriend, { carry: { 'other.id': context.id(one) } });
    },
    calls: ({ people: [one = '', other = ''] }) => [
      { role: one, operation: players.addFriend, ask: { carry: { 'other.id': context.id(other) } } },
      { role: other, operation: players.addFriend, ask: { carry: { 'other.id': context.id(one) } } },
    ],
    state: async ({ people: [one = '', other = ''] }) => [
      await sees(context, one, other),
      await sees(context, other, one),
    ],
    broken({ after: [first, second], acknowledged }) {
      if (first === second || acknowledged.length < 2) return undefined;
      return 'one of the two is a friend of the other, and the other is not';
    },
  });
}

async function sees(context: StepContext, role: string, other: string): Promise<boolean> {
  const answer = await friendsOf(context, role);
  return isSuccess(answer) && context.mentions(answer, context.id(other));
}
