// Chooses a value for every parameter of an operation, and marks those whose resource may not exist.
import { type Operation, parametersOf } from '../../catalog/operation.ts';
import { isAmbient } from '../../catalog/request-path.ts';
import type { GivenWords } from '../../catalog/words.ts';
import { ownMember } from '../values/members.ts';

export interface Values {
  readonly params: Readonly<Record<string, string>>;
  /** Parameters that name a resource which may not exist. */
  readonly unknown: readonly string[];
  /** The unknown ones whose resource probably exists: the target's own answers hold the value. */
  readonly likely?: readonly string[];
}

/** Statuses that refuse a value in a path or a query. */
export const refusesParameter: ReadonlySet<number> = new Set([400, 422]);

/** Parameters whose value a caller may choose freely: no resource has to exist for them. */
const chosen: Readonly<Record<string, string>> = {
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

/** The free choices, in the target's own words: a platform is the storefront, whatever that is called there. */
export function choicesFor(words: GivenWords | undefined): Readonly<Record<string, string>> {
  const own: Readonly<Record<string, string | undefined>> = words?.words ?? {};
  return Object.fromEntries(
    Object.entries(chosen).map(([name, value]) => [name, ownMember(own, value) ?? value]),
  );
}

const { filter: _, stateName: __, ...undocumented } = chosen;

/** The free choices that the document does not name: a target may refuse them. */
export const guessedValues: Readonly<Record<string, string>> = undocumented;

/**
 * Values for an operation's parameters: found ones first, then given ones, then free choices, then an invented name.
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
    if (isAmbient(name)) continue;
    // A player name to be set is a new one, unless the profile gives the operation one.
    const value = found[name] ?? (name === 'providerPlayerName' ? invented : (given[name] ?? chosen[name]));
    params[name] = value ?? invented;
    if (value === undefined) unknown.push(name);
  }
  return { params, unknown };
}
