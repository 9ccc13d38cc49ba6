import { expect, test } from 'vitest';
import { brokenExchange, exchangeOf } from '../../fixtures/kit/exchanges.ts';
import type { Exchange } from '../http/exchange.ts';
import { ConfigurationError } from '../values/configuration-error.ts';
import { waitForHosts } from './wait-for-hosts.ts';

const refused = brokenExchange('refused');
const hosts = { base: 'http://api.test/v1', cdn: 'http://cdn.test' };

/** Hosts that answer as the lists say, the last for ever; sleeping passes no real time. */
async function waiting(answers: Readonly<Record<string, readonly Exchange[]>>, withinMs = 60_000) {
  let at = 0;
  const asked: string[] = [];
  const lines: string[] = [];
  const outcome = await waitForHosts({
    client: {
      async send({ url }) {
        const list = answers[new URL(url).hostname] ?? [];
        const times = asked.filter((each) => each === url).length;
        asked.push(url);
        return list[Math.min(times, list.length - 1)] ?? refused;
      },
    },
    target: { hosts, headers: [] },
    withinMs,
    print: (line) => lines.push(line),
    now: () => at,
    sleep: async (ms) => {
      at += ms;
    },
  }).catch((error: unknown) => error);
  return { outcome, asked, lines };
}

const sound = exchangeOf({ status: 404 });

test('hosts that answer, whatever they say, are not waited for, and nothing is reported', async () => {
  const { outcome, asked, lines } = await waiting({
    'api.test': [sound],
    'cdn.test': [exchangeOf({ status: 500 })],
  });
  expect(outcome).toBe(0);
  expect(asked).toEqual(['http://api.test/v1/api/v1/healthcheck', 'http://cdn.test/']);
  expect(lines).toEqual([]);
});

test('a host that comes later is asked again, alone, and its coming is reported', async () => {
  const { outcome, asked, lines } = await waiting({
    'api.test': [refused, brokenExchange('reset'), sound],
    'cdn.test': [sound],
  });
  expect(outcome).toBe(1_000);
  expect(asked.filter((url) => url.includes('cdn'))).toHaveLength(1);
  expect(lines).toEqual(['waiting for base (refused): 0 s of 60 s', 'base: there after 1 s']);
});

test('does not count 502, 503 and 504 as an answer', async () => {
  const { outcome } = await waiting({
    'api.test': [502, 503, 504, 200].map((status) => exchangeOf({ status })),
    'cdn.test': [sound],
  });
  expect(outcome).toBe(1_500);
});

test('what is waited for is reported again every ten seconds', async () => {
  const { lines } = await waiting({ 'api.test': [sound], 'cdn.test': [refused] }, 25_000);
  expect(lines).toEqual([
    'waiting for cdn (refused): 0 s of 25 s',
    'waiting for cdn (refused): 10 s of 25 s',
    'waiting for cdn (refused): 20 s of 25 s',
  ]);
});

test('hosts that never answer are named, with what to check', async () => {
  const { outcome } = await waiting(
    { 'api.test': [refused], 'cdn.test': [exchangeOf({ status: 503 })] },
    2_000,
  );
  expect(outcome).toBeInstanceOf(ConfigurationError);
  expect((outcome as ConfigurationError).lines).toEqual([
    'base: no answer at http://api.test/v1 within 2 s (refused): nothing accepts connections there; check the port, and that it is up',
    'cdn: no answer at http://cdn.test within 2 s (503): whatever stands before it says that it is not there; look at its log',
  ]);
});
