import { expect, test } from 'vitest';
import { areas } from '../../catalog/catalog.ts';
import { exchangeOf } from '../../fixtures/kit/exchanges.ts';
import { Stop, violation } from '../judgement.ts';
import { formOf } from '../players/body-template.ts';
import type { StepContext } from './step-context.ts';
import { type DoneForTwo, doneForTwo, expectBoth } from './two-at-once.ts';

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
    confirmBody: () => {},
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

test('a call for two that an older copy shows done for one alone is looked at again', async () => {
  const sent = exchangeOf({ status: 200, body: {} });
  const both = { ...sent, request: { ...sent.request, body: '{"playerIds":["player-1","player-2"]}' } };
  const context = {
    forms: () => [formOf({ playerIds: ['{{other.id}}'] }, 'guess')],
    mustSucceed: async () => both,
    pause: async () => {
      isOld = false;
    },
  };
  let isOld = true;
  const { had } = await doneForTwo(context as unknown as StepContext<string>, 'player', {
    operation: areas.players.unblock,
    name: 'other.id',
    ids: ['player-1', 'player-2'],
    has: async (nth) => isOld && nth === 0,
  });
  expect(had).toEqual([false, false]);
});
