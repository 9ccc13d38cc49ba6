// Checks that a boolean query parameter takes both true and false.
import type { Operation } from '../../catalog/operation.ts';
import { differences } from '../../engine/compare/compare.ts';
import { inconclusive, pass, violation } from '../../engine/judgement.ts';
import type { Rule } from '../../engine/probe/check.ts';
import { answered, servedAnswer } from '../../engine/probe/prerequisites.ts';
import { is2xx } from '../../engine/values/status.ts';

const booleanNames = new Set(['includeState', 'disband', 'ban']);

/** The opposite value of each of the operation's booleans. */
function flipped({ query }: Operation): Record<string, string> {
  const booleans = Object.entries(query).filter(([name]) => booleanNames.has(name));
  return Object.fromEntries(booleans.map(([name, value]) => [name, value === 'true' ? 'false' : 'true']));
}

/** For each of the operation's booleans, a word that is none. */
const unreadable = (operation: Operation): Record<string, string> =>
  Object.fromEntries(Object.keys(flipped(operation)).map((name) => [name, 'assay']));

const isRefused = (status: number) => status === 400 || status === 422;

/** Only a value that is refused as bad input, while the other one is accepted, counts: the party may cause the rest. */
export const booleans: Rule = {
  name: 'booleans',
  title: 'takes true and false alike',
  clause: 'party.booleans',
  async judge(operation, context) {
    const asDocumented = await servedAnswer(operation, context);
    // A call that ends a party needs a fresh one, and so a player whose party no other call ends.
    const asNewcomer = (what: string) =>
      operation.ends === 'party' ? { as: `${operation.id}, ${what}` } : {};
    const turned = { ...asNewcomer('turned round'), params: flipped(operation) };
    const other = answered(await context.ask(operation, turned));
    const [documented, opposite] = [asDocumented.response.status, other.response.status];
    if (is2xx(documented) && is2xx(opposite)) return pass(other.exchange);
    const actual = `${documented} for ${describeQuery(operation.query)}, ${opposite} for ${describeQuery(flipped(operation))}`;
    const refused = [asDocumented, other].find(({ response }) => isRefused(response.status));
    if (refused !== undefined && (is2xx(documented) || is2xx(opposite))) {
      // A player who may not ban themselves is refused because of the request, not because of how the value is written.
      const unread = answered(
        await context.ask(operation, { ...asNewcomer('no boolean'), params: unreadable(operation) }),
      );
      if (differences(unread.exchange, refused.exchange).size === 0)
        return violation('both values of a boolean are taken', actual, other.exchange);
    }
    return inconclusive('needs-state', `no value of it can be compared: ${actual}`, other.exchange);
  },
};

const describeQuery = (query: Readonly<Record<string, string>>) =>
  Object.entries(query)
    .filter(([name]) => booleanNames.has(name))
    .map(([name, value]) => `${name}=${value}`)
    .join(' and ');
