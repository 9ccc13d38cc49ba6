import { expect, test } from 'vitest';
import { numbersIn, waitingIn } from './waiting.ts';

const shown = (...answers: [unknown, unknown, unknown]) => {
  const [begun, later, atOnce] = answers;
  const found = waitingIn([numbersIn(begun), numbersIn(later), numbersIn(atOnce)], 1_210);
  return Object.fromEntries(Object.entries(found).map(([what, { name, unitMs }]) => [what, [name, unitMs]]));
};

test.each([
  ['seconds that pass', { waitedSeconds: 0 }, { waitedSeconds: 1 }, { waited: ['waitedSeconds', 1_000] }],
  ['ms that pass, under any name', { q: { n: 3 } }, { q: { n: 1_221 } }, { waited: ['n', 1] }],
  ['seconds that are left', { left: 30 }, { left: 29 }, { expected: ['left', 1_000] }],
  ['an estimate that stays', { etaSeconds: 20 }, { etaSeconds: 20 }, { expected: ['etaSeconds', 1_000] }],
  ['one in ms', { estimatedWaitMs: 900 }, { estimatedWaitMs: 900 }, { expected: ['estimatedWaitMs', 1] }],
  ['one without a unit', { wait: 20 }, { wait: 20 }, {}],
  ['the time of day', { now: 1_764_000_000 }, { now: 1_764_000_001 }, {}],
  ['a place in line', { position: 4, metadata: 3 }, { position: 4, metadata: 3 }, {}],
  [
    'a number of players',
    { expectedPlayers: 9, ms: 0 },
    { expectedPlayers: 9, ms: 1_200 },
    { waited: ['ms', 1] },
  ],
  ['a member that is gone', { etaSeconds: 20 }, {}, {}],
])('finds the members that hold times: %s', (_, begun, later, expected) => {
  expect(shown(begun, later, later)).toEqual(expected);
});

test('what counts calls is no clock', () => {
  expect(shown({ asked: 1 }, { asked: 2 }, { asked: 3 })).toEqual({});
});

test('an estimate without a unit has that of the time that passes beside it', () => {
  const later = { waited: 1, eta: 30 };
  expect(shown({ waited: 0, eta: 30 }, later, later)).toMatchObject({ expected: ['eta', 1_000] });
});
