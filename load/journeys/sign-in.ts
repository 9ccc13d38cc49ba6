import { areas } from '../../fixtures/catalog/catalog.ts';
import { type Journey, stop } from './journey.ts';

const { auth, extensions, game, general, me, messages, onboarding, players, utils } = areas;

export const login: Journey = {
  name: 'login',
  about: 'a player signs in',
  cast: 1,
  stops: [stop(auth.login)],
};

const optional = { optional: true } as const;

export const session: Journey = {
  name: 'session',
  about: 'what a client does at its start: signs in, and reads what the first screen shows',
  cast: 1,
  stops: [
    stop(auth.login),
    ...[
      general.checkClientVersion,
      utils.contentVersion,
      general.config,
      me.location,
      general.consent,
      general.inventories,
      general.currencies,
      game.allCharacters,
      onboarding.get,
      messages.list,
      extensions.news,
      players.banStatus,
      general.realTimeUrl,
    ].map((operation) => stop(operation, optional)),
  ],
};
