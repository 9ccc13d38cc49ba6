// Reads path and query of a call as they were sent, for checks that repeat it with a difference.
import type { Operation } from '../../catalog/operation.ts';
import type { Exchange } from '../../engine/http/exchange.ts';
import type { Context } from '../../engine/probe/context.ts';

/**
 * Path and query of a call that was made, without the host's own prefix, for use as the `path` of an ask. A session in
 * the query is left out: a later caller has another one, or none.
 */
export function askedPath(exchange: Exchange, operation: Operation, context: Context): string {
  const path = askedPathAlone(exchange, operation, context);
  const query = askedQuery(exchange, operation);
  return query === '' ? path : `${path}?${query}`;
}

/** The path of a call that was made, without its query. */
export function askedPathAlone({ request }: Exchange, operation: Operation, context: Context): string {
  const path = request.url.slice(context.host(operation.host).replace(/\/+$/, '').length);
  return path.split('?', 1)[0] ?? '';
}

/** The documented part of the query of a call that was made; empty where it has none. */
export function askedQuery({ request }: Exchange, { query }: Operation): string {
  const pairs = request.url.split('?', 2)[1]?.split('&') ?? [];
  const isDocumented = (pair: string) => {
    const [name = ''] = pair.split('=', 1);
    return Object.keys(query).some((key) => key === name || encodeURIComponent(key) === name);
  };
  return pairs.filter(isDocumented).join('&');
}
