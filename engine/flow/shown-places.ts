// Records in which places the answers of one scenario showed a value, and compares later answers with them. The positive
// control shows the place of a member, a friend or a block; a player absent from that place is gone, even if a history
// elsewhere still lists them.
import { type Exchange, isSuccess } from '../http/exchange.ts';
import { leavesOf } from '../values/json-walk.ts';
import { switchPoint } from '../values/switch-points.ts';
import { isLong, type Place, type Places, placesOf } from './places.ts';
import { textInOneOrder } from './snapshot.ts';
import type { View } from './views.ts';

/** Places that showed who is in also show who is gone, whatever other places hold. */
export const showsMembership = switchPoint((telling: readonly unknown[]): boolean => telling.length > 0);

type Viewer = string | undefined;

/** `partly`: at some of the places that showed it, and not at others. `as before`: only where it stood all along. */
export type Standing = 'in' | 'out' | 'partly' | 'as before';

export interface ShownPlaces {
  /** The answer is the positive control of a view: it shows the value. */
  readonly note: (viewer: Viewer, view: View, answer: Exchange) => void;
  /** The answer is the negative control, taken before the value is added. */
  readonly noteBefore: (viewer: Viewer, view: View, answer: Exchange) => void;
  /** Does an answer show the value; or only as the negative control did, which shows nothing? */
  readonly shows: (viewer: Viewer, view: View, answer: Exchange) => 'yes' | 'as before' | 'no';
  /** Does an answer show it where the positive control did? Where there was none, anywhere. */
  readonly standing: (viewer: Viewer, view: View, answer: Exchange) => Standing;
  /** Whether it is known which places of an answer show who is in. */
  readonly tells: (viewer: Viewer, view: View, answer: Exchange) => boolean;
  /** Was the value seen in this view, by this viewer? */
  readonly wasSeen: (viewer: Viewer, view: View) => boolean;
  /**
   * Of an answer where it stands: what the entry that holds it says otherwise than those of all who are in, and, where
   * it was in, than it said itself then. Pointers within the entry.
   */
  readonly marks: (viewer: Viewer, view: View, answer: Exchange, again: Exchange) => readonly string[];
}

interface Seen {
  readonly viewer: Viewer;
  readonly operation: string;
  readonly value: string;
  readonly places: Places;
  /** The entries of players known to be in, in the same answer. */
  readonly besides: Places | undefined;
}

export function createShownPlaces(): ShownPlaces {
  const seen = new Map<string, Seen[]>();
  const before = new Map<string, Places>();
  const keyOf = ({ operation, value = '' }: View) => `${operation.id} ${value}`;
  const keyFor = (viewer: Viewer, view: View) => `${viewer} ${keyOf(view)}`;

  const ofViewer = (viewer: Viewer, view: View): readonly Seen[] => {
    const all = seen.get(keyOf(view)) ?? [];
    const own = all.filter((each) => each.viewer === viewer);
    return own.length > 0 ? own : all;
  };

  /** All that this viewer has seen in the operation. */
  const seenBy = (viewer: Viewer, { operation }: View): readonly Seen[] =>
    [...seen.values()].flat().filter((each) => each.viewer === viewer && each.operation === operation.id);

  /** The other players who are known to be in. */
  const fellowsOf = (viewer: Viewer, view: View): readonly string[] => {
    const shown = seenBy(viewer, view).flatMap(({ value, besides }) => (besides ? [value] : []));
    return [...new Set([...(view.beside === undefined ? [] : [view.beside]), ...shown])].filter(
      (value) => value !== view.value,
    );
  };

  /** Where the fellow stands in a list of this answer, or stood when last seen in one; to an outsider there alone. */
  const besidesIn = ({ operation, beside, outsider }: View, answer: Exchange): Places | undefined => {
    if (beside === undefined) return undefined;
    const here = outsider ? new Map() : listed(placesOf(answer, beside));
    if (here.size > 0) return here;
    const last = seen.get(`${operation.id} ${beside}`)?.at(-1);
    return last && listed(last.places);
  };

  /** The places that show who is in, one set per read that showed it; none where these places are unknown. */
  const tellingPlaces = (viewer: Viewer, view: View, answer: Exchange): Places[] => {
    const besides = besidesIn(view, answer);
    const own = ofViewer(viewer, view).map(({ places }) => {
      const shared = besides && both(places, besides);
      return shared?.size ? shared : places;
    });
    return own.length > 0 ? own : besides?.size ? [besides] : [];
  };

  return {
    note(viewer, view, answer) {
      if (view.value === undefined) return;
      const places = wanted(view, placesOf(answer, view.value));
      if (places.size === 0) return;
      const besides = view.beside === undefined ? undefined : placesOf(answer, view.beside);
      const others = (seen.get(keyOf(view)) ?? []).filter((each) => each.viewer !== viewer);
      const { value } = view;
      seen.set(keyOf(view), [...others, { viewer, operation: view.operation.id, value, places, besides }]);
    },
    noteBefore(viewer, view, answer) {
      before.set(keyFor(viewer, view), placesIn(view, answer));
    },
    tells: (viewer, view, answer) => tellingPlaces(viewer, view, answer).length > 0,
    wasSeen: (viewer, view) => (seen.get(keyOf(view)) ?? []).some((each) => each.viewer === viewer),

    shows(viewer, view, answer) {
      const { beside } = view;
      const all = wanted(view, placesIn(view, answer));
      const besides = beside === undefined ? new Map() : listed(placesOf(answer, beside));
      const places = besides.size > 0 ? both(all, besides) : all;
      if (places.size === 0) return 'no';
      const was = view.among ? before.get(keyFor(viewer, view)) : undefined;
      return [...places].some(([path, place]) => !isAsBefore(place, was?.get(path))) ? 'yes' : 'as before';
    },

    standing(viewer, view, answer) {
      const places = placesIn(view, answer);
      if (places.size === 0) return 'out';
      if (view.anywhere) return 'in';
      const telling = tellingPlaces(viewer, view, answer);
      if (!showsMembership(telling)) return 'in';
      const was = before.get(keyFor(viewer, view));
      const wasSeen = this.wasSeen(viewer, view);
      const sets = telling.flatMap((set) => {
        // A list that showed it before shows others than those who are in; what holds one value alone does not.
        const grown = new Map([...set].filter(([path, { listed }]) => !listed || !was?.has(path)));
        // Where it stood before as well, the same places show who was seen in since.
        return grown.size > 0 ? [grown] : wasSeen ? [set] : [];
      });
      if (sets.length === 0) return 'as before';
      const held = (path: string, place: Place) => {
        const now = places.get(path);
        // A player with more entries than while in also stands in a history.
        return now !== undefined && (!wasSeen || now.times <= place.times);
      };
      if (sets.some((set) => [...set].every(([path, place]) => held(path, place)))) return 'in';
      if (!sets.some((set) => [...set.keys()].some((path) => places.has(path)))) return 'out';
      return view.outsider ? 'in' : 'partly';
    },

    marks(viewer, view, answer, again) {
      const own = seenBy(viewer, view).find(({ value }) => value === view.value);
      const [now, later] = [placesIn(view, answer), placesIn(view, again)];
      const fellows = fellowsOf(viewer, view).map((id) => placesOf(answer, id));
      const before = own && view.beside !== undefined ? own.besides : undefined;
      return [...now].flatMap(([path, { entry }]) => {
        const [is, stays] = [saidBy(entry), saidBy(later.get(path)?.entry)];
        const was = saidBy(own?.places.get(path)?.entry);
        const others = fellows.flatMap((places) => saidBy(places.get(path)?.entry) ?? []);
        if (!is || !stays || (was === undefined && others.length < 2)) return [];
        const othersWere = saidBy(before?.get(path)?.entry);
        // A field that is equal for all who are in shows who is in; a field that differs between them does not.
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
        return [...names].filter((name) => is.get(name) === stays.get(name) && isShared(name));
      });
    },
  };
}

/** None in an answer without success: a refusal may name the value that it does not find. */
const placesIn = ({ value }: View, answer: Exchange): Places =>
  value === undefined || !isSuccess(answer) ? new Map() : placesOf(answer, value);

const listed = (places: Places): Places => new Map([...places].filter(([, place]) => place.listed));
/** Where the value counts: a few letters that stand in a list are a count by chance where they stand alone. */
function wanted({ among, value = '' }: View, places: Places): Places {
  const inLists = listed(places);
  return among || (!isLong(value) && inLists.size > 0) ? inLists : places;
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
