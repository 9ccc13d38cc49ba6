import { expect, test } from 'vitest';
import { areas, operationById } from '../../catalog/catalog.ts';
import { createClient } from '../../engine/http/client.ts';
import { createRedactor } from '../../engine/http/redact.ts';
import { createPlayers } from '../../engine/players/players.ts';
import { whyNoSession } from '../../engine/players/sign-in-discovery.ts';
import { createContext } from '../../engine/run/create-context.ts';
import { readTarget } from '../../engine/target/target.ts';
import { stoppedClock } from '../../fixtures/kit/examined.ts';
import { start as islands } from '../../fixtures/third-party/islands.ts';
import { start as outpost } from '../../fixtures/third-party/outpost.ts';
import { examine } from './examine.ts';

const said = { true: 'served', false: 'unrouted', undefined: 'open' } as const;

/** Of each operation that doctor decided: what doctor says of it, and what the judge of a run does. */
async function decided({ baseUrl, cdnUrl, gamelogsUrl }: Omit<Awaited<ReturnType<typeof outpost>>, 'close'>) {
  const env = { BASE_URL: baseUrl, CDN_URL: cdnUrl, GAMELOGS_URL: gamelogsUrl };
  const redactor = createRedactor();
  const concurrency = 32;
  const client = createClient({ redactor, concurrency, timeoutMs: 15_000 });
  const limits = { concurrency, withinMs: 15_000, mostCalls: 5_000, now: stoppedClock() };
  const read = readTarget(env, { cwd: '/' });
  const { target, discovery, hosts } = await examine({
    target: read,
    client,
    redactor,
    planned: Promise.resolve([]),
    ...limits,
  });
  const players =
    discovery?.kind === 'found' ? createPlayers({ client, target, discovery, redactor }) : undefined;
  const run = createContext({
    client,
    target,
    players,
    noSession: whyNoSession(discovery),
    unreachable: {},
  });
  const seen = hosts
    .flatMap(({ sample }) => sample)
    .filter(
      ({ seen, reason, id }) =>
        (seen === 'served' || seen === 'unrouted') && reason === undefined && id !== areas.auth.login.id,
    );
  const pairs = await Promise.all(
    seen.map(async ({ id, seen: doctor }) => {
      const operation = operationById(id);
      if (operation === undefined) throw new RangeError(id);
      const { served } = await run.routed(operation);
      return { id, doctor, run: said[`${served}`] };
    }),
  );
  client.close();
  return { pairs, looked: hosts.reduce((sum, { sample }) => sum + sample.length, 0) };
}

test.each([
  ['that has a refusal for every path that it does not know', outpost],
  ['that serves nearly all', islands],
])('what doctor decides a run decides alike, at a server %s', async (_, start) => {
  const server = await start();
  const { pairs, looked } = await decided(server);
  server.close();
  expect(pairs.filter(({ doctor, run }) => doctor !== run)).toEqual([]);
  expect([pairs.length > 100, looked > 120]).toEqual([true, true]);
});
