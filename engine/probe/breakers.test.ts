import { expect, test } from 'vitest';
import type { Host } from '../../catalog/operation.ts';
import { brokenExchange, exchangeOf } from '../../fixtures/kit/exchanges.ts';
import type { Exchange, Request } from '../http/exchange.ts';
import { breakersFor, probeHost } from './breakers.ts';
import type { Breaker } from './circuit-breaker.ts';

const hangs = brokenExchange('timeout');
const health = '/api/v1/healthcheck';

/** Answers by path; whatever is not named is gone. */
const probed = (host: 'base' | 'cdn', answers: Readonly<Record<string, Exchange>>) => {
  const asked: string[] = [];
  const send = async ({ url }: Request) => {
    const path = url.slice('http://a.test'.length);
    asked.push(path);
    return answers[path] ?? brokenExchange('refused');
  };
  return { asked, found: probeHost({ send }, host, 'http://a.test') };
};

test.each<[string, Readonly<Record<string, Exchange>>, number]>([
  ['its health is answered', { [health]: exchangeOf({ status: 204 }), '/': hangs }, 204],
  ['its health hangs, and its root is answered', { [health]: hangs, '/': exchangeOf({ status: 404 }) }, 404],
])('a host is there where %s', async (_, answers, status) => {
  expect((await probed('base', answers).found).response?.status).toBe(status);
});

test('a host is gone when neither of its two probes is answered', async () => {
  expect((await probed('base', { [health]: hangs }).found).error?.kind).toBe('timeout');
});

test('only the main API is asked for its health', async () => {
  const { asked, found } = probed('cdn', {});
  expect((await found).error?.kind).toBe('refused');
  expect(asked).toEqual(['/']);
});

function made(hosts: Partial<Record<Host, string>>, unreachable: Partial<Record<Host, string>>) {
  const asked: string[] = [];
  const breakers = breakersFor({ hosts } as Parameters<typeof breakersFor>[0], unreachable, (host, name) => {
    asked.push(`${host} for ${name}`);
    return {} as Breaker;
  });
  return { asked, shared: new Set(breakers.values()).size };
}

test('hosts of one origin share a breaker, made for one that was reached where there is one', () => {
  const one = { base: 'http://h:1/api', cdn: 'http://h:1/cdn', gamelogs: 'http://h:2' };
  expect(made(one, {})).toEqual({ asked: ['base for base, cdn', 'gamelogs for gamelogs'], shared: 2 });
  expect(made(one, { base: 'timeout' }).asked[0]).toBe('cdn for base, cdn');
  expect(made(one, { base: 'refused', cdn: 'refused' }).asked[0]).toBe('base for base, cdn');
});
