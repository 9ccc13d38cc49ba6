// Calls operations that act on their caller in the name of another player, who must stay unchanged.
import { areas } from '../../catalog/catalog.ts';
import type { Clause } from '../../catalog/clauses/clause.ts';
import { effects } from '../../catalog/clauses/flows.ts';
import type { Operation } from '../../catalog/operation.ts';
import { changesBetween } from '../../engine/attack/figures.ts';
import type { Round, Trespass } from '../../engine/attack/trespass.ts';
import { textInOneOrder } from '../../engine/flow/snapshot.ts';
import type { BodyAsk, StepContext } from '../../engine/flow/step-context.ts';
import { ignoreStop } from '../../engine/flow/why-refused.ts';
import type { Ask } from '../../engine/http/ask.ts';
import type { About, Attack } from '../isolation.ts';
import { inboxOf } from '../messages/inbox.ts';
import { askToJoin, makeOneOfMany } from '../party/make-party.ts';
import { holdingsOf } from '../races/holdings.ts';
import { givenOnce, twiceInTurn, whatToAsk } from '../races.ts';
import { writeParameters } from '../state/profile.ts';
import {
  allShown,
  askCarrying,
  type Listed,
  listedAsFriend,
  listedIn,
  membership,
  valuesShown,
} from './shown.ts';

const { archives, game, general, me, messages, onboarding, party, playerName, players } = areas;
const clauses = effects.isolation;
/** The party or the message that a call is about; the id is empty where it is about neither. */
type Thing = { readonly id: string };
type Row = readonly [operation: Operation, read: Operation, clause: Clause, about: About<Thing>];

const nothing = async (): Promise<readonly Thing[]> => [{ id: '' }];
const first = ({ others: [other = ''] }: Round) => other;

/** A call that adds a player to a list of its caller, and the call that removes them from it. */
const adding = (
  operation: Operation,
  read: Operation,
  undoneBy?: Operation,
  list: Listed = listedIn(read),
): Row => [
  operation,
  read,
  clauses.lists,
  (context) => ({
    others: 1,
    ...(undoneBy && { undoneBy }),
    make: nothing,
    ask: (_, round) => ({ carry: { 'other.id': context.id(first(round)) } }),
    shown: (_, round) => list(context, round.owner, first(round)),
  }),
];

/** A party as its leader sees it. */
const ledBy = async (context: StepContext, leader: string) =>
  allShown(await context.send(leader, party.details), 'the party is gone');

/** An attack on a party of a leader and a newcomer, who is invited or asks to join. */
const newcomer = (
  context: StepContext,
  how: 'is invited' | 'asks',
  ownerIs: 'the leader' | 'the other',
): Pick<Trespass<Thing>, 'others' | 'make' | 'shown'> => {
  const both = ({ owner, others: [other = ''] }: Round) =>
    ownerIs === 'the leader' ? ([owner, other] as const) : ([other, owner] as const);
  return {
    others: 1,
    async make(round) {
      const [leader, other] = both(round);
      const partyId = await makeOneOfMany(context, leader);
      if (how === 'asks') await askToJoin(context, other, leader);
      else
        await context.mustSucceed(leader, party.invite, {
          params: { partyId },
          carry: { 'other.id': context.id(other) },
        });
      return [{ id: partyId }];
    },
    shown: (_, round) => ledBy(context, both(round)[0]),
  };
};

/** A call in its plain form, and a read that may show the owner its effect; where none shows, nothing is attacked. */
const plainly = (operation: Operation, read: Operation): Row => [
  operation,
  read,
  clauses.states,
  (context) => ({
    make: nothing,
    ask: () => ({}),
    shown: async (_, { owner }) => allShown(await context.send(owner, read), 'nothing'),
  }),
];

interface Carrying {
  /** The call with the value, where that is not in its body. */
  readonly ask?: (value: string) => BodyAsk;
  /** The parameters of the owner's read. */
  readonly readAsk?: (context: StepContext, owner: string) => Ask;
}

/** A call that carries a value, and the read that shows it. */
const carrying = (
  operation: Operation,
  read: Operation,
  { ask, readAsk = () => ({}) }: Carrying = {},
): Row => [
  operation,
  read,
  clauses.states,
  (context) => ({
    make: nothing,
    ask: (_, { owner }, value) => ask?.(value) ?? askCarrying(value, read, readAsk(context, owner)),
    shown: (_, { owner }, values) => valuesShown(context, owner, read, values, readAsk(context, owner)),
  }),
];

/** A call with which a player answers an invitation. */
const invited = (operation: Operation): Row => [
  operation,
  party.details,
  clauses.parties,
  (context) => ({
    ...newcomer(context, 'is invited', 'the other'),
    ask: ({ id: partyId }, round) => ({
      params: { partyId },
      offer: { 'other.id': context.id(first(round)) },
    }),
  }),
];

const rows: Readonly<Record<string, Row>> = {
  'bot-match': plainly(onboarding.playBotMatch, onboarding.botMatchStatus),
  'onboarding-step': plainly(onboarding.updateProgress, onboarding.get),
  experience: plainly(archives.updateXp, archives.tier),
  'start-popup': plainly(archives.showStartPopup, archives.popupStatus),
  'levels-bought': plainly(game.bulkSpendingBloodweb, general.currencies),
  'voice-over-set': carrying(game.saveVoiceOver, game.voiceOver),
  'loadout-set': carrying(game.loadout, game.loadoutPresets),
  'presence-set': carrying(me.setRichPresence, general.richPresence, {
    readAsk: (context, owner) => ({ params: { playerId: context.id(owner) } }),
  }),
  'profile-set': [
    players.setBinaryState,
    players.fullProfile,
    clauses.states,
    (context) => {
      let version = 0;
      return {
        make: nothing,
        ask(_, __, value) {
          version += 1;
          return { ...writeParameters(context, { version }), body: Buffer.from(value) };
        },
        shown: (_, { owner }, values) => valuesShown(context, owner, players.fullProfile, values),
      };
    },
  ],
  'name-set': carrying(playerName.set, playerName.get, {
    ask: (value) => ({ params: { providerPlayerName: value }, madeUp: 'a name of ours' }),
  }),
  'friend-add': adding(players.addFriend, players.friends, players.removeFriend, listedAsFriend),
  block: adding(players.block, players.blocked, players.unblock),
  'recently-played': adding(players.addRecentlyPlayed, players.recentlyPlayed),
  'inbox-clear': [
    messages.clear,
    messages.list,
    clauses.messages,
    (context) => ({
      async make({ owner }) {
        const { found } = (await inboxOf(context, owner).catch(ignoreStop)) ?? { found: [] };
        return [{ id: String(found[0]?.id ?? '') }];
      },
      ask: ({ id }) => (id === '' ? {} : { offer: { messageId: id } }),
      shown: async (_, { owner }) => allShown(await context.send(owner, messages.list), 'no list'),
    }),
  ],
  'party-leave': [
    party.leave,
    party.details,
    clauses.parties,
    (context) => ({
      make: async ({ owner }) => [{ id: await makeOneOfMany(context, owner) }],
      ask: () => ({}),
      shown: ({ id }, { owner }) => membership(context, owner, id),
    }),
  ],
  invitation: [
    party.invite,
    party.details,
    clauses.parties,
    (context) => ({
      others: 1,
      make: async ({ owner }) => [{ id: await makeOneOfMany(context, owner) }],
      ask: ({ id: partyId }, round) => ({
        params: { partyId },
        carry: { 'other.id': context.id(first(round)) },
      }),
      shown: (_, { owner }) => ledBy(context, owner),
    }),
  ],
  'invitation-accept': invited(party.acceptInvite),
  'invitation-reject': invited(party.rejectInvite),
  'join-reject': [
    party.rejectJoin,
    party.details,
    clauses.parties,
    (context) => ({
      ...newcomer(context, 'asks', 'the leader'),
      ask: ({ id: partyId }, round) => ({ params: { partyId, playerId: context.id(first(round)) } }),
    }),
  ],
  'join-cancel': [
    party.cancelJoin,
    party.details,
    clauses.parties,
    (context) => ({
      ...newcomer(context, 'asks', 'the other'),
      ask: ({ id: partyId }, round) => ({ params: { partyId, friendId: context.id(first(round)) } }),
    }),
  ],
  ...Object.fromEntries(
    Object.entries(givenOnce).map(([name, operation]): [string, Row] => [
      `${name}-for-another`,
      [
        operation,
        general.currencies,
        clauses.holdings,
        async (context) => {
          const ask = await whatToAsk(context, operation);
          const control = await twiceInTurn(context, operation, ask);
          const figures = new Set(changesBetween(control.firstCall.before, control.firstCall.after).keys());
          return {
            control: async () => control,
            make: nothing,
            ask: () => ask,
            shown: async (_, { owner }) => textInOneOrder(await holdingsOf(context, owner, figures)),
          };
        },
      ],
    ]),
  ),
};

export function writesInTheNameOf(attack: Attack): void {
  for (const [name, [operation, read, clause, about]] of Object.entries(rows))
    attack<Thing>(
      name,
      [operation, read],
      clause,
      `${operation.id} of others who name a player leaves that player as they were`,
      async (context) => ({ inTheNameOf: true, ...(await about(context)) }),
    );
}
