import { expect, test } from 'vitest';
import { areas } from '../../catalog/catalog.ts';
import { exchangeOf } from '../../fixtures/kit/exchanges.ts';
import { standIn } from '../../fixtures/kit/sign-in-server.ts';
import type { Client } from '../http/client.ts';
import { silentProfile } from '../target/profile.ts';
import { readTarget } from '../target/target.ts';
import type { Session } from './session.ts';
import { createLiveness, endSession } from './session-end.ts';

const session: Session = {
  transport: { kind: 'bearer', source: '/token' },
  credentials: [['authorization', 'Bearer of-somebody']],
  secrets: ['of-somebody'],
};
const target = readTarget({ BASE_URL: 'http://127.0.0.1:1' }, { cwd: '/nowhere' });

interface House {
  readonly ended: boolean;
  /** To nobody. */
  readonly without?: number;
  readonly bodyFor?: (at: number, credential: string) => object;
}

/** A target whose answers tell the time, which moves on after every second of them. */
function looksAt({ ended, without = 401, bodyFor = (at) => ({ at }) }: House) {
  let answers = 0;
  const send: Client['send'] = async ({ headers }) => {
    answers += 1;
    const [, credential = 'nobody'] = headers.find(([name]) => name === 'authorization') ?? [];
    const signedIn = !ended && credential !== 'nobody';
    const body = bodyFor(Math.ceil(answers / 2), ended ? 'nobody' : credential);
    return exchangeOf({ status: signedIn ? 200 : without, body });
  };
  const differs = without === 200 ? 'content' : 'status';
  return createLiveness({ send } as Client, target, areas.me.location, differs)(session);
}

test('a session that makes a difference is alive', async () => {
  expect((await looksAt({ ended: false })).alive).toBe(true);
});

test('a session is over when its answer differs from an anonymous one only by the time', async () => {
  expect((await looksAt({ ended: true, without: 200 })).alive).toBe(false);
});

test('a session is alive when its answer differs in content, where everybody gets 200', async () => {
  expect((await looksAt({ ended: false, without: 200, bodyFor: (_, who) => ({ who }) })).alive).toBe(true);
});

test('a session is over when it is refused like an anonymous call, even by a refusal that names it', async () => {
  let nth = 0;
  const bodyFor = () => ({ for: nth++ === 1 ? 'it' : 'nobody' });
  expect((await looksAt({ ended: true, without: 403, bodyFor })).alive).toBe(false);
});

const logoutSession: Session = {
  transport: { kind: 'bearer', source: '/token' },
  credentials: [['authorization', 'Bearer session-token']],
  secrets: ['session-token'],
};

test('a session that made no difference before is not ended: nothing would show', async () => {
  const { client, target, calls } = await standIn(() => ({}));
  const liveness = async () => ({ alive: false, next: undefined });
  expect(await endSession({ client, target, liveness, session: logoutSession })).toEqual({
    ok: false,
    why: 'the credential made no difference before the logout either',
  });
  expect(calls).toEqual([]);
});

test('the logout is given time to take effect', async () => {
  const { client, target, calls } = await standIn(() => ({ status: 204, body: '' }));
  const samples = [true, true, true, false];
  const liveness = async () => ({ alive: samples.shift() ?? false, next: undefined });
  expect(await endSession({ client, target, liveness, session: logoutSession })).toEqual({
    ok: true,
    session: logoutSession,
  });
  expect(samples).toEqual([]);
  expect(calls.map(({ method, path, headers }) => [method, path, headers.authorization])).toEqual([
    ['POST', '/api/v1/me/logout', 'Bearer session-token'],
  ]);
});

test.each([
  ['the profile gives', { reason: '{{unique}}', who: '{{player.id}}' }, { reason: 'run-7', who: 'me' }],
  ['nobody can write', { device: '{{deviceId}}' }, {}],
])('a logout is put with the body that %s', async (_, body, sent) => {
  const { client, target, calls } = await standIn(() => ({ status: 204, body: '' }));
  const profile = { ...silentProfile, operations: { 'me.logout': { body } } };
  const samples = [true, false];
  const liveness = async () => ({ alive: samples.shift() ?? false, next: undefined });
  const own = { ...target, profile, runId: 'run-7' };
  await endSession({ client, target: own, liveness, session: { ...logoutSession, playerId: 'me' } });
  expect(calls.map(({ body }) => JSON.parse(body))).toEqual([sent]);
});
