// Finds what is wrong with a JSON body (no JSON, no UTF-8, a byte order mark, repeated names, large numbers), and lists
// its values.
import { isUtf8 } from 'node:buffer';
import { json, mediaType, type Response, text } from '../../http/exchange.ts';
import { entriesOf, isNested } from '../../values/json-walk.ts';
import { switchPoint } from '../../values/switch-points.ts';
import type { MatcherFinding } from './http-fields.ts';

const mark = '\uFEFF';

/** Whether its media type is JSON. */
export const labelledJson = switchPoint(function labelledJson(response: Response): boolean {
  const type = mediaType(response);
  return type !== undefined && /^(application|text)\/(.+\+)?json$/.test(type);
});

/** Parses the body as JSON without its byte order mark, which has its own rule. */
export function jsonIn(response: Response): { readonly value: unknown } | { readonly why: string } {
  const parsed = json(response);
  if (parsed.ok) return parsed;
  const body = text(response);
  if (!body.startsWith(mark)) return parsed;
  try {
    return { value: JSON.parse(body.slice(1)) };
  } catch (error) {
    return { why: (error as Error).message };
  }
}

/** Whether it is JSON by its media type, or by its bytes. */
export const holdsJson = switchPoint(function holdsJson(response: Response): boolean {
  return labelledJson(response) || 'value' in jsonIn(response);
});

/**
 * Whether a JSON value has no content: `null`, `{}`, `[]`, or only fields without content. That may be an empty file,
 * or the way in which a target says that there is none.
 */
export function saysNothing(value: unknown): boolean {
  const open = [value];
  for (const item of open) {
    if (isNested(item)) {
      for (const member of Object.values(item)) if (open.push(member) > mostEmpty) return false;
    } else if (item !== null && item !== undefined && item !== '') return false;
  }
  return true;
}

/** A value with more fields counts as content, even if all are empty. */
const mostEmpty = 100;

export const notJson = switchPoint(function notJson(response: Response): MatcherFinding | undefined {
  const parsed = jsonIn(response);
  if ('value' in parsed) return undefined;
  return {
    expected: 'exactly one JSON text',
    actual: `${parsed.why}${response.body.length > 0 ? `: ${begins(response)}` : ''}`,
  };
});

export const byteOrderMark = switchPoint(function byteOrderMark(
  response: Response,
): MatcherFinding | undefined {
  if (!text(response).startsWith(mark)) return undefined;
  return { expected: 'JSON without a byte order mark', actual: 'the body starts with one' };
});

export const notUtf8 = switchPoint(function notUtf8(response: Response): MatcherFinding | undefined {
  if (isUtf8(response.body)) return undefined;
  const at = text(response).indexOf('\uFFFD');
  return {
    expected: 'a body in UTF-8',
    actual: `bytes that are not UTF-8, after ${JSON.stringify(text(response).slice(Math.max(0, at - 20), at))}`,
  };
});

/** The first characters of a body, as a report shows them. */
function begins(response: Response): string {
  const most = 60;
  const body = text(response);
  return JSON.stringify(body.length > most ? `${body.slice(0, most)}…` : body);
}

// JSON that JSON.parse accepts and other parsers read differently: repeated names and large whole numbers.

/** Only the first characters of a text are examined, so that a large file costs little. */
const mostCharacters = 4 * 2 ** 20;

const token = /["{}[\],:]|-?\d[\d.eE+-]*/g;

/**
 * The first repeated name or whole number past 2^53 in a text that JSON.parse has accepted.
 * Walks tokens with a stack of its own, so that no depth of nesting overflows.
 */
export const jsonDialect = switchPoint(function jsonDialect(text: string): MatcherFinding | undefined {
  const names: (Set<string> | undefined)[] = [];
  let isName = false;
  token.lastIndex = 0;
  for (let found = token.exec(text); found && found.index < mostCharacters; found = token.exec(text)) {
    const [piece] = found;
    const open = names.at(-1);
    switch (piece[0]) {
      case '{':
        names.push(new Set());
        isName = true;
        break;
      case '[':
        names.push(undefined);
        isName = false;
        break;
      case '}':
      case ']':
        names.pop();
        break;
      case ',':
        isName = open !== undefined;
        break;
      case ':':
        isName = false;
        break;
      case '"': {
        token.lastIndex = endOfString(text, found.index);
        if (!isName || !open) break;
        const written = text.slice(found.index, token.lastIndex);
        const name = written.includes('\\') ? (JSON.parse(written) as string) : written.slice(1, -1);
        if (open.has(name)) return repeatedName(name);
        open.add(name);
        break;
      }
      default:
        if (/^-?\d+$/.test(piece) && !Number.isSafeInteger(Number(piece)))
          return {
            expected: 'whole numbers within ±(2^53 − 1)',
            actual: `${piece.slice(0, 40)}, which a client may read as ${Number(piece)}`,
          };
    }
  }
  return undefined;
});

const repeatedName = (name: string): MatcherFinding => ({
  expected: 'names that are unique within their object',
  actual: `the name ${JSON.stringify(name)} stands twice`,
});

/** The place after the string that opens at `start`. A loop, since a regular expression may overflow on a long one. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x22) return at + 1;
    if (code === 0x5c) at += 1;
  }
  return text.length;
}

export interface Value {
  /** The name of its field; in a list, the name of the list's field; empty at the top. */
  readonly name: string;
  readonly value: unknown;
}

/** Values of an answer beyond this number are not examined. */
const mostValues = 10_000;

/** Every value of an answer, objects and lists included, shallow ones first; the whole text where it is not JSON. */
export const valuesOf = switchPoint(function valuesOf(response: Response): Value[] {
  const parsed = jsonIn(response);
  const found: Value[] = [{ name: '', value: 'value' in parsed ? parsed.value : text(response).trim() }];
  for (let at = 0; at < found.length && found.length < mostValues; at += 1) {
    const { name, value } = found[at] as Value;
    if (!isNested(value)) continue;
    const isList = Array.isArray(value);
    for (const [key, child] of entriesOf(value, mostValues - found.length))
      found.push({ name: isList ? name : key, value: child });
  }
  return found;
});
