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

const firstSize = 1024 * 1024;

/**
 * Holds the bytes of one entry at a time, and grows as needed.
 * @param most bytes that are kept of one entry
 */
function createEntryBuffer(most: number) {
  let buffer = new Uint8Array(Math.min(most, firstSize));
  let held = 0;
  return {
    keep(chunk: Uint8Array, from: number, to: number): void {
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
    /** The bytes kept since the last call, valid until the next `keep`; undefined where they exceeded the bound. */
    take(): Uint8Array | undefined {
      const kept = held <= most ? buffer.subarray(0, held) : undefined;
      held = 0;
      return kept;
    },
  };
}

/** Largest entry in bytes; larger ones are left out. */
const largestEntry = 32 * 1024 * 1024;
/** Most characters that are kept of a key; `log` and `entries` are shorter. */
const longestKey = 16;

/**
 * A splitter for one file.
 * @param onEntry takes each entry once its last byte was written; its bytes are valid during the call alone
 */
export function createEntrySplitter(onEntry: (bytes: Uint8Array) => void, largest = largestEntry) {
  const buffer = createEntryBuffer(largest);
  let position = 0;
  let skipped = 0;
  let depth = 0;
  let inString = false;
  let escaped = false;
  /** The last string in the two outermost levels; below, the keys that lead to the current byte: `log`, `entries`. */
  let key = '';
  let outer = '';
  let inner = '';
  let inEntries = false;
  let inEntry = false;
  /** Whether the list at `log.entries` was seen, and the end of the outermost object. */
  let [entries, whole] = [false, false];

  const inText = (byte: number) => {
    if (escaped) escaped = false;
    else if (byte === backslash) escaped = true;
    else if (byte === quote) inString = false;
    else if (depth <= 2 && key.length < longestKey) key += String.fromCharCode(byte);
  };

  /**
   * Takes the next bytes.
   * @returns why this can be no HAR; undefined while it can
   */
  const write = (chunk: Uint8Array): 'not JSON' | 'no HAR' | undefined => {
    /** Where in the chunk the part of the entry begins that is not kept yet. */
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
