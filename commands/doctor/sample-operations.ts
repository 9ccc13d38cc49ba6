// Samples the operations of a target with calls that change nothing, and reports which are served.

import { areas, catalog, operationById } from '../../catalog/catalog.ts';
import type { Host, Operation } from '../../catalog/operation.ts';
import { type GivenWords, type Word, wordGiven, words } from '../../catalog/words.ts';
import { createNoise } from '../../engine/compare/noise.ts';
import type { ErrorRepeats } from '../../engine/compare/passing-errors.ts';
import type { Client } from '../../engine/http/client.ts';
import type { Redactor } from '../../engine/http/redact.ts';
import type { InconclusiveReason } from '../../engine/judgement.ts';
import { createBodies } from '../../engine/players/bodies.ts';
import { createPlayers, type Players } from '../../engine/players/players.ts';
import { type Discovery, whyNoSession } from '../../engine/players/sign-in-discovery.ts';
import { putter } from '../../engine/preflight/ask-target.ts';
import { findOpen, inWords, together } from '../../engine/preflight/find-words.ts';
import { createEvidence } from '../../engine/probe/evidence.ts';
import { createDecideRouted, routedFactsOf } from '../../engine/probe/served/decide-routed.ts';
import { type Observation, open, type Routed } from '../../engine/probe/served/routed-table.ts';
import { createSampler } from '../../engine/probe/served/samples.ts';
import { changingIn, meantOperations, silentProfile } from '../../engine/target/profile.ts';
import { takesSession } from '../../engine/target/session-transport.ts';
import type { Target } from '../../engine/target/target.ts';
import { createLock } from '../../engine/values/lock.ts';
import { ownMember } from '../../engine/values/members.ts';
import { randomFrom } from '../../engine/values/random.ts';
import { sideBySide } from '../../engine/values/side-by-side.ts';
import { is2xx } from '../../engine/values/status.ts';
import { createObservation, isHarmless, type Reading, type Sampled } from './observe-operation.ts';

const { auth, clientData, extensions, features, game, general, logs, me } = areas;
const { messages, mysteryBox, onboarding, players, utils } = areas;

/** Operations that change nothing and whose resource cannot be absent, from most areas and for every neutral word. */
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

interface SampleOrder {
  /** Every operation, in the order in which they are sampled while there is time. */
  readonly order: readonly Operation[];
  /** Ids of the operations drawn by seed: those that were reached are a fair sample. */
  readonly drawn: ReadonlySet<string>;
}

/** Operations of these hosts that the profile does not leave out: alternately a chosen one and one drawn by seed. */
function sampleOrder(hosts: readonly Host[], target: Pick<Target, 'profile' | 'seed'>): SampleOrder {
  const meant = meantOperations(target).filter(({ host }) => hosts.includes(host));
  const random = randomFrom(target.seed, 'doctor');
  const telling = sorted(
    hosts.flatMap((host) =>
      named[host].map((operation, nth) => ({ operation, at: (nth + 0.5) / named[host].length })),
    ),
  ).filter((operation) => meant.includes(operation));
  const others = sorted(
    meant
      .filter((operation) => !telling.includes(operation))
      .map((operation) => ({ operation, at: random() })),
  );
  const pairs = Array.from({ length: Math.max(telling.length, others.length) }, (_, nth) => [
    ...telling.slice(nth, nth + 1),
    ...others.slice(nth, nth + 1),
  ]);
  return { order: pairs.flat(), drawn: new Set(others.map(({ id }) => id)) };
}

const sorted = (placed: { readonly operation: Operation; readonly at: number }[]) =>
  placed.sort((a, b) => a.at - b.at).map(({ operation }) => operation);

// Sampling: how many operations run side by side, and when to stop.
interface Pace {
  /** Operations that are sampled side by side. */
  readonly concurrency: number;
  /** Returns whether this operation may be begun. */
  readonly mayBegin: (operation: Operation) => boolean;
}

/** Samples as many operations as may be begun, in their order. */
async function sample<T>(
  operations: readonly Operation[],
  observe: (operation: Operation) => Promise<T>,
  { concurrency, mayBegin }: Pace,
): Promise<T[]> {
  const seen: T[] = [];
  await sideBySide(operations, concurrency, async (operation) => {
    if (mayBegin(operation)) seen.push(await observe(operation));
  });
  return seen;
}

interface SampleOptions {
  /** With what preflight found. */
  readonly target: Target;
  readonly client: Client;
  readonly redactor: Redactor;
  readonly discovery: Discovery | undefined;
  /** Hosts that answer. */
  readonly hosts: readonly Host[];
  readonly concurrency: number;
  /** Returns whether another operation may be begun, a chosen or a drawn one. */
  readonly mayBegin: (isDrawn: boolean) => boolean;
  /** Counts, by host, the server errors that do not come again when a call is repeated. */
  readonly repeats?: ErrorRepeats;
}

/** Wraps the client: after `close` it sends nothing more, so that what was seen until then decides. */
function closing(client: Client): { readonly client: Client; readonly close: () => void } {
  let isClosed = false;
  const send: Client['send'] = async (request, options) => {
    if (!isClosed) return client.send(request, options);
    const error = { kind: 'budget', message: 'doctor asks no more', reusedConnection: false } as const;
    return { request, error, startedAt: Date.now(), durationMs: 0, attempts: 0, waits: 0 };
  };
  return {
    client: { ...client, send },
    close: () => {
      isClosed = true;
    },
  };
}

interface SampledOperations {
  readonly sampled: readonly Sampled[];
  /** Ids of operations that were drawn by seed, in contrast to those that are always looked at. */
  readonly drawn: ReadonlySet<string>;
}

/** Never rejects. */
export async function sampleOperations(options: SampleOptions): Promise<SampledOperations> {
  const { target, redactor, discovery, hosts, concurrency, mayBegin } = options;
  const isFound = discovery?.kind === 'found';
  const { client, close } = closing(options.client);
  const players = isFound ? withoutRoom(createPlayers({ client, target, discovery, redactor })) : undefined;
  const changing = changingIn(target.profile ?? silentProfile);
  const isRead = ({ id, effect }: Operation) => effect === 'read' && !changing.has(id);
  const noise = createNoise(options.repeats);
  const { ask, control } = createEvidence({
    client,
    target,
    players,
    breakers: new Map(),
    bodies: createBodies(target),
    matchmaking: createLock(),
    noise,
    withheld: (operation, put) =>
      isRead(operation) || isHarmless(operation, put) ? undefined : 'it may change the target',
  });
  const noSession = () => whyNoSession(discovery);
  const asked = { ask, control, unrouted: noise.unrouted, noSession, words: target.profile };
  const refusesNobody = isFound && [401, 403].includes(discovery.evidence.without);
  const observe = createObservation({
    ask,
    control,
    isRead,
    refusesNobody,
    alone: createSampler(asked, decidedLater),
    takesSession: (host) => takesSession(target, host),
  });
  const { order, drawn } = sampleOrder(hosts, target);
  // The sign-in has called the login already.
  const signedInBy = loginSeen(discovery).filter(({ operation }) => order.includes(operation));
  const others = order.filter((operation) => signedInBy.every((known) => known.operation !== operation));
  const pace: Pace = { concurrency, mayBegin: ({ id }) => mayBegin(drawn.has(id)) };
  const first = hosts.flatMap((host) =>
    others.filter((operation) => operation.host === host).slice(0, firstSamples),
  );
  const seenFirst = await sample(first, observe, pace);
  const isOver = new Set(hosts.filter((host) => saysNoMore(seenFirst, signedInBy, host)));
  const rest = others.filter((operation) => !first.includes(operation) && !isOver.has(operation.host));
  const readings = [...signedInBy, ...seenFirst, ...(await sample(rest, observe, pace))];
  close();
  const known = new Map(
    readings.flatMap(({ operation, alone }) => ('served' in alone ? [[operation.id, alone]] : [])),
  );
  const routed = createDecideRouted({
    ...asked,
    ...routedFactsOf(target),
    answers: (host) => hosts.includes(host),
    known: ({ id }) => known.get(id),
  });
  // The login was not drawn by seed, so it is no sample of the other operations.
  const byChance = drawn.difference(new Set(signedInBy.map(({ operation }) => operation.id)));
  const found = readings.map(async (each) => sampled(each, await routed(each.operation)));
  return { sampled: await Promise.all(found), drawn: byChance };
}

/** How many operations of each host are sampled before the others. */
const firstSamples = 20;

/**
 * Whether further operations of a host would show nothing new: each of the first ones is answered like a path that
 * cannot exist, and either nobody could sign in, or all have one and the same status other than 404.
 */
function saysNoMore(readings: readonly Reading[], signedInBy: readonly Reading[], host: Host): boolean {
  const seen = readings.filter(({ operation }) => operation.host === host);
  const isShown = (reading: Reading) => {
    const { alone } = reading;
    if ('served' in alone) return alone.served === true;
    return standsOut(reading) || !isLikeUnrouted(alone);
  };
  if (seen.length < firstSamples || seen.some(isShown)) return false;
  const hasLogin = signedInBy.some(
    ({ operation, alone }) => operation.host === host && 'served' in alone && alone.served,
  );
  const statuses = new Set(seen.flatMap(({ status }) => (status > 0 ? [status] : [])));
  return !hasLogin || (statuses.size === 1 && !statuses.has(404));
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
export async function withWordInLogPaths(
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
    (operation, ask, words) => put(operation, { ...ask, body: null }, words),
    logsAlone,
    game,
    true,
  );
  return { ...inWords(target, together({ wordsAt })), ...keeping(target) };
}

// Decides from all samples what a run would report of each operation, and whether the neutral words fit.

/**
 * Decides about missing operations that name a resource or a state. They are not served where nothing of their area is,
 * with an operation in it that needs no resource; otherwise the resource may be unknown, and a run leaves it open.
 */
export function inDeadAreas(sampled: readonly Sampled[]): Sampled[] {
  const samples = sampled.map((observation) => ({ observation, ...aboutOf(observation) }));
  const byArea = Map.groupBy(samples, ({ area }) => area);
  const byHost = Map.groupBy(samples, ({ observation }) => observation.host);
  return samples.map(({ observation, area, mayBeAbsent }) => {
    const { reason, ...rest } = observation;
    const isMissing = observation.seen === 'unrouted' && reason === undefined;
    if (!mayBeAbsent || !(isMissing || reason === 'unknown-resource')) return observation;
    const isDeadBy = (neighbours: readonly (typeof samples)[number][] = []) =>
      neighbours.every((other) => other.observation.seen !== 'served') &&
      neighbours.some((other) => !other.mayBeAbsent && other.observation.seen === 'unrouted');
    // Not every area is sampled on a host that serves nothing, so the whole host may decide.
    const isDead =
      isDeadBy(byArea.get(area)) ||
      (hasPlainOperation(observation) && isDeadBy(byHost.get(observation.host)));
    return isDead ? { ...rest, seen: 'unrouted' } : { ...rest, reason: 'unknown-resource' };
  });
}

/** Whether its area has an operation that cannot be absent: a run needs one to find out that an area is not served. */
export const hasPlainOperation = ({ id, host }: Pick<Sampled, 'id' | 'host'>) =>
  catalog.some(
    (operation) =>
      operation.host === host && operation.area === operationById(id)?.area && operation.mayBe404 === 'never',
  );

function aboutOf({ id, host }: Sampled) {
  const operation = operationById(id);
  return {
    area: `${host} ${operation?.area}`,
    mayBeAbsent: operation !== undefined && operation.mayBe404 !== 'never',
  };
}

/** The sample of an operation, with the verdict that a run would reach. */
function sampled({ operation: { id, host }, status }: Reading, found: Routed): Sampled {
  const as = (seen: Sampled['seen'], reason?: InconclusiveReason): Sampled => {
    return { id, host, status, seen, ...(reason && { reason }) };
  };
  if (found.served !== undefined) return as(found.served ? 'served' : 'unrouted');
  const { reason } = found;
  if (unasked.has(reason)) return as('untold');
  if (silences.has(reason)) return as('silent');
  // It is missing, though perhaps only under this word.
  if (reason === 'word-unknown') return as('unrouted', reason);
  return as(reason === 'redirected' ? 'redirected' : 'open', reason);
}

const silences: ReadonlySet<InconclusiveReason> = new Set([
  'rate-limited',
  'timeout',
  'reset',
  'unreachable',
]);
/** Reasons that mean the operation was not asked. */
const unasked: ReadonlySet<InconclusiveReason> = new Set(['budget', 'interrupted', 'prerequisite-failed']);

/** Returns whether the operation succeeded, unlike the unrouted paths. */
const standsOut = ({ alone, status }: Reading) => !('served' in alone) && is2xx(status) && isUnlike(alone);
const isUnlike = ({ differs }: Omit<Observation, 'areaIsDead'>) =>
  differs.sibling && differs.tail && differs.root && differs.name !== false;
const isLikeUnrouted = ({ differs }: Omit<Observation, 'areaIsDead'>) =>
  !(differs.sibling && differs.tail && differs.root);

// Whether the neutral words fit: operations that hold one are compared with operations of the same host that hold none.

/** `unknown`: operations with the word are unrouted while their neighbours are served. `untold`: neither is known. */
type Fit = 'fits' | 'unknown' | 'untold';

interface WordFit {
  readonly word: Word;
  readonly fit: Fit;
  /** The word that the profile gives in its place. */
  readonly given?: string;
}

/** Plain data: every neutral word, and operations that may hold it in another spelling than the document's. */
export interface Words {
  readonly fits: readonly WordFit[];
  /** Operations that are unrouted while their neighbours are served, where the document leaves open what is meant. */
  readonly open: readonly string[];
}

/** @param given words that the profile states */
export function wordsOf(sampled: readonly Sampled[], given: GivenWords = { words: {}, wordsAt: {} }): Words {
  const samples = sampled.map((each) => ({
    ...each,
    operation: operationById(each.id) as Operation,
  }));
  type Sample = (typeof samples)[number];
  const anyServed = (some: readonly Sample[]) => some.some(({ seen }) => seen === 'served');
  const neighbours = ({ host }: Sample) =>
    samples.filter((sample) => sample.host === host && sample.operation.words.length === 0);

  const fitOf = (word: Word): Fit => {
    const holders = samples.filter(({ operation }) =>
      operation.words.some((mark) => mark.word === word && !mark.open),
    );
    if (anyServed(holders)) return 'fits';
    const missing = holders.some((sample) => sample.seen === 'unrouted' && anyServed(neighbours(sample)));
    return missing ? 'unknown' : 'untold';
  };

  return {
    fits: words.map((word) => {
      const own = ownMember<string>(given.words, word);
      return { word, fit: fitOf(word), ...(own !== undefined && { given: own }) };
    }),
    open: samples
      .filter((sample) => sample.seen === 'unrouted' && anyServed(neighbours(sample)))
      .filter(({ operation }) =>
        operation.words.some((mark) => mark.open && wordGiven(operation.id, mark, given) === undefined),
      )
      .map(({ id }) => id),
  };
}

/** The reading of the login, which the sign-in has called; empty where it shows nothing. */
function loginSeen(discovery: Discovery | undefined): Reading[] {
  if (discovery === undefined || discovery.kind === 'no-token' || discovery.kind === 'unreachable') return [];
  const likeUnrouted =
    discovery.kind === 'unrouted' || (discovery.kind === 'refused' && discovery.likeUnrouted);
  const status = 'status' in discovery ? discovery.status : 200;
  if (status === 429) return [];
  const why = `${status}, as paths that do not exist are answered`;
  const unshown: Routed = [401, 403].includes(status)
    ? open('auth-wall', why)
    : status === 404
      ? { served: false, kind: 'unrouted', why }
      : open('catch-all', why);
  const alone: Routed = likeUnrouted ? unshown : { served: true, why: `${status}` };
  return [{ operation: areas.auth.login, status, alone }];
}
