// Watches every exchange of a run as it arrives: finds the places in answers at which an operation names its caller, or
// repeats the id of its path, and the answers that name another player or another id there.
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

/** A place where an answer names another player or id, with a right answer for comparison. */
export interface Misnamed {
  /** JSON Pointer of the place. */
  readonly place: string;
  /** Wrong answers there, and all answers. */
  readonly times: number;
  readonly of: number;
  readonly wrong: Exchange;
  /** Undefined where this operation has no right answer, and the place is known from other operations. */
  readonly right: Exchange | undefined;
}

/** What the answers to one operation showed. */
export interface Named {
  /** Places where each caller got their own name or id. */
  readonly callers: readonly string[];
  /** Places that repeated the id that the path named, whatever it was. */
  readonly ids: readonly string[];
  readonly otherPlayer?: Misnamed;
  readonly otherId?: Misnamed;
}

export const nobodyNamed: Named = { callers: [], ids: [] };

export interface Watch {
  readonly note: (operation: Operation, exchange: Exchange) => void;
  /** Records that these accounts have met: an answer to one may name another. */
  readonly acquaint: (accounts: readonly number[]) => void;
  /** @param own whether the operation is about its caller alone */
  readonly named: (operation: Operation, own: boolean) => Named;
}

// Bounds: a run keeps a few megabytes, whatever a target answers.
const largestBody = 256 * 1024;
const deepest = 8;
const mostLeaves = 500;
const mostPlaces = 64;
/** Most callers who were named, and most wrong answers, that are kept of one place. */
const mostKept = 64;
const mostIds = 50_000;
/** Characters; an id of at least this length equals no other value by chance. */
const longEnough = 6;
/** Callers with shorter ids that have to be named, each in answers of their own. */
const callersOfShortIds = 3;
/** A value of this form may be the id of a party or a match. */
const mayNameGroup = /^(?=.*\d.*\d).{6,}$/;
/** One in this many values may be unknown: a player may have changed a name. */
const unknownShare = 10;

interface NamedPlayer {
  readonly caller: number;
  /** The value at the place, canonical. */
  readonly value: string;
  readonly exchange: Exchange;
}

interface Place {
  /** JSON Pointer. */
  readonly place: string;
  /** The kind of the path's ids that are compared; undefined where callers are. */
  readonly kind?: string;
}

/** What stood at one place in the answers to one operation. */
interface PlaceTally extends Place {
  /** Values that named the caller, or repeated the path's id. */
  readonly right: Map<string, { readonly caller: number; times: number }>;
  first: Exchange | undefined;
  readonly wrong: NamedPlayer[];
  unknown: number;
}

interface Watched {
  readonly callers: Map<string, PlaceTally>;
  readonly ids: Map<string, PlaceTally>;
}

/** Kinds of ids of groups that several players may be in: an answer about a group may name any of them. */
const shared: ReadonlySet<string> = new Set(['party', 'match', 'party join key']);
const ofPeople: ReadonlySet<string> = new Set([...shared, 'player', 'player name']);
const areasOfGroups: ReadonlySet<string> = new Set(['party', 'match', 'queue']);

/**
 * @param identities knows which player sent a request, and which player a value names
 * @param target the target's own words and hosts
 */
export function createWatch(
  identities: Identities,
  target: Pick<Target, 'hosts' | 'ambient' | 'profile'>,
): Watch {
  const operations = new Map<string, Watched>();
  const people = createAcquaintances(identities);
  /** Ids that paths of this run named, by kind. */
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
    // The new name of the player may stand in the body as well as in the path.
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
    if (owner === seen.caller) countRight(places, { place }, seen);
    else if (owner === undefined) countUnknown(places, { place });
    else countWrong(places, { place }, seen);
  };

  /** Compares a value with the path's id; false where it is another id of that kind. @param sent the call's values */
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
    // The caller's own id may be there because the place names the caller.
    if (owner === seen.caller) countUnknown(places, at, held !== named);
    else if (held === named) countRight(places, at, seen);
    // It repeats a value of the query or the body, which may also be a name of another player.
    else if (sent.has(held)) countUnknown(places, at);
    else if (isOfKind || owner !== undefined) countWrong(places, at, seen);
    else countUnknown(places, at);
    return held === named || !isOfKind;
  };

  /**
   * Places, or the names of their fields, at which this host named at least three callers to themselves. A short id may
   * equal the length of a list: it counts only where an operation names several callers and hardly any others.
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

function countRight(places: Map<string, PlaceTally>, place: Place, named: NamedPlayer): void {
  const { value, caller, exchange } = named;
  const at = tallyAt(places, place);
  if (at === undefined) return;
  at.first ??= exchange;
  const known = at.right.get(value);
  if (known) known.times += 1;
  else if (at.right.size < mostKept) at.right.set(value, { caller, times: 1 });
}

function countWrong(places: Map<string, PlaceTally>, place: Place, seen: NamedPlayer): void {
  const at = tallyAt(places, place);
  if (at && at.wrong.length < mostKept) at.wrong.push(seen);
}

/** Counts a value that is neither, only at places that held a player or an id before: most places hold none. */
function countUnknown(places: Map<string, PlaceTally>, place: Place, counts = true): void {
  const at = places.get(keyOf(place));
  if (at && counts) at.unknown += 1;
}

const timesRight = ({ right }: PlaceTally) => [...right.values()].reduce((sum, { times }) => sum + times, 0);

/** Whether the place hardly ever holds unknown values; one that does is, for example, a level or the last opponent. */
const isSteady = (at: PlaceTally) => at.unknown * unknownShare <= timesRight(at);

/**
 * Whether a place names its callers, shown by a positive control: it named two callers, each to themselves. A single
 * caller could be a player whom the answer names to everybody, such as a leader. So could two, one after the other, but
 * then both are named more often to others. A short id could be a count: it takes a third caller, and either few
 * answers that name others, or a place that names callers in other operations too.
 * An operation about its caller alone features nobody. There it is enough that one player is named to themselves and to
 * all others who ask, once two others asked or each asked twice; a short id is no count where other answers name their
 * callers under the same field. Where callers are never named to themselves, as when the answer names the player who
 * signed in last, other answers have to name their callers at that very place.
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
  /** Other answers of the host name their callers under the field of this place. */
  readonly isKnown: boolean;
  /** Other answers of the host name their callers at this very place. */
  readonly isPlaceOfCallers: boolean;
}

/** Whether it repeated three ids, or two long ones, and at least twice as often as it did not. */
function repeatsIds(at: PlaceTally): boolean {
  const isLong = [...at.right.keys()].every((value) => value.length >= longEnough);
  return at.right.size >= (isLong ? 2 : 3) && isRare(at.wrong, at);
}

/** A player who came last, or who was featured for a while, is named to others more often than to themselves. */
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

/** The name of the field at a place. */
const memberOf = (place: string) => place.slice(place.lastIndexOf('/') + 1);

/** Whether a call names no other player, no party and no match: then its answer is about its caller. */
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
 * The scalars outside lists and maps by id, each with its JSON Pointer: lists and maps may name other players (senders
 * of an inbox, members, friends, search results).
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
