// A result.json read without making text or objects of its thousands of checks: in hops over its bytes, as Assay lays it out.
import { judged, type Outcome } from '../../engine/judgement.ts';
import { standingNumber } from './trend.ts';

/** Gets each check's id, and how it stood (`standing.ts`). */
export type Sink = (id: string, standing: number) => void;

const [lineBreak, blank, brace, comma] = [10, 32, 125, 44];
const listBegins = Buffer.from('\n "checks": [');
const listEnds = Buffer.from('\n ]');
const emptyList = '\n "checks": []';
const checkBegins = '\n  {\n   "id": "';
const levelBegins = '\n   "level": "';
const reasonBegins = '\n   "reason": "';
const waivedLine = Buffer.from('\n   "waived": {');
const checkEnds = Buffer.from('\n  }');
/** Level, outcome and reason; nothing that JSON escapes. */
const standingWords = /^(\w+)",\n {3}"outcome": "([\w-]+)"(?:,\n {3}"reason": "([\w-]+)")?/;
const plain = /^[\x20\x21\x23-\x5b\x5d-\x7e]+$/;

/** A check from its beginning to its reason, or to its outcome where it has none. */
interface Head {
  readonly bytes: Buffer;
  readonly id: string;
  /** How it stood, were it not waived. */
  readonly standing: number;
  readonly isFailure: boolean;
  /** It has all that this outcome tells: where it stands again, nothing behind it matters. */
  readonly isWhole: boolean;
  /** Of the whole check in the file that was read last: where to look for its end first. */
  length: number;
}

/**
 * The heads of the files before, by place, the last one first: files tell the same checks in the same order, most of them with
 * one of few outcomes.
 */
export type KnownHeads = Head[][];

const mostPlaces = 20_000;
const mostAtOnePlace = 4;
const longestKnown = 1_000;

/**
 * Reads a result in the layout of `writeResult` (one member a line, one blank per level).
 * @param bytes UTF-8
 * @param sink gets each check in order; what it got counts for nothing where undefined is returned
 * @returns all the rest as a value with an empty list of checks, unchecked; undefined where the layout is another, or the
 *   summary counts other checks
 */
export function readLaidOut(bytes: Buffer, known: KnownHeads, sink: Sink): unknown {
  const begin = bytes.indexOf(listBegins);
  if (begin === -1) return undefined;
  const read = readChecks(bytes, begin + listBegins.length, known, sink);
  if (read === undefined) return undefined;
  const rest = `${bytes.toString('utf8', 0, begin)}${emptyList}${bytes.toString('utf8', read.end + listEnds.length)}`;
  try {
    const value: unknown = JSON.parse(rest);
    return counted(value) === read.count ? value : undefined;
  } catch {
    return undefined;
  }
}

/** How many checks the summary counts: a hop over one, from a wrong guess at an end, shows here. */
function counted(rest: unknown): unknown {
  const { summary } = (rest ?? {}) as { summary?: unknown };
  return Object.values(summary ?? {}).reduce((sum, count) => sum + count, 0);
}

/**
 * A line break never stands inside a JSON string, so that a line's beginning tells where it is.
 * @returns where the list ends, and how many it holds; undefined where something stands there that `writeResult` does not write
 */
function readChecks(
  bytes: Buffer,
  from: number,
  known: KnownHeads,
  sink: Sink,
): { end: number; count: number } | undefined {
  for (let at = from, nth = 0; ; nth += 1) {
    const head = headAt(bytes, at, nth, known);
    if (head === undefined) return undefined;
    const end = endNear(bytes, at + head.length, at + head.bytes.length);
    if (end === -1) return undefined;
    // Nothing but a failure is waived; the number of a waived one is the one after.
    const isWaived = head.isFailure && bytes.subarray(at, end).includes(waivedLine);
    sink(head.id, head.standing + (isWaived ? 1 : 0));
    head.length = end - at;
    at = end + checkEnds.length;
    if (standsAt(listEnds, bytes, at)) return { end: at, count: nth + 1 };
    if (bytes[at] !== comma) return undefined;
    at += 1;
  }
}

const standsAt = (part: Buffer, bytes: Buffer, at: number): boolean =>
  at + part.length <= bytes.length && bytes.compare(part, 0, part.length, at, at + part.length) === 0;

/** The head of the check that begins there; undefined where it is not laid out as ours are. */
function headAt(bytes: Buffer, at: number, nth: number, known: KnownHeads): Head | undefined {
  const heads = known[nth] ?? [];
  const [last] = heads;
  if (last && standsAt(last.bytes, bytes, at)) return last;
  const head = heads.find((each) => standsAt(each.bytes, bytes, at)) ?? newHead(bytes, at);
  if (nth >= mostPlaces || !head?.isWhole || head.bytes.length > longestKnown) return head;
  known[nth] = [head, ...heads.filter((other) => other !== head)].slice(0, mostAtOnePlace);
  return head;
}

function newHead(bytes: Buffer, at: number): Head | undefined {
  const end = bytes.indexOf(checkEnds, at + checkBegins.length);
  // One byte a character: places in the text are places in the bytes.
  const text = bytes.toString('latin1', at, end);
  if (end === -1 || !text.startsWith(checkBegins)) return undefined;
  const levelAt = text.indexOf(levelBegins) + levelBegins.length;
  const id = text.slice(checkBegins.length, text.indexOf('"', checkBegins.length));
  if (levelAt < levelBegins.length || !plain.test(id)) return undefined;
  const lineEnd = (from: number) => {
    const found = text.indexOf('\n', from);
    return found === -1 ? text.length : found;
  };
  const outcomeEnds = lineEnd(lineEnd(levelAt) + 1);
  const headEnds = text.startsWith(reasonBegins, outcomeEnds) ? lineEnd(outcomeEnds + 1) : outcomeEnds;
  const [, level = '', outcome = '', reason] = standingWords.exec(text.slice(levelAt, headEnds)) ?? [];
  const standing = standingNumber({ level, outcome, reason });
  // A reason that stands elsewhere, now or in the next file, belongs to a layout that is not ours.
  if (standing === undefined || text.includes(reasonBegins, headEnds)) return undefined;
  const isWhole = reason !== undefined || judged.has(outcome as Outcome);
  // Copies: a part of a file's bytes or text would keep all of it in memory.
  const head = Buffer.from(bytes.subarray(at, at + headEnds));
  return {
    bytes: head,
    id: Buffer.from(id).toString(),
    standing,
    isFailure: outcome === 'fail',
    isWhole,
    length: end - at,
  };
}

/** Where the check ends: where it did in the file before, give or take the digits of a duration, or the next place there is. */
function endNear(bytes: Buffer, guess: number, from: number): number {
  for (let at = Math.max(from, guess - 3); at <= guess + 3; at += 1)
    if (
      bytes[at] === lineBreak &&
      bytes[at + 1] === blank &&
      bytes[at + 2] === blank &&
      bytes[at + 3] === brace
    )
      return at;
  return bytes.indexOf(checkEnds, from);
}
