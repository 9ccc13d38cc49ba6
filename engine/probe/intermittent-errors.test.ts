import { expect, test } from 'vitest';
import { areas } from '../../catalog/catalog.ts';
import type { Operation } from '../../catalog/operation.ts';
import { exchangeOf } from '../../fixtures/kit/exchanges.ts';
import type { Exchange } from '../http/exchange.ts';
import { createErrorWatch } from './intermittent-errors.ts';

const wallet = areas.general.currencies;

interface Sent {
  readonly status: number;
  readonly at: number;
  readonly tookMs?: number;
  readonly as?: string;
}

const sent = ({ status, at, tookMs = 5, as = 'a' }: Sent): Exchange => {
  const exchange = exchangeOf({ status });
  const headers = [['authorization', `Bearer ${as}`]] as const;
  return { ...exchange, startedAt: at, durationMs: tookMs, request: { ...exchange.request, headers } };
};

function seen(answers: readonly Sent[], operation: Operation = wallet) {
  const watch = createErrorWatch();
  for (const answer of answers) watch.note(operation, sent(answer));
  const { times, of, broken, right } = watch.of(operation);
  return { times, of, broken: broken?.startedAt, right: right?.startedAt };
}

test('reports an error that the same request meets between two successes', () => {
  const answers = [200, 500, 200, 500, 200].map((status, nth) => ({ status, at: nth * 10 }));
  expect(seen(answers)).toEqual({ times: 2, of: 5, broken: 10, right: 0 });
});

test.each<[string, readonly Sent[]]>([
  ['is followed by no success', [200, 500].map((status, nth) => ({ status, at: nth * 10 }))],
  ['comes before the first success', [500, 200, 200].map((status, nth) => ({ status, at: nth * 10 }))],
  [
    'is another caller’s',
    [
      { status: 200, at: 0 },
      { status: 500, at: 10, as: 'b' },
      { status: 200, at: 20 },
    ],
  ],
  [
    'is met by calls that are under way together',
    [
      { status: 200, at: 0 },
      { status: 500, at: 20, tookMs: 100 },
      { status: 200, at: 30 },
    ],
  ],
  ['is a 501, which a client can act on', [200, 501, 200].map((status, nth) => ({ status, at: nth * 10 }))],
])('reports no error that %s', (_, answers) => {
  expect(seen(answers)).toMatchObject({ times: 0, broken: undefined });
});

test('leaves alone what a state of the player decides, and what changes something', () => {
  const answers = [200, 500, 200].map((status, nth) => ({ status, at: nth * 10 }));
  expect(seen(answers, areas.party.details)).toMatchObject({ times: 0, of: 0 });
  expect(seen(answers, areas.party.create)).toMatchObject({ times: 0, of: 0 });
});

test('keeps an error until a success that began after it, however many come between', () => {
  const answers = [
    { status: 200, at: 0 },
    { status: 500, at: 10, tookMs: 100 },
    { status: 200, at: 20 },
    { status: 200, at: 200 },
  ];
  expect(seen(answers)).toEqual({ times: 1, of: 4, broken: 10, right: 0 });
});

test('keeps server errors of any operation, one of each status and length, and no success or refusal', () => {
  const watch = createErrorWatch();
  const { create } = areas.party;
  const answers = [500, 500, 503, 200, 404].map((status) => exchangeOf({ status }));
  for (const answer of answers) watch.note(create, answer);
  expect(watch.serverErrors(create)).toEqual([answers[0], answers[2]]);
  expect(watch.serverErrors(wallet)).toEqual([]);
});

test('keeps eight server errors at most, and none that is huge', () => {
  const watch = createErrorWatch();
  const answer = (length: number) => exchangeOf({ status: 500, body: 'x'.repeat(length) });
  for (let length = 65_530; length < 65_600; length += 1) watch.note(wallet, answer(length));
  expect(watch.serverErrors(wallet)).toHaveLength(7);
  for (let length = 1; length < 9; length += 1) watch.note(wallet, answer(length));
  expect(watch.serverErrors(wallet)).toHaveLength(8);
});
