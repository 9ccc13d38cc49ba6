// Limits on the memory that answers take: what is kept of them, and when their garbage is collected.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Headers } from './exchange.ts';

/**
 * After so many bytes of garbage it is collected by force, where the process has become large: answers lie outside the
 * engine's heap, which is slow to notice that they are garbage. They die young, so the young are collected, which takes
 * milliseconds; all, which takes ten times as long, only where much outlives that. On a target that answers everything
 * with 15 MiB (`npm run hostile -- big-json`, which promises 400 MiB at most) a run takes 350 MiB and 13 s of CPU;
 * when nothing was forced, it took 512 MiB and 6 s.
 * A run of small answers never comes to it.
 */
const everyBytes = 32 * 2 ** 20;
/** Bytes of memory of the process below which no garbage collection is forced. */
const roomy = 220 * 2 ** 20;
/** Bytes outside the heap that outlive a collection of the young where all are collected. */
const old = 64 * 2 ** 20;
/** A larger answer leaves more than itself: what the socket handed over, its copy, its text and the value parsed from it. */
const large = 2 ** 18;
const copiesOfLarge = 3;

/** Collects the garbage of large answers by force, where the engine would be slow to. */
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
    /** Gets the bytes that an answer took. */
    note(bytes: number) {
      since += bytes > large ? copiesOfLarge * bytes : bytes;
      total += bytes;
      if (since < everyBytes) return;
      since = 0;
      if (process.memoryUsage.rss() < roomy) return;
      collect('minor');
      if (process.memoryUsage().external > old) collect('major');
    },
    /** No more answers come: collects the garbage of large ones, once no code holds them. */
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

// Kept answers: every exchange is kept to the end of the run, so their sum is bounded, and equal ones are one.
export interface Holdings {
  /**
   * The body as it is to be kept: equal ones are one, so that what is read from it is read once, and none keeps more
   * memory alive than its own. Undefined where there is no room for it and its headers any more.
   */
  readonly keep: (body: Uint8Array, headers: Headers) => Uint8Array | undefined;
  /** Returns whether an equal body is kept: what was found out about it holds for this one. */
  readonly knows: (body: Uint8Array) => boolean;
}

/** Bytes: a smaller body is always kept, since some thousand exchanges bound the total. */
const small = 16 * 1024;
/** Bytes of small bodies that others may turn out to be equal to; most bodies of a run are one that came before. */
const mostCompared = 4 * 2 ** 20;
/** Large bodies of a length among which an equal one is looked for, the last ones. */
const mostOfLength = 64;
/** The cost of a field beside its characters. */
const perField = 96;

/** @param mostBytes of large bodies and heads that a run holds, from its first call to its last */
export function createHoldings(mostBytes: number): Holdings {
  /** By length: to compare the bytes of those that are as long costs less than a digest. */
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

/** A slice of a larger read would keep the whole read alive, so it is copied. */
const ownMemory = (body: Uint8Array): Uint8Array =>
  body.buffer.byteLength > 2 * body.length + 4096 ? Uint8Array.from(body) : body;

const worthReleasing = 2 ** 20;

/** Frees the memory of an unreferenced large body at once: the engine would free it late. */
export function release({ buffer, byteLength }: Uint8Array): void {
  const isAlone = buffer instanceof ArrayBuffer && buffer.byteLength === byteLength;
  if (isAlone && byteLength > worthReleasing) buffer.transfer(0);
}
