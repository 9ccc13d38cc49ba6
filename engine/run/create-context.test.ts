import { expect, test } from 'vitest';
import type { Host } from '../../catalog/operation.ts';
import { brokenExchange, exchangeOf } from '../../fixtures/kit/exchanges.ts';
import type { Exchange, Request } from '../http/exchange.ts';
import type { Breaker } from '../probe/circuit-breaker.ts';
import type { Profile } from '../target/profile.ts';
import { breakersFor, createPointers, probeHost } from './create-context.ts';

const profile = (ids: Record<string, string>, operation = 'party.create') =>
  ({ operations: { [operation]: { ids } } }) as Pick<Profile, 'operations'>;
const created = (body: unknown, status = 200) => exchangeOf({ method: 'POST', status, body });

test('a pointer that matches nothing in any answer is reported with how many there were', () => {
  const { note, unmatched } = createPointers(profile({ partyId: '/partyId' }));
  for (const id of [1, 2, 3]) note('party.create', created({ id }));
  expect(unmatched()).toEqual(['ids: /partyId of party.create matched nothing in 3 answers']);
});

test('one that matches once is well spelt', () => {
  const { note, unmatched } = createPointers(profile({ partyId: '/party/id', autoJoinKey: '/key' }));
  note('party.create', created({}));
  note('party.create', created({ party: { id: 7 } }));
  note('party.create', created({}));
  expect(unmatched()).toEqual(['ids: /key of party.create matched nothing in 3 answers']);
});

test('an object is no identifier', () => {
  const { note, unmatched } = createPointers(profile({ partyId: '/party' }));
  note('party.create', created({ party: {} }));
  expect(unmatched()).toEqual(['ids: /party of party.create matched nothing in 1 answer']);
});

test.each([
  ['a refusal', created({ error: 'no' }, 409)],
  [
    'an empty answer',
    { ...created('', 204), response: { ...created('', 204).response, body: new Uint8Array() } },
  ],
  ['another operation', undefined],
])('%s says nothing of it', (_, exchange) => {
  const { note, unmatched } = createPointers(profile({ partyId: '/partyId' }));
  if (exchange) note('party.create', exchange as never);
  else note('party.details', created({}));
  expect(unmatched()).toEqual([]);
});

test('an answer that is no JSON has none of its places', () => {
  const { note, unmatched } = createPointers(profile({ partyId: '' }));
  note('party.create', created('text'));
  expect(unmatched()).toEqual(['ids: the root of party.create matched nothing in 1 answer']);
});

test('without a profile there is nothing to miss', () => {
  const { note, unmatched } = createPointers(undefined);
  note('party.create', created({}));
  expect(unmatched()).toEqual([]);
});

test.each([
  ['an empty list', '/items/0/id', { items: [] }],
  ['nothing in its place', '/party/id', { party: null }],
])('%s on the way there says nothing of a pointer', (_, pointer, body) => {
  const { note, unmatched } = createPointers(profile({ partyId: pointer }));
  note('party.create', created(body));
  expect(unmatched()).toEqual([]);
  note('party.create', created({ items: [{}], party: {} }));
  expect(unmatched()).toHaveLength(1);
});

test('who wants to be sure waits for more answers', () => {
  const { note, unmatched } = createPointers(profile({ partyId: '/partyId' }), 2);
  note('party.create', created({}));
  expect(unmatched()).toEqual([]);
  note('party.create', created({}));
  expect(unmatched()).toHaveLength(1);
});

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
