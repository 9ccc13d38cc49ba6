// The flow `isolation`: what belongs to one player stays as it is, whatever others call. Here: attacks on one thing
// each, such as a party or a state. `isolation/`: `writes.ts` and `reads.ts` call in the name of another player;
// `left-out.ts` lists what is not attacked; `shown.ts` puts into words what the owner sees.
import { areas } from '../catalog/catalog.ts';
import { type Clause, ofOthers } from '../catalog/clauses/clause.ts';
import { effects } from '../catalog/clauses/flows.ts';
import type { Operation } from '../catalog/operation.ts';
import { type Round, type Trespass, trespass } from '../engine/attack/trespass.ts';
import { flow } from '../engine/flow/flow.ts';
import type { StepContext } from '../engine/flow/step-context.ts';
import { befriend } from './friends/make-friends.ts';
import { leftOut } from './isolation/left-out.ts';
import { readsByTheirIds, readsInTheNameOf } from './isolation/reads.ts';
import {
  allShown,
  askCarrying,
  listedAsFriend,
  listedIn,
  membership,
  valuesShown,
} from './isolation/shown.ts';
import { writesInTheNameOf } from './isolation/writes.ts';
import { makeMatchWith, othersToMeet } from './match/making.ts';
import { inboxOf } from './messages/inbox.ts';
import { type ListPlace, type Message, messagesAt } from './messages/list-place.ts';
import { askToJoin, letIn, makeOneOfMany } from './party/make-party.ts';

const { match, messages, party, players } = areas;
const clauses = effects.isolation;

/** What an attack is about, apart from its name and title. */
export type About<Thing> = (
  context: StepContext,
) => Omit<Trespass<Thing>, 'operation'> | Promise<Omit<Trespass<Thing>, 'operation'>>;

const isolationFlow = flow('isolation', { attack: true });

export type Attack = typeof attack;

/** @param read where the owner sees the effect */
function attack<Thing>(
  name: string,
  [operation, read]: readonly [Operation, Operation],
  clause: Clause,
  title: string,
  about: About<Thing>,
): void {
  const { step } = isolationFlow.scenario();
  step(name, [operation, read], ofOthers(clause, 'on request'), title, async (context) =>
    trespass<Thing>(context, { operation, ...(await about(context)) }),
  );
}

// Messages. Which of them can be claimed is open, so several are tried.
const mostTried = 5;

const aMessage =
  (order: 'first' | 'last'): About<{ readonly place: ListPlace; readonly message: Message }> =>
  (context) => ({
    async make({ owner }) {
      const { place, found } = await inboxOf(context, owner);
      const all = order === 'first' ? found : found.toReversed();
      return all.slice(0, mostTried).map((message) => ({ place, message }));
    },
    ask: ({ message }) => ({ carry: { messageId: message.id }, anyFixed: true }),
    async shown({ place, message }, { owner }) {
      const found = messagesAt(await context.send(owner, messages.list), place);
      if (found === undefined) return undefined;
      return found.find(({ id }) => id === message.id)?.text ?? 'the message is gone';
    },
  });

attack(
  'message-claim',
  [messages.claim, messages.list],
  clauses.messages,
  "nobody but its owner claims a player's message",
  aMessage('first'),
);
attack(
  'message-mark',
  [messages.markAs, messages.list],
  clauses.messages,
  "nobody but its owner marks a player's message",
  aMessage('last'),
);

// Parties.
interface OwnParty {
  readonly partyId: string;
}

const aloneInParty = (context: StepContext) => ({
  make: async ({ owner }: Round): Promise<readonly OwnParty[]> => [
    { partyId: await makeOneOfMany(context, owner) },
  ],
});

attack<OwnParty>(
  'party-delete',
  [party.delete, party.details],
  clauses.parties,
  'nobody outside a party disbands it',
  (context) => ({
    ...aloneInParty(context),
    ask: ({ partyId }) => ({ params: { partyId } }),
    shown: ({ partyId }, { owner }) => membership(context, owner, partyId),
  }),
);

attack<OwnParty>(
  'party-update',
  [party.update, party.details],
  clauses.parties,
  'nobody outside a party changes it',
  (context) => ({
    ...aloneInParty(context),
    ask: ({ partyId }, _, value) => ({ params: { partyId }, ...askCarrying(value, party.details) }),
    shown: (_, { owner }, values) => valuesShown(context, owner, party.details, values),
  }),
);

attack<OwnParty>(
  'party-member-state',
  [party.setPlayerState, party.details],
  clauses.parties,
  "nobody outside a party sets a member's state",
  (context) => ({
    ...aloneInParty(context),
    ask: (_, { owner }, value) => ({
      params: { playerId: context.id(owner) },
      ...askCarrying(value, party.details),
    }),
    shown: (_, { owner }, values) => valuesShown(context, owner, party.details, values),
  }),
);

attack<OwnParty>(
  'party-kick',
  [party.removePlayer, party.details],
  clauses.parties,
  'nobody outside a party removes a member',
  (context) => ({
    others: 1,
    async make({ owner, others: [member = ''] }) {
      const partyId = await makeOneOfMany(context, owner);
      await letIn(context, partyId, [owner, member]);
      return [{ partyId }];
    },
    ask: ({ partyId }, { others: [member = ''] }) => ({ params: { partyId, playerId: context.id(member) } }),
    shown: ({ partyId }, { others: [member = ''] }) => membership(context, member, partyId),
  }),
);

attack<OwnParty>(
  'party-admit',
  [party.acceptJoin, party.details],
  clauses.parties,
  'a player who asks to join a party does not let themselves in',
  (context) => ({
    attackerTakesPart: true,
    async make({ owner, attacker }) {
      const partyId = await makeOneOfMany(context, owner);
      await askToJoin(context, attacker, owner);
      return [{ partyId }];
    },
    ask: ({ partyId }, { attacker }) => ({ params: { partyId, playerId: context.id(attacker) } }),
    shown: ({ partyId }, { attacker }) => membership(context, attacker, partyId),
  }),
);

// Friends and blocked players.
attack<null>(
  'friend-remove',
  [players.removeFriend, players.friends],
  clauses.lists,
  "nobody but its owner removes a friend from a player's list",
  (context) => ({
    others: 1,
    async make({ owner, others: [friend = ''] }) {
      await befriend(context, owner, friend);
      return [null];
    },
    ask: (_, { others: [friend = ''] }) => ({ carry: { 'other.id': context.id(friend) } }),
    shown: (_, { owner, others: [friend = ''] }) => listedAsFriend(context, owner, friend),
  }),
);

attack<null>(
  'unblock',
  [players.unblock, players.blocked],
  clauses.lists,
  'nobody but the player who blocked somebody unblocks them',
  (context) => ({
    others: 1,
    async make({ owner, others: [blocked = ''] }) {
      const carry = { 'other.id': context.id(blocked) };
      await context.mustSucceed(owner, players.block, { carry });
      context.addTeardown(owner, players.unblock, { carry });
      return [null];
    },
    ask: (_, { others: [blocked = ''] }) => ({ carry: { 'other.id': context.id(blocked) } }),
    shown: (_, { owner, others: [blocked = ''] }) => listedIn(players.blocked)(context, owner, blocked),
  }),
);

attack<null>(
  'state-write',
  [players.setState, players.challengeUIData],
  clauses.states,
  "nobody but its owner writes a player's state",
  (context) => ({
    make: async () => [null],
    ask(_, __, value) {
      const own = askCarrying(value, players.challengeUIData);
      return { ...own, carry: { ...own.carry, stateName: 'ChallengeUIData' } };
    },
    shown: (_, { owner }, values) => valuesShown(context, owner, players.challengeUIData, values),
  }),
);

attack<{ readonly matchId: string }>(
  'match-quit',
  [match.quit, match.get],
  clauses.matches,
  'nobody outside a match takes a player out of it',
  (context) => ({
    others: othersToMeet(context),
    async make({ owner, others }) {
      return [{ matchId: await makeMatchWith(context, owner, others) }];
    },
    ask: ({ matchId }) => ({ params: { matchId } }),
    async shown({ matchId }, { owner }) {
      return allShown(await context.send(owner, match.get, { params: { matchId } }), 'the match is gone');
    },
  }),
);

writesInTheNameOf(attack);
readsInTheNameOf(isolationFlow);
readsByTheirIds(isolationFlow);
leftOut(isolationFlow);

export default isolationFlow.suite();
