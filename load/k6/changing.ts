// Plays journeys that change something: chooses the players of each iteration, and makes them leave what they still have to.
import { print } from './answers.ts';
import { type Actors, idsOf, type Plan } from './plan.ts';
import {
  type Ended,
  type Iteration,
  leaveFirst,
  type Prepared,
  possiblyInside,
  type Seen,
  type StillInside,
  visit,
} from './visit.ts';

export type Turn = Omit<Iteration, 'actors' | 'isStuck'>;

interface ChangingOptions {
  readonly plan: Plan;
  /** Taking one out costs as much as a request. */
  readonly casts: ArrayLike<Actors>;
  /** All calls of each journey in the mix. */
  readonly journeys: readonly (readonly Prepared[])[];
  readonly seen: Seen;
  /** Of this VU among all, from 0. */
  readonly vu: () => number;
}

const nobody: Actors = [{ headers: {}, query: '', values: {} }];

/** For one VU: it remembers what the actors that it plays may still be in. */
export function changing({ plan, casts, journeys, seen, vu }: ChangingOptions) {
  /** Casts that may still be in something, by their place. They come last. */
  const stillInside = new Set(plan.stillInside);
  const order =
    stillInside.size === 0
      ? undefined
      : [...places().filter((place) => !stillInside.has(place)), ...stillInside];
  /** What casts may still be in, by their place. */
  const earlierStates: Record<number, readonly StillInside[]> = {};
  const metPlaces = new Set<number>();
  let ownPlace: { readonly turn: number; readonly place: number; readonly actors: Actors } | undefined;

  function places(): number[] {
    return Array.from({ length: casts.length }, (_, place) => place);
  }

  function at(turn: number) {
    const nth = turn % Math.max(1, casts.length);
    const place = order?.[nth] ?? nth;
    return { turn, place, actors: casts[place] ?? nobody };
  }

  /** Where there are casts enough, each VU plays its own; else each journey plays the next one. */
  function next(nth: number) {
    if (!plan.ownActors) return at(nth);
    ownPlace ??= at(vu());
    return ownPlace;
  }

  /** This VU plays another cast from now on, where there are more casts than VUs. */
  function movesOn(turn: number): boolean {
    const after = turn + idsOf(plan);
    if (!plan.ownActors || after >= casts.length) return false;
    ownPlace = at(after);
    return true;
  }

  /** Prints for Node that the cast may still be in something; kept for the next journey where this VU alone plays it. */
  function markStillInside(place: number, states: readonly StillInside[]): void {
    if (plan.ownActors) earlierStates[place] = states;
    if (stillInside.has(place)) return;
    stillInside.add(place);
    print(`assay left ${place}`);
  }

  /** Makes players leave what they may still be in. */
  function leaveEarlierState(place: number, iteration: Iteration): 'out' | 'stuck' | 'inside' {
    const isNew = plan.ownActors ? !metPlaces.has(place) : iteration.nth < casts.length;
    const before = earlierStates[place] ?? (isNew && stillInside.has(place) ? stateOfAll(false) : []);
    metPlaces.add(place);
    delete earlierStates[place];
    const now = before.map((state) => leaveFirst(plan, state, iteration, seen));
    const still = now.filter((each) => typeof each !== 'string');
    if (still.length > 0) markStillInside(place, still);
    return still.length > 0 ? 'inside' : now.includes('stuck') ? 'stuck' : 'out';
  }

  const stateOfAll = (isSure: boolean) => journeys.map((calls) => possiblyInside(calls, isSure));

  return {
    /** Plays one journey, if its actors can. */
    play(calls: readonly Prepared[], turn: Turn): Ended {
      let people = next(turn.nth);
      let before = leaveEarlierState(people.place, { ...turn, actors: people.actors });
      // Another cast takes the place of one that cannot get out.
      while (before === 'stuck' && movesOn(people.turn)) {
        people = next(turn.nth);
        before = leaveEarlierState(people.place, { ...turn, actors: people.actors });
      }
      if (before === 'inside') return 'early';
      const { place, actors } = people;
      const ended = visit(plan, calls, { ...turn, actors, isStuck: before === 'stuck' }, seen);
      if (typeof ended !== 'string') {
        markStillInside(place, [ended]);
        return 'early';
      }
      if (ended === 'whole' && stillInside.delete(place)) print(`assay out ${place}`);
      return ended;
    },
    /** Plays nothing: the next cast that may still be in something leaves it. */
    leaveOnly(turn: Turn): void {
      const place = plan.stillInside[turn.nth] ?? 0;
      const iteration = { ...turn, actors: casts[place] ?? nobody };
      const now = stateOfAll(true).map((state) => leaveFirst(plan, state, iteration, seen));
      if (now.every((each) => each === 'out')) print(`assay out ${place}`);
    },
  };
}
