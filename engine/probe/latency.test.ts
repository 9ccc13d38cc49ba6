import { expect, test } from 'vitest';
import { brokenExchange, exchangeOf } from '../../fixtures/kit/exchanges.ts';
import type { TransportError } from '../http/exchange.ts';
import { createLatencies } from './latency.ts';

const took = (durationMs: number, status = 200) => ({ ...exchangeOf({ status }), durationMs });

test('of each operation the quartiles of its calls, those between two calls interpolated', () => {
  const latencies = createLatencies();
  for (const ms of [4, 1, 3, 2]) latencies.note('party.create', took(ms));
  latencies.note('me.location', took(7.126, 204));
  expect(latencies.figures()).toEqual({
    'me.location': [7.13, 7.13, 7.13, 7.13, 7.13, 1],
    'party.create': [1, 1.75, 2.5, 3.25, 4, 4],
  });
  expect(Object.keys(latencies.figures())).toEqual(['me.location', 'party.create']);
});

test('the longest wait in vain is reported, and a call whose answer came or had begun is none', () => {
  const latencies = createLatencies();
  for (const durationMs of [1_000, 10_000, 2_000])
    latencies.note('party.create', { ...brokenExchange('timeout'), durationMs });
  const late = brokenExchange('timeout');
  const partial = { status: 200, headers: [], bytes: 9 };
  latencies.note('me.location', { ...late, error: { ...(late.error as TransportError), partial } });
  latencies.note('me.location', { ...brokenExchange('reset'), durationMs: 5 });
  latencies.note('me.location', took(9));
  expect(['party.create', 'me.location', 'a.b'].map(latencies.longestUnanswered)).toEqual([10_000, 0, 0]);
});

test('a call that was refused, redirected or not answered does not count', () => {
  const latencies = createLatencies();
  for (const status of [199, 301, 404, 500]) latencies.note('party.create', took(9, status));
  latencies.note('party.create', brokenExchange());
  expect(latencies.figures()).toEqual({});
});
