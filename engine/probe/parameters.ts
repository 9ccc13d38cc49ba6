// Chooses a value for every parameter of an operation, knows whether it names something that exists, and prepares what the
// operation needs first.
import { areas } from '../../catalog/catalog.ts';
import { type Operation, parametersOf } from '../../catalog/operation.ts';
import { ambientParameters } from '../../catalog/request-path.ts';
import { type Exchange, json } from '../http/exchange.ts';
import { entriesOf } from '../values/json-walk.ts';

export interface Values {
  readonly params: Readonly<Record<string, string>>;
  /** Parameters that name a resource which may not exist. */
  readonly unknown: readonly string[];
}

/** Parameters whose value a caller may choose freely: no resource has to exist for them. */
export const chosen: Readonly<Record<string, string>> = {
  limit: '10',
  language: 'en',
  locale: 'en',
  filter: 'inbox',
  types: 'character',
  platform: 'storefront',
  schemaVersion: '1',
  stateName: 'FullProfile',
  version: '1',
};

const { filter: _, stateName: __, ...undocumented } = chosen;

/** Those of them that the document does not name: a target may refuse them. */
export const guessedValues: Readonly<Record<string, string>> = undocumented;

const ambient: readonly string[] = ambientParameters;

/**
 * Values for an operation's parameters: given ones first, then those found in answers, then free choices, then inventions.
 * @param given from the environment, the profile or the embedded server
 * @param found identifiers seen in answers to the player who calls, and the operation's own values
 * @param invented a name that cannot exist yet, unique to the run
 */
export function valuesFor(
  operation: Operation,
  given: Readonly<Record<string, string>>,
  found: Readonly<Record<string, string>>,
  invented: string,
): Values {
  const params: Record<string, string> = {};
  const unknown: string[] = [];
  for (const name of parametersOf(operation)) {
    if (ambient.includes(name)) continue;
    // A name to be set is a new one, unless the operation itself is given one.
    const value = found[name] ?? (name === 'providerPlayerName' ? invented : (given[name] ?? chosen[name]));
    params[name] = value ?? invented;
    if (value === undefined) unknown.push(name);
  }
  return { params, unknown };
}

/** An identifier from an answer: it keeps its type, for bodies. */
export type Identifying = string | number;

/** As long as a token; a longer text could be sent in no path. */
const longestIdentifier = 8 * 1024;

export const isIdentifying = (value: unknown): value is Identifying =>
  (typeof value === 'string' && value !== '' && value.length <= longestIdentifier) ||
  typeof value === 'number';

/**
 * The first value under one of these names in a JSON answer, breadth first; bounded.
 * Letter case and what is no letter do not count: `party_id` is `partyId`.
 */
export function identifierIn(exchange: Exchange, names: readonly string[]): Identifying | undefined {
  const parsed = exchange.response && json(exchange.response);
  if (!parsed?.ok) return undefined;
  for (const name of names) {
    const found = search(parsed.value, letters(name));
    if (found !== undefined) return found;
  }
  return undefined;
}

const letters = (name: string) => name.toLowerCase().replace(/[^a-z]/g, '');

function search(root: unknown, name: string): Identifying | undefined {
  const open: unknown[] = [root];
  for (let looked = 0; looked < open.length && looked < 500; looked += 1) {
    const item = open[looked];
    if (item === null || typeof item !== 'object') continue;
    const members = entriesOf(item, 50);
    const found = members.find(([key, value]) => letters(key) === name && isIdentifying(value));
    if (found) return found[1] as Identifying;
    open.push(...members.map(([, value]) => value));
  }
  return undefined;
}

// The call that a player makes before an operation, where it needs one: a party, a match.
const { party, players } = areas;

/** A state is there once it was set: by whoever makes the operation's plain call alone, so that others have another one. */
const setBefore: ReadonlyMap<Operation, Operation> = new Map<Operation, Operation>([
  [players.fullProfile, players.setBinaryState],
  [players.challengeUIData, players.setState],
]);

/**
 * The call that goes before an operation's own, by the same player: most operations of a party need one, whether they name it or not.
 * @param isPlain it is the player who makes the operation's plain call
 */
export function preparing(operation: Operation, isPlain: boolean): Operation | undefined {
  if (operation.area === 'party' && operation !== party.create) return party.create;
  return isPlain ? setBefore.get(operation) : undefined;
}
