// Reads path and query of a call as they were sent, for checks that repeat it with a difference.
import type { Operation } from '../../catalog/operation.ts';
import type { Exchange } from '../../engine/http/exchange.ts';
import type { Context } from '../../engine/probe/context.ts';

/**
 * Path and query of a call that was made, without the host's own prefix: what an ask's `path` replaces. A session that
 * travels in the query is not part of it: a later caller has another, or none.
 */
export function askedPath(exchange: Exchange, operation: Operation, context: Context): string {
  const path = askedPathAlone(exchange, operation, context);
  const query = askedQuery(exchange, operation);
  return query === '' ? path : `${path}?${query}`;
}

/** The same without its query. */
export function askedPathAlone({ request }: Exchange, operation: Operation, context: Context): string {
  const path = request.url.slice(context.host(operation.host).replace(/\/+$/, '').length);
  return path.split('?', 1)[0] ?? '';
}

/** The query of a call that was made, as far as the document names it; empty where it has none. */
export function askedQuery({ request }: Exchange, { query }: Operation): string {
  const pairs = request.url.split('?', 2)[1]?.split('&') ?? [];
  const isDocumented = (pair: string) => {
    const [name = ''] = pair.split('=', 1);
    return Object.keys(query).some((key) => key === name || encodeURIComponent(key) === name);
  };
  return pairs.filter(isDocumented).join('&');
}
