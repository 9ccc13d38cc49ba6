// Finds the places in an answer where a value stands, as paths. Member names do not count.
import { answerLeaves, type Exchange, isSuccess, json, text } from '../http/exchange.ts';
import { isNested, leavesOf, parsedJson, pointerTo, withoutPositions } from '../values/json-walk.ts';
import { switchPoint } from '../values/switch-points.ts';
import { textInOneOrder } from './snapshot.ts';
import type { ReadersView, View } from './views.ts';

interface Place {
  /** How often the value stands there: a log may name one player twice. */
  readonly times: number;
  /** Whether other values may stand there too: in a list, among an object's names, or in a longer text. */
  readonly listed: boolean;
  /** The item of a list, or the member of a map, that holds the value there first; undefined where it stands alone. */
  readonly entry: object | undefined;
}

/** By path: `/members/#/id` stands for every item of the list, `/members/*` for every name that holds the value. */
type Places = ReadonlyMap<string, Place>;

/** Shorter values occur in longer texts by chance: they count only as a whole leaf or name. */
const shortest = 6;
const deepest = 24;
const mostNodes = 200_000;
/** Levels of JSON within a text of JSON that are read. */
const mostNested = 3;

/**
 * Whether an answer has `id` at a path where an answer has the id of a fellow; where no answer has a fellow, whether
 * one has `id` anywhere. A short id then counts as absent, since it may be a mere number.
 */
export function namedBeside(id: string, fellows: readonly string[], answers: readonly Exchange[]): boolean {
  const telling = new Set(
    answers.flatMap((answer) => fellows.flatMap((fellow) => [...placesOf(answer, fellow).keys()])),
  );
  return answers.some((answer) => {
    const paths = [...placesOf(answer, id).keys()];
    return telling.size > 0 ? paths.some((path) => telling.has(path)) : isLong(id) && paths.length > 0;
  });
}

/**
 * Whether the entry of `id` holds the value. That entry is the list item or map member that names `id` where another
 * one names the fellow; undefined where there is none.
 */
export function heldBy(exchange: Exchange, id: string, fellow: string, value: string): boolean | undefined {
  const fellows = placesOf(exchange, fellow);
  const entries = [...placesOf(exchange, id)].flatMap(([path, { entry, times }]) => {
    const other = fellows.get(path)?.entry;
    return entry === undefined || other === undefined || other === entry || times > 1 ? [] : [entry];
  });
  const holds = (entry: object, part: string) =>
    leavesOf(entry).some((leaf) => String(leaf.value).includes(part));
  const alone = entries.filter((entry) => !holds(entry, fellow));
  return alone.length === 0 ? undefined : alone.some((entry) => holds(entry, value));
}

/** Whether a value is long enough to be looked for within texts: a short one may be a count or a level. */
export const isLong = (value: string) => value.length >= shortest;

/** The path of a pointer, as places name it. */
export const pathOf = (pointer: string): string => withoutPositions(pointer, '#');

interface Node {
  readonly value: unknown;
  readonly path: string;
  readonly listed: boolean;
  readonly entry: object | undefined;
  readonly depth: number;
  readonly nested: number;
}

/** The places of a value in an answer, shallow ones first; bounded in depth and number. */
export function placesOf({ response }: Exchange, value: string): Places {
  const found = new Map<string, Place>();
  if (!response || value === '') return found;
  const parsed = json(response);
  if (!parsed.ok) {
    if (within(text(response), value)) found.set('', { times: 1, listed: true, entry: undefined });
    return found;
  }
  const add = (path: string, { listed, entry }: Pick<Place, 'listed' | 'entry'>) => {
    const known = found.get(path);
    found.set(path, known ? { ...known, times: known.times + 1 } : { times: 1, listed, entry });
  };
  const root = { value: parsed.value, path: '', listed: false, entry: undefined, depth: 0, nested: 0 };
  const open: Node[] = [root];
  for (let at = 0; at < Math.min(open.length, mostNodes); at += 1) {
    const node = open[at] as Node;
    const { value: held, nested } = node;
    if (isNested(held)) {
      if (node.depth < deepest) for (const each of below(node, held, value, add)) open.push(each);
      continue;
    }
    const inside = typeof held === 'string' && nested < mostNested ? nestedJson(held) : undefined;
    if (inside !== undefined)
      open.push({
        ...node,
        value: inside,
        path: `${node.path}/$`,
        nested: nested + 1,
        depth: node.depth + 1,
      });
    else if (isSame(held, value)) add(node.path, node);
    else if (typeof held === 'string' && within(held, value)) add(node.path, { ...node, listed: true });
  }
  return found;
}

function* below(
  node: Node,
  held: object,
  value: string,
  add: (path: string, place: Pick<Place, 'listed' | 'entry'>) => void,
): Iterable<Node> {
  const deeper = { depth: node.depth + 1, nested: node.nested };
  if (Array.isArray(held)) {
    for (const each of held.slice(0, mostNodes))
      yield { ...deeper, value: each, path: `${node.path}/#`, listed: true, entry: entryOf(each) };
    return;
  }
  for (const [name, each] of Object.entries(held).slice(0, mostNodes)) {
    if (name === value || within(name, value)) {
      const inMap = { listed: true, entry: entryOf(each) };
      add(`${node.path}/*`, inMap);
      yield { ...deeper, ...inMap, value: each, path: `${node.path}/*` };
    } else if (/^\d+$/.test(name)) {
      yield { ...deeper, value: each, path: `${node.path}/#`, listed: true, entry: entryOf(each) };
    } else {
      const path = pointerTo(node.path, name);
      yield { ...deeper, value: each, path, listed: node.listed, entry: node.entry };
    }
  }
}

const entryOf = (value: unknown): object | undefined => (isNested(value) ? value : undefined);

const isSame = (held: unknown, value: string) =>
  (typeof held === 'string' || typeof held === 'number') && String(held) === value;

const letterOrDigit = /[\p{L}\p{N}]/u;

/** Whether a text holds the value as a whole word: `player-12` does not hold `player-1`. */
function within(held: string, value: string): boolean {
  if (!isLong(value)) return false;
  const runsOn = (inner: string | undefined, outer: string | undefined) =>
    inner !== undefined && outer !== undefined && letterOrDigit.test(inner) && letterOrDigit.test(outer);
  for (let at = held.indexOf(value); at >= 0; at = held.indexOf(value, at + 1)) {
    const end = at + value.length;
    if (!runsOn(value[0], held[at - 1]) && !runsOn(value.at(-1), held[end])) return true;
  }
  return false;
}

/** The object or list that a text encodes as JSON; undefined where it encodes neither. */
function nestedJson(held: string): object | undefined {
  if (!/^\s*["[{]/.test(held)) return undefined;
  const found = parsedJson(held);
  return typeof found === 'string' ? nestedJson(found) : entryOf(found);
}

/** Whether the body holds the value: as a leaf, as a member's name, or within a longer text. */
export const mentions = (exchange: Exchange, value: string): boolean => placesOf(exchange, value).size > 0;

/** Longer names are data, and longer texts are no identifiers. */
const longestName = 100;
const longestValue = 1_024;
const mostValues = 50;

/**
 * The texts and whole numbers in a JSON answer under names that match the pattern, each once, shallow ones first; at
 * most fifty.
 */
export function valuesUnder(answer: Exchange, pattern: RegExp): string[] {
  const found = answerLeaves(answer).flatMap(({ name, value }) => {
    if (name.length > longestName || !pattern.test(name)) return [];
    if (Number.isSafeInteger(value)) return [String(value)];
    return typeof value === 'string' && value !== '' && value.length <= longestValue ? [value] : [];
  });
  return [...new Set(found)].slice(0, mostValues);
}

/** Whether places are known that show members: then these alone decide who is gone, whatever other places hold. */
export const showsMembership = switchPoint((telling: readonly unknown[]): boolean => telling.length > 0);

/** `partly`: the value is in some places that showed it, not in all. `as before`: only where it stood all along. */
export type Membership = 'in' | 'out' | 'partly' | 'as before';

/**
 * Remembers where answers showed values, so that a later answer is judged by places, whatever its members are called.
 * An example: the leader reads the party of p1 and p2, with p1 as the fellow.
 *
 * | answer | what is asked |
 * |---|---|
 * | `{"members": [{"id": "p1"}], "log": []}` | `noteBefore`, before p2 joins |
 * | `{"members": [{"id": "p1"}, {"id": "p2"}], "log": [{"by": "p2"}]}` | `shown` is `yes`; `noteShown` after p2 joined |
 * | `{"members": [{"id": "p1"}], "log": [{"by": "p2"}]}` | `membership` is `out`: p2 is in no place where p1 is |
 * | `{"members": [{"id": "p1"}, {"id": "p2", "state": "left"}]}` | `in`, but `changedFields` are `/state` |
 */
export interface ShownPlaces {
  /** Notes an answer as the negative control of a view: it was taken before the value is added. */
  readonly noteBefore: (view: ReadersView, answer: Exchange) => void;
  /** Notes an answer as the positive control of a view: it shows the value. */
  readonly noteShown: (view: ReadersView, answer: Exchange) => void;
  /** Whether an answer shows the value; `as before`: only as the negative control did, which proves nothing. */
  readonly shown: (view: ReadersView, answer: Exchange) => 'yes' | 'as before' | 'no';
  /** Whether an answer shows the value where the positive control of this reader did; without one, wherever it is. */
  readonly stillShown: (view: ReadersView, answer: Exchange) => boolean;
  /** Whether an answer shows the value where the positive control did; without a positive control, anywhere. */
  readonly membership: (view: ReadersView, answer: Exchange) => Membership;
  /** Whether it is known which places of an answer show members. */
  readonly tellsMembers: (view: ReadersView, answer: Exchange) => boolean;
  /**
   * For a value that is still listed: pointers to the fields of its entry that differ from those of all members'
   * entries and from what the entry itself held while the value was in.
   */
  readonly changedFields: (view: ReadersView, answer: Exchange, again: Exchange) => readonly string[];
  /** The paths at which this operation showed any player of the scenario a value that was looked for. */
  readonly pathsShown: (view: View) => ReadonlySet<string>;
}

interface ShownValue {
  readonly reader: ReadersView['reader'];
  readonly operation: string;
  readonly value: string;
  readonly places: Places;
  /** The places of the fellow in the same answer. */
  readonly fellowPlaces: Places | undefined;
}

export function createShownPlaces(): ShownPlaces {
  const seen = new Map<string, ShownValue[]>();
  const before = new Map<string, Places>();
  const keyOf = ({ operation, value = '' }: View) => `${operation.id} ${value}`;
  const keyFor = (view: ReadersView) => `${view.reader} ${keyOf(view)}`;

  /** What showed the value to this reader; where nothing did, what showed it to others. */
  const ofReader = (view: ReadersView): readonly ShownValue[] => {
    const all = seen.get(keyOf(view)) ?? [];
    const own = all.filter(({ reader }) => reader === view.reader);
    return own.length > 0 ? own : all;
  };

  const wasShown = (view: ReadersView) =>
    (seen.get(keyOf(view)) ?? []).some(({ reader }) => reader === view.reader);

  const seenBy = ({ reader, operation }: ReadersView): readonly ShownValue[] =>
    [...seen.values()].flat().filter((each) => each.reader === reader && each.operation === operation.id);

  /** The other players who are known to be members. */
  const fellowsOf = (view: ReadersView): readonly string[] => {
    const shown = seenBy(view).flatMap(({ value, fellowPlaces }) => (fellowPlaces ? [value] : []));
    return [...new Set([...(view.fellow === undefined ? [] : [view.fellow]), ...shown])].filter(
      (value) => value !== view.value,
    );
  };

  /** The list places of the fellow in this answer; for an outsider, or where there are none, those last seen. */
  const fellowPlacesIn = ({ operation, fellow, outsider }: View, answer: Exchange): Places | undefined => {
    if (fellow === undefined) return undefined;
    const here = outsider ? new Map() : listed(placesOf(answer, fellow));
    if (here.size > 0) return here;
    const last = seen.get(`${operation.id} ${fellow}`)?.at(-1);
    return last && listed(last.places);
  };

  /** The places that show members: a set per reader who saw the value, else those of the fellow; empty if unknown. */
  const memberPlaces = (view: ReadersView, answer: Exchange): Places[] => {
    const ofFellow = fellowPlacesIn(view, answer);
    const own = ofReader(view).map(({ places }) => {
      const shared = ofFellow && both(places, ofFellow);
      return shared?.size ? shared : places;
    });
    return own.length > 0 ? own : ofFellow?.size ? [ofFellow] : [];
  };

  const shown: ShownPlaces['shown'] = (view, answer) => {
    const { fellow } = view;
    const all = wanted(view, placesIn(view, answer));
    const ofFellow = fellow === undefined ? new Map() : listed(placesOf(answer, fellow));
    const places = ofFellow.size > 0 ? both(all, ofFellow) : all;
    if (places.size === 0) return 'no';
    const was = view.inList ? before.get(keyFor(view)) : undefined;
    return [...places].some(([path, place]) => !isAsBefore(place, was?.get(path))) ? 'yes' : 'as before';
  };

  // Say that the player was seen at `/members/#/id` and `/ready/#`. An answer with the player at both is 'in', at one
  // of them 'partly', and at `/log/#/by` alone 'out': that is a history. Where the negative control had the player in
  // the same lists, and only another reader has seen the player there since, it is 'as before'.
  const membership: ShownPlaces['membership'] = (view, answer) => {
    const places = placesIn(view, answer);
    if (places.size === 0) return 'out';
    if (view.anywhere) return 'in';
    const telling = memberPlaces(view, answer);
    if (!showsMembership(telling)) return 'in';
    const was = before.get(keyFor(view));
    const hasSeen = wasShown(view);
    const sets = telling.flatMap((set) => {
      // A list that held the value before it was added does not show members; the place of a single value does.
      const grown = new Map([...set].filter(([path, { listed }]) => !listed || !was?.has(path)));
      // Without such places, the same ones count if this reader has seen the value in them since.
      return grown.size > 0 ? [grown] : hasSeen ? [set] : [];
    });
    if (sets.length === 0) return 'as before';
    const held = (path: string, place: Place) => {
      const now = places.get(path);
      // A value that is there more often than while it was in is part of a history.
      return now !== undefined && (!hasSeen || now.times <= place.times);
    };
    if (sets.some((set) => [...set].every(([path, place]) => held(path, place)))) return 'in';
    if (!sets.some((set) => [...set.keys()].some((path) => places.has(path)))) return 'out';
    return view.outsider ? 'in' : 'partly';
  };

  return {
    noteBefore(view, answer) {
      before.set(keyFor(view), placesIn(view, answer));
    },
    noteShown(view, answer) {
      const { reader, operation, value, fellow } = view;
      if (value === undefined) return;
      const places = wanted(view, placesOf(answer, value));
      if (places.size === 0) return;
      const fellowPlaces = fellow === undefined ? undefined : placesOf(answer, fellow);
      const others = (seen.get(keyOf(view)) ?? []).filter((each) => each.reader !== reader);
      seen.set(keyOf(view), [...others, { reader, operation: operation.id, value, places, fellowPlaces }]);
    },
    shown,
    stillShown: (view, answer) =>
      wasShown(view) ? membership(view, answer) === 'in' : shown(view, answer) === 'yes',
    membership,
    tellsMembers: (view, answer) => memberPlaces(view, answer).length > 0,
    pathsShown: ({ operation }) => {
      const own = [...seen.values()].flat().filter((each) => each.operation === operation.id);
      return new Set(own.flatMap(({ places }) => [...places.keys()]));
    },

    // The player was `{"id": 2, "state": "in"}`, as the entries of all members still are. Where theirs is now
    // `{"id": 2, "state": "left"}`, in both answers, the changed field is `/state`: the entry may mean that they are gone.
    changedFields(view, answer, again) {
      const own = seenBy(view).find(({ value }) => value === view.value);
      const [now, later] = [placesIn(view, answer), placesIn(view, again)];
      const fellows = fellowsOf(view).map((id) => placesOf(answer, id));
      const before = own && view.fellow !== undefined ? own.fellowPlaces : undefined;
      return [...now].flatMap(([path, { entry }]) => {
        const [is, stays] = [saidBy(entry), saidBy(later.get(path)?.entry)];
        const was = saidBy(own?.places.get(path)?.entry);
        const others = fellows.flatMap((places) => saidBy(places.get(path)?.entry) ?? []);
        if (!is || !stays || (was === undefined && others.length < 2)) return [];
        const othersWere = saidBy(before?.get(path)?.entry);
        // A field that is equal for all members shows membership; a field that differs between them does not.
        const isShared = (name: string) => {
          const otherValues = others.map((other) => other.get(name));
          const shared =
            was === undefined ? otherValues.find((each) => each !== is.get(name)) : was.get(name);
          return (
            shared !== is.get(name) &&
            // A player who left earlier stays listed as well, with the same field.
            otherValues.every((each) => each === shared || each === is.get(name)) &&
            (otherValues.length === 0 || otherValues.includes(shared)) &&
            (othersWere === undefined || othersWere.get(name) === shared)
          );
        };
        const names = new Set([...is.keys(), ...(was?.keys() ?? []), ...(others[0]?.keys() ?? [])]);
        return [...names].filter(
          (name) => !saysWhoLeads.test(name) && is.get(name) === stays.get(name) && isShared(name),
        );
      });
    },
  };
}

/** Names of fields about the leader, which may change although nobody leaves. */
const saysWhoLeads = /leader|owner|host|captain|creator/i;

/** The places of the view's value; none in a refusal, which may name the value that it does not find. */
const placesIn = ({ value }: View, answer: Exchange): Places =>
  value === undefined || !isSuccess(answer) ? new Map() : placesOf(answer, value);

const listed = (places: Places): Places => new Map([...places].filter(([, place]) => place.listed));
/** The places that count: a short value that is in a list may also stand elsewhere by chance, as a count. */
function wanted({ inList, value = '' }: View, places: Places): Places {
  const inLists = listed(places);
  return inList || (!isLong(value) && inLists.size > 0) ? inLists : places;
}

const both = (places: Places, others: Places): Places =>
  new Map([...places].filter(([path]) => others.has(path)));

const isAsBefore = (now: Place, was: Place | undefined) =>
  was !== undefined &&
  now.times <= was.times &&
  textInOneOrder(now.entry ?? null) === textInOneOrder(was.entry ?? null);

/** The values of an entry, by path. */
function saidBy(entry: object | undefined): ReadonlyMap<string, string> | undefined {
  return entry && new Map(leavesOf(entry).map(({ pointer, value }) => [pointer, JSON.stringify(value)]));
}
