// Limits on the memory that answers take: what is kept of them, and when their garbage is collected.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Headers } from './exchange.ts';

/**
 * Bytes of garbage after which a collection is forced, if the process has become large: answers lie outside the
 * engine's heap, so the engine is slow to notice that they are garbage. Most become garbage soon, so a minor
 * collection (some milliseconds) comes first, and a major one (ten times as long) only where much is left. On a target
 * that answers everything with 15 MiB (`npm run hostile -- big-json`, which promises 400 MiB at most) a run takes
 * 350 MiB and 13 s of CPU; when nothing was forced, it took 512 MiB and 6 s. A run of small answers never gets there.
 */
const everyBytes = 32 * 2 ** 20;
/** Bytes of memory of the process below which no garbage collection is forced. */
const roomy = 220 * 2 ** 20;
/** Bytes outside the heap after a minor collection, above which a major one follows. */
const old = 64 * 2 ** 20;
/** Bytes: a larger answer also leaves what the socket handed over, a copy, its text and the value parsed from it. */
const large = 2 ** 18;
const copiesOfLarge = 3;

/** Forces collections of the garbage of large answers, which the engine would collect late. */
export function createCollector() {
  let since = 0;
  let total = 0;
  let gc: ((how: { readonly type: 'minor' | 'major' }) => void) | undefined;
  const collect = (type: 'minor' | 'major') => {
    if (!gc) {
      setFlagsFromString('--expose-gc');
      gc = runInNewContext('gc') as NonNullable<typeof gc>;
    }
    gc({ type });
  };
  return {
    /** Counts the bytes that an answer took, and forces a collection when enough have come together. */
    note(bytes: number) {
      since += bytes > large ? copiesOfLarge * bytes : bytes;
      total += bytes;
      if (since < everyBytes) return;
      since = 0;
      if (process.memoryUsage.rss() < roomy) return;
      collect('minor');
      if (process.memoryUsage().external > old) collect('major');
    },
    /** Called when no more answers come: collects the garbage of large ones, once no code holds them. */
    end() {
      if (total < everyBytes) return;
      setImmediate(() => {
        // The engine holds the text that a pattern last matched, however large it is.
        /^/.test('');
        collect('major');
      });
    },
  };
}

// Kept answers: a run keeps every exchange to its end, so the total is bounded, and equal bodies are kept once.
export interface Holdings {
  /**
   * Returns the body to keep: equal bodies share one copy, so that each is parsed once, and a body keeps no more memory
   * alive than its own. Undefined where there is no room left for it and its headers.
   */
  readonly keep: (body: Uint8Array, headers: Headers) => Uint8Array | undefined;
  /** Whether an equal body is kept: what was checked of that body holds for this one too. */
  readonly knows: (body: Uint8Array) => boolean;
}

/** Bytes: a smaller body is always kept, since some thousand exchanges bound the total. */
const small = 16 * 1024;
/** Most bytes of small bodies that later ones are compared with; most bodies of a run equal an earlier one. */
const mostCompared = 4 * 2 ** 20;
/** Most large bodies of one length that a body is compared with: the last ones. */
const mostOfLength = 64;
/** Bytes that a header field takes besides its characters. */
const perField = 96;

/** @param mostBytes of large bodies and heads that a run holds, from its first call to its last */
export function createHoldings(mostBytes: number): Holdings {
  /** By length: comparing the bytes of bodies of one length costs less than a digest. */
  const large = new Map<number, readonly Uint8Array[]>();
  /** By their bytes as text. */
  const known = new Map<string, Uint8Array>();
  let held = 0;
  let compared = 0;

  const keepSmall = (body: Uint8Array): Uint8Array => {
    const bytes = Buffer.from(body.buffer, body.byteOffset, body.length).toString('latin1');
    const before = known.get(bytes);
    if (before) return before;
    const own = ownMemory(body);
    if (compared + bytes.length > mostCompared) return own;
    compared += bytes.length;
    known.set(bytes, own);
    return own;
  };

  const equalTo = (body: Uint8Array) =>
    large.get(body.length)?.find((each) => Buffer.compare(each, body) === 0);
  const take = (bytes: number): boolean => {
    if (bytes <= small) return true;
    if (held + bytes > mostBytes) return false;
    held += bytes;
    return true;
  };

  return {
    knows: (body) => equalTo(body) !== undefined,
    keep(body, headers) {
      if (!take(headers.length * perField + headerBytes(headers))) return undefined;
      if (body.length <= small) return keepSmall(body);
      const before = equalTo(body);
      if (before) return before;
      if (!take(body.length)) return undefined;
      const own = ownMemory(body);
      large.set(own.length, [own, ...(large.get(own.length) ?? []).slice(0, mostOfLength - 1)]);
      return own;
    },
  };
}

function headerBytes(headers: Headers): number {
  let sum = 0;
  for (const [name, value] of headers) sum += name.length + value.length;
  return sum;
}

/** Copies a slice of a larger read, since it would keep the whole read alive. */
const ownMemory = (body: Uint8Array): Uint8Array =>
  body.buffer.byteLength > 2 * body.length + 4096 ? Uint8Array.from(body) : body;

const worthReleasing = 2 ** 20;

/** Frees the memory of an unreferenced large body at once: the engine would free it late. */
export function release({ buffer, byteLength }: Uint8Array): void {
  const isAlone = buffer instanceof ArrayBuffer && buffer.byteLength === byteLength;
  if (isAlone && byteLength > worthReleasing) buffer.transfer(0);
}
