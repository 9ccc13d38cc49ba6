import { expect, test } from 'vitest';
import { exchangeOf } from '../../fixtures/kit/exchanges.ts';
import { lockedIn } from './locked.ts';

test.each<[object, readonly string[]]>([
  [
    {
      nodes: [
        { nodeId: 'n1', status: 'available' },
        { nodeId: 'n2', status: 'LOCKED' },
      ],
    },
    ['n2'],
  ],
  [
    {
      pages: [
        { id: 1, unlocked: true },
        { id: 2, unlocked: false },
      ],
    },
    ['2'],
  ],
  [
    [
      { node_id: 'a', is_locked: false },
      { node_id: 'b', is_locked: true, title: 'late' },
    ],
    ['b'],
  ],
  // All are locked, or nothing is said of it.
  [{ nodes: [{ nodeId: 'n1', status: 'locked' }] }, []],
  [{ nodes: [{ nodeId: 'n1', status: 'open' }] }, []],
  [{ nodes: ['n1', 'n2'] }, []],
])('of %j these are locked: %j', (body, expected) => {
  expect(lockedIn(exchangeOf({ status: 200, body }))).toEqual(expected);
});
