// Limits how many bytes of answers are read: of one body, of all at one time, and of a whole run.

const mebibyte = 2 ** 20;
/** Largest body, on the wire and decoded. */
const largestBody = 16 * mebibyte;
/** Most bytes of all answers that are being read at one time. */
const mostAtATime = 48 * mebibyte;
/** Most bytes of all large answers of a run; reading more would be most of its work. */
const enoughOfLarge = 1024 * mebibyte;
/** An answer of more than this is large, however few connections there are. */
const mostOfSmall = mebibyte;

export interface InFlight {
  /** Largest body. */
  readonly maxBytes: number;
  /** Most bytes that a reader holds before it has entered. An answer of more is large. */
  readonly share: number;
  /** True when the reader may read on, up to `maxBytes`; otherwise `resume` is called once it may. */
  readonly enter: (reader: object, resume: () => void) => boolean;
  /** The reader has ended, whether it had entered, waited, or neither. */
  readonly leave: (reader: object) => void;
  /** Counts bytes of a large answer; false once all of them together are more than a run may read. */
  readonly spend: (bytes: number) => boolean;
  /** True once `spend` has returned false. */
  readonly isSpent: () => boolean;
}

interface InFlightOptions {
  /** Connections that are read at one time. */
  readonly connections: number;
  /** Largest body. Default 16 MiB. */
  readonly maxBytes?: number;
  /** Most bytes of all answers that are being read. Default 48 MiB. */
  readonly most?: number;
  /** Most bytes of all large answers of a run, on the wire or decoded. Default 1 GiB. */
  readonly mostOfLarge?: number;
}

/** Half of the room is shared by all connections; the other half is for the few at a time that turn out large. */
export function createInFlight({
  connections,
  maxBytes = largestBody,
  most = mostAtATime,
  mostOfLarge = enoughOfLarge,
}: InFlightOptions): InFlight {
  const share = Math.min(mostOfSmall, Math.floor(most / 2 / connections));
  const places = Math.max(1, Math.floor((most - share * connections) / maxBytes));
  const inside = new Set<object>();
  const waiting = new Map<object, () => void>();
  let spent = 0;
  return {
    maxBytes,
    share,
    enter(reader, resume) {
      if (inside.size < places) {
        inside.add(reader);
        return true;
      }
      waiting.set(reader, resume);
      return false;
    },
    leave(reader) {
      waiting.delete(reader);
      if (!inside.delete(reader)) return;
      const [next] = waiting;
      if (!next) return;
      const [other, resume] = next;
      waiting.delete(other);
      inside.add(other);
      resume();
    },
    spend(bytes) {
      spent += bytes;
      return spent <= mostOfLarge;
    },
    isSpent: () => spent > mostOfLarge,
  };
}
