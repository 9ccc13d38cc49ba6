// Journeys to hosts besides the main API's: who signs in for them, and what their calls carry.
import { expect, onTestFinished, test } from 'vitest';
import { type ServerOptions, startServer } from '../../fixtures/server/server.ts';
import { journeyNamed } from '../journeys/journeys.ts';
import { makeReady } from './ready.ts';

const serve = async (options: ServerOptions) => {
  const server = await startServer(options);
  onTestFinished(server.close);
  return server;
};

async function ready(journey: string, env: Readonly<Record<string, string>>) {
  const { visits, data } = await makeReady(journeyNamed(journey), {
    ...{ env, cwd: '/', parameters: {}, rate: 5, say: () => {} },
    signal: new AbortController().signal,
  });
  const calls = visits.flatMap((visit) => visit.calls);
  return { signed: [...new Set(calls.map((call) => call.signed))], casts: data.casts };
}

test.each(['logs', 'analytics', 'cdn'])('%s goes without a session where none is wanted', async (journey) => {
  const { baseUrl, cdnUrl, gamelogsUrl } = await serve({});
  const env = { BASE_URL: baseUrl, CDN_URL: cdnUrl, GAMELOGS_URL: gamelogsUrl };
  expect(await ready(journey, env)).toEqual({ signed: [false], casts: [] });
});

test.each([
  ['logs', 'cookie', 'cookie'],
  ['analytics', 'bearer', 'authorization'],
  ['cdn', 'header', 'x-session-token'],
] as const)('%s is played by signed-in players where it is, by %s', async (journey, session, field) => {
  const { baseUrl, cdnUrl, gamelogsUrl } = await serve({ session, sessionHosts: ['cdn', 'gamelogs'] });
  const env = { BASE_URL: baseUrl, CDN_URL: cdnUrl, GAMELOGS_URL: gamelogsUrl };
  const { signed, casts } = await ready(journey, env);
  expect(signed).toEqual([true]);
  expect(casts.length).toBeGreaterThan(1);
  expect(casts.every(([person]) => person?.headers[field] !== undefined)).toBe(true);
});

test('where the session of the main API is refused there too, what helps is said', async () => {
  const [{ baseUrl }, { gamelogsUrl }] = await Promise.all([
    serve({}),
    serve({ sessionHosts: ['gamelogs'] }),
  ]);
  await expect(ready('logs', { BASE_URL: baseUrl, GAMELOGS_URL: gamelogsUrl })).rejects.toThrow(
    'load: logs.logsBatch: answered 401 when the journey was tried; let the logging API take calls without a sign-in or with the session',
  );
});
