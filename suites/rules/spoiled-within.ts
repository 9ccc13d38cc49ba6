// A body that works, but for one member of the wrong type.
import { type Exchange, statusOf } from '../../fixtures/client/exchange.ts';

/**
 * The body of a call that succeeded, with a list for its first object, or an object for its first list; undefined where
 * it holds neither.
 */
export function spoiledWithin(exchange: Exchange): string | undefined {
  const { body } = exchange.request;
  const status = statusOf(exchange);
  if (typeof body !== 'string' || status < 200 || status > 299) return undefined;
  const sent = objectIn(body);
  const nested = Object.entries(sent).find(([, value]) => value !== null && typeof value === 'object');
  if (nested === undefined) return undefined;
  const [name, value] = nested;
  return JSON.stringify({ ...sent, [name]: Array.isArray(value) ? {} : [] });
}

function objectIn(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return value !== null && typeof value === 'object' && !Array.isArray(value) ? { ...value } : {};
  } catch {
    return {};
  }
}
