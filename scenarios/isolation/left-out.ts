// Lists the operations that are not attacked in another player's name, each with the reason.
import { areas } from '../../catalog/catalog.ts';
import { ofOthers } from '../../catalog/clauses/clause.ts';
import { effects } from '../../catalog/clauses/flows.ts';
import type { Operation } from '../../catalog/operation.ts';
import type { Flow } from '../../engine/flow/flow.ts';

const { archives, auth, extensions, features, game, general, match, me } = areas;
const { messages, party, playerName, players, queue, ranks, utils } = areas;

/** The operations of the main API that no step of `isolation` attacks, by the reason. */
export const reasonsLeftOut: readonly (readonly [why: string, operations: readonly Operation[]])[] = [
  [
    'they answer everybody alike, or are meant to be found by others',
    [
      auth.publicKey,
      ...Object.values(features),
      ...Object.values(utils),
      general.checkClientVersion,
      general.config,
      general.displayRankOnTally,
      general.healthcheck,
      general.matchIncentives,
      general.version,
      extensions.bundles,
      extensions.catalogItems,
      extensions.creators,
      extensions.news,
      extensions.recommendations,
      extensions.specialPacks,
      archives.communityNodes,
      game.communityQuests,
      game.shrine,
      playerName.search,
    ],
  ],
  [
    'they say yes or no, or where to go, and nothing that could be told from a guess',
    [general.inSamplingPool, general.marketingRedirect, extensions.creatorCode, extensions.needMigration],
  ],
  [
    'another read shows the same, and is attacked',
    [archives.journal, archives.story, messages.listFiltered, messages.listInbox, messages.listLimited],
  ],
  ['it says what the caller and another player are to one another', [players.friendInfo]],
  ['they begin or end a session: the flow login judges whose', [auth.login, me.logout]],
  [
    'they make something new for whoever calls, or only ask for something',
    [match.create, party.create, party.join],
  ],
  ['no answer says which page or node they may name', [archives.readPage, archives.updateActiveNode]],
  [
    'no read is known to show what they do',
    [
      game.reconcileChallenges,
      game.bloodweb,
      game.getOrInitCharacter,
      game.migrateCharacters,
      game.rituals,
      game.experiment,
      game.updateGifts,
      game.reconcileEventCurrencies,
      general.entitlements,
      general.milestoneProgress,
      players.decayPenaltyPoints,
      players.syncFriends,
      queue.enter,
      queue.cancel,
      queue.issueToken,
      ranks.resetAndGetPips,
    ],
  ],
];

export function leftOut(flow: Flow): void {
  const { step } = flow.scenario();
  step(
    'left-out',
    reasonsLeftOut.flatMap(([, operations]) => operations) as [Operation, ...Operation[]],
    ofOthers(effects.isolation.shown, 'on request'),
    'what is not attacked in the name of another player, and why',
    async (context) =>
      context.notTriggered(
        reasonsLeftOut
          .map(([why, operations]) => `${why}: ${operations.map(({ id }) => id).join(', ')}`)
          .join('; '),
      ),
  );
}
