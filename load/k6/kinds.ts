// What can be wrong with an answer, in few words: k6 counts each apart only where it is told of it beforehand.
import type { Response } from './http.ts';

/** There was no answer. */
export const transportKinds = ['timeout', 'refused', 'reset', 'dns', 'tls', 'no answer'] as const;
/** Statuses that are told apart; any other counts among its class. */
const statuses = [
  ...[400, 401, 403, 404, 405, 409, 410, 412, 413, 415, 422, 429],
  ...[500, 501, 502, 503, 504],
] as const;
/** It was answered, and wrong. */
export const wrongKinds = [
  ...statuses.map((status) => `status ${status}` as const),
  'status 4xx',
  'status 5xx',
  'other status',
  'unrouted',
  'body',
  'no session',
  'no id',
] as const;

export type TransportKind = (typeof transportKinds)[number];
export type Kind = TransportKind | (typeof wrongKinds)[number];

/** The kind of a status that was not accepted. */
export function kindOfStatus(status: number): Kind {
  const exact = `status ${status}`;
  const known = wrongKinds.find((kind) => kind === exact);
  if (known) return known;
  if (status >= 500) return 'status 5xx';
  return status >= 400 ? 'status 4xx' : 'other status';
}

/** `kinds` in load.json names these statuses; of any other its class. */
const namedAlone: readonly string[] = [401, 403, 404, 429, 503].map((status) => `status ${status}`);

/** A kind as `kinds` names it. */
export const classOf = (kind: string): string =>
  namedAlone.includes(kind) ? kind : kind.replace(/^status ([45])\d\d$/, 'status $1xx');

/** What went wrong below HTTP, by k6's error codes. */
export function transportKind({ error_code: code }: Response): TransportKind {
  if (code === 1050 || code === 1211) return 'timeout';
  if (code === 1212) return 'refused';
  if (code >= 1100 && code < 1200) return 'dns';
  if (code >= 1220 && code < 1300) return 'reset';
  if (code >= 1300 && code < 1400) return 'tls';
  return 'no answer';
}
