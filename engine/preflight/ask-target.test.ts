import { expect, test } from 'vitest';
import { areas } from '../../catalog/catalog.ts';
import { exchangeOf } from '../../fixtures/kit/exchanges.ts';
import { type Behaviour, loginPath, signsInBy, standIn } from '../../fixtures/kit/sign-in-server.ts';
import { nobody } from '../http/ask.ts';
import type { Request } from '../http/exchange.ts';
import type { Found } from '../players/sign-in-discovery.ts';
import { silentProfile } from '../target/profile.ts';
import { readTarget, type Target } from '../target/target.ts';
import { createSources, putter } from './ask-target.ts';
import { preflight } from './preflight.ts';

const { clientData, logs, me } = areas;
const session = {
  transport: { kind: 'bearer', source: '/token' },
  credentials: [['authorization', 'Bearer session']],
  secrets: ['session'],
} as const;
const discovery = { kind: 'found', session, recipe: { rotates: false } } as unknown as Found;

/** Which of these calls carried the session. */
async function signed(more: Partial<Target>) {
  const sent: Request[] = [];
  const client = {
    send: async (request: Request) => {
      sent.push(request);
      return { ...exchangeOf(), request };
    },
    close() {},
  };
  const read = readTarget({ BASE_URL: 'http://api.test' }, { cwd: '/' });
  const put = putter(client, { ...read, ...more }, discovery);
  for (const operation of [me.location, clientData.catalog, logs.logsBatch]) {
    await put(operation);
    await put(operation, { as: nobody });
  }
  return sent
    .filter(({ headers }) => headers.some(([name]) => name === 'authorization'))
    .map(({ url }) => url);
}

const base = 'http://api.test/api/v1/me/location';
const hosts = { base: 'http://api.test', cdn: 'https://cdn.test', gamelogs: 'https://logs.test' };

test('before anything is known the session goes to the main API alone', async () => {
  expect(await signed({ hosts })).toEqual([base]);
});

test('it goes to a host that takes it, and over plain http to none but this machine', async () => {
  const profile = { ...silentProfile, session: { hosts: { gamelogs: true } } };
  expect(await signed({ hosts, profile })).toEqual([base, 'https://logs.test/api/v1/gameLogs/batch']);
  expect(await signed({ hosts: { ...hosts, gamelogs: 'http://logs.test' }, profile })).toEqual([base]);
});

const { general } = areas;

function counting(status: number) {
  const asked: string[] = [];
  const put = async ({ id }: { id: string }) => {
    asked.push(id);
    return exchangeOf({ status });
  };
  return { put, asked };
}

test('each is asked once, however many look there at a time', async () => {
  const { put, asked } = counting(404);
  const telling = createSources();
  const [first, second] = [telling(put, true), telling(put, true)];
  const replies = await Promise.all([first(general.config), second(general.config), first(general.version)]);
  expect(asked).toEqual(['general.config', 'general.version']);
  expect(replies[0]).toBe(replies[1]);
});

test.each([
  [200, 1],
  [401, 2],
  [404, 2],
])('what nobody in particular was answered %i is asked by a player: %i calls', async (status, calls) => {
  const { put, asked } = counting(status);
  const telling = createSources();
  await telling(put, false)(general.config);
  const tell = telling(put, true);
  await Promise.all([tell(general.config), tell(general.config)]);
  expect(asked).toHaveLength(calls);
});

const secret = 'c2Vzc2lvbi1vZi10aGUtcGxheWVy';
const api = signsInBy(
  () => ({ body: { token: secret } }),
  ({ authorization }) => authorization === `Bearer ${secret}`,
);
const identifierSources = [
  '/api/v1/healthcheck',
  '/api/v1/version',
  '/api/v1/config',
  '/api/v1/utils/contentVersion/version',
];

test('a preflight that looks for a login, a version and a word asks each identifier source once', async () => {
  const behaviour: Behaviour = (call) => {
    if (call.path === '/api/v1/config') return { body: { providers: ['shop'] } };
    if (identifierSources.includes(call.path)) return { body: { version: '7.2.0' } };
    if (call.path === loginPath) return { status: 404, body: { error: 'no such path' } };
    return api({ ...call, path: call.path.replace('/provider/shop/', '/provider/storefront/') });
  };
  const { target, client, calls } = await standIn(behaviour);
  const hosts = { ...target.hosts, cdn: target.hosts.base ?? '' };
  const { discovery } = await preflight({ client, target: { ...target, hosts }, redactor: { learn() {} } });
  expect(discovery?.kind).toBe('found');
  const asked = calls.map(({ path }) => path).filter((path) => identifierSources.includes(path));
  expect(asked.toSorted()).toEqual(identifierSources.toSorted());
});
