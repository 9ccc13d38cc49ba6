import { expect, test } from 'vitest';
import { brokenExchange, exchangeOf } from '../../fixtures/kit/exchanges.ts';
import { statusOf } from '../http/exchange.ts';
import { createErrorRepeats, withErrorRepeats } from './passing-errors.ts';

/** A host that answers one call after another so; the last answer from then on. */
function hostOf(...statuses: readonly number[]) {
  const repeats = createErrorRepeats(async () => {});
  let calls = 0;
  const answer = async () => exchangeOf({ status: statuses[Math.min(calls++, statuses.length - 1)] ?? 0 });
  return {
    put: async () => statusOf(await repeats.past('base', answer)),
    calls: () => calls,
    of: () => repeats.of('base'),
  };
}

test('a server error that does not come again is no answer, and is counted', async () => {
  const host = hostOf(500, 500, 404);
  expect(await host.put()).toBe(404);
  expect(await host.put()).toBe(404);
  expect(host.of()).toEqual({ calls: 2, errors: 1 });
});

test.each([200, 404, 429, 501, 503])('%i is an answer at once', async (status) => {
  const host = hostOf(status, 200);
  expect(await host.put()).toBe(status);
  expect(host.of()).toEqual({ calls: 1, errors: 0 });
});

test('a host that repeats its server errors is believed, and asked once from then on', async () => {
  const host = hostOf(500);
  for (let nth = 0; nth < 10; nth += 1) expect(await host.put()).toBe(500);
  expect(host.calls()).toBe(3 * 4 + 7);
  expect(host.of()).toEqual({ calls: 10, errors: 0 });
});

test('a repeat without an answer shows no more than the error did', async () => {
  const repeats = createErrorRepeats(async () => {});
  const answers = [exchangeOf({ status: 500 }), brokenExchange('reset')];
  expect(statusOf(await repeats.past('base', async () => answers.shift() ?? exchangeOf()))).toBe(500);
});

test('the hosts of a client have accounts of their own, by origin', async () => {
  const repeats = createErrorRepeats(async () => {});
  const answers = [500, 200, 200];
  const client = withErrorRepeats(
    { send: async () => exchangeOf({ status: answers.shift() ?? 0 }), close() {} },
    repeats,
  );
  for (const url of ['http://a.test/x', 'http://b.test/x'])
    await client.send({ method: 'GET', url, headers: [] });
  expect(repeats.of('http://a.test')).toEqual({ calls: 1, errors: 1 });
  expect(repeats.of('http://b.test')).toEqual({ calls: 1, errors: 0 });
});
