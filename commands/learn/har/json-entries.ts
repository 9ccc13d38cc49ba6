// Splits a HAR file into its entries as the bytes arrive, so that memory is bounded by one entry.

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
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

// The position of the scan outside of entries: only the two outermost levels of keys matter.
interface Outline {
  /** Takes the next byte outside of entries. */
  readonly byte: (byte: number) => void;
  /** The next object to open is an entry. */
  readonly atEntry: () => boolean;
  /** Nothing is open. */
  readonly isOutside: () => boolean;
  readonly seen: () => { readonly entries: boolean; readonly whole: boolean };
}

const longestKey = 16;

function createOutline(): Outline {
  let depth = 0;
  let inString = false;
  let escaped = false;
  let atKey = false;
  let key = '';
  /** The keys that lead to where the scan is: `log`, then `entries`. */
  let outer = '';
  let inner = '';
  let inEntries = false;
  let entries = false;
  let whole = false;

  const inside = (byte: number) => {
    if (escaped) escaped = false;
    else if (byte === backslash) escaped = true;
    else if (byte === quote) inString = false;
    else if (atKey && depth <= 2 && key.length < longestKey) key += String.fromCharCode(byte);
  };

  const open = (byte: number) => {
    if (byte === openBracket && depth === 2 && outer === 'log' && inner === 'entries') {
      entries = true;
      inEntries = true;
    }
    depth += 1;
    atKey = byte === openBrace;
  };

  const close = () => {
    depth -= 1;
    if (depth === 2) inEntries = false;
    if (depth === 0) whole = true;
  };

  return {
    byte(byte) {
      if (inString) inside(byte);
      else if (byte === quote) {
        inString = true;
        key = '';
      } else if (byte === openBrace || byte === openBracket) open(byte);
      else if (byte === closeBrace || byte === closeBracket) close();
      else if (byte === comma) atKey = !inEntries;
      else if (byte === colon) {
        atKey = false;
        if (depth === 1) outer = key;
        if (depth === 2) inner = key;
      }
    },
    atEntry: () => inEntries && depth === 3 && !inString,
    isOutside: () => depth === 0,
    seen: () => ({ entries, whole }),
  };
}

// The splitter. JSON.parse reads each entry: measured, that is ten times as fast as a streaming parser's tokens.

/** Entries beyond are left out. In bytes. */
const largestEntry = 32 * 1024 * 1024;
/** Of a longer string, a recorded body most likely, the entry keeps its beginning. In bytes. */
const longestString = 4 * 1024 * 1024;
/** No escape sequence is longer, `\\u` and four digits. */
const longestEscape = 6;

/** An entry without its long strings, and without what is not looked at, is small. In bytes. */
const mostKept = 12 * 1024 * 1024;
const membersKept: ReadonlySet<string> = new Set(['request', 'response']);

interface Limits {
  readonly largestEntry: number;
  readonly longestString: number;
}

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
  limits: Limits = { largestEntry, longestString },
): EntrySplitter {
  const buffer = createEntryBuffer(Math.min(limits.largestEntry, mostKept));
  const outline = createOutline();
  let position = 0;
  let skipped = 0;
  /** Within the entry: 0 outside of any, 1 among its own members. */
  let depth = 0;
  let entrySize = 0;
  let inString = false;
  let escaped = false;
  let stringSize = 0;
  let sinceEscape = 0;
  /** Inside a string that is too long to keep. */
  let dropping = false;
  /** Inside a member of an entry that is not looked at: what a websocket said, who asked for the call. */
  let muted = false;
  let atMember = false;
  let member = '';
  /** What of the chunk is not kept yet begins here. */
  let keptTo = 0;

  const endEntry = (chunk: Uint8Array, end: number, began: number) => {
    buffer.keep(chunk, keptTo, end);
    entrySize += end - began;
    const kept = buffer.take();
    if (kept === undefined || entrySize > limits.largestEntry) skipped += 1;
    else onEntry(kept);
    entrySize = 0;
  };

  /** The rest of a string; returns where it ends, or the chunk's end. */
  const throughString = (chunk: Uint8Array, from: number): number => {
    for (let index = from; index < chunk.length; index++) {
      const byte = chunk[index] as number;
      const mayCut = !escaped && (byte === backslash || sinceEscape > longestEscape);
      if (stringSize > limits.longestString && mayCut && !dropping && !muted) {
        buffer.keep(chunk, keptTo, index);
        dropping = true;
      }
      stringSize += 1;
      sinceEscape += 1;
      if (escaped) escaped = false;
      else if (byte === backslash) {
        escaped = true;
        sinceEscape = 0;
      } else if (byte === quote) {
        inString = false;
        if (dropping) keptTo = index;
        dropping = false;
        return index;
      } else if (atMember && depth === 1 && member.length < longestKey) member += String.fromCharCode(byte);
    }
    return chunk.length;
  };

  /** A byte of an entry outside of its strings. */
  const inEntry = (chunk: Uint8Array, index: number) => {
    const byte = chunk[index];
    if (byte === quote) {
      inString = true;
      stringSize = 0;
      sinceEscape = longestEscape + 1;
      if (atMember) member = '';
    } else if (byte === openBrace || byte === openBracket) {
      if (depth === 1 && !membersKept.has(member)) {
        buffer.keep(chunk, keptTo, index + 1);
        muted = true;
      }
      depth += 1;
    } else if (byte === closeBrace || byte === closeBracket) {
      depth -= 1;
      if (depth === 1 && muted) {
        muted = false;
        keptTo = index;
      }
    } else if (depth === 1 && byte === comma) atMember = true;
    else if (depth === 1 && byte === colon) atMember = false;
  };

  const write = (chunk: Uint8Array): NoHar | undefined => {
    let began = 0;
    keptTo = 0;
    for (let index = 0; index < chunk.length; index++) {
      if (inString) {
        index = throughString(chunk, index);
        continue;
      }
      const byte = chunk[index] as number;
      if (depth > 0) {
        inEntry(chunk, index);
        if (depth === 0) endEntry(chunk, index + 1, began);
      } else if (byte === openBrace && outline.atEntry()) {
        depth = 1;
        began = index;
        keptTo = index;
        atMember = true;
      } else if (outline.isOutside()) {
        if (isSpace(byte) || (position + index < 3 && byte === byteOrderMark[position + index])) continue;
        if (byte === openBracket) return 'no HAR';
        if (outline.seen().whole || byte !== openBrace) return 'not JSON';
        outline.byte(byte);
      } else outline.byte(byte);
    }
    if (depth > 0) {
      if (!dropping && !muted) buffer.keep(chunk, keptTo, chunk.length);
      entrySize += chunk.length - began;
    }
    position += chunk.length;
    return undefined;
  };

  return { write, seen: () => ({ ...outline.seen(), skipped }) };
}
