// Lists likely request bodies of each operation, for targets whose profile states none: interface.md shows no bodies.
import { areas } from '../../catalog/catalog.ts';
import type { Operation } from '../../catalog/operation.ts';
import type { Json } from '../target/profile-validation.ts';
import { once } from '../values/once.ts';
import { type Form, formOf, isId } from './body-template.ts';

/** Candidate bodies by operation id, likeliest first. The empty object comes before them and is not listed. */
type Guesses = Readonly<Record<string, readonly Json[]>>;

type Members = Readonly<Record<string, Json>>;

/**
 * One value under its likely names: all at once, for a target that ignores unknown members; then
 * each alone, for a target that refuses them.
 */
export function under(names: Members): Json[] {
  const alone = Object.entries(names).map(([name, value]) => ({ [name]: value }));
  const [first = {}, ...others] = alone;
  const snaked = inSnakeCase(first);
  const isSame = Object.keys(snaked).every((name) => Object.hasOwn(first, name));
  return [inBothSpellings(names), first, ...(isSame ? [] : [snaked]), ...others];
}

/** The members, each under both spellings: `playerId` and `player_id`. */
const inBothSpellings = (members: Members): Members => ({ ...members, ...inSnakeCase(members) });

const inSnakeCase = (members: Members): Members =>
  Object.fromEntries(
    Object.entries(members).map(([name, value]) => [
      name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      value,
    ]),
  );

const { archives, auth, extensions, game, general, logs, match } = areas;
const { me, messages, onboarding, party, playerName, players, queue, ranks } = areas;

/** What `{{currency}}` stands for where no name of a currency is known. */
export const someCurrency = 'coins';

/** No body at all: some targets refuse one on calls that need none. */
const none = null;

/** A record of a guessed batch. */
export const record = {
  timestamp: '{{now}}',
  level: 'info',
  type: 'assay',
  event: 'assay',
  message: '{{unique}}',
};

/** A batch is a list of records, or an object that holds the list under a likely name. */
const batch = [
  [record],
  ...under({ logs: [record], events: [record], records: [record], batch: [record], data: [record] }),
];

const other = '{{other.id}}';

const friend = under({
  playerId: other,
  playerIds: [other],
  friendId: other,
  friendIds: [other],
  userId: other,
  ids: [other],
});
const blocked = under({
  playerId: other,
  playerIds: [other],
  blockedPlayerId: other,
  userId: other,
  userIds: [other],
  id: other,
});

const player = '{{player.id}}';
const token = '{{queueToken}}';
const modeOf = (mode: string) => ({ mode, gameMode: mode, category: mode, queueType: mode });
/** A queue name of this run's own, for a target that accepts any name. */
const ownMode = modeOf('{{value}}');

const archiveId = '{{archiveId}}';
const storyId = '{{storyId}}';
const characterName = '{{characterName}}';
const messageId = '{{messageId}}';
const version = '{{gameVersion}}';

const character = [
  ...under({ characterName, characterNames: [characterName], character: characterName }),
  none,
];

/** Empty lists of messages, for a player who has none. */
const noMessage = inBothSpellings({ messageIds: [], ids: [] });

const value = '{{value}}';
/** The key that stands for any key of a map. */
export const madeUpKey = 'assay';
const object = { [madeUpKey]: value };
const stateName = '{{stateName}}';

/** Most templates of one operation: further ones rarely match. */
export const mostForms = 8;

const ofOperation: Guesses = {
  // Calls about other people: friends, blocks, recent players, invitations.
  [players.addFriend.id]: friend,
  [players.removeFriend.id]: friend,
  [players.block.id]: blocked,
  [players.unblock.id]: blocked,
  [players.syncFriends.id]: under({
    friends: [],
    friendIds: [other],
    playerIds: [other],
    platformFriends: [],
    providerPlayerIds: [],
  }),
  [players.addRecentlyPlayed.id]: [
    ...under({ playerIds: [other], playerId: other, players: [other], userIds: [other] }),
    { players: [{ playerId: other }] },
    { matchId: '{{matchId}}' },
  ],
  [players.recentlyPlayed.id]: under({ playerId: '{{player.id}}', limit: 10, count: 10 }),
  [party.invite.id]: [
    ...under({ playerId: other, playerIds: [other], players: [other], userId: other, inviteeId: other }),
    { players: [{ playerId: other }] },
  ],
  [party.join.id]: under({ playerId: other, autoJoinKey: '{{autoJoinKey}}', partyId: '{{partyId}}' }),
  [party.acceptInvite.id]: under({ playerId: '{{player.id}}', partyId: '{{partyId}}' }),
  [party.rejectInvite.id]: under({ playerId: '{{player.id}}', partyId: '{{partyId}}' }),
  [party.acceptJoin.id]: under({ playerId: other, partyId: '{{partyId}}' }),
  [party.rejectJoin.id]: under({ playerId: other, partyId: '{{partyId}}' }),
  [me.setRichPresence.id]: [
    ...under({ status: '{{value}}', presence: '{{value}}', richPresence: '{{value}}', state: '{{value}}' }),
    { richPresence: { status: '{{value}}' } },
    { details: { status: '{{value}}' } },
  ],
  [playerName.set.id]: under({
    name: '{{providerPlayerName}}',
    playerName: '{{providerPlayerName}}',
    providerPlayerName: '{{providerPlayerName}}',
  }),
  [general.matchIncentives.id]: under({ mode: 'online', role: 'any', playerIds: ['{{player.id}}'] }),
  // Calls that store a value for a player or a party; flows read the value back.
  [players.setState.id]: [
    inBothSpellings({
      stateName,
      name: stateName,
      key: stateName,
      data: object,
      state: object,
      value: object,
      content: object,
    }),
    { stateName, data: object },
    { stateName, state: object },
    { key: stateName, value: object },
    { stateName, name: stateName, key: stateName, data: value, state: value, value, content: value },
    { stateName, data: value },
    { stateName, schemaVersion: 1, version: 1, data: object },
  ],
  [party.update.id]: [
    { state: object },
    { state: object, data: object, settings: object, attributes: object, metadata: object },
    { state: value },
    { data: object },
    { metadata: object },
    { settings: object },
    { partyState: object },
    object,
  ],
  [party.setPlayerState.id]: [
    { state: object },
    { state: object, playerState: object, data: object },
    { state: value },
    { playerState: object },
    { data: object },
    { value },
    object,
  ],
  [game.saveVoiceOver.id]: under({ settings: object, voiceOver: object, data: object, value }),
  // Calls that lead to a match and through it.
  [party.create.id]: [
    { privacy: 'private', maxPlayers: 4, state: {} },
    { state: {} },
    { privacy: 'private' },
    { maxPlayers: 4 },
    { playerId: player },
    { settings: {} },
    none,
  ],
  [match.create.id]: [
    inBothSpellings({
      mode: 'custom',
      gameMode: 'custom',
      category: 'custom',
      players: [player],
      playerIds: [player],
    }),
    { mode: 'custom' },
    { gameMode: 'custom' },
    { category: 'custom' },
    { playerIds: [player] },
    { players: [player] },
    none,
  ],
  [match.quit.id]: [...under({ reason: 'quit', playerId: player, matchId: '{{matchId}}' }), none],
  [queue.enter.id]: [
    inBothSpellings({ ...modeOf('online'), token, queueToken: token }),
    inBothSpellings(modeOf('online')),
    { token },
    { queueToken: token },
    { mode: 'online' },
    ownMode,
    { ...ownMode, partyId: '{{partyId}}' },
  ],
  [queue.cancel.id]: [...under({ playerId: player, token, queueToken: token }), none],
  [queue.issueToken.id]: [...under({ playerId: player, mode: 'online' }), none],
  [ranks.claimRewards.id]: [...under({ playerId: player, role: 'any' }), none],
  [onboarding.playBotMatch.id]: [...under({ mode: 'bot', role: 'any', matchId: '{{matchId}}' }), none],
  [onboarding.updateProgress.id]: [
    { step: 1, progress: 1, completed: true },
    { step: 1 },
    { step: '1' },
    { progress: 1 },
    { progress: {} },
    { stepId: '1' },
  ],
  // Calls about stories, characters, messages and purchases.
  [archives.readPage.id]: [
    inBothSpellings({ archiveId, storyId, pageId: '{{pageId}}', page: 1 }),
    { storyId, pageId: '{{pageId}}' },
    { pageId: '{{pageId}}' },
    { storyId, page: 1 },
    { archiveId },
    { storyId },
  ],
  [archives.claimOldTracks.id]: [...under({ archiveId, archiveIds: [archiveId] }), none],
  [archives.reevaluateGrid.id]: [...under({ archiveId, archiveIds: [archiveId] }), none],
  [archives.showStartPopup.id]: [{ archiveId }, none],
  [archives.updateXp.id]: [
    inBothSpellings({ archiveId, xp: 1, amount: 1 }),
    { archiveId, xp: 1 },
    { archiveId, amount: 1 },
    { xp: 1 },
    { amount: 1 },
  ],
  [archives.updateActiveNode.id]: under({ storyId, nodeId: '{{nodeId}}', activeNode: '{{nodeId}}' }),
  [game.bloodweb.id]: character,
  [game.bulkSpendingBloodweb.id]: [
    inBothSpellings({ characterName, levels: 0 }),
    { characterName, levels: 1 },
    ...character,
  ],
  [game.getOrInitCharacter.id]: character,
  [game.loadout.id]: [
    inBothSpellings({ characterName, loadout: {} }),
    { characterName, loadout: object },
    { characterName, loadout: [] },
    ...character,
  ],
  [game.migrateCharacters.id]: character,
  [game.experiment.id]: [...under({ experiments: [], names: [], platform: 'storefront' }), none],
  [game.updateGifts.id]: [...under({ gifts: [], giftIds: [] }), none],
  [game.reconcileEventCurrencies.id]: [...under({ currencies: [], events: [], amount: 0 }), none],
  [general.checkClientVersion.id]: under({
    clientVersion: version,
    version,
    gameVersion: version,
    build: version,
    platform: 'storefront',
  }),
  [general.purchase.id]: [
    inBothSpellings({ characterName, itemId: characterName, quantity: 1, currency: '{{currency}}' }),
    { characterName },
    { itemId: characterName },
    { quantity: 1 },
    { currency: '{{currency}}' },
    none,
  ],
  [general.redeem.id]: [...under({ redeemableCode: '{{redeemableCode}}', code: '{{redeemableCode}}' }), none],
  [general.milestoneProgress.id]: [...under({ progress: 0, milestones: [], events: [] }), none],
  [extensions.bundles.id]: [...under({ language: 'en', locale: 'en', platform: 'storefront' }), none],
  [extensions.localizedCurrencies.id]: [...under({ language: 'en', locale: 'en', currencies: [] }), none],
  [messages.claim.id]: [...under({ messageId, messageIds: [messageId], ids: [messageId] }), noMessage],
  [messages.markAs.id]: [
    inBothSpellings({ messageId, messageIds: [messageId], flag: 'READ', status: 'READ', state: 'READ' }),
    { messageIds: [messageId], flag: 'READ' },
    { messageIds: [messageId], status: 'READ' },
    { messageIds: [messageId], state: 'READ' },
    { messageIds: [messageId] },
    { messageId, flag: 'READ' },
    { ...noMessage, flag: 'READ', status: 'READ', state: 'READ' },
  ],
  // Batches of logs.
  [logs.analyticsBatch.id]: batch,
  [logs.logsBatch.id]: batch,
  [auth.login.id]: [none],
  // The operation takes bytes, so no JSON body is likely.
  [players.setBinaryState.id]: [],
};

/** The bodies of calls that need nothing but the player. */
const plain: readonly Json[] = [none, { playerId: '{{player.id}}' }];

/**
 * The likely bodies of an operation, the empty object first; none where it takes no body, or bytes. A template with an
 * identifier comes twice: first with identifiers as numbers, which is skipped where they are no numbers. Of all DELETE
 * operations, `messages.clear` alone may need a body; it is tried without one first.
 */
export const guessesFor = once((operation: Operation): readonly Form[] => {
  if (operation === messages.clear) return formsOf([none, { messageIds: ['{{messageId}}'] }]);
  if (operation.method !== 'POST' && operation.method !== 'PUT') return [];
  const own = ofOperation[operation.id] ?? plain;
  return own.length === 0 ? [] : formsOf([{}, ...own].slice(0, mostForms));
});

const formsOf = (templates: readonly Json[]): Form[] =>
  templates.flatMap((template) => {
    const form = formOf(template, 'guess');
    return form.carries.some(isId) ? [{ ...form, idsAsNumbers: true }, form] : [form];
  });
