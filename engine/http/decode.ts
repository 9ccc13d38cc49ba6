// Decodes the body of an answer: undoes its Content-Encoding within a size limit, and refuses JSON that would take too
// much memory to parse.
import {
  brotliDecompressSync,
  gunzipSync,
  inflateRawSync,
  inflateSync,
  constants as zlib,
  zstdDecompressSync,
} from 'node:zlib';
import { ownMember } from '../values/members.ts';

type Decoded =
  | { readonly body: Uint8Array; readonly coding?: string; readonly codingError?: string }
  | { readonly tooLarge: true; readonly coding: string };

type Decoder = (bytes: Uint8Array, maxOutputLength: number) => Uint8Array;

const gzip: Decoder = (bytes, maxOutputLength) => gunzipSync(bytes, { maxOutputLength });

const decoders: Record<string, Decoder> = {
  gzip,
  'x-gzip': gzip,
  // RFC 9110 8.4.1.2 means zlib; clients also read the raw deflate stream that some servers send instead.
  deflate: (bytes, maxOutputLength) =>
    ((bytes[0] ?? 0) & 0x0f) === 8
      ? inflateSync(bytes, { maxOutputLength })
      : inflateRawSync(bytes, { maxOutputLength }),
  br: (bytes, maxOutputLength) => brotliDecompressSync(bytes, { maxOutputLength }),
  // RFC 9659: in HTTP the window is at most 8 MiB, and a decoder need not allocate more.
  zstd: (bytes, maxOutputLength) =>
    zstdDecompressSync(bytes, { maxOutputLength, params: { [zlib.ZSTD_d_windowLogMax]: 23 } }),
};

const mostCodings = 3;

/**
 * Undoes Content-Encoding, last coding first. What cannot be undone is left as raw bytes with the reason;
 * output beyond `maxBytes` stops the decoder there.
 */
export function decode(body: Uint8Array, contentEncoding: string | undefined, maxBytes: number): Decoded {
  if (!contentEncoding) return { body };
  const codings = contentEncoding
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim())
    .filter((coding) => coding !== '' && coding !== 'identity');
  if (codings.length === 0) return { body };
  const coding = contentEncoding;
  // Answers to HEAD, 204 and 304 may name the coding of a body that they do not carry.
  if (body.length === 0) return { body, coding };
  if (codings.length > mostCodings) return { body, coding, codingError: `more than ${mostCodings} codings` };
  let bytes = body;
  for (const name of codings.reverse()) {
    const decoder = ownMember(decoders, name);
    if (!decoder) return { body, coding, codingError: `unknown coding "${name.slice(0, 40)}"` };
    try {
      bytes = decoder(bytes, maxBytes);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') return { tooLarge: true, coding };
      return { body, coding, codingError: `broken ${name}: ${(error as Error).message}` };
    }
  }
  return { body: bytes, coding };
}

// Limits on JSON that is small on the wire and large in memory; they are checked before it is parsed.

/** One value for every eleven bytes of the largest body; parsed, they take some forty MiB. */
const mostValues = 1_500_000;
/** Most distinct field names: one costs more than twenty values, in memory and in parsing time. */
const mostNames = 250_000;
/** Deepest nesting: code that walks the value calls itself once per level. */
const deepest = 500;
/** Bytes of the shortest field, `"a":1,`. */
const shortestMember = 6;

const quote = 0x22;
const comma = 0x2c;
const colon = 0x3a;
const openList = 0x5b;
const backslash = 0x5c;
const closeList = 0x5d;
const openObject = 0x7b;
const closeObject = 0x7d;

/** Why a JSON body is too large for a run to read; undefined where it is not. */
export function outsize(body: Uint8Array): string | undefined {
  // A shorter body cannot exceed any of the limits.
  if (body.length <= deepest || !opens(body)) return undefined;
  const names = body.length < mostNames * shortestMember ? undefined : createNames();
  let depth = 0;
  let values = 0;
  let [textStart, textEnd] = [0, 0];
  for (let at = 0; at < body.length; at++) {
    const byte = body[at];
    if (byte === quote) {
      textStart = at + 1;
      at = endOfText(body, textStart);
      textEnd = at;
    } else if (byte === comma) values += 1;
    else if (byte === openObject || byte === openList) {
      values += 1;
      depth += 1;
      if (depth > deepest) return `its JSON is nested more than ${deepest} levels deep`;
    } else if (byte === closeObject || byte === closeList) depth -= 1;
    else if (byte === colon && names && names.add(body, textStart, textEnd) > mostNames)
      return `its JSON holds more than ${mostNames} different names`;
    if (values > mostValues) return `its JSON holds more than ${mostValues} values`;
  }
  return undefined;
}

const places = 2 ** 24;

/** Counts distinct names by their hash; the few that share a hash count once. */
function createNames() {
  const taken = new Uint8Array(places / 8);
  let count = 0;
  return {
    /** @returns how many distinct names there are so far */
    add(bytes: Uint8Array, start: number, end: number): number {
      let hash = 0x811c9dc5;
      for (let at = start; at < end; at += 1) hash = Math.imul(hash ^ (bytes[at] as number), 0x01000193);
      const place = (hash ^ (hash >>> 15)) & (places - 1);
      const bit = 1 << (place & 7);
      if (((taken[place >> 3] as number) & bit) === 0) count += 1;
      taken[place >> 3] = (taken[place >> 3] as number) | bit;
      return count;
    },
  };
}

/** Whether it begins as a list or an object does. */
function opens(body: Uint8Array): boolean {
  const first = body.find((byte) => byte > 0x20 && byte !== 0xef && byte !== 0xbb && byte !== 0xbf);
  return first === openList || first === openObject;
}

/** The place of the closing quote of the string that begins at `start`; the end of the body where it has none. */
function endOfText(body: Uint8Array, start: number): number {
  for (let at = body.indexOf(quote, start); at >= 0; at = body.indexOf(quote, at + 1)) {
    let escapes = 0;
    while (at - escapes > start && body[at - escapes - 1] === backslash) escapes += 1;
    if (escapes % 2 === 0) return at;
  }
  return body.length;
}
