import { expect, test } from 'vitest';
import { exchangeOf } from '../../fixtures/kit/exchanges.ts';
import { shownToHaveQuit } from './quitting.ts';

const view = (body: unknown) => exchangeOf({ status: 200, body });
const seats = (ada: string, bob: string, seconds = 1) =>
  view({
    host: 'ada-1234',
    players: [
      ['ada-1234', ada],
      ['bob-1234', bob],
    ].map(([id, status]) => ({ id, status, seconds })),
  });

test.each([
  ['nobody', seats('in', 'in'), seats('in', 'in', 2)],
  ['the one who quit', seats('in', 'in'), seats('out', 'in', 2)],
  ['the other one', seats('in', 'in'), seats('in', 'out')],
  ['both', seats('in', 'in'), seats('out', 'out')],
  [
    'the one who quit',
    view({ players: ['ada-1234', 'bob-1234'] }),
    view({ players: ['bob-1234'], gone: ['ada-1234'] }),
  ],
  ['both', view({ players: ['ada-1234', 'bob-1234'] }), view({ players: [] })],
])('a match shows %s to have quit', (who, before, after) => {
  expect(shownToHaveQuit({ before, after }, 'ada-1234', 'bob-1234')).toBe(who);
});
