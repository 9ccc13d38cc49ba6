// Reads the values that a request names: the parameters of its path, its query, and the values of its JSON body.
import { type Operation, placeholders } from '../../catalog/operation.ts';
import { onHost, requestPath } from '../../catalog/request-path.ts';
import type { Request } from '../http/exchange.ts';
import type { Target } from '../target/target.ts';
import { leavesOf, parsedJson } from '../values/json-walk.ts';
import { literalPattern, percentDecoded, queryOf } from '../values/text.ts';

const largest = 256 * 1024;

/** Makes a reader of the parameters in a URL of an operation; it returns undefined for another operation's URL. */
export function pathPattern(
  operation: Operation,
  { hosts, ambient, profile }: Pick<Target, 'hosts' | 'ambient' | 'profile'>,
) {
  const names = placeholders(operation.path);
  const holes = Object.fromEntries(names.map((name) => [name, placeholder]));
  const path = requestPath({ ...operation, query: {} }, holes, { ambient, words: profile });
  const url = onHost(hosts[operation.host] ?? '', path);
  const pattern = new RegExp(`^${url.split(placeholder).map(literalPattern).join('([^/?]+)')}(?:\\?|$)`);
  return (method: string, asked: string): ReadonlyMap<string, string> | undefined => {
    const found = method === operation.method ? pattern.exec(asked) : null;
    if (found === null) return undefined;
    return new Map(
      names.flatMap((name, nth) => {
        const value = percentDecoded(found[nth + 1] ?? '');
        return value === undefined ? [] : [[name, value] as const];
      }),
    );
  };
}

const placeholder = 'ASSAYHOLE';

/** All values of a request that may name a player. @param path the parameters of its path */
export const sentIn = ({ url, body }: Request, path?: ReadonlyMap<string, string>): unknown[] => [
  ...(path?.values() ?? []),
  // Hardly any URL of a run has a query, and parsing an empty one costs as much.
  ...(url.includes('?') ? queryOf(url).values() : []),
  ...leavesIn(body),
];

/** The scalars of a JSON body. */
function leavesIn(body: Request['body']): unknown[] {
  const sent = typeof body === 'string' && body.length <= largest ? parsedJson(body) : undefined;
  return sent === undefined ? [] : leavesOf(sent).map(({ value }) => value);
}
