// Values in the query that no client sends on purpose.
import { areas } from '../../catalog/catalog.ts';
import { clauseById } from '../../catalog/clauses/clauses.ts';
import { type Operation, placeholders } from '../../catalog/operation.ts';
import { type Ask, nobody } from '../../engine/http/ask.ts';
import type { Rule } from '../../engine/probe/check.ts';
import { endures, vandalOf } from './bad-input.ts';
import { longValue, punctuation, undecodable, unicode } from './odd-text.ts';

const isFree = (value: string) => value === '<JWT>' || placeholders(value).length > 0;

/** The query names that a caller fills; those of fixed value where there are no others. */
export function oddNames({ query }: Operation): string[] {
  const names = Object.keys(query);
  const free = names.filter((name) => isFree(query[name] ?? ''));
  return free.length > 0 ? free : names;
}

/** All of them odd at once: one request, and whichever is read first has to bear it. */
const all = (operation: Operation, value: string): Ask => ({
  params: Object.fromEntries(oddNames(operation).map((name) => [parameterOf(operation, name), value])),
});

const parameterOf = ({ query }: Operation, name: string) =>
  placeholders(query[name] ?? '')[0] ?? name.replace('[]', '');

/** Once more after the query that was there. */
const again = (operation: Operation, value: string): Ask => ({
  extraQuery: oddNames(operation)
    .map((name) => `${name.replace('[]', '%5B%5D')}=${value}`)
    .join('&'),
});

/** Refused logins are nobody's: a player who is answered 401 would have his session looked into. */
const callerOf = (operation: Operation) => (operation === areas.auth.login ? nobody : vandalOf(operation));

const rule = (
  name: string,
  title: string,
  ask: (operation: Operation) => Ask,
  besides = (_: Operation) => true,
): Rule => ({
  name,
  title,
  clause: () => clauseById('sense.no-server-error'),
  applies: (operation) => oddNames(operation).length > 0 && besides(operation),
  judge: (operation, context) =>
    endures(operation, context, { as: callerOf(operation), ...ask(operation) }, true),
});

export const oddQueries: readonly Rule[] = [
  rule('query-long', 'a query value of 2,000 characters is no server error', (operation) =>
    all(operation, longValue),
  ),
  rule('query-empty', 'an empty query value is no server error', (operation) => all(operation, '')),
  rule('query-unicode', 'a query value beyond ASCII is no server error', (operation) =>
    all(operation, unicode),
  ),
  rule('query-encoded', 'a query value that needs encoding is no server error', (operation) =>
    all(operation, punctuation),
  ),
  rule('query-undecodable', 'a query that cannot be percent-decoded is no server error', (operation) =>
    again(operation, undecodable),
  ),
  // types[] may be repeated: a rule of its own asks that it is accepted.
  rule(
    'query-repeated',
    'a query name given twice is no server error',
    (operation) => again(operation, 'assay'),
    ({ query }) => !('types[]' in query),
  ),
];
