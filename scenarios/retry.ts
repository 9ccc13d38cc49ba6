// The flow `retry`: a call whose answer is lost and that is sent again has its effect once.
// Here: all steps but those of logs, which stand in `retry/log-batches.ts`.
import { areas } from '../catalog/catalog.ts';
import { effects } from '../catalog/clauses/flows.ts';
import type { Operation } from '../catalog/operation.ts';
import type { Figures } from '../engine/attack/figures.ts';
import { type LostAnswer, loseAnswer } from '../engine/attack/lost-answer.ts';
import type { Round } from '../engine/attack/race.ts';
import { flow } from '../engine/flow/flow.ts';
import { placesOf } from '../engine/flow/places.ts';
import type { StepContext } from '../engine/flow/step-context.ts';
import { isSuccess } from '../engine/http/exchange.ts';
import { once } from '../engine/values/once.ts';
import { friendsOf } from './friends/make-friends.ts';
import { balancesOf, holdingsOf } from './races/holdings.ts';
import { givenOnce, twiceInTurn, whatToAsk } from './races.ts';
import { logBatches } from './retry/log-batches.ts';

const { mysteryBox, party, playerName, players } = areas;

const retryFlow = flow('retry', { attack: true });

/** @param isBrief whether the attack is also made where `--attack on` is not set */
function attack(
  name: string,
  [operation, read]: readonly [Operation, Operation],
  isBrief: boolean,
  about: (context: StepContext) => LostAnswer | Promise<LostAnswer>,
): void {
  const title = `${operation.id} that is cut off and sent again has its effect once`;
  retryFlow.scenario().step(name, [operation, read], effects.retry.kept, title, async (context) => {
    if (context.means.attacksBriefly && !isBrief)
      context.cannotTell('budget', 'not exercised: --attack on does it');
    await loseAnswer(context, await about(context));
  });
}

/** A value that is new in each round, and the same for all calls of a round. */
const perRound = (make: () => string) => once(make, ({ nth }: Round) => nth);

const one = ({ people: [role = ''] }: Round) => role;
const figure = (name: string, holds: boolean): Figures => ({ [name]: Number(holds) });

// Operations whose effect a player can have once.
for (const [name, operation] of Object.entries(givenOnce))
  attack(name, [operation, areas.general.currencies], operation === mysteryBox.claim, async (context) => {
    const ask = await whatToAsk(context, operation);
    return {
      call: (round) => ({ role: one(round), operation, ask }),
      // Where attacks are brief, only balances are read.
      ...(!context.means.attacksBriefly && { control: () => twiceInTurn(context, operation, ask) }),
      mayBeRandom: true,
      figures: (round, names) =>
        context.means.attacksBriefly
          ? balancesOf(context, one(round))
          : holdingsOf(context, one(round), names),
    };
  });

attack('name', [playerName.set, playerName.get], true, (context) => {
  const nameOf = perRound(() => context.unique('Retrier'));
  return {
    call: (round) => ({
      role: one(round),
      operation: playerName.set,
      ask: { params: { providerPlayerName: nameOf(round) }, madeUp: 'a name of ours' },
    }),
    async figures(round) {
      const answer = await context.send(one(round), playerName.get);
      return figure('the name', isSuccess(answer) && context.mentions(answer, nameOf(round)));
    },
  };
});

/** Longer than all that stands beside it in a body, so that a cut in the middle of the body falls into it. */
const padding = '.'.repeat(400);

attack('state', [players.setState, players.challengeUIData], true, (context) => {
  const markOf = perRound(() => context.unique('assayretry'));
  return {
    call: (round) => ({
      role: one(round),
      operation: players.setState,
      ask: { carry: { stateName: 'ChallengeUIData', value: `${markOf(round)}${padding}` } },
    }),
    async figures(round) {
      const answer = await context.send(one(round), players.challengeUIData);
      const text = isSuccess(answer) ? Buffer.from(answer.response?.body ?? []).toString() : '';
      return figure('the state', text.includes(markOf(round)));
    },
  };
});

attack('party', [party.create, party.details], true, (context) => ({
  async begin(round) {
    context.addTeardown(one(round), party.leave);
  },
  call: (round) => ({ role: one(round), operation: party.create }),
  async figures(round) {
    const view = await context.send(one(round), party.details);
    return figure('a party', isSuccess(view) && context.mentions(view, context.id(one(round))));
  },
}));

attack('friend', [players.addFriend, players.friends], true, (context) => ({
  people: 2,
  async begin({ people: [role = '', other = ''] }) {
    context.addTeardown(role, players.removeFriend, { carry: { 'other.id': context.id(other) } });
  },
  call: ({ people: [role = '', other = ''] }) => ({
    role,
    operation: players.addFriend,
    ask: { carry: { 'other.id': context.id(other) } },
  }),
  figures: async ({ people: [role = '', other = ''] }) =>
    countsOf(context, await friendsOf(context, role), other),
}));

attack('block', [players.block, players.blocked], false, (context) => ({
  people: 2,
  async begin({ people: [role = '', other = ''] }) {
    context.addTeardown(role, players.unblock, { carry: { 'other.id': context.id(other) } });
  },
  call: ({ people: [role = '', other = ''] }) => ({
    role,
    operation: players.block,
    ask: { carry: { 'other.id': context.id(other) } },
  }),
  figures: async ({ people: [role = '', other = ''] }) =>
    countsOf(context, await context.send(role, players.blocked), other),
}));

/** How often the answer names the player, by place. */
function countsOf(context: StepContext, view: Parameters<typeof placesOf>[0], role: string): Figures {
  if (!isSuccess(view)) return {};
  return Object.fromEntries(
    [...placesOf(view, context.id(role))].map(([place, { times }]) => [place, times]),
  );
}

logBatches(retryFlow);

export default retryFlow.suite();
