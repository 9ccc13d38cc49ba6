import { expect, test } from 'vitest';
import { areas } from '../../catalog/catalog.ts';
import { exchangeOf } from '../../fixtures/kit/exchanges.ts';
import { Stop, violation } from '../judgement.ts';
import { type DoneForTwo, expectBoth } from './two-at-once.ts';

const answer = (body: unknown) => exchangeOf({ status: 200, body });

/** What is said of a call for two, where the second has no effect unless it is said otherwise. */
function said(done: Partial<DoneForTwo>): string {
  const stop = (kind: string) => (): never => {
    throw new Error(kind);
  };
  const context = {
    cannotTell: (reason: string) => stop(reason)(),
    notTriggered: stop('not triggered'),
    expect: (holds: boolean) => (holds ? undefined : stop('violation')()),
    worked: () => {},
  };
  const usual = {
    operation: areas.players.addFriend,
    ids: ['player-1', 'player-2'] as const,
    answer: answer({ added: 2 }),
    had: [true, false] as const,
    hasAlone: true,
  };
  try {
    expectBoth(context, { ...usual, ...done }, 'are there');
    return 'pass';
  } catch (error) {
    return error instanceof Stop ? 'stopped' : (error as Error).message;
  }
}

test.each<[string, Partial<DoneForTwo>, string]>([
  ['has its effect on both passes', { had: [true, true] }, 'pass'],
  ['has its effect on the first alone is a violation', {}, 'violation'],
  ['has its effect on the second alone is a violation', { had: [false, true] }, 'violation'],
  ['has its effect on neither was not understood', { had: [false, false] }, 'needs-body'],
  ['leaves one who cannot have it either tells nothing', { hasAlone: false }, 'needs-state'],
  ['was refused tells why', { answer: new Stop(violation('200', '400')) }, 'stopped'],
  [
    'names whom it leaves out says so itself',
    { answer: answer({ added: ['player-1'], refused: ['player-2'] }) },
    'not triggered',
  ],
  [
    'names both in one place acknowledges both',
    { answer: answer({ added: ['player-1', 'player-2'] }) },
    'violation',
  ],
  [
    'shows who is left where the list showed both says what is',
    {
      answer: answer({ friends: ['player-2'] }),
      listedIn: answer({ friends: ['player-1', 'player-2'] }),
    },
    'violation',
  ],
])('a call for two that %s', (_, done, expected) => {
  expect(said(done)).toBe(expected);
});
