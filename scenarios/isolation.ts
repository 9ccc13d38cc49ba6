// The flow `isolation`: what belongs to one player stays as it is, whatever others call.
import { areas } from '../catalog/catalog.ts';
import { type Clause, ofOthers } from '../catalog/clauses/clause.ts';
import { effects } from '../catalog/clauses/flows.ts';
import type { Operation } from '../catalog/operation.ts';
import { type Round, type Trespass, trespass } from '../engine/attack/trespass.ts';
import { flow } from '../engine/flow/flow.ts';
import { placesOf } from '../engine/flow/places.ts';
import { textInOneOrder } from '../engine/flow/snapshot.ts';
import type { StepContext } from '../engine/flow/step-context.ts';
import { type Exchange, isSuccess, json, statusOf } from '../engine/http/exchange.ts';
import { is4xx } from '../engine/values/status.ts';
import { amongFriends, befriend } from './friends/adding.ts';
import { readsByTheirIds, readsInTheNameOf } from './isolation/reads.ts';
import { inboxOf, type Message, messagesAt, type Place } from './messages/inbox.ts';
import { letIn, makeParty } from './party/made.ts';

const { match, messages, party, players } = areas;
const clauses = effects.isolation;

type Context = StepContext<string>;

/** What an attack is about, apart from its name and title. */
type About<Thing> = (context: Context) => Omit<Trespass<Thing>, 'operation'>;

const isolationFlow = flow('isolation', { attack: true });

/** @param read where the owner sees the effect */
function attack<Thing>(
  name: string,
  [operation, read]: readonly [Operation, Operation],
  clause: Clause,
  title: string,
  about: About<Thing>,
): void {
  const { step } = isolationFlow.scenario();
  step(name, [operation, read], ofOthers(clause, 'asked for'), title, (context) =>
    trespass<Thing>(context, { operation, ...about(context) }),
  );
}

// Messages. Which of them can be claimed is open, so several are tried.
const mostTried = 5;

const aMessage =
  (order: 'first' | 'last'): About<{ readonly place: Place; readonly message: Message }> =>
  (context) => ({
    async make({ owner }) {
      const { place, found } = await inboxOf(context, owner);
      const all = order === 'first' ? found : found.toReversed();
      return all.slice(0, mostTried).map((message) => ({ place, message }));
    },
    ask: ({ message }) => ({ carry: { messageId: message.id }, anyFixed: true }),
    async shown({ place, message }, { owner }) {
      const found = messagesAt(await context.put(owner, messages.list), place);
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

const absent = (answer: Exchange) => is4xx(statusOf(answer)) && statusOf(answer) !== 429;

/** Whether the player's own view shows the party. */
async function membership(context: Context, role: string, partyId: string): Promise<string | undefined> {
  const view = await context.put(role, party.details);
  if (isSuccess(view))
    return context.mentioned(view, partyId) ? 'they are in the party' : 'they are in no such party';
  return absent(view) ? 'they are in no such party' : undefined;
}

/** Which of the values that were sent the player reads. */
async function valuesShown(
  context: Context,
  role: string,
  read: Operation,
  values: readonly string[],
): Promise<string | undefined> {
  const view = await context.put(role, read);
  if (!isSuccess(view) && !absent(view)) return undefined;
  const shown = isSuccess(view) ? values.filter((value) => context.mentioned(view, value)) : [];
  return shown.length === 0 ? 'nothing that was sent' : shown.join(', ');
}

const aloneInParty = (context: Context) => ({
  make: async ({ owner }: Round): Promise<readonly OwnParty[]> => [
    { partyId: await makeParty(context, owner) },
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
    ask: ({ partyId }, _, value) => ({ params: { partyId }, carry: { value } }),
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
    ask: (_, { owner }, value) => ({ params: { playerId: context.id(owner) }, carry: { value } }),
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
      const partyId = await makeParty(context, owner);
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
    async make({ owner, attacker }) {
      const partyId = await makeParty(context, owner);
      await context.done(attacker, party.join, { params: { playerId: context.id(owner) } });
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
    async shown(_, { owner, others: [friend = ''] }) {
      const { operation, params } = amongFriends(context.id(owner), context.id(friend), 'the friend');
      const view = await context.put(owner, operation, params ? { params } : {});
      return named(context, view, friend);
    },
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
      await context.done(owner, players.block, { carry });
      context.later(owner, players.unblock, { carry });
      return [null];
    },
    ask: (_, { others: [blocked = ''] }) => ({ carry: { 'other.id': context.id(blocked) } }),
    async shown(_, { owner, others: [blocked = ''] }) {
      return named(context, await context.put(owner, players.blocked), blocked);
    },
  }),
);

/** Where the list names the player: who was a friend may stand there still, in another place. */
function named(context: Context, view: Exchange, role: string): string | undefined {
  if (!isSuccess(view)) return absent(view) ? 'no list' : undefined;
  const places = [...placesOf(view, context.id(role))].map(([path, { times }]) => `${path} (${times})`);
  return places.length === 0 ? 'the player is not in the list' : `the player at ${places.sort().join(', ')}`;
}

// States.
attack<null>(
  'state-write',
  [players.setState, players.challengeUIData],
  clauses.states,
  "nobody but its owner writes a player's state",
  (context) => ({
    make: async () => [null],
    ask: (_, __, value) => ({ carry: { stateName: 'ChallengeUIData', value } }),
    shown: (_, { owner }, values) => valuesShown(context, owner, players.challengeUIData, values),
  }),
);

// Matches.
attack<{ readonly matchId: string }>(
  'match-quit',
  [match.quit, match.get],
  clauses.matches,
  'nobody outside a match takes a player out of it',
  (context) => ({
    async make({ owner }) {
      const made = await context.done(owner, match.create);
      const matchId = await context.identifier(made, match.create, 'matchId');
      context.later(owner, match.quit, { params: { matchId } });
      return [{ matchId }];
    },
    ask: ({ matchId }) => ({ params: { matchId } }),
    async shown({ matchId }, { owner }) {
      const view = await context.put(owner, match.get, { params: { matchId } });
      if (!isSuccess(view)) return absent(view) ? 'the match is gone' : undefined;
      const parsed = view.response && json(view.response);
      return parsed?.ok ? textInOneOrder(parsed.value) : undefined;
    },
  }),
);

readsInTheNameOf(isolationFlow);
readsByTheirIds(isolationFlow);

export default isolationFlow.suite();
