import type { Operation } from '../../fixtures/catalog/operation.ts';
import type { Context } from '../../fixtures/check/context.ts';
import type { Exchange } from '../../fixtures/client/exchange.ts';

/** Path and query of a call that was made, without the host's own prefix: what an ask's `path` replaces. */
export function askedPath({ request }: Exchange, operation: Operation, context: Context): string {
  return request.url.slice(context.host(operation.host).replace(/\/+$/, '').length);
}

/** The same without its query. */
export function askedPathAlone(exchange: Exchange, operation: Operation, context: Context): string {
  return askedPath(exchange, operation, context).split('?', 1)[0] ?? '';
}
