// What the mutants cover: every clause that can be broken, every rule on several operations, every verdict on `routed`.
import { expect, test } from 'vitest';
import { register } from '../../catalog/clauses/clauses.ts';
import { attackMutants } from '../../fixtures/mutants/attacks/all.ts';
import { suites } from '../run/suites.ts';
import { allPass } from './draw.ts';
import { mutantsFor } from './prover.ts';

const checks = suites.flatMap((suite) => suite.checks);
const mutants = [...mutantsFor({ checks, conforming: allPass(checks), seed: '1' }), ...attackMutants];
const broken = new Set(mutants.map(({ clause }) => clause));
/** What the document leaves open is never broken. */
const breakable = register.filter(({ level }) => level !== 'open').map(({ id }) => id);
/** Clauses that no mutant breaks, by id, each with the reason. */
const unbroken: Readonly<Record<string, string>> = {
  'effects.retry.stored':
    'It needs a command that prints the store; scenarios/retry.test.ts breaks it with one.',
  'sense.batch-ids': 'The embedded logging API asks for no session; suites/logs.test.ts breaks it.',
  'sense.refusal-status':
    'It is judged by a rule that otherwise records alone, and no mutant is drawn for such; unknown-id.test.ts breaks it.',
  'sense.unknown-id': 'It is judged by the same rule; unknown-id.test.ts breaks it.',
};

test('each clause is broken by a mutant, or has its reason', () => {
  expect(breakable.filter((id) => !broken.has(id) && !(id in unbroken))).toEqual([]);
});

test('no reason is given for a clause that a mutant breaks, or that nobody knows', () => {
  expect(Object.keys(unbroken).filter((id) => broken.has(id) || !breakable.includes(id))).toEqual([]);
});

test('each mutant breaks a clause of the register', () => {
  const known = new Set(register.map(({ id }) => id));
  expect(mutants.filter(({ clause }) => !known.has(clause)).map(({ name }) => name)).toEqual([]);
});

test('a name tells one mutant from all others', () => {
  const names = mutants.map(({ name }) => name);
  expect(names.filter((name, nth) => names.indexOf(name) !== nth)).toEqual([]);
});

test('each rule is turned on three operations, or on all that there are', () => {
  const rules = Map.groupBy(
    checks.filter(
      ({ id, level, clause }) => id.includes('#') && level !== 'open' && !(clause.id in unbroken),
    ),
    ({ rule }) => rule,
  );
  const turned = new Set(mutants.flatMap(({ turns }) => turns));
  const few = rules
    .entries()
    .map(([rule, all]) => ({
      rule,
      all: all.length,
      turned: all.filter(({ id }) => turned.has(id)).length,
    }))
    .filter((each) => each.turned < Math.min(3, each.all));
  expect([...few]).toEqual([]);
});

/** The table of `engine/probe/served/routed-table.ts`: each operation, and the mutation that is answered so. */
test.each([
  ['2xx, or any other 4xx, unlike all: served', 'answers (refused)'],
  ['401 or 403 though signed in, unlike all: served', 'answers (403 though signed in)'],
  ['3xx to its own origin, unlike all: served', 'answers (redirected)'],
  ['5xx but 501, unlike all: served', 'answers'],
  ['405, unlike all: not served', 'routed (405)'],
  ['501, unlike all: not served', 'routed (501)'],
  ['a redirect to another origin: inconclusive', 'routed (redirected away)'],
  ['any but 404, as the sibling: served', 'answers (any name refused)'],
  ['any but 404, as any other file name: inconclusive', 'routed (any name)'],
  ['404 as the sibling, an id: served', 'answers (known id not found)'],
  ['404 as the sibling, no id: not served', 'routed (any name unknown)'],
  ['404 as its shadow: inconclusive', 'routed (shadowed)'],
  ['any other as its shadow: inconclusive', 'routed (shadowed, refused)'],
  ['404 as all, no id: not served', 'routed (no route)'],
  ['404 as all, a second look shows a difference: served', 'answers (known id unrouted)'],
  ['404 as all, nothing of the area is served: not served', 'routed (dead area)'],
  ['404 as all, others of the area are served: inconclusive', 'routed (unknown resource)'],
  ['anything else as all, proven: as 404', 'routed (bucket without the file)'],
  ['401 or 403 as all, not proven: inconclusive', 'routed (wall)'],
  ['anything else as all, not proven: inconclusive', 'routed (catch-all)'],
  ['429: inconclusive', 'routed (429)'],
  ['503 with Retry-After: inconclusive', 'routed (503)'],
  ['a reset: inconclusive', 'answers (reset)'],
  ['operations with one word unrouted, their neighbours not: inconclusive', 'routed (unknown word)'],
  ['one privacy version missing: a warning', 'routed (one privacy version)'],
  ['both privacy versions missing: a failure', 'one-privacy-version'],
])('%s', (_, kind) => {
  expect(mutants.filter(({ name }) => name.startsWith(`${kind} on `)).length).toBeGreaterThan(0);
});
