// What can be wrong with an answer, in few words: k6 counts each apart only where it is told of it beforehand.

/** There was no answer. */
export const transportKinds = ['timeout', 'refused', 'reset', 'dns', 'tls', 'no answer'] as const;
/** It was answered, and wrong. */
export const wrongKinds = [
  'status 4xx',
  'status 401',
  'status 403',
  'status 404',
  'status 429',
  'status 5xx',
  'status 503',
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
