// Samples the operations of a target with calls that change nothing, and reports which are served.
import { areas, catalog } from '../../catalog/catalog.ts';
import type { Host, Operation } from '../../catalog/operation.ts';
import type { Client } from '../../engine/http/client.ts';
import type { Redactor } from '../../engine/http/redact.ts';
import { createGate } from '../../engine/players/account.ts';
import { createBodies } from '../../engine/players/bodies.ts';
import { createPlayers, type Players } from '../../engine/players/players.ts';
import { type Discovery, whyNoSession } from '../../engine/players/session-discovery.ts';
import { putter } from '../../engine/preflight/ask-target.ts';
import { findOpen, inWords, together } from '../../engine/preflight/words.ts';
import { createEvidence } from '../../engine/probe/evidence.ts';
import { createSampler } from '../../engine/probe/served/samples.ts';
import { changingIn, silentProfile } from '../../engine/target/profile.ts';
import { takesSession } from '../../engine/target/session-transport.ts';
import type { Target } from '../../engine/target/target.ts';
import { randomFrom } from '../../engine/values/random.ts';
import { createObservation, isHarmless, type Sighted } from './sighting.ts';
import { loginSighted, verdicts } from './verdicts.ts';

const { auth, clientData, extensions, features, game, general, logs, me } = areas;
const { messages, mysteryBox, onboarding, players, utils } = areas;

/** Operations that change nothing and name no resource that could be absent: most areas and every neutral word have one. */
const named: Readonly<Record<Host, readonly Operation[]>> = {
  base: [
    ...[general.healthcheck, general.config, general.currencies, general.inventories, me.location],
    ...[messages.list, onboarding.get, players.blocked, utils.contentVersion, features.archives],
    ...[auth.publicKey, mysteryBox.status, extensions.news, extensions.creators],
    ...[game.challenges, game.shrine, game.playerCard],
  ],
  cdn: [
    ...[clientData.catalog, clientData.contentMetadata, clientData.coreRituals, clientData.prestige],
    ...[clientData.gameConfigs, clientData.gameplayTunables, clientData.eula, clientData.eulaConsoleNA],
  ],
  gamelogs: [logs.logsBatch, logs.analyticsBatch],
};

/** Operations of the catalog that the profile does not leave out. */
export function meantRows({ profile }: Pick<Target, 'profile'>): Operation[] {
  return catalog.filter(({ id }) => !profile?.omitted.has(id));
}

interface Rows {
  /** Every operation, in the order in which they are sampled while there is time. */
  readonly order: readonly Operation[];
  /** Ids of the operations drawn by seed: those that were reached are a fair sample. */
  readonly drawn: ReadonlySet<string>;
}

/** Operations of these hosts that the profile does not leave out: alternately a chosen one and one drawn by seed. */
function rowsOf(hosts: readonly Host[], target: Pick<Target, 'profile' | 'seed'>): Rows {
  const meant = meantRows(target).filter(({ host }) => hosts.includes(host));
  const random = randomFrom(target.seed, 'doctor');
  const telling = sorted(
    hosts.flatMap((host) => named[host].map((row, nth) => ({ row, at: (nth + 0.5) / named[host].length }))),
  ).filter((row) => meant.includes(row));
  const others = sorted(meant.filter((row) => !telling.includes(row)).map((row) => ({ row, at: random() })));
  const pairs = Array.from({ length: Math.max(telling.length, others.length) }, (_, nth) => [
    ...telling.slice(nth, nth + 1),
    ...others.slice(nth, nth + 1),
  ]);
  return { order: pairs.flat(), drawn: new Set(others.map(({ id }) => id)) };
}

const sorted = (rows: { readonly row: Operation; readonly at: number }[]) =>
  rows.sort((a, b) => a.at - b.at).map(({ row }) => row);

// Sampling: how many operations run side by side, and when to stop.
interface Pace {
  /** Operations that are sampled side by side. */
  readonly concurrency: number;
  /** Returns whether this operation may be begun. */
  readonly mayBegin: (row: Operation) => boolean;
}

/** Samples as many operations as may be begun, in their order. */
async function sample<T>(
  rows: readonly Operation[],
  look: (row: Operation) => Promise<T>,
  { concurrency, mayBegin }: Pace,
): Promise<T[]> {
  const seen: T[] = [];
  const remainingRows = rows.values();
  const lookOn = async () => {
    for (const row of remainingRows) if (mayBegin(row)) seen.push(await look(row));
  };
  await Promise.all(Array.from({ length: concurrency }, lookOn));
  return seen;
}

interface LookOptions {
  /** With what preflight found. */
  readonly target: Target;
  readonly client: Client;
  readonly redactor: Redactor;
  readonly discovery: Discovery | undefined;
  /** Hosts that answer. */
  readonly hosts: readonly Host[];
  readonly concurrency: number;
  /** Client data was found, or its folder and version were given. */
  readonly hasSegments: boolean;
  /** Returns whether another operation may be begun, a chosen or a drawn one. */
  readonly mayBegin: (isDrawn: boolean) => boolean;
}

interface SeenRows {
  readonly sighted: readonly Sighted[];
  /** Ids of operations that were drawn by seed, in contrast to those that are always looked at. */
  readonly drawn: ReadonlySet<string>;
}

/** Never rejects. */
export async function lookAtRows(options: LookOptions): Promise<SeenRows> {
  const { target, client, redactor, discovery, hosts, concurrency, hasSegments, mayBegin } = options;
  const isFound = discovery?.kind === 'found';
  const players = isFound ? withoutRoom(createPlayers({ client, target, discovery, redactor })) : undefined;
  const changing = changingIn(target.profile ?? silentProfile);
  const isRead = ({ id, effect }: Operation) => effect === 'read' && !changing.has(id);
  const { ask, control } = createEvidence({
    client,
    target,
    players,
    breakers: new Map(),
    bodies: createBodies(target),
    matchmaking: createGate(),
    withheld: (row, put) => (isRead(row) || isHarmless(row, put) ? undefined : 'it may change the target'),
  });
  const noSession = () => whyNoSession(discovery);
  const alone = createSampler({ ask, control, noSession, words: target.profile }, decidedLater);
  const refusesNobody = isFound && [401, 403].includes(discovery.evidence.without);
  const look = createObservation({
    ...{ ask, control, alone, isRead, refusesNobody },
    takesSession: (host) => takesSession(target, host),
  });
  const { order, drawn } = rowsOf(hosts, target);
  // The sign-in has called the login already.
  const signedInBy = loginSighted(discovery).filter(({ id }) => order.some((row) => row.id === id));
  const others = order.filter(({ id }) => signedInBy.every((known) => known.id !== id));
  const looks = await sample(others, look, {
    concurrency,
    mayBegin: ({ id }) => mayBegin(drawn.has(id)),
  });
  const facts = { signedInBy, isSignedIn: isFound, hasSegments };
  // The login was not drawn by seed, so it says nothing of the other operations.
  const byChance = drawn.difference(new Set(signedInBy.map(({ id }) => id)));
  return { sighted: [...signedInBy, ...verdicts(looks, facts)], drawn: byChance };
}

/** Gives no operation its own player: reads need none, and each player would be a sign-in. */
const withoutRoom = (players: Players): Players => ({
  ...players,
  hasRoom: async () => false,
  ownOf: async () => false,
});

/** Conclusions that need many operations are drawn once all were sampled. */
const decidedLater = { proven: async () => false, steady: async () => true };

// Logging paths may hold the target's own word for the game. A run finds that out by sending logs; doctor sends nothing
// that could be logged.
const keeping = ({ likelyWords }: Target) => (likelyWords ? { likelyWords } : {});

/** The target, with its own word where its logging paths hold it. Never rejects. */
export async function spellLogs(
  client: Client,
  target: Target,
  discovery: Discovery | undefined,
  reachable: readonly Host[],
): Promise<Target> {
  const game = target.profile?.words.game;
  if (game === undefined || game === 'game' || !reachable.includes('gamelogs')) return target;
  const put = putter(client, target, discovery);
  const { gamelogs } = target.hosts;
  const logsAlone = { ...target, hosts: { ...(gamelogs !== undefined && { gamelogs }) } };
  const wordsAt = await findOpen(
    (row, ask, words) => put(row, { ...ask, body: null }, words),
    logsAlone,
    game,
    true,
  );
  return { ...inWords(target, together({ wordsAt })), ...keeping(target) };
}
