// A session out of a login's answer, in the way that conformance found it: nothing is discovered here.
import type { Response } from './http.ts';
import type { Person, Taking } from './plan.ts';
import { valueAt } from './value-at.ts';

/** The person with the session of this answer; undefined where the answer holds none. */
export function withSession(
  person: Person,
  takes: readonly Taking[],
  response: Response,
): Person | undefined {
  let { headers, query } = person;
  for (const taking of takes) {
    if (taking.kind === 'cookie') {
      const pairs = taking.names.map((name) => [name, response.cookies[name]?.[0]?.value] as const);
      if (pairs.some(([, value]) => value === undefined)) return undefined;
      headers = { ...headers, cookie: pairs.map((pair) => pair.join('=')).join('; ') };
      continue;
    }
    const value = valueFrom(taking.source, response);
    if (value === undefined) return undefined;
    const bare = value.replace(/^Bearer +/i, '');
    if (taking.kind === 'query') query = `${encodeURIComponent(taking.name)}=${encodeURIComponent(bare)}`;
    else
      headers = {
        ...headers,
        [taking.name]: taking.kind === 'bearer' ? `Bearer ${bare}` : value,
      };
  }
  return { ...person, headers, query };
}

function valueFrom(source: string, response: Response): string | undefined {
  if (source.startsWith('cookie:')) return response.cookies[source.slice('cookie:'.length)]?.[0]?.value;
  if (source !== '' && !source.startsWith('/')) return headerOf(response, source);
  const value = valueAt(response.body ?? '', source);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** k6 writes names as Go does (`Etag`). */
export function headerOf({ headers }: Response, name: string): string | undefined {
  const sought = name.toLowerCase();
  for (const key in headers) if (key.toLowerCase() === sought) return headers[key];
  return undefined;
}
