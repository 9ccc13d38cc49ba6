import { expect, onTestFinished, test } from 'vitest';
import { serveVariants } from '../../fixtures/conforming-variants/serve.ts';
import { credentialOf, jsonReply, type Layer } from '../../fixtures/mutants/mutant.ts';
import { type ServerOptions, startServer } from '../../fixtures/reference/server.ts';
import { journeyNamed, journeyOf } from '../journeys/journeys.ts';
import { makeReady } from './ready.ts';

// Journeys to hosts besides the main API's: who signs in for them, and what their calls carry.
const serve = async (options: ServerOptions) => {
  const server = await startServer(options);
  onTestFinished(server.close);
  return server;
};

async function ready(journey: string, env: Readonly<Record<string, string>>) {
  const { visits, data } = await makeReady(journeyNamed(journey), {
    env,
    cwd: '/',
    parameters: {},
    rate: 5,
    say: () => {},
    signal: new AbortController().signal,
  });
  const calls = visits.flatMap((visit) => visit.calls);
  return { signed: [...new Set(calls.map((call) => call.signed))], groups: data.groups };
}

test.each(['logs', 'analytics', 'cdn'])('%s goes without a session where none is wanted', async (journey) => {
  const { baseUrl, cdnUrl, gamelogsUrl } = await serve({});
  const env = { BASE_URL: baseUrl, CDN_URL: cdnUrl, GAMELOGS_URL: gamelogsUrl };
  expect(await ready(journey, env)).toEqual({ signed: [false], groups: [] });
});

test.each([
  ['logs', 'cookie', 'cookie'],
  ['analytics', 'bearer', 'authorization'],
  ['cdn', 'header', 'x-session-token'],
] as const)('%s is played by signed-in players where it is, by %s', async (journey, session, field) => {
  const { baseUrl, cdnUrl, gamelogsUrl } = await serve({ session, sessionHosts: ['cdn', 'gamelogs'] });
  const env = { BASE_URL: baseUrl, CDN_URL: cdnUrl, GAMELOGS_URL: gamelogsUrl };
  const { signed, groups } = await ready(journey, env);
  expect(signed).toEqual([true]);
  expect(groups.length).toBeGreaterThan(1);
  expect(groups.every(([person]) => person?.headers[field] !== undefined)).toBe(true);
});

test('where the session of the main API is refused there too, what helps is said', async () => {
  const [{ baseUrl }, { gamelogsUrl }] = await Promise.all([
    serve({}),
    serve({ sessionHosts: ['gamelogs'] }),
  ]);
  await expect(ready('logs', { BASE_URL: baseUrl, GAMELOGS_URL: gamelogsUrl })).rejects.toThrow(
    'logs.logsBatch: answered 401 when the journey was tried; let the logging API take calls without a sign-in or with the session',
  );
});

test('a refused call is shown with the text of the server and the body that was sent', async () => {
  const layer: Layer = ({ operation }) =>
    operation?.id === 'queue.enter'
      ? Promise.resolve(jsonReply({ message: 'role is required' }, undefined, 400))
      : undefined;
  const server = await serveVariants([{ name: 'a role is required', reason: '', layer: () => layer }]);
  onTestFinished(server.close);
  await expect(ready('queue', { BASE_URL: server.hosts.base })).rejects.toThrow(
    'queue.enter: answered 400 when the journey was tried: {"message":"role is required"}; sent was {',
  );
});

test('a call is not taken for accepted where the body of a 200 refuses it', async () => {
  const layer: Layer = ({ operation }) =>
    operation?.id === 'queue.enter'
      ? Promise.resolve(jsonReply({ ok: false, message: 'role is required' }))
      : undefined;
  const server = await serveVariants([{ name: 'refuses with 200', reason: '', layer: () => layer }]);
  onTestFinished(server.close);
  await expect(ready('queue', { BASE_URL: server.hosts.base })).rejects.toThrow(
    'queue.enter: answered 200 with a body that refuses it when the journey was tried: {"ok":false',
  );
});

test('a single call that the same player cannot make twice is refused before any load', async () => {
  const redeemed = new Set<string | undefined>();
  const layer: Layer = (call) => {
    if (call.operation?.id !== 'general.redeem') return undefined;
    const isNew = !redeemed.has(credentialOf(call));
    redeemed.add(credentialOf(call));
    return Promise.resolve(jsonReply({ isNew }, undefined, isNew ? 200 : 409));
  };
  const server = await serveVariants([{ name: 'a code is redeemed once', reason: '', layer: () => layer }]);
  onTestFinished(server.close);
  const made = makeReady(journeyOf('general.redeem'), {
    env: { BASE_URL: server.hosts.base, PROFILE: 'fixtures/profiles/reference.json' },
    cwd: process.cwd(),
    parameters: {},
    rate: 5,
    say: () => {},
    signal: new AbortController().signal,
  });
  await expect(made).rejects.toThrow(/general\.redeem: answered 409 .+ the same player cannot make it again/);
});
