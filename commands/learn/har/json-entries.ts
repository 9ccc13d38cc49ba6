// Splits a HAR file into its entries as the bytes arrive, so that memory is bounded by one entry. JSON.parse reads each
// entry: measured, that is ten times as fast as a streaming parser's tokens.

const quote = 0x22;
const backslash = 0x5c;
const colon = 0x3a;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;

/** UTF-8's mark at the start of a file. */
const byteOrderMark = [0xef, 0xbb, 0xbf];

const isSpace = (byte: number) => byte === 0x20 || (byte >= 0x09 && byte <= 0x0d);

/** The bytes of one entry at a time; grows with what it has to hold, up to a bound. */
interface EntryBuffer {
  readonly keep: (chunk: Uint8Array, from: number, to: number) => void;
  /** The bytes kept since the last call, valid until the next `keep`; undefined where they exceeded the bound. */
  readonly take: () => Uint8Array | undefined;
}

const firstSize = 1024 * 1024;

/** @param most bytes that are kept of one entry */
function createEntryBuffer(most: number): EntryBuffer {
  let buffer = new Uint8Array(Math.min(most, firstSize));
  let held = 0;
  return {
    keep(chunk, from, to) {
      const needed = held + to - from;
      if (needed <= most) {
        if (needed > buffer.length) {
          const larger = new Uint8Array(Math.min(most, Math.max(needed, buffer.length * 2)));
          larger.set(buffer.subarray(0, held));
          buffer = larger;
        }
        buffer.set(chunk.subarray(from, to), held);
      }
      // After an overflow the entry stays dropped, so that its rest is not taken for the whole.
      held = Math.min(needed, most + 1);
    },
    take() {
      const kept = held <= most ? buffer.subarray(0, held) : undefined;
      held = 0;
      return kept;
    },
  };
}

/** Entries beyond are left out. In bytes. */
const largestEntry = 32 * 1024 * 1024;
/** The names that lead to the entries are shorter. */
const longestKey = 16;

type NoHar = 'not JSON' | 'no HAR';

interface EntrySplitter {
  /**
   * Takes the next bytes, hands each entry that ends in them to `onEntry` (its bytes are valid during the call alone).
   * @returns why this can be no HAR; undefined while it can
   */
  readonly write: (chunk: Uint8Array) => NoHar | undefined;
  /** What was seen up to now. */
  readonly seen: () => Seen;
}

interface Seen {
  /** The list at `log.entries` was there. */
  readonly entries: boolean;
  /** The outermost object was closed. */
  readonly whole: boolean;
  readonly skipped: number;
}

/** A splitter for one file. */
export function createEntrySplitter(
  onEntry: (bytes: Uint8Array) => void,
  largest = largestEntry,
): EntrySplitter {
  const buffer = createEntryBuffer(largest);
  let position = 0;
  let skipped = 0;
  let depth = 0;
  let inString = false;
  let escaped = false;
  /** The last string of the two outermost levels, and the keys that lead to where the scan is: `log`, then `entries`. */
  let key = '';
  let outer = '';
  let inner = '';
  let inEntries = false;
  let inEntry = false;
  let entries = false;
  let whole = false;

  const inText = (byte: number) => {
    if (escaped) escaped = false;
    else if (byte === backslash) escaped = true;
    else if (byte === quote) inString = false;
    else if (depth <= 2 && key.length < longestKey) key += String.fromCharCode(byte);
  };

  const write = (chunk: Uint8Array): NoHar | undefined => {
    /** What of the entry is not kept yet begins here. */
    let from = 0;
    for (let index = 0; index < chunk.length; index++) {
      const byte = chunk[index] as number;
      if (inString) inText(byte);
      else if (byte === quote && depth > 0) {
        inString = true;
        key = '';
      } else if (depth === 0) {
        if (isSpace(byte) || (position + index < 3 && byte === byteOrderMark[position + index])) continue;
        if (byte === openBracket) return 'no HAR';
        if (whole || byte !== openBrace) return 'not JSON';
        depth = 1;
      } else if (byte === openBrace || byte === openBracket) {
        if (depth === 2 && byte === openBracket && outer === 'log' && inner === 'entries') {
          entries = true;
          inEntries = true;
        } else if (depth === 3 && byte === openBrace && inEntries) {
          inEntry = true;
          from = index;
        }
        depth += 1;
      } else if (byte === closeBrace || byte === closeBracket) {
        depth -= 1;
        if (depth === 3 && inEntry) {
          inEntry = false;
          buffer.keep(chunk, from, index + 1);
          const kept = buffer.take();
          if (kept === undefined) skipped += 1;
          else onEntry(kept);
        }
        if (depth === 2) inEntries = false;
        if (depth === 0) whole = true;
      } else if (byte === colon && depth === 1) outer = key;
      else if (byte === colon && depth === 2) inner = key;
    }
    if (inEntry) buffer.keep(chunk, from, chunk.length);
    position += chunk.length;
    return undefined;
  };

  return { write, seen: () => ({ entries, whole, skipped }) };
}
