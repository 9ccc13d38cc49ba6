import { expect, test } from 'vitest';
import { catalog } from '../../catalog/catalog.ts';
import { codeOf, rowsBelow } from '../../fixtures/kit/markdown.ts';
import { shapes } from '../arrivals/shapes.ts';
import { journeyNamed, journeyNames, journeyOf } from './journeys.ts';

test.each(journeyNames)(
  'there is a journey %s; who it needs is in its group, and one call at least must be served',
  (name) => {
    for (const [journey, weight] of journeyNamed(name).shares) {
      expect(weight).toBeGreaterThan(0);
      for (const { as = 0, other = 0 } of journey.stops)
        expect(Math.max(as, other)).toBeLessThan(journey.actors);
      expect(journey.stops.length).toBeGreaterThan(0);
    }
  },
);

test.each(journeyNames)('each player who enters something in the journey %s leaves it afterwards', (name) => {
  for (const [{ stops }] of journeyNamed(name).shares)
    for (const [at, { enters, as = 0 }] of stops.entries())
      if (enters) {
        const leaving = stops.slice(at).filter((stop) => stop.leaves && (stop.as ?? 0) === as);
        expect(leaving.length).toBeGreaterThan(0);
        // Whatever the answers named, there is a way out.
        const ways = leaving.map(({ when, unless }) => when ?? unless);
        expect(ways.includes(undefined) || ways.length > 1).toBe(true);
      }
});

test.each([
  ['party.create', ['party.create', 'party.leave']],
  ['match.create', ['match.create', 'match.quit']],
  ['queue.enter', ['queue.enter', 'queue.cancel', 'match.quit']],
  ['players.addFriend', ['players.addFriend', 'players.removeFriend']],
  ['players.block', ['players.block', 'players.unblock']],
  ['party.acceptInvite', ['party.acceptInvite']],
  ['general.config', ['general.config']],
])('%s alone is taken back by the same player, where it can be', (id, operations) => {
  const [[journey] = []] = journeyOf(id).shares;
  expect(journey?.stops.map(({ operation }) => operation.id)).toEqual(operations);
});

test('a mistyped journey is reported with the nearest one', () => {
  expect(() => journeyNamed('qeue')).toThrow(/"qeue" is no journey; did you mean "queue"\?/);
  expect(() => journeyNamed('xyzzy')).toThrow(/^"xyzzy" is no journey\. There are login, /);
});

test('any operation can be a journey of its own, but one that ends the session', () => {
  const alone = catalog.filter(({ ends }) => ends !== 'session');
  expect(alone.every(({ id }) => journeyOf(id).shares.length === 1)).toBe(true);
  expect(() => journeyOf('me.logout')).toThrow('me.logout ends the session');
  expect(() => journeyOf('party.creat')).toThrow('did you mean "party.create"');
});

test('docs/load.md describes every journey and every shape', () => {
  const described = rowsBelow('docs/load.md', '## What can I send?').flatMap(([name]) => codeOf(name));
  expect(described.toSorted()).toEqual([...journeyNames, ...Object.keys(shapes)].sort());
});
