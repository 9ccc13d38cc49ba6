import { expect, test } from 'vitest';
import { areas } from '../../catalog/catalog.ts';
import { exchangeOf } from '../../fixtures/kit/exchanges.ts';
import { createObservation } from './observe-operation.ts';

const { party } = areas;
const from = (servedBy: string, error = 'no such path') => exchangeOf({ body: { error, servedBy } });

/** An operation that changes something, on a host where two machines answer: `error` is what is said on its own path. */
const observationOf = (error: string) =>
  createObservation({
    ask: async () => from('b', error),
    // Four of the one machine before the first of the other.
    control: async (_, __, nth) => from(nth > 4 && nth % 2 === 0 ? 'b' : 'a'),
    alone: async () => ({ served: undefined, reason: 'catch-all', why: '' }),
    isRead: () => false,
    refusesNobody: true,
    takesSession: (host) => host === 'base',
  })(party.create);

test('an operation is not there because another of two machines answered', async () => {
  expect(await observationOf('no such path')).toMatchObject({
    alone: { reason: 'prerequisite-failed' },
    status: 404,
  });
});

test('it is where it says something else, whichever machine answers', async () => {
  expect(await observationOf('send a body')).toMatchObject({ alone: { served: true } });
});
