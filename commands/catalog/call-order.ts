// Orders all operations into one script of calls in which a server can answer each with 2xx.
import { areas } from '../../catalog/catalog.ts';
import type { Operation } from '../../catalog/operation.ts';

/** The caller: the main player, or the other one. */
export type Who = 'main' | 'other';

export interface Step {
  readonly operation: Operation;
  readonly as: Who;
  /** Parameters whose value comes from another name: `playerId` from `other.id`. */
  readonly params: Readonly<Record<string, string>>;
  /** Parameters and placeholders with a value of this step's own. */
  readonly values: Readonly<Record<string, string>>;
  /** Identifiers in its answer, with the names of fields that may hold them, the surest first. */
  readonly gives: Readonly<Record<string, readonly string[]>>;
  /** Steps that must come before, besides those that give the values it uses. */
  readonly after: readonly Step[];
  /** Why the operation is called once more, for later steps. */
  readonly again?: string;
}

interface Chapter {
  readonly title: string;
  readonly steps: readonly Step[];
}

type Detail = Partial<Omit<Step, 'operation'>>;

/** A call by the main player without values or steps before it, unless `detail` says otherwise. */
export const step = (operation: Operation, detail: Detail = {}): Step => ({
  operation,
  as: 'main',
  params: {},
  values: {},
  gives: {},
  after: [],
  ...detail,
});

/** The operations of an area, in the document's order, that no step calls yet. */
const others = (area: Readonly<Record<string, Operation>>, called: readonly Step[] = []): Step[] =>
  Object.values(area)
    .filter((each) => !called.some(({ operation }) => operation === each))
    .map((operation) => step(operation));

// The party: created, invited to, joined in both ways, left and disbanded.
const { party } = areas;

/** `playerId` is the id of the player who does not call. */
const partner = { playerId: 'other.id' };

const create = step(party.create, { gives: { partyId: ['partyId', 'id'], autoJoinKey: ['autoJoinKey'] } });
const firstInvite = step(party.invite, { after: [create] });
const rejectInvite = step(party.rejectInvite, { as: 'other', after: [firstInvite] });
const nextInvite = step(party.invite, { after: [create], again: 'to be accepted' });
const acceptInvite = step(party.acceptInvite, { as: 'other', after: [nextInvite] });
const removePlayer = step(party.removePlayer, { params: partner, after: [acceptInvite] });

const join = { as: 'other', params: partner, after: [create] } as const;
const firstJoin = step(party.join, join);
const rejectJoin = step(party.rejectJoin, { params: partner, after: [firstJoin] });
const nextJoin = step(party.join, { ...join, again: 'to be cancelled' });
const cancelJoin = step(party.cancelJoin, { as: 'other', after: [nextJoin] });
const lastJoin = step(party.join, { ...join, again: 'to be accepted' });
const acceptJoin = step(party.acceptJoin, { params: partner, after: [lastJoin] });

const partyCalls: Chapter = {
  title: 'Party',
  steps: [
    create,
    step(party.get),
    step(party.details, { after: [create] }),
    step(party.update),
    step(party.setPlayerState, { after: [create] }),
    firstInvite,
    rejectInvite,
    nextInvite,
    acceptInvite,
    removePlayer,
    firstJoin,
    rejectJoin,
    nextJoin,
    cancelJoin,
    lastJoin,
    acceptJoin,
    step(party.leave, { as: 'other', after: [acceptJoin] }),
    step(party.delete),
  ],
};

// Friends and blocks, which need another player; and named states, which are written before they are read.
const {
  general,
  players,
  archives,
  auth,
  clientData,
  extensions,
  features,
  game,
  logs,
  match,
  me,
  messages,
  mysteryBox,
  onboarding,
  playerName,
  queue,
  ranks,
  utils,
} = areas;
const friend = { playerId: 'other.id' };

const addFriend = step(players.addFriend);
const block = step(players.block);

const friendCalls: Chapter = {
  title: 'Friends',
  steps: [
    addFriend,
    step(general.richPresence, { params: friend, after: [addFriend] }),
    step(players.friendInfo, { params: friend, after: [addFriend] }),
    step(players.friends),
    step(players.syncFriends),
    step(players.addRecentlyPlayed),
    step(players.recentlyPlayed),
    step(players.removeFriend, { after: [addFriend] }),
    block,
    step(players.blocked, { after: [block] }),
    step(players.unblock, { after: [block] }),
  ],
};

const stateCalls: Chapter = {
  title: 'Player states',
  steps: [
    ...written('ChallengeUIData', players.challengeUIData),
    ...written('NewLoresUIData', players.newLoresUIData, { again: 'NewLoresUIData' }),
    ...written('SeenNewsArticles', players.seenNewsArticles, { again: 'SeenNewsArticles' }),
    ...written('SeenStoreItems', players.seenStoreItems, { again: 'SeenStoreItems' }),
    ...written('FullProfile', players.fullProfile, { operation: players.setBinaryState }),
  ],
};

function written(stateName: string, read: Operation, detail: Partial<Step> = {}): Step[] {
  const before = { ...step(players.setState, { values: { stateName } }), ...detail };
  return [before, step(read, { after: [before] })];
}

const ownId = ['playerId', 'userId', 'accountId', 'uid', 'id'];
const ownName = ['playerName', 'displayName', 'fullName', 'name'];

const chapter = (title: string, steps: readonly Step[]): Chapter => ({ title, steps });
const begunWith = (area: Parameters<typeof others>[0], first: readonly Step[]): Step[] => [
  ...first,
  ...others(area, first),
];

const identity = { playerId: ownId, playerName: ownName };
const signIn = [
  step(auth.login, { gives: identity }),
  step(auth.login, { as: 'other', gives: identity, again: 'the other player' }),
];

const createMatch = step(match.create, { gives: { matchId: ['matchId', 'id'] } });
const listMessages = step(messages.list, { gives: { messageId: ['messageId', 'id'] } });
const readMessages = [messages.listFiltered, messages.listInbox, messages.listLimited, messages.markAs];
const withPlayers = [...friendCalls.steps, ...stateCalls.steps];

/** All 184 operations; those that end something for others come last. */
export const callOrder: readonly Chapter[] = [
  chapter('Sign in', signIn),
  chapter('Authentication', others(auth, signIn)),
  chapter('Features', others(features)),
  chapter('General', others(general, withPlayers)),
  chapter('Me', [step(me.location), step(me.setRichPresence)]),
  chapter(
    'Player name',
    begunWith(playerName, [
      step(playerName.set, { params: { providerPlayerName: 'value' } }),
      step(playerName.get, { gives: { playerName: ownName } }),
    ]),
  ),
  chapter(
    'Archives',
    begunWith(archives, [
      step(archives.storyStatus, { gives: { storyId: ['storyId'] } }),
      step(archives.tier, { gives: { archiveId: ['archiveId'] } }),
      step(archives.journal, { gives: { pageId: ['pageId'] } }),
      step(archives.story, { gives: { nodeId: ['nodeId', 'node'] } }),
    ]),
  ),
  chapter(
    'Game elements',
    begunWith(game, [
      step(game.allCharacters, { gives: { characterName: ['characterName', 'character'] } }),
      step(game.getOrInitCharacter),
    ]),
  ),
  chapter('Extensions', begunWith(extensions, [step(extensions.news, { gives: { newsUrl: ['newsUrl'] } })])),
  chapter('Mystery box', begunWith(mysteryBox, [step(mysteryBox.status)])),
  chapter('Onboarding', others(onboarding)),
  chapter('Messages', [
    listMessages,
    ...readMessages.map((operation) => step(operation)),
    step(messages.claim),
    step(messages.clear),
  ]),
  friendCalls,
  stateCalls,
  chapter('Players', others(players, withPlayers)),
  partyCalls,
  chapter('Match', [createMatch, step(match.get), step(match.quit)]),
  chapter('Queue', begunWith(queue, queueSteps())),
  chapter('Ranks and utils', [...others(ranks), ...others(utils)]),
  chapter('Logs', others(logs)),
  chapter('Client data', others(clientData)),
  chapter('Sign out', [step(me.logout)]),
];

function queueSteps(): Step[] {
  const issue = step(queue.issueToken, { gives: { queueToken: ['queueToken', 'token'] } });
  const enter = step(queue.enter);
  return [issue, enter, step(queue.cancel, { after: [enter] })];
}
