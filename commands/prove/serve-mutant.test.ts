import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { areas } from '../../catalog/catalog.ts';
import { type Operation, parametersOf } from '../../catalog/operation.ts';
import { requestPath } from '../../catalog/request-path.ts';
import { type Call, type Forward, jsonReply, type Mutant } from '../../fixtures/mutants/mutant.ts';
import { operationOf } from '../../fixtures/mutants/serve.ts';
import { everyMutant, mutantNamed, startMutant } from './serve-mutant.ts';

/** One client: how it names its players, and in which words it puts what means the same. */
interface Client {
  readonly subject: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly word: string;
}
const clients: readonly Client[] = [
  { subject: 'assay-1-run-1', headers: {}, word: 'assay-is-no' },
  { subject: 'assay-1-run-200', headers: { 'user-agent': 'assay' }, word: 'assay' },
  { subject: 'mallory', headers: { 'user-agent': 'curl/8.9.1' }, word: 'none' },
];

const urlOf = (operation: Operation): string =>
  requestPath(operation, Object.fromEntries(parametersOf(operation).map((name) => [name, 'some'])));
const jwt = (sub: string) =>
  ['{}', JSON.stringify({ sub }), 'x'].map((part) => Buffer.from(part).toString('base64url')).join('.');

/** Whatever an answer of the embedded server holds that a mutation reads. */
const lists = [
  ...['members', 'friends', 'blockedPlayers', 'players', 'currencies', 'languages'],
  ...[
    'messages',
    'presets',
    'items',
    'entitlements',
    'rewards',
    'bundles',
    'prices',
    'tracks',
    'steps',
    'pages',
    'nodes',
  ],
];
const content = {
  token: 'session-1',
  playerId: 'player-1',
  partyId: 'party-1',
  matchId: 'match-1',
  leaderId: 'player-1',
  cost: { currency: 'coins', amount: 1 },
  granted: [],
  ...Object.fromEntries(lists.map((name) => [name, []])),
};

/** What a client sends to an operation: the plain call, some that the operation does not take, and what cannot be read. */
function callsOf(operation: Operation, { headers, word }: Client): Call[] {
  const { host, method } = operation;
  const json = { 'content-type': 'application/json' };
  const given = { ...headers, authorization: 'Bearer session-1' };
  const url = urlOf(operation);
  const call = { host, method, url, headers: given, body: Buffer.alloc(0), operation };
  const withBody = (body: string, type = json['content-type']): Call => ({
    ...call,
    headers: { ...given, 'content-type': type },
    body: Buffer.from(body),
  });
  const of = (changed: Partial<Call>): Call => ({ ...call, ...changed });
  return [
    call,
    withBody(JSON.stringify({ stateName: 'FullProfile', name: word })),
    withBody(`{"${word}":`),
    withBody(`[[1,"${word}"]]`),
    withBody(JSON.stringify([{ message: word }, { message: word }])),
    withBody(`${word}=1`, 'application/x-www-form-urlencoded'),
    of({ headers }),
    of({ method: 'HEAD' }),
    of({ headers: { ...given, connection: 'close' } }),
    of({ url: `${url}${url.includes('?') ? '&' : '?'}${word}=%E5%90%8D` }),
  ];
}

const words = new RegExp(clients.map(({ word }) => word).join('|'), 'g');

/** What the mutant does with the calls of a client: its answers, and what it asks of the server behind it. */
async function conversation({ mutation, operations }: Mutant, client: Client): Promise<string[]> {
  const layer = mutation();
  const did: string[] = [];
  const put = async (call: Call) => {
    const forward: Forward = async (changed = {}) => {
      const { method, url, body } = { ...call, ...changed };
      did.push(`asks ${method} ${url} ${body}`);
      return call.headers.authorization === undefined && call.url === call.operation?.path
        ? jsonReply({ error: 'no' }, undefined, 401)
        : jsonReply(content);
    };
    const reply = await Promise.race([
      layer(call, forward),
      new Promise<'silent'>((r) => setImmediate(r, 'silent')),
    ]);
    did.push(
      reply === undefined ? 'lets through' : reply === 'silent' ? reply : `${reply.status} ${reply.body}`,
    );
  };
  const { login } = areas.auth;
  const signIn = (token: string): Call => ({
    host: 'base',
    method: login.method,
    url: `${login.path}?token=${token}`,
    headers: client.headers,
    body: Buffer.alloc(0),
    operation: operationOf('base', login.method, login.path),
  });
  await put(signIn(jwt(client.subject)));
  await put(signIn(jwt(client.subject)));
  await put(signIn(client.word));
  for (const operation of operations) for (const call of callsOf(operation, client)) await put(call);
  // Words and names aside, and what the mutant draws by itself.
  return did.map((line) =>
    line
      .replaceAll(jwt(client.subject), 'JWT')
      .replace(words, 'WORD')
      .replace(/[\da-f]{8}-[\da-f-]{27}/g, 'UUID')
      .replace(/token=e30\.[\w-]+/g, 'token=JWT'),
  );
}

/** Mutants delay answers and let copies grow old: on a busy machine one client would meet that, and another not. */
function stopClock() {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'] });
  const sleeping = vi.spyOn(timers, 'setTimeout').mockReturnValue(new Promise(() => {}));
  syncBuiltinESMExports();
  onTestFinished(() => {
    vi.useRealTimers();
    sleeping.mockRestore();
    syncBuiltinESMExports();
  });
}

test('no mutant looks at who asks, or at words that only Assay sends', async () => {
  stopClock();
  const recognising: string[] = [];
  for (const mutant of await everyMutant()) {
    const conversations = await Promise.all(clients.map((client) => conversation(mutant, client)));
    if (new Set(conversations.map((did) => JSON.stringify(did))).size > 1) recognising.push(mutant.name);
  }
  expect(recognising).toEqual([]);
});

test('a player whom Assay does not name, with another client, meets the mutation of a flow', async () => {
  const { baseUrl, close } = await startMutant(await mutantNamed('nobody can be invited'), {});
  onTestFinished(close);
  const put = (path: string, method: string, headers: Record<string, string> = {}) =>
    fetch(`${baseUrl}${path}`, { method, headers: { 'user-agent': 'curl/8.9.1', ...headers } });
  const { login } = areas.auth;
  const { token } = (await (await put(`${login.path}?token=${jwt('mallory')}`, login.method)).json()) as {
    token: string;
  };
  const signedIn = { authorization: `Bearer ${token}` };
  expect((await put('/api/v1/party', 'POST', signedIn)).ok).toBe(true);
  const { invite } = areas.party;
  expect((await put(urlOf(invite), invite.method, signedIn)).status).toBe(500);
});
