// A result.json read without making objects of its thousands of checks: in hops, as Assay lays it out. A third of the time of JSON.parse.
import { standingNumber } from './standing.ts';

/** Gets each check's id, and how it stood (`standing.ts`). */
export type Sink = (id: string, standing: number) => void;

const listBegins = '\n "checks": [';
const listEnds = '\n ]';
const emptyList = '\n "checks": []';
const checkBegins = '\n  {\n   "id": "';
const levelBegins = '\n   "level": "';
const reasonLine = '\n   "reason": "';
const waivedLine = '\n   "waived": {';
const checkEnds = '\n  }';
/** Level, outcome and reason; nothing that JSON escapes. */
const standingWords = /^(\w+)",\n {3}"outcome": "([\w-]+)"(?:,\n {3}"reason": "([\w-]+)")?/;
const plain = /^[\x20\x21\x23-\x5b\x5d-\x7e]+$/;

/** Known numbers by the text that tells them; kept between files, which tell the same over and over. */
export type KnownWords = Map<string, number>;

/**
 * Reads the text of a result in the layout of `writeResult` (one member a line, one blank per level).
 * @param bytes UTF-8
 * @param sink gets each check in order; what it got counts for nothing where undefined is returned
 * @returns all the rest as a value with an empty list of checks, unchecked; undefined where the layout is another
 */
export function readLaidOut(bytes: Buffer, known: KnownWords, sink: Sink): unknown {
  // One byte a character: no decoding, and places in the text are places in the bytes.
  const text = bytes.toString('latin1');
  const begin = text.indexOf(listBegins);
  if (begin === -1) return undefined;
  const end = readChecks(text, begin + listBegins.length, known, sink);
  if (end === undefined) return undefined;
  const rest = `${bytes.toString('utf8', 0, begin)}${emptyList}${bytes.toString('utf8', end + listEnds.length)}`;
  try {
    return JSON.parse(rest);
  } catch {
    return undefined;
  }
}

/**
 * A line break never stands inside a JSON string, so that a line's beginning tells where it is.
 * @returns where the list ends; undefined where something stands there that `writeResult` does not write
 */
function readChecks(text: string, from: number, known: KnownWords, sink: Sink): number | undefined {
  let waivedAt = text.indexOf(waivedLine, from);
  let reasonAt = text.indexOf(reasonLine, from);
  for (let at = from; text.startsWith(checkBegins, at); at += 1) {
    const idAt = at + checkBegins.length;
    const levelAt = text.indexOf(levelBegins, idAt) + levelBegins.length;
    const end = text.indexOf(checkEnds, idAt);
    const id = text.slice(idAt, text.indexOf('"', idAt));
    if (levelAt < idAt || end < levelAt || !plain.test(id)) return undefined;
    if (waivedAt !== -1 && waivedAt < at) waivedAt = text.indexOf(waivedLine, at);
    if (reasonAt !== -1 && reasonAt < at) reasonAt = text.indexOf(reasonLine, at);
    const outcomeEnds = text.indexOf('\n', text.indexOf('\n', levelAt) + 1);
    const hasReason = reasonAt !== -1 && reasonAt < end;
    if (hasReason && reasonAt !== outcomeEnds) return undefined;
    const wordsEnd = hasReason ? text.indexOf('\n', outcomeEnds + 1) : outcomeEnds;
    const isWaived = waivedAt !== -1 && waivedAt < end;
    const standing = numberFor(text.slice(levelAt, wordsEnd), isWaived, known);
    if (standing === undefined) return undefined;
    sink(id, standing);
    at = end + checkEnds.length;
    if (text.startsWith(listEnds, at)) return at;
    if (text[at] !== ',') return undefined;
  }
  return undefined;
}

const mostKnown = 10_000;

function numberFor(words: string, isWaived: boolean, known: KnownWords): number | undefined {
  const number = known.get(words) ?? learn(words, known);
  // The number of a waived failure is the one after.
  return number === undefined ? undefined : number + (isWaived ? 1 : 0);
}

function learn(words: string, known: KnownWords): number | undefined {
  const [, level = '', outcome = '', reason] = standingWords.exec(words) ?? [];
  const number = standingNumber({ level, outcome, reason });
  if (number !== undefined && known.size < mostKnown) known.set(Buffer.from(words).toString(), number);
  return number;
}
