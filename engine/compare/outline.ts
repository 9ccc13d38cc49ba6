// Makes the outline of an answer: its form without the values that change by themselves.
import { type Exchange, json, mediaType } from '../http/exchange.ts';
import { switchPoint } from '../values/switch-points.ts';

/** An object with more names is a map, and its first names identify it. */
const mostNames = 1_000;

const kindOf = (value: unknown) => (value === null ? 'null' : Array.isArray(value) ? 'list' : typeof value);

/**
 * Status class, and for JSON the kind of the body with the names and kinds at its top; else the media type.
 * Nulls are left out: a field that is null today may be anything tomorrow.
 */
export function outline({ response, error }: Exchange): string {
  if (!response) return `no answer (${error?.kind ?? 'unknown'})`;
  const answer = `${Math.floor(response.status / 100)}xx`;
  if (response.body.length === 0) return `${answer}, empty`;
  const parsed = json(response);
  if (!parsed.ok) return `${answer}, ${mediaType(response) ?? 'no type'}`;
  const kind = kindOf(parsed.value);
  if (kind !== 'object') return `${answer}, ${kind}`;
  const body = parsed.value as Record<string, unknown>;
  const members = Object.keys(body)
    .slice(0, mostNames)
    .filter((name) => body[name] !== null);
  return `${answer}, {${members
    .map((name) => `${name}: ${kindOf(body[name])}`)
    .sort()
    .join(', ')}}`;
}

/** Whether two answers look like answers to the same call. */
export const sameOutline = switchPoint((a: Exchange, b: Exchange): boolean => outline(a) === outline(b));
