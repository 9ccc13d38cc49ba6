// Plays journeys that change something: chooses the players of each, and first makes them leave what they may be in.
import { type Actors, type Inside, isOfSegment, type Plan } from './plan.ts';
import { type Iteration, nobody, type Prepared } from './send-call.ts';
import { print } from './tally.ts';
import { type Ended, leaveFirst, possiblyInside, type StillInside, visit } from './visit.ts';

interface ChangingOptions {
  readonly plan: Plan;
  readonly groups: { readonly length: number; at(place: number): Actors | undefined };
  /** All calls of each journey in the mix. */
  readonly journeys: readonly (readonly Prepared[])[];
  /** The number of this process among all that share the schedule, from 0. */
  readonly segment: number;
}

const noActors: Actors = [nobody];

/** For one process: it remembers what the actors that it plays may still be in. */
export function changing({ plan, groups, journeys, segment }: ChangingOptions) {
  /** Groups that may still be in something, by their place, and in what. They come last. */
  const stillInside = new Map(plan.stillInside.map(({ place, states }) => [place, states]));
  /** With `ownActors`: what a group has to leave before its next journey, by its place. */
  const earlierStates = new Map<number, readonly StillInside[]>();
  const metPlaces = new Set<number>();
  const order = placesInTurn();
  /** Places of groups that no journey uses now: those that can play, and those that cannot enter anything. */
  const free = createQueue(order);
  const stuck = createQueue([]);

  /** All groups in turn; with `ownActors` only those of this segment. */
  function placesInTurn(): number[] {
    const places = Array.from({ length: groups.length }, (_, place) => place);
    const clean = places.filter((place) => !stillInside.has(place));
    const all = [...clean, ...stillInside.keys()];
    return plan.ownActors ? all.filter((_, nth) => isOfSegment(nth, segment, plan)) : all;
  }

  /** Chooses the group of a journey: with `ownActors` one that no journey uses now, else the next in turn. */
  function take(nth: number): { readonly place: number; readonly isStuck: boolean } | undefined {
    if (!plan.ownActors) return { place: order[nth % Math.max(1, order.length)] ?? 0, isStuck: false };
    const place = free.take();
    if (place !== undefined) return { place, isStuck: false };
    const last = stuck.take();
    return last === undefined ? undefined : { place: last, isStuck: true };
  }

  function giveBack(place: number, ended: Ended): void {
    if (plan.ownActors) (ended === 'stuck' ? stuck : free).add(place);
  }

  /** Prints for Node what the group may still be in; with `ownActors` also keeps it for the group's next journey. */
  function markStillInside(place: number, states: readonly StillInside[]): void {
    if (plan.ownActors) earlierStates.set(place, states);
    const left = states.map(({ calls, ...state }): Inside => ({ visit: journeys.indexOf(calls), ...state }));
    const [before, now] = [stillInside.get(place), left].map((each) => JSON.stringify(each));
    stillInside.set(place, left);
    if (now !== before) print(`left ${place} ${now}`);
  }

  /** Returns what a group may still be in before its journey begins, and forgets it. */
  function takeEarlierStates(place: number, nth: number): readonly StillInside[] {
    const isNew = plan.ownActors ? !metPlaces.has(place) : nth < groups.length;
    const before = earlierStates.get(place) ?? (isNew ? statesOf(place, false) : []);
    metPlaces.add(place);
    earlierStates.delete(place);
    return before;
  }

  /** Makes players leave what they may still be in. */
  async function leaveStates(
    place: number,
    before: readonly StillInside[],
    iteration: Iteration,
  ): Promise<'out' | 'stuck' | 'inside'> {
    const now: Awaited<ReturnType<typeof leaveFirst>>[] = [];
    for (const state of before) now.push(await leaveFirst(plan, state, iteration));
    const still = now.filter((each) => typeof each !== 'string');
    if (still.length > 0) markStillInside(place, still);
    return still.length > 0 ? 'inside' : now.includes('stuck') ? 'stuck' : 'out';
  }

  /** @param isSure takes players to be in what they may be in, so that a refusal to let them leave needs a reason */
  function statesOf(place: number, isSure: boolean): StillInside[] {
    const states = stillInside.get(place);
    if (states === undefined) return [];
    if (states.length === 0) return journeys.map((calls) => possiblyInside(calls, isSure));
    return states.flatMap(({ visit, ...state }) => {
      const calls = journeys[visit];
      return calls === undefined ? [] : [{ calls, ...state, ...(isSure && { sure: state.inside }) }];
    });
  }

  async function playAs(
    place: number,
    isStuck: boolean,
    calls: readonly Prepared[],
    turn: Iteration,
  ): Promise<Ended | 'another'> {
    turn.actors = groups.at(place) ?? noActors;
    turn.place = place;
    turn.isStuck = isStuck;
    const before = takeEarlierStates(place, turn.nth);
    if (before.length > 0) {
      const now = await leaveStates(place, before, turn);
      if (now === 'inside') return 'early';
      // Another group takes the place of one that cannot get out.
      if (now === 'stuck' && !isStuck && free.length > 0) return 'another';
      turn.isStuck = isStuck || now === 'stuck';
    }
    const ended = await visit(plan, calls, turn);
    if (typeof ended !== 'string') {
      markStillInside(place, [ended]);
      return 'early';
    }
    if (ended === 'whole' && stillInside.delete(place)) print(`out ${place}`);
    return ended;
  }

  return {
    /** Plays one journey, if its actors can; `stuck` where there is nobody to play it. */
    async play(calls: readonly Prepared[], turn: Iteration): Promise<Ended> {
      for (;;) {
        const taken = take(turn.nth);
        if (taken === undefined) return 'stuck';
        const { place, isStuck } = taken;
        let ended: Ended | 'another' = 'early';
        try {
          ended = await playAs(place, isStuck, calls, turn);
        } finally {
          giveBack(place, ended === 'another' ? 'stuck' : ended);
        }
        if (ended !== 'another') return ended;
      }
    },
    /** Plays nothing: the next group that may still be in something leaves it. */
    async leaveOnly(turn: Iteration): Promise<void> {
      const place = plan.stillInside[turn.nth]?.place ?? 0;
      turn.actors = groups.at(place) ?? noActors;
      turn.place = place;
      let isOut = true;
      for (const state of statesOf(place, true))
        if ((await leaveFirst(plan, state, turn)) !== 'out') isOut = false;
      if (isOut) print(`out ${place}`);
    },
  };
}

/** A first-in, first-out queue: to shift the first item off an array would move all others. */
function createQueue(initial: readonly number[]) {
  let items = [...initial];
  let taken = 0;
  return {
    get length() {
      return items.length - taken;
    },
    add(item: number): void {
      items.push(item);
    },
    take(): number | undefined {
      if (taken === items.length) return undefined;
      const item = items[taken];
      taken += 1;
      if (taken > 1_000 && taken * 2 > items.length) {
        items = items.slice(taken);
        taken = 0;
      }
      return item;
    },
  };
}
