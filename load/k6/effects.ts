// Records, inside k6, which calls with a lasting effect were acknowledged: the check that follows a step compares the
// target's state with it. Pure: Node uses it too.

/** What one player did by one operation in a step. */
export interface Effects {
  /** The place of the group; for a log batch, the number of the prepared body. */
  readonly place: number;
  /** The actor in the group. */
  readonly as: number;
  /** The id of the operation. */
  readonly operation: string;
  /** Calls that were acknowledged, and calls that may have taken effect or not. */
  readonly acknowledged: number;
  readonly unknown: number;
  /** Iterations whose write may be the latest: no acknowledged write began after theirs had ended. */
  readonly last: readonly number[];
}

interface Write {
  readonly nth: number;
  readonly begun: number;
  /** Infinity while the write is under way, and where it may still take effect. */
  ended: number;
}

interface EffectTally extends Pick<Effects, 'place' | 'as' | 'operation'> {
  acknowledged: number;
  unknown: number;
  writes: Write[];
  isOpen: boolean;
}

/** Most writes that `last` names; where more may be the latest, it is empty. */
const mostWrites = 12;

/** A call that is under way. */
export interface Opened {
  /** @param isAcknowledged the answer was a right 2xx; anything else says nothing of the effect */
  ends(isAcknowledged: boolean): void;
}

export type EffectRecorder = ReturnType<typeof createEffectRecorder>;

/** The recorder of one k6 process. */
export function createEffectRecorder() {
  const tallies = new Map<string, EffectTally>();
  let clock = 0;
  return {
    begins(place: number, as: number, operation: string, nth: number): Opened {
      const key = `${place}:${as}:${operation}`;
      const empty = { acknowledged: 0, unknown: 0, writes: [], isOpen: false };
      const tally: EffectTally = tallies.get(key) ?? { place, as, operation, ...empty };
      tallies.set(key, tally);
      clock += 1;
      const write: Write = { nth, begun: clock, ended: Infinity };
      tally.unknown += 1;
      if (tally.writes.length < mostWrites) tally.writes.push(write);
      else tally.isOpen = true;
      return {
        ends(isAcknowledged) {
          if (!isAcknowledged) return;
          clock += 1;
          write.ended = clock;
          tally.unknown -= 1;
          tally.acknowledged += 1;
          tally.writes = tally.writes.filter(({ ended }) => ended > write.begun);
        },
      };
    },
    recorded: (): Effects[] =>
      [...tallies.values()].map(({ writes, isOpen, ...tally }) => ({
        ...tally,
        last: isOpen ? [] : writes.map(({ nth }) => nth),
      })),
  };
}

/** What several processes recorded of the same player and operation, together. */
export function merged(all: readonly Effects[]): Effects[] {
  const found = new Map<string, Effects>();
  for (const each of all) {
    const key = `${each.place}:${each.as}:${each.operation}`;
    const other = found.get(key);
    if (other === undefined) found.set(key, each);
    else {
      // With acknowledged calls, an empty list means that too many writes may be the latest.
      const isOpen = [each, other].some(({ last, acknowledged }) => last.length === 0 && acknowledged > 0);
      found.set(key, {
        ...each,
        acknowledged: each.acknowledged + other.acknowledged,
        unknown: each.unknown + other.unknown,
        last: isOpen ? [] : [...other.last, ...each.last],
      });
    }
  }
  return [...found.values()];
}

// Values by which an effect is known again: Node makes the same ones as k6.

/** @param mark of the step: no other step of any run has it */
export const ownValue = (mark: string, nth: number, player: string | undefined): string =>
  `assay-${mark}-${nth}-${player}`;

/** The same name for two iterations in a row, of which one may get it. */
export const ownName = (mark: string, nth: number): string =>
  `Assay${mark}${Math.floor(nth / 2).toString(36)}`;
