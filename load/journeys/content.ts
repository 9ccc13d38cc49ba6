import { areas } from '../../fixtures/catalog/catalog.ts';
import { type Journey, stop } from './journey.ts';

const { clientData, extensions, general, players } = areas;

export const cdn: Journey = {
  name: 'cdn',
  about: 'a client looks whether its client data is still the latest; one in ten has none yet',
  cast: 1,
  stops: [
    clientData.contentMetadata,
    clientData.catalog,
    clientData.gameConfigs,
    clientData.gameplayTunables,
    clientData.contentSchedule,
    clientData.sharedConfigs,
    clientData.itemsKillswitch,
    clientData.specialEventsContent,
  ].map((operation) => stop(operation, { validators: true, optional: true })),
};

export const friends: Journey = {
  name: 'friends',
  about: 'a player looks at friends, adds one, looks closer, and removes the one again',
  cast: 2,
  stops: [
    stop(players.friends, { optional: true }),
    stop(players.addFriend, { says: ['other.id'], enters: true }),
    stop(players.friendInfo, { other: 1, optional: true }),
    stop(general.richPresence, { optional: true }),
    stop(players.blocked, { optional: true }),
    stop(players.removeFriend, { says: ['other.id'], leaves: true }),
  ],
};

export const store: Journey = {
  name: 'store',
  about: 'a player looks through the store and into the wallet',
  cast: 1,
  stops: [
    extensions.catalogItems,
    extensions.bundles,
    extensions.specialPacks,
    extensions.recommendations,
    general.currencies,
    extensions.localizedCurrencies,
    general.inventories,
  ].map((operation) => stop(operation, { optional: true })),
};
