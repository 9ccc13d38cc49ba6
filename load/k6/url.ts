// The URL of a call, as one VU puts it.
import { onHost, requestPath } from '../../catalog/request-path.ts';
import type { Call, Plan } from './plan.ts';

/** Does the URL stay the same, whoever calls and whatever was answered before? */
export const isFast = (plan: Plan, { signed, from }: Call): boolean =>
  from.length === 0 && !(plan.queries && signed);

/** @param query the session's, where it travels there */
export function urlOf(
  { hosts, ambient, words }: Plan,
  { operation, signed, params, from }: Call,
  query: string,
  valueFor: (name: string) => string,
): string {
  const values: Record<string, string | readonly string[]> = { ...params };
  for (const name of from) values[name] = valueFor(name);
  const path = requestPath(operation, values, { ambient, words: words ?? undefined });
  return onHost(
    hosts[operation.host] ?? '',
    signed && query !== '' ? `${path}${path.includes('?') ? '&' : '?'}${query}` : path,
  );
}
