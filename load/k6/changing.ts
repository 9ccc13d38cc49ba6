// Plays journeys that change something: chooses the players of each iteration, and makes them leave what they still have to.
import { idsOf } from '../distributed/segment.ts';
import type { Actors, Plan } from './plan.ts';
import { print } from './tally.ts';
import {
  type Ended,
  type Iteration,
  leaveFirst,
  type Owed,
  owedByAll,
  type Prepared,
  type Seen,
  visit,
} from './visit.ts';

export type Turn = Omit<Iteration, 'actors' | 'isStuck'>;

interface Stage {
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

/** For one VU: it remembers what the people that it plays may still be in. */
export function changing({ plan, casts, journeys, seen, vu }: Stage) {
  /** Casts that may still be in something, by their place. They come last. */
  const left = new Set(plan.left);
  const order = left.size === 0 ? undefined : [...places().filter((place) => !left.has(place)), ...left];
  /** What they owe, by their place. */
  const owing: Record<number, readonly Owed[]> = {};
  const met = new Set<number>();
  let own: { readonly turn: number; readonly place: number; readonly actors: Actors } | undefined;

  function places(): number[] {
    return Array.from({ length: casts.length }, (_, place) => place);
  }

  function at(turn: number) {
    const nth = turn % Math.max(1, casts.length);
    const place = order?.[nth] ?? nth;
    return { turn, place, actors: casts[place] ?? nobody };
  }

  /** Where there are people enough each VU plays its own; else each journey plays the next ones. */
  function next(nth: number) {
    if (!plan.own) return at(nth);
    own ??= at(vu());
    return own;
  }

  /** This VU plays others from now on, where some are left over. */
  function movesOn(turn: number): boolean {
    const after = turn + idsOf(plan);
    if (!plan.own || after >= casts.length) return false;
    own = at(after);
    return true;
  }

  /** Told to Node, and kept for the next journey where this VU alone plays them. */
  function owe(place: number, owed: readonly Owed[]): void {
    if (plan.own) owing[place] = owed;
    if (left.has(place)) return;
    left.add(place);
    print(`assay left ${place}`);
  }

  /** Makes players leave what they may still be in. */
  function settle(place: number, iteration: Iteration): 'out' | 'stuck' | 'owing' {
    const isNew = plan.own ? !met.has(place) : iteration.nth < casts.length;
    const before = owing[place] ?? (isNew && left.has(place) ? everything(false) : []);
    met.add(place);
    delete owing[place];
    const now = before.map((owed) => leaveFirst(plan, owed, iteration, seen));
    const still = now.filter((each) => typeof each !== 'string');
    if (still.length > 0) owe(place, still);
    return still.length > 0 ? 'owing' : now.includes('stuck') ? 'stuck' : 'out';
  }

  const everything = (isSure: boolean) => journeys.map((calls) => owedByAll(calls, isSure));

  return {
    /** Plays one journey, if its people can. */
    play(calls: readonly Prepared[], turn: Turn): Ended {
      let people = next(turn.nth);
      let before = settle(people.place, { ...turn, actors: people.actors });
      // Others take the place of people who cannot get out.
      while (before === 'stuck' && movesOn(people.turn)) {
        people = next(turn.nth);
        before = settle(people.place, { ...turn, actors: people.actors });
      }
      if (before === 'owing') return 'early';
      const { place, actors } = people;
      const ended = visit(plan, calls, { ...turn, actors, isStuck: before === 'stuck' }, seen);
      if (typeof ended !== 'string') {
        owe(place, [ended]);
        return 'early';
      }
      if (ended === 'whole' && left.delete(place)) print(`assay out ${place}`);
      return ended;
    },
    /** Plays nothing: the next cast that may still be in something leaves it. */
    leave(turn: Turn): void {
      const place = plan.left[turn.nth] ?? 0;
      const iteration = { ...turn, actors: casts[place] ?? nobody };
      const now = everything(true).map((owed) => leaveFirst(plan, owed, iteration, seen));
      if (now.every((each) => each === 'out')) print(`assay out ${place}`);
    },
  };
}
