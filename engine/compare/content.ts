// Compares the content of two answers: whether it is the same, and whether it has one outline.
import { type Exchange, json, mediaType, statusOf } from '../http/exchange.ts';
import { switchPoint } from '../values/switch-points.ts';
import { differences } from './compare.ts';

/** The parts of the content in which two answers differ; headers do not count. */
export const contentDifferences = switchPoint(function contentDifferences(
  a: Exchange,
  b: Exchange,
): Set<string> {
  if (sameBytes(a, b)) return new Set();
  const found = differences(a, b);
  return new Set(
    [...found].filter((name) => name === 'status' || name === 'type' || name.startsWith('body')),
  );
});

/** Whether two contents are equal. Different statuses decide without a comparison of the bodies. */
export const sameContent = switchPoint(
  (a: Exchange, b: Exchange): boolean => statusOf(a) === statusOf(b) && contentDifferences(a, b).size === 0,
);

/** Same status and the same bytes, once decoded. */
export const sameBytes = switchPoint(function sameBytes(a: Exchange, b: Exchange): boolean {
  if (!a.response || !b.response || a.response.status !== b.response.status) return false;
  return Buffer.compare(a.response.body, b.response.body) === 0;
});

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

/** Whether two answers have one status and one outline: values are left out, since those of another player differ. */
export const sameForm = (a: Exchange, b: Exchange): boolean =>
  statusOf(a) === statusOf(b) && sameOutline(a, b);
