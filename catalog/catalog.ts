// The whole interface: every documented operation, in the document's order. Each file in `areas` holds the operations
// of one heading, as path, query, and notes on what differs from the defaults: see `entry` and `area` in operation.ts.
import { archives } from './areas/archives.ts';
import { auth } from './areas/authentication.ts';
import { clientData } from './areas/client-data.ts';
import { extensions } from './areas/extensions.ts';
import { features } from './areas/features.ts';
import { game } from './areas/game-elements.ts';
import { general } from './areas/general.ts';
import { logs } from './areas/logs.ts';
import { match } from './areas/match.ts';
import { me } from './areas/me.ts';
import { messages } from './areas/messages.ts';
import { mysteryBox } from './areas/mystery-box.ts';
import { onboarding } from './areas/onboarding.ts';
import { party } from './areas/party.ts';
import { playerName } from './areas/player-name.ts';
import { players } from './areas/players.ts';
import { queue, ranks, utils } from './areas/queue-ranks-utils.ts';
import type { Operation } from './operation.ts';

export const areas = {
  archives,
  auth,
  game,
  extensions,
  features,
  general,
  match,
  me,
  messages,
  mysteryBox,
  onboarding,
  party,
  playerName,
  players,
  queue,
  ranks,
  utils,
  logs,
  clientData,
} as const;

export const catalog: readonly Operation[] = Object.values(areas).flatMap((area) =>
  Object.values<Operation>(area),
);

const byId = new Map(catalog.map((operation) => [operation.id, operation]));

/** The operation with this id; undefined where there is none. */
export function operationById(id: string): Operation | undefined {
  return byId.get(id);
}

const publicIds: ReadonlySet<string> = new Set([
  areas.auth.login.id,
  areas.auth.publicKey.id,
  areas.general.healthcheck.id,
]);

/** Returns whether an operation of the main API needs no session. */
export const isPublic = ({ id }: Operation): boolean => publicIds.has(id);
