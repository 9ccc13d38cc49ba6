// Watches every exchange of a run as it arrives: where an operation names its caller, or repeats the id of its path, and
// which answers name somebody else there.
import { areas } from '../../catalog/catalog.ts';
import type { Operation } from '../../catalog/operation.ts';
import { type Exchange, isSuccess, json } from '../http/exchange.ts';
import { canonical, type Identities } from '../players/identities.ts';
import type { Target } from '../target/target.ts';
import { isNested, leavesOf, pointerTo } from '../values/json-walk.ts';
import { once } from '../values/once.ts';
import { switchPoint } from '../values/switch-points.ts';
import { queryOf } from '../values/text.ts';
import { createAcquaintances, haveMet } from './acquaintances.ts';
import { pathPattern, sentIn } from './sent-values.ts';

/** An answer that names somebody else, and one that is right. */
export interface Misnamed {
  /** JSON Pointer of the place. */
  readonly place: string;
  /** Wrong answers there, and all answers. */
  readonly times: number;
  readonly of: number;
  readonly wrong: Exchange;
  /** None where the place names nobody rightly, but that of other operations does. */
  readonly right: Exchange | undefined;
}

/** What the answers to one operation showed. */
export interface Named {
  /** Places that named the caller to each caller. */
  readonly callers: readonly string[];
  /** Places that repeated whatever id the path named. */
  readonly ids: readonly string[];
  readonly otherPlayer?: Misnamed;
  readonly otherId?: Misnamed;
}

export const nobodyNamed: Named = { callers: [], ids: [] };

export interface Watch {
  readonly note: (operation: Operation, exchange: Exchange) => void;
  /** These accounts have to do with one another: an answer to one may name another. */
  readonly acquaint: (accounts: readonly number[]) => void;
  /** @param own the operation is about its caller alone */
  readonly named: (operation: Operation, own: boolean) => Named;
}

// Bounds: a run keeps a few megabytes, whatever a target answers.
const largestBody = 256 * 1024;
const deepest = 8;
const mostLeaves = 500;
const mostPlaces = 64;
/** Of one place: callers who were named, and wrong answers. */
const mostKept = 64;
const mostIds = 50_000;
/** Characters of an id that matches no other value by chance; shorter ones may. */
const longEnough = 6;
/** Of callers with shorter ids, so many have to be named, each to themselves. */
const callersOfShortIds = 3;
/** The form of what may be the id of a party or a match. */
const mayNameGroup = /^(?=.*\d.*\d).{6,}$/;
/** One in this many values may be unknown: a player may have changed a name. */
const unknownShare = 10;

interface NamedPlayer {
  readonly caller: number;
  /** What stood there, canonical. */
  readonly value: string;
  readonly exchange: Exchange;
}

interface Place {
  /** JSON Pointer. */
  readonly place: string;
  /** Of the ids that a path named; none where callers are named. */
  readonly kind?: string;
}

/** What stood at one place in the answers to one operation. */
interface PlaceTally extends Place {
  /** Values by which a caller was named, or ids that were repeated; and the first answer that did. */
  readonly right: Map<string, { readonly caller: number; times: number }>;
  first: Exchange | undefined;
  readonly wrong: NamedPlayer[];
  unknown: number;
}

interface Watched {
  readonly callers: Map<string, PlaceTally>;
  readonly ids: Map<string, PlaceTally>;
}

/** Ids of these kinds name what several players may be in: an answer about one names any of them. */
const shared: ReadonlySet<string> = new Set(['party', 'match', 'party join key']);
const ofPeople: ReadonlySet<string> = new Set([...shared, 'player', 'player name']);
const areasOfGroups: ReadonlySet<string> = new Set(['party', 'match', 'queue']);

/**
 * @param identities who sent a request, and whom a value names
 * @param target the target's own words and hosts
 */
export function createWatch(
  identities: Identities,
  target: Pick<Target, 'hosts' | 'ambient' | 'profile'>,
): Watch {
  const operations = new Map<string, Watched>();
  const people = createAcquaintances(identities);
  /** Ids that a path of this run named, by kind. */
  const ids = new Map<string, Set<string>>();
  const parametersIn = once((operation: Operation) => pathPattern(operation, target));

  const watchedOf = ({ id }: Operation): Watched => {
    const known = operations.get(id) ?? { callers: new Map(), ids: new Map() };
    operations.set(id, known);
    return known;
  };

  const note = (operation: Operation, exchange: Exchange) => {
    const { request } = exchange;
    const caller = identities.senderOf(request);
    if (caller === undefined || operation.host !== 'base') return;
    const found = parametersIn(operation)(request.method, request.url);
    const values = sentIn(request, found);
    const sent = new Set(values.flatMap((value) => canonical(value) ?? []));
    people.noteRequest(caller, [...sent]);
    if (found === undefined) return;
    const path = new Map([...found].flatMap(([name, value]) => asPair(name, canonical(value))));
    for (const [name, value] of path) remember(ids, operation.identifiers[name], value);
    for (const [name, value] of path)
      if (shared.has(operation.identifiers[name] ?? '')) people.noteMembership(value, caller);
    if (!isSuccess(exchange)) return;
    if (operation.id === areas.queue.enter.id) people.enterQueue(caller);
    // The name that is taken may stand in the body as well as in the path.
    if (operation.id === areas.playerName.set.id)
      for (const value of values) identities.noteValue(caller, value);
    lookAt(operation, exchange, caller, { path, sent });
  };

  const lookAt = (
    operation: Operation,
    exchange: Exchange,
    caller: number,
    { path, sent }: { readonly path: ReadonlyMap<string, string>; readonly sent: ReadonlySet<string> },
  ) => {
    const { response } = exchange;
    if (!response || response.body.length > largestBody) return;
    const body = json(response);
    if (!body.ok) return;
    const watched = watchedOf(operation);
    const isAboutCaller = namesNobodyElse(
      operation,
      exchange,
      path,
      (value) => identities.ownerOfCanonical(value) === caller,
    );
    const asked = [...path].filter(([name]) => operation.identifiers[name] !== undefined);
    const isRight = [true];
    for (const { place, value } of singles(body.value, (name) => identities.ownerOf(name) !== undefined)) {
      const held = canonical(value);
      if (held === undefined) continue;
      const seen = { caller, value: held, exchange };
      if (isAboutCaller) weighCaller(watched.callers, place, seen);
      for (const [name, named] of asked) {
        const kind = operation.identifiers[name] ?? '';
        isRight.push(weighId(watched.ids, place, seen, { named, kind, sent }));
      }
    }
    if (areasOfGroups.has(operation.area) && isRight.every(Boolean))
      for (const leaf of leavesOf(body.value)) {
        const held = canonical(leaf.value);
        if (held !== undefined && mayNameGroup.test(held) && identities.ownerOfCanonical(held) === undefined)
          people.noteMembership(held, caller);
      }
  };

  const weighCaller = (places: Map<string, PlaceTally>, place: string, seen: NamedPlayer): void => {
    const owner = identities.ownerOfCanonical(seen.value);
    if (owner === seen.caller) right(places, { place }, seen);
    else if (owner === undefined) unknown(places, { place });
    else wrong(places, { place }, seen);
  };

  /** Whether the place may hold the id that the path named. @param sent all that the request named */
  const weighId = (
    places: Map<string, PlaceTally>,
    place: string,
    seen: NamedPlayer,
    { named, kind, sent }: { named: string; kind: string; sent: ReadonlySet<string> },
  ): boolean => {
    const at = { place, kind };
    const held = seen.value;
    const owner = identities.ownerOfCanonical(held);
    const isOfKind = ids.get(kind)?.has(held) === true;
    // An own id may stand there because it is the caller's.
    if (owner === seen.caller) unknown(places, at, held !== named);
    else if (held === named) right(places, at, seen);
    // It repeats what the query or the body named, which other players may go by too.
    else if (sent.has(held)) unknown(places, at);
    else if (isOfKind || owner !== undefined) wrong(places, at, seen);
    else unknown(places, at);
    return held === named || !isOfKind;
  };

  /**
   * Places, or members, at which this host named so many callers to themselves that no count does so by chance. The length
   * of a list is somebody's short id: those count where an operation names several callers, and hardly anybody else.
   */
  const placesOfCallers = (isMine: CallerControl['isMine'], named = (place: string) => place) => {
    const callers = new Map<string, Set<number>>();
    for (const watched of operations.values())
      for (const at of watched.callers.values()) {
        const mine = [...at.right].filter(([value, { caller }]) => isMine(value, caller));
        const isNamed = mine.length >= 2 && isRare(at.wrong, at) && isSteady(at);
        for (const [value, { caller }] of mine)
          if (isNamed || value.length >= longEnough)
            callers.set(named(at.place), (callers.get(named(at.place)) ?? new Set()).add(caller));
      }
    return new Set([...callers].filter(([, { size }]) => size >= callersOfShortIds).map(([name]) => name));
  };

  return {
    note,
    acquaint: people.acquaint,
    named(operation, own) {
      const watched = operations.get(operation.id);
      if (watched === undefined) return nobodyNamed;
      const isMine = (value: string, caller: number) => identities.ownerOf(value) === caller;
      const members = own ? placesOfCallers(isMine, memberOf) : new Set<string>();
      const places = own ? placesOfCallers(isMine) : new Set<string>();
      const byCaller = judged(watched.callers, {
        holds: (at, wrong) =>
          namesCallers(at, wrong, {
            isMine,
            own,
            isKnown: members.has(memberOf(at.place)),
            isPlaceOfCallers: places.has(at.place),
          }),
        isWrong: ({ caller, value }) => {
          const owner = identities.ownerOf(value);
          return owner !== undefined && owner !== caller && !haveMet(people, caller, owner);
        },
      });
      const byId = judged(watched.ids, {
        holds: repeatsIds,
        isWrong: ({ caller, value }, { kind = '' }) => !shared.has(kind) || !people.holds(value, caller),
      });
      return {
        callers: byCaller.places,
        ids: byId.places,
        ...(byCaller.worst && { otherPlayer: byCaller.worst }),
        ...(byId.worst && { otherId: byId.worst }),
      };
    },
  };
}

function remember(known: Map<string, Set<string>>, kind: string | undefined, value: string): void {
  if (kind === undefined) return;
  const values = known.get(kind) ?? new Set();
  known.set(kind, values);
  if (values.size < mostIds) values.add(value);
}

const asPair = (name: string, value: string | undefined): [string, string][] =>
  value === undefined ? [] : [[name, value]];

const keyOf = ({ place, kind = '' }: Place) => `${kind} ${place}`;

function tallyAt(places: Map<string, PlaceTally>, place: Place): PlaceTally | undefined {
  const known = places.get(keyOf(place));
  if (known || places.size >= mostPlaces) return known;
  const made: PlaceTally = { ...place, right: new Map(), first: undefined, wrong: [], unknown: 0 };
  places.set(keyOf(place), made);
  return made;
}

function right(places: Map<string, PlaceTally>, place: Place, named: NamedPlayer): void {
  const { value, caller, exchange } = named;
  const at = tallyAt(places, place);
  if (at === undefined) return;
  at.first ??= exchange;
  const known = at.right.get(value);
  if (known) known.times += 1;
  else if (at.right.size < mostKept) at.right.set(value, { caller, times: 1 });
}

function wrong(places: Map<string, PlaceTally>, place: Place, seen: NamedPlayer): void {
  const at = tallyAt(places, place);
  if (at && at.wrong.length < mostKept) at.wrong.push(seen);
}

/** Counts only where a player or an id stood before: most places hold neither. */
function unknown(places: Map<string, PlaceTally>, place: Place, counts = true): void {
  const at = places.get(keyOf(place));
  if (at && counts) at.unknown += 1;
}

const timesRight = ({ right }: PlaceTally) => [...right.values()].reduce((sum, { times }) => sum + times, 0);

/** A place that holds other values too belongs to no player: a level, or the name of the player met last. */
const isSteady = (at: PlaceTally) => at.unknown * unknownShare <= timesRight(at);

/**
 * The positive control of a place: it named two callers, each to themselves. One caller, however often, could be a
 * player whom the answer names to everybody: the featured one, the leader; so could two of whom one came after the
 * other, but each is then named to others more often. Short ids could be counts: a third caller is needed there, and that
 * others are named seldom, or that it is a place of callers elsewhere too.
 * Where the operation is about its caller alone nobody is featured: one who is named to themselves, and to all others
 * who ask, is enough, once two others asked or each asked twice; a short id is then no count where other answers name
 * their callers under the same member. Who is named to others alone, as who signed in last is, needs other
 * answers that name their callers at that very place.
 */
export const namesCallers = switchPoint(
  (at: PlaceTally, wrong: readonly NamedPlayer[], control: CallerControl): boolean => {
    const { isMine, own, isKnown, isPlaceOfCallers } = control;
    const mine = [...at.right].filter(([value, { caller }]) => isMine(value, caller));
    const isLong = mine.every(([value]) => value.length >= longEnough);
    const callers = new Set(mine.map(([, { caller }]) => caller)).size;
    if (callers >= (isLong ? 2 : callersOfShortIds))
      return (own && (isLong || isPlaceOfCallers)) || isRare(wrong, at);
    const isTheOne = ({ value }: NamedPlayer) => at.right.has(value);
    const misled = new Set(wrong.map(({ caller }) => caller)).size;
    if (own && isPlaceOfCallers && misled >= 2) return true;
    const isRepeated = misled >= 2 || (timesRight(at) >= 2 && wrong.length >= 2);
    return own && callers === 1 && (isLong || isKnown) && isRepeated && wrong.every(isTheOne);
  },
);

interface CallerControl {
  readonly isMine: (value: string, caller: number) => boolean;
  readonly own: boolean;
  /** Other answers of the host name their callers under the member of this place. */
  readonly isKnown: boolean;
  /** They name them at this place. */
  readonly isPlaceOfCallers: boolean;
}

/** It repeated three ids, or two that nobody writes by chance, and far more often than not. */
function repeatsIds(at: PlaceTally): boolean {
  const isLong = [...at.right.keys()].every((value) => value.length >= longEnough);
  return at.right.size >= (isLong ? 2 : 3) && isRare(at.wrong, at);
}

/** A player who came last, or was featured for a while, is named to others more often than to themselves. */
const isRare = (wrong: readonly NamedPlayer[], at: PlaceTally) => wrong.length * 2 <= timesRight(at);

function judged(
  places: ReadonlyMap<string, PlaceTally>,
  {
    holds,
    isWrong,
  }: {
    readonly holds: (at: PlaceTally, wrong: readonly NamedPlayer[]) => boolean;
    readonly isWrong: (wrong: NamedPlayer, place: Place) => boolean;
  },
) {
  const own = Array.from(places.values(), (at) => ({
    at,
    wrong: at.wrong.filter((each) => isWrong(each, at)),
  })).filter(({ at, wrong }) => isSteady(at) && holds(at, wrong));
  const found = own.flatMap(({ at, wrong }): Misnamed[] => {
    const [{ exchange } = { exchange: undefined }] = wrong;
    if (exchange === undefined) return [];
    const times = wrong.length;
    return [{ place: at.place, times, of: times + timesRight(at), wrong: exchange, right: at.first }];
  });
  return {
    places: [...new Set(own.filter(({ at }) => at.first).map(({ at }) => at.place))],
    worst: found.sort((a, b) => b.times - a.times)[0],
  };
}

/** The name of the member that a place is. */
const memberOf = (place: string) => place.slice(place.lastIndexOf('/') + 1);

/** A call that names no other player, no party and no match is answered about its caller. */
function namesNobodyElse(
  { identifiers }: Operation,
  { request }: Exchange,
  path: ReadonlyMap<string, string>,
  isMine: (value: string) => boolean,
): boolean {
  const people = Object.entries(identifiers).filter(([, kind]) => ofPeople.has(kind));
  return people.every(([name, kind]) => {
    const value = path.get(name) ?? canonical(queryOf(request.url).get(name));
    return value === undefined || ((kind === 'player' || kind === 'player name') && isMine(value));
  });
}

/**
 * The scalars that stand alone, each with its JSON Pointer: in a list, or in a map by ids, others may stand as well
 * (senders of an inbox, members, friends, search results).
 */
function* singles(
  root: unknown,
  isId: (name: string) => boolean,
): Iterable<{ readonly place: string; readonly value: unknown }> {
  const open = [{ place: '', value: root, depth: 0 }];
  for (let at = 0; at < Math.min(open.length, mostLeaves); at++) {
    const { place, value, depth } = open[at] as (typeof open)[number];
    if (!isNested(value)) yield { place, value };
    else if (!Array.isArray(value) && depth < deepest)
      for (const [name, each] of Object.entries(value).slice(0, mostLeaves))
        if (!isId(name)) open.push({ place: pointerTo(place, name), value: each, depth: depth + 1 });
  }
}
