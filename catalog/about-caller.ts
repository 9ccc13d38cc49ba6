// Lists the operations that are about the caller.
import { areas } from './catalog.ts';
import type { Operation } from './operation.ts';

/** What concerns the signed-in player alone: where it names one player to all, that is no featured player. */
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
  ...Object.values(areas.ranks),
]);

/** What shows the caller more of their own, beside what others may see as well. */
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

/** What the whole community sees, and a name, which is meant to be known. */
const known: ReadonlySet<Operation> = new Set<Operation>([
  areas.archives.communityNodes,
  areas.game.communityQuests,
  areas.game.shrine,
  areas.playerName.get,
]);

/** Reads that name nobody and show the caller what is theirs. */
export const ownReads: readonly Operation[] = [
  ...[...aboutCaller].filter(
    (operation) =>
      operation.effect === 'read' &&
      !known.has(operation) &&
      Object.keys(operation.query).length === 0 &&
      !operation.path.includes('{'),
  ),
  ...alsoOwn,
];
