// Lists the operations that are about the caller.
import { areas } from './catalog.ts';
import type { Operation } from './operation.ts';

/** Operations about the caller alone: one that names the same player to every caller shows somebody else's data. */
export const aboutCaller: ReadonlySet<Operation> = new Set<Operation>([
  ...Object.values(areas.archives),
  ...Object.values(areas.game),
  ...Object.values(areas.me),
  ...Object.values(areas.onboarding),
  areas.extensions.playerLevel,
  areas.general.currencies,
  areas.general.currencyExpiry,
  areas.general.inventories,
  areas.general.entitlements,
  areas.playerName.get,
  areas.players.banStatus,
  areas.players.decayPenaltyPoints,
  areas.queue.issueToken,
  ...Object.values(areas.ranks),
]);

/** Further operations that show the caller's own data, beside data that others may see. */
const alsoOwn: readonly Operation[] = [
  areas.extensions.localizedCurrencies,
  areas.general.consent,
  areas.general.realTimeUrl,
  areas.messages.list,
  areas.mysteryBox.status,
  areas.party.details,
  areas.players.challengeUIData,
  areas.players.newLoresUIData,
  areas.players.seenNewsArticles,
  areas.players.seenStoreItems,
  areas.players.fullProfile,
  areas.players.blocked,
  areas.players.recentlyPlayed,
];

/** Operations whose answers anybody may see: those about the whole community, and a player's name. */
const publicReads: ReadonlySet<Operation> = new Set<Operation>([
  areas.archives.communityNodes,
  areas.game.communityQuests,
  areas.game.shrine,
  areas.playerName.get,
]);

/** Calls that return the caller's own data: the reads without a parameter, and those of `alsoOwn`. */
export const ownReads: readonly Operation[] = [
  ...[...aboutCaller].filter(
    (operation) =>
      operation.effect === 'read' &&
      !publicReads.has(operation) &&
      Object.keys(operation.query).length === 0 &&
      !operation.path.includes('{'),
  ),
  ...alsoOwn,
];

/**
 * Further operations whose answer may be the same for an anonymous caller: a story and its tiers, offers and bonuses of
 * the day, a variant drawn at random, the terms that are accepted before the login, an address, where a caller seems to
 * be. A logout may succeed without a session.
 */
const ofUseToAnybody: ReadonlySet<Operation> = new Set<Operation>([
  ...publicReads,
  areas.archives.journal,
  areas.archives.rawTier,
  areas.archives.story,
  areas.extensions.localizedCurrencies,
  areas.game.experiment,
  areas.game.matchBonus,
  areas.general.consent,
  areas.general.realTimeUrl,
  areas.me.location,
  areas.me.logout,
  areas.onboarding.currentMode,
]);

/** Operations that mean nothing without a player: reads and writes of the caller's own data. */
export const needsPlayer: ReadonlySet<Operation> = new Set(
  [...aboutCaller, ...alsoOwn].filter((operation) => !ofUseToAnybody.has(operation)),
);
