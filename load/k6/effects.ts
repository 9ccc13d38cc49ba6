// Records, inside k6, which calls with a lasting effect were acknowledged: the check that follows a step holds the target's
// state against it. Pure: Node uses it too.

/** What one player did by one operation in a step. */
export interface Effects {
  /** The group, by its place, and the actor in it; of a log batch, which of the prepared bodies it was. */
  readonly place: number;
  readonly as: number;
  /** Its id. */
  readonly operation: string;
  /** Calls that were acknowledged, and calls that may have taken effect or not. */
  readonly acknowledged: number;
  readonly unknown: number;
  /** Iterations whose write may stand now: none that was acknowledged began after they had ended. */
  readonly last: readonly number[];
}

interface Write {
  readonly nth: number;
  readonly begun: number;
  /** Infinity while it is under way, and where it may still take effect. */
  ended: number;
}

interface EffectTally extends Pick<Effects, 'place' | 'as' | 'operation'> {
  acknowledged: number;
  unknown: number;
  writes: Write[];
  isOpen: boolean;
}

/** Where more writes may stand, none is named. */
const mostWrites = 12;

/** A call that is under way. */
export interface Opened {
  /** @param isAcknowledged the answer was a right 2xx; anything else says nothing of the effect */
  ends(isAcknowledged: boolean): void;
}

export type EffectRecorder = ReturnType<typeof createEffectRecorder>;

/** The recorder of one k6 process. */
export function createEffectRecorder() {
  const accounts = new Map<string, EffectTally>();
  let clock = 0;
  return {
    begins(place: number, as: number, operation: string, nth: number): Opened {
      const key = `${place}:${as}:${operation}`;
      const empty = { acknowledged: 0, unknown: 0, writes: [], isOpen: false };
      const account: EffectTally = accounts.get(key) ?? { place, as, operation, ...empty };
      accounts.set(key, account);
      clock += 1;
      const write: Write = { nth, begun: clock, ended: Infinity };
      account.unknown += 1;
      if (account.writes.length < mostWrites) account.writes.push(write);
      else account.isOpen = true;
      return {
        ends(isAcknowledged) {
          if (!isAcknowledged) return;
          clock += 1;
          write.ended = clock;
          account.unknown -= 1;
          account.acknowledged += 1;
          account.writes = account.writes.filter(({ ended }) => ended > write.begun);
        },
      };
    },
    recorded: (): Effects[] =>
      [...accounts.values()].map(({ writes, isOpen, ...account }) => ({
        ...account,
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
      // An empty list says that too many may stand, unless nothing was written.
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

/** Two iterations in a row ask for the same name: one holder is all that it may have. */
export const ownName = (mark: string, nth: number): string =>
  `Assay${mark}${Math.floor(nth / 2).toString(36)}`;
