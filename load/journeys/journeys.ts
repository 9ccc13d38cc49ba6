// Defines the journeys and their mix as data, and finds a journey by its name or by an operation's id.
import { areas, catalog, operationById } from '../../catalog/catalog.ts';
import type { Operation } from '../../catalog/operation.ts';
import type { LogKind } from '../../engine/players/log-batch.ts';
import { ConfigurationError } from '../../engine/values/configuration-error.ts';
import { didYouMean, quoted } from '../../engine/values/text.ts';
import { typedWith } from '../../engine/values/typed-command.ts';
import type { Call } from '../k6/plan.ts';

/** One call of a journey. */
export interface JourneyStop
  extends Pick<Call, 'operation' | 'meets' | 'waits' | 'enters' | 'leaves' | 'when' | 'unless'> {
  /** The actor who calls, counted from 0. Default: 0. */
  readonly as?: number;
  /** The actor whom the call is about, where it is about another player. Default: the next one. */
  readonly other?: number;
  /** Identifiers that the answer has to hold for later calls, each with the names to look for, the likeliest first. */
  readonly gives?: Readonly<Record<string, readonly string[]>>;
  /** Identifiers that the answer need not hold, such as that of a match once one is found. Names as in `gives`. */
  readonly mayGive?: Readonly<Record<string, readonly string[]>>;
  /** Placeholders that a candidate body has to hold to do anything, such as `other.id` in an invitation. */
  readonly says?: readonly string[];
  /** The body is a batch of log records of this kind; each iteration sends a different one. */
  readonly batch?: LogKind;
  /** Sends the validators of the cached answer (such as its ETag), as a client with a cache does. */
  readonly validators?: true;
  /** Repeated for (or by) every actor but the first: all at once if the call enters something, else in turn. */
  readonly each?: true;
  /** Optional: where a target does not serve it, the journey leaves it out. */
  readonly optional?: true;
  /** Values that the journey chooses for parameters and placeholders. */
  readonly fixed?: Readonly<Record<string, string>>;
}

/** What has to hold once the effects of a journey have settled, whatever the load was. */
export type Rule =
  /** A player reads the last write that was acknowledged. */
  | { readonly kind: 'last-write'; readonly write: Operation; readonly read: Operation }
  /** Each acknowledged call takes effect once: its player gets the items once, and pays once. */
  | { readonly kind: 'once'; readonly call: Operation }
  /** Of several players who ask for the same thing, one gets it. */
  | { readonly kind: 'one-holder'; readonly write: Operation; readonly read: Operation }
  /** No player is in two matches, and every player who is in one learns it. */
  | { readonly kind: 'one-match'; readonly call: Operation; readonly view: Operation }
  /** A party holds exactly the players whom it admitted, and no more than it admits one after another. */
  | { readonly kind: 'one-party'; readonly call: Operation; readonly view: Operation }
  /** Every record of an acknowledged batch is stored once, as LOGS_SINK_COMMAND shows. */
  | { readonly kind: 'stored-once'; readonly call: Operation };

/** A rule, and the journey that declares it. */
export interface DeclaredRule {
  readonly journey: string;
  readonly rule: Rule;
}

/** Calls in the order in which a client makes them, each by one of a group of actors. */
export interface Journey {
  readonly name: string;
  /** How many players play it together. */
  readonly actors: number;
  readonly stops: readonly JourneyStop[];
  /** The rules that the run checks once the target has settled. */
  readonly conserves?: readonly Rule[];
}

/** Journeys that are played side by side; each has its share of the visits. */
export interface Mix {
  readonly name: string;
  readonly shares: readonly (readonly [journey: Journey, weight: number])[];
}

const stop = (operation: Operation, rest: Omit<JourneyStop, 'operation'> = {}): JourneyStop => ({
  operation,
  ...rest,
});

const logs: Journey = {
  name: 'logs',
  actors: 1,
  stops: [stop(areas.logs.logsBatch, { batch: 'log' })],
  conserves: [{ kind: 'stored-once', call: areas.logs.logsBatch }],
};

const analytics: Journey = {
  name: 'analytics',
  actors: 1,
  stops: [stop(areas.logs.analyticsBatch, { batch: 'analytics' })],
  conserves: [{ kind: 'stored-once', call: areas.logs.analyticsBatch }],
};

const { clientData, extensions, general, players, auth, game, me, messages, onboarding, utils } = areas;

const cdn: Journey = {
  name: 'cdn',
  actors: 1,
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

const friends: Journey = {
  name: 'friends',
  actors: 2,
  stops: [
    stop(players.friends, { optional: true }),
    stop(players.addFriend, { says: ['other.id'], enters: true }),
    stop(players.friendInfo, { other: 1, optional: true }),
    stop(general.richPresence, { optional: true }),
    stop(players.blocked, { optional: true }),
    stop(players.removeFriend, { says: ['other.id'], leaves: true }),
  ],
};

const store: Journey = {
  name: 'store',
  actors: 1,
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

const purchases: Journey = {
  name: 'purchases',
  actors: 1,
  stops: [
    stop(general.currencies, { optional: true }),
    stop(general.purchase),
    stop(general.inventories, { optional: true }),
  ],
  conserves: [{ kind: 'once', call: general.purchase }],
};

const stateName = 'SeenNewsArticles';

const states: Journey = {
  name: 'states',
  actors: 1,
  stops: [stop(players.setState, { says: ['value'], fixed: { stateName } }), stop(players.seenNewsArticles)],
  conserves: [{ kind: 'last-write', write: players.setState, read: players.seenNewsArticles }],
};

const { playerName } = areas;

const names: Journey = {
  name: 'names',
  actors: 1,
  stops: [stop(playerName.set), stop(playerName.get)],
  conserves: [
    { kind: 'last-write', write: playerName.set, read: playerName.get },
    { kind: 'one-holder', write: playerName.set, read: playerName.get },
  ],
};

const { match: matches, party: parties, queue: queues } = areas;
const [leader, friend, secondFriend] = [0, 1, 2];
const namesOther = { says: ['other.id'] } as const;

export const party: Journey = {
  name: 'party',
  actors: 3,
  stops: [
    stop(parties.create, { as: leader, gives: { partyId: ['partyId', 'id'] }, enters: true }),
    stop(parties.invite, { as: leader, other: friend, ...namesOther }),
    stop(parties.acceptInvite, { as: friend, other: leader, enters: true }),
    stop(parties.invite, { as: leader, other: secondFriend, ...namesOther }),
    stop(parties.acceptInvite, { as: secondFriend, other: leader, enters: true }),
    stop(parties.details, { as: friend }),
    stop(parties.setPlayerState, { as: friend, optional: true }),
    stop(parties.details, { as: leader }),
    stop(parties.leave, { as: friend, leaves: true }),
    stop(parties.leave, { as: secondFriend, leaves: true }),
    stop(parties.leave, { as: leader, leaves: true }),
  ],
  conserves: [{ kind: 'one-party', call: parties.create, view: parties.details }],
};

/** The leader and the friends who join: more than most parties admit. */
const crowdSize = 6;

export const crowd: Journey = {
  name: 'crowd',
  actors: crowdSize,
  stops: [
    stop(parties.create, { as: leader, gives: { partyId: ['partyId', 'id'] }, enters: true }),
    stop(parties.invite, { as: leader, other: friend, each: true, ...namesOther }),
    stop(parties.acceptInvite, { as: friend, other: leader, each: true, enters: true }),
    stop(parties.details, { as: leader }),
    stop(parties.leave, { as: friend, each: true, leaves: true }),
    stop(parties.leave, { as: leader, leaves: true }),
  ],
  conserves: [{ kind: 'one-party', call: parties.create, view: parties.details }],
};

export const match: Journey = {
  name: 'match',
  actors: 1,
  stops: [
    stop(matches.create, { gives: { matchId: ['matchId', 'id'] }, enters: true }),
    stop(matches.get),
    stop(matches.quit, { leaves: true }),
  ],
};

/** The target may match two players who wait: the answer then holds the match, and cancelling is refused. */
const entersQueue = { enters: true, mayGive: { matchId: ['matchId'] }, meets: 'matchId' } as const;
/** Pauses in ms after which a waiting client asks again. After the last one it cancels. */
const pausesMs = [250, 500, 1_000, 2_000] as const;

export const queue: Journey = {
  name: 'queue',
  actors: 1,
  stops: [
    stop(queues.issueToken, { gives: { queueToken: ['queueToken', 'token'] } }),
    stop(queues.enter, entersQueue),
    stop(queues.enter, { ...entersQueue, waits: pausesMs }),
    stop(queues.cancel, { leaves: true, unless: 'matchId' }),
    stop(matches.quit, { leaves: true, when: 'matchId' }),
  ],
  conserves: [{ kind: 'one-match', call: queues.enter, view: matches.get }],
};

const login: Journey = {
  name: 'login',
  actors: 1,
  stops: [stop(auth.login)],
};

const optional = { optional: true } as const;

const session: Journey = {
  name: 'session',
  actors: 1,
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

const journeys = [
  ...[login, session, party, crowd, match, queue, logs, analytics, cdn, friends, store],
  ...[purchases, states, names],
] as const;

/** The weights are percentages of all visits. */
const mixed: Mix = {
  name: 'mixed',
  shares: [
    [session, 10],
    [queue, 20],
    [match, 10],
    [party, 5],
    [friends, 10],
    [store, 10],
    [cdn, 5],
    [logs, 15],
    [analytics, 15],
  ],
};

/** Names that `load` and `capacity` take. */
export const journeyNames: readonly string[] = [...journeys.map(({ name }) => name), mixed.name];

/** @throws ConfigurationError that names the nearest journey */
export function journeyNamed(name: string): Mix {
  if (name === mixed.name) return mixed;
  const found = journeys.find((journey) => journey.name === name);
  if (found) return { ...found, shares: [[found, 1]] };
  throw new ConfigurationError([
    `${quoted(name)} is no journey${didYouMean(name, journeyNames) || '.'} There are ${journeyNames.join(', ')}, and --operation ID for a single call`,
  ]);
}

/**
 * Makes a journey of one operation. If it brings a player into something, the call that leaves it follows, so that the
 * same player can make the first call again.
 * @throws ConfigurationError that names the nearest operations
 */
export function journeyOf(id: string): Mix {
  const operation = operationById(id);
  if (!operation) {
    const ids = catalog.map((each) => each.id);
    const meant =
      didYouMean(id, ids, 3) || `; ${typedWith('catalog', 'quietly')} --format markdown lists them`;
    throw new ConfigurationError([`--operation: ${quoted(id)} is no operation${meant}`]);
  }
  if (operation.ends === 'session')
    throw new ConfigurationError([
      `--operation: ${id} ends the session that the load goes by; expected one that does not`,
    ]);
  const journey: Journey = { name: id, actors: 2, stops: stopsOf(operation) };
  return { name: id, shares: [[journey, 1]] };
}

/** Operations that no journey calls, each with the one that undoes it. */
const undoneBy: readonly (readonly [Operation, Operation])[] = [[players.block, players.unblock]];

function stopsOf(operation: Operation): JourneyStop[] {
  if (operation === areas.logs.logsBatch) return [stop(operation, { batch: 'log' })];
  if (operation === areas.logs.analyticsBatch) return [stop(operation, { batch: 'analytics' })];
  const [, undo] = undoneBy.find(([done]) => done === operation) ?? [];
  if (undo)
    return [
      stop(operation, { ...namesOther, enters: true }),
      stop(undo, { ...namesOther, leaves: true, optional: true }),
    ];
  for (const { stops } of journeys) {
    const at = stops.findLastIndex((each) => each.operation === operation && each.enters);
    const entering = stops[at];
    // A call that needs another actor to enter first cannot be made alone.
    if (entering === undefined || stops.slice(0, at).some(({ enters, as }) => enters && as !== entering.as))
      continue;
    const leaving = stops.slice(at + 1).filter(({ leaves, as }) => leaves && as === entering.as);
    return [entering, ...leaving.map((each) => ({ ...each, optional: true as const }))];
  }
  return [stop(operation)];
}
