// What a run observes does not depend on the order of its calls: here a server names the caller's earlier calls in each answer.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Operation } from '../../catalog/operation.ts';
import { askVariants } from '../../commands/prove/conforming/ask.ts';
import { suites } from '../../commands/run/suites.ts';
import { jsonOf } from '../../fixtures/conforming-variants/variant.ts';
import { jsonReply, type Mutation } from '../../fixtures/mutants/mutant.ts';
import { type Behaviours, behavioursOf } from './compare-runs.ts';

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Whatever is an object has a member for each operation that changed something and was called by the same player before.
 * @param isLate operations whose first call, by whomever, takes its time
 */
const remembering =
  (isLate: (operation: Operation) => boolean): Mutation =>
  () => {
    const done = new Map<string, readonly string[]>();
    const called = new Set<Operation>();
    return ({ operation, headers: { authorization } }, forward) => {
      if (operation?.host !== 'base' || authorization === undefined) return undefined;
      const waits = isLate(operation) && !called.has(operation);
      called.add(operation);
      return sleep(waits ? lateMs : 0).then(async () => {
        const before = done.get(authorization) ?? [];
        if (operation.effect !== 'read') done.set(authorization, [...before, operation.id]);
        const reply = await forward();
        const reported = jsonOf(reply);
        if (!isObject(reported)) return reply;
        return jsonReply({ ...reported, before: Object.fromEntries(before.map((id) => [id, 1])) }, reply);
      });
    };
  };

const lateMs = 1_000;
const changes = ({ effect }: Operation) => effect !== 'read';

/** Rules that make an operation's plain call, and rules that make it in another way and record the answer. */
const telling = /#(answers|shape|anonymous|spoiled|[\w-]+-body)$/;

/** What these rules observe of such a server. */
async function observed(isLate: (operation: Operation) => boolean): Promise<Behaviours> {
  const server = {
    name: 'remembering',
    reason: 'The document shows no payload.',
    layer: remembering(isLate),
  };
  const { results } = await askVariants([server], {
    suites,
    seed: '1',
    only: ({ id, operations: [{ host }] }) => telling.test(id) && host === 'base',
  });
  return behavioursOf(results, { target: { embedded: false }, runId: '' });
}

test('the answer to a call does not depend on what other checks did before it', async () => {
  const [one, other] = [await observed(changes), await observed((operation) => !changes(operation))];
  expect(other).toEqual(one);
  const shapes = Object.entries(one).filter(([id]) => id.endsWith('#shape'));
  expect(shapes.length).toBeGreaterThan(100);
  const before = (area: string) =>
    shapes.filter(([id, behaviour]) => behaviour.includes('"before":{"') && id.startsWith(area));
  // Whoever has a party, a state or a match has made it.
  expect(before('party').length).toBeGreaterThan(5);
  expect(before('general')).toEqual([]);
}, 240_000);
