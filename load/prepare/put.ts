import type { Operation } from '../../fixtures/catalog/operation.ts';
import type { Request } from '../../fixtures/client/exchange.ts';
import { takesSession } from '../../fixtures/target/session-hosts.ts';
import type { Target } from '../../fixtures/target/target.ts';
import type { Person } from '../k6/plan.ts';

/** What surrounds every call to a target. */
export const around = ({ host }: Operation, { hosts, ambient, headers, profile }: Target) => ({
  host: hosts[host] ?? '',
  ambient,
  words: profile,
  headers,
});

/** The request with this person's session, where the host takes it. */
export function signedAs(
  { headers, query }: Person,
  { host }: Operation,
  target: Target,
  request: Request,
): Request {
  if (!takesSession(target, host)) return request;
  const { url } = request;
  return {
    ...request,
    headers: [...request.headers, ...Object.entries(headers)],
    url: query === '' ? url : `${url}${url.includes('?') ? '&' : '?'}${query}`,
  };
}
