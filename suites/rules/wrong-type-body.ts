// Checks that JSON of the wrong type causes no server error, first as the whole body, then at each place within it.

import { areas } from '../../catalog/catalog.ts';
import type { Ask } from '../../engine/http/ask.ts';
import { type Exchange, statusOf } from '../../engine/http/exchange.ts';
import { judgementOf } from '../../engine/judgement.ts';
import type { Rule } from '../../engine/probe/check.ts';
import { isNested, parsedJson } from '../../engine/values/json-walk.ts';
import { randomFrom } from '../../engine/values/random.ts';
import { is2xx } from '../../engine/values/status.ts';
import { badBody, expectNoServerError, fuzzerOf } from '../shared/bad-input.ts';

/** Valid JSON, but a list of lists where nearly every operation wants an object. The log operations may accept it. */
export const wrongType: Ask = {
  body: '[[1,"assay",null,{"a":{"b":[]}}]]',
  contentType: 'application/json',
};

const wrongOutermostType = badBody('wrong-type-body', 'a body of the wrong JSON type', wrongType);

/**
 * A server that checks the outermost type may trust the inner ones: the rule also tries up to `mostPlaces` places
 * inside.
 */
export const wrongTypeBody: Rule = {
  ...wrongOutermostType,
  judge: async (operation, context) => {
    const judgement = await wrongOutermostType.judge(operation, context);
    // Each further login would use up a login token.
    if (judgement.kind !== 'pass' || operation === areas.auth.login) return judgement;
    const random = randomFrom(context.seed, operation.id, 'spoiled within');
    for (const body of spoiledWithin(await context.ask(operation), random)) {
      const ask = { as: fuzzerOf(operation), contentType: 'application/json', body };
      const within = await judgementOf(expectNoServerError(operation, context, ask));
      if (within.kind === 'violation') return within;
      // A host that is silent or refuses the caller would give every place the same answer.
      if (within.kind !== 'pass') break;
    }
    return judgement;
  },
};

/** Most requests; of more places, this many are drawn at random. */
const mostPlaces = 8;

type Place = readonly string[];

/**
 * Copies of the body of a successful call, one for each list or object within it, with an object instead of that list
 * or a list instead of that object. Of the nested elements of a list, only the first is tried. Empty without any.
 * @param random numbers in [0, 1), to draw among many places
 */
export function spoiledWithin(exchange: Exchange, random: () => number): readonly string[] {
  const { body } = exchange.request;
  const status = statusOf(exchange);
  if (typeof body !== 'string' || !is2xx(status)) return [];
  const sent = parsedJson(body);
  const places = [...placesIn(sent, [])];
  while (places.length > mostPlaces) places.splice(Math.floor(random() * places.length), 1);
  return places.map((place) => JSON.stringify(spoiledAt(sent, place)));
}

function* placesIn(value: unknown, at: Place): Iterable<Place> {
  const nested = membersOf(value).filter(([, member]) => isNested(member));
  for (const [name, member] of Array.isArray(value) ? nested.slice(0, 1) : nested) {
    yield [...at, name];
    yield* placesIn(member, [...at, name]);
  }
}

function spoiledAt(value: unknown, [next, ...rest]: Place): unknown {
  if (next === undefined) return Array.isArray(value) ? {} : [];
  const put = ([name, member]: readonly [string, unknown]) =>
    [name, name === next ? spoiledAt(member, rest) : member] as const;
  const entries = membersOf(value).map(put);
  return Array.isArray(value) ? entries.map(([, member]) => member) : Object.fromEntries(entries);
}

const membersOf = (value: unknown): readonly [string, unknown][] =>
  isNested(value) ? Object.entries(value) : [];
