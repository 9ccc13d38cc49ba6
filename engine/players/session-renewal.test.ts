import { describe, expect, test } from 'vitest';
import { pooled } from '../../fixtures/kit/sign-in-server.ts';
import { silenceOf } from '../compare/no-answer.ts';
import type { Exchange, Request } from '../http/exchange.ts';
import { type Session, sessionOf } from './session.ts';
import { createAccount } from './session-renewal.ts';

const times = <T>(count: number, make: () => Promise<T>) => Promise.all(Array.from({ length: count }, make));

describe('a session that stops working by itself', () => {
  test('is renewed by signing in again, and the call made once more', async () => {
    const { players, whereabouts, logins } = await pooled({ calls: 2 });
    const main = await players.player('main');
    for (let nth = 0; nth < 12; nth++) expect(await whereabouts(main)).toEqual([200, main.id]);
    expect(logins()).toBeGreaterThan(1);
  });

  test('is renewed as often as calls that are made at once use it up', async () => {
    const { players, whereabouts, logins } = await pooled({ calls: 4 });
    const main = await players.player('main');
    const answers = await times(30, () => whereabouts(main));
    expect(new Set(answers.map(([status]) => status))).toEqual(new Set([200]));
    expect(logins()).toBeGreaterThan(6);
  });

  test('is renewed once for all who noticed', async () => {
    const { players, whereabouts, logins } = await pooled({ sessionsEach: 1 });
    const main = await players.player('main');
    await players.withSecondSession(main);
    expect(logins()).toBe(1);
    const answers = await times(8, () => whereabouts(main));
    expect(new Set(answers.map(([status]) => status))).toEqual(new Set([200]));
    expect(logins()).toBe(2);
  });

  test('is not renewed where it still makes a difference elsewhere: the 401 is the answer', async () => {
    const { players, config, logins } = await pooled({ forbidden: '/api/v1/config' });
    const main = await players.player('main');
    expect(await Promise.all([config(main), config(main)])).toEqual([
      [401, undefined],
      [401, undefined],
    ]);
    expect(logins()).toBe(0);
  });

  test('is renewed also where an earlier 401 was a conforming one', async () => {
    const { players, config, whereabouts } = await pooled({ forbidden: '/api/v1/config', sessionsEach: 1 });
    const main = await players.player('main');
    await config(main);
    await players.withSecondSession(main);
    expect(await whereabouts(main)).toEqual([200, main.id]);
  });

  test('is not renewed without end where new sessions are dead at once', async () => {
    const { players, whereabouts, logins } = await pooled({ onlyFirst: true, sessionsEach: 1 });
    const main = await players.player('main');
    await players.withSecondSession(main);
    for (let nth = 0; nth < 50; nth++) await whereabouts(main);
    expect(logins()).toBe(21);
  });

  test('leaves an answer that says nothing of the call, where no new one lasts', async () => {
    const { players, askWhereabouts } = await pooled({ onlyFirst: true, sessionsEach: 1 });
    const main = await players.player('main');
    expect((await askWhereabouts(main)).unsigned).toBeUndefined();
    await players.withSecondSession(main);
    expect(silenceOf(await askWhereabouts(main))).toMatchObject({ reason: 'no-session' });
  });
});

describe('a refusal of a session that was replaced while the call was under way', () => {
  const session = (secret: string): Session => ({
    transport: { kind: 'bearer', source: '/token' },
    credentials: [['authorization', `Bearer ${secret}`]],
    secrets: [secret],
  });
  const old = session('old');

  /** Two calls with one session: the first is refused late, and the check of that session reaches a machine that lags. */
  async function lateRefusal({ lasts }: { readonly lasts: boolean }) {
    let answerLate = () => {};
    const sent: string[] = [];
    let checks = 0;
    let logins = 0;
    const exchange = (request: Request, status: number): Exchange => ({
      request,
      response: { status, headers: [], body: Buffer.from('{}'), wire: { bytes: 2 } },
      startedAt: 0,
      durationMs: 0,
      attempts: 1,
      waits: 0,
    });
    const account = createAccount({
      number: 1,
      first: old,
      signIn: async () => {
        logins += 1;
        return session(`new-${logins}`);
      },
      client: {
        send: async (request) => {
          const by = sessionOf(request)?.secrets[0] ?? 'nobody';
          sent.push(`${request.url} by ${by}`);
          if (request.url === 'late' && by === 'old') await new Promise<void>((end) => (answerLate = end));
          const isRefused = by === 'old' || !lasts || request.url === 'forbidden';
          return exchange(request, isRefused ? 401 : 200);
        },
      },
      // It knows the old session to have ended only when it is asked first.
      liveness: async () => {
        checks += 1;
        return { alive: checks > 1 && lasts, next: undefined };
      },
      rotates: false,
      refusal: 401,
      note: () => {},
    });
    const ask = (url: string) => account.sendSigned({ method: 'GET', url, headers: [] }, {});
    const late = ask('late');
    const early = await ask('early');
    if (lasts) await ask('forbidden');
    answerLate();
    return { early, late: await late, sent, logins };
  }

  test('is no answer: the call is sent once more by the session in force', async () => {
    const { early, late, sent } = await lateRefusal({ lasts: true });
    expect([early, late].map(({ response }) => response?.status)).toEqual([200, 200]);
    expect(sent.filter((line) => line.startsWith('late'))).toEqual(['late by old', 'late by new-1']);
  });

  test('is sent so three times at most where no session lasts', async () => {
    const { late, sent } = await lateRefusal({ lasts: false });
    expect(late.unsigned).toBe(true);
    expect(sent.filter((line) => line.startsWith('late'))).toHaveLength(3);
  });
});

describe('a session that changes with every answer', () => {
  test('is followed: calls go one after another, each with the newest', async () => {
    const { players, whereabouts, logins, discovery } = await pooled({ rotates: true });
    expect(discovery.recipe.rotates).toBe(true);
    const main = await players.player('main');
    const answers = await times(10, () => whereabouts(main));
    expect(answers).toEqual(Array.from({ length: 10 }, () => [200, main.id]));
    expect(logins()).toBe(0);
  });

  test('is one for each player, and their calls do not wait for one another', async () => {
    const { players, whereabouts } = await pooled({ rotates: true });
    const people = await Promise.all(['main', 'friend'].map((name) => players.player(name)));
    const answers = await Promise.all([...people, ...people].map(whereabouts));
    expect(new Set(answers.map(([status]) => status))).toEqual(new Set([200]));
    expect(new Set(answers.map(([, who]) => who)).size).toBe(2);
  });

  test('is not taken from the answer to a login, which hands out somebody else’s', async () => {
    const { players, whereabouts, login } = await pooled({ rotates: true });
    const main = await players.player('main');
    expect(await login(main, 'of-another')).toEqual([200, undefined]);
    expect(await whereabouts(main)).toEqual([200, main.id]);
  });

  test('is replaced by signing in where it got lost', async () => {
    const { players, whereabouts, logins } = await pooled({ rotates: true, sessionsEach: 1 });
    const main = await players.player('main');
    await players.withSecondSession(main);
    expect(await whereabouts(main)).toEqual([200, main.id]);
    expect(logins()).toBe(2);
  });
});

describe('what ends sessions', () => {
  test('is sent in a session of its own each time', async () => {
    const { players, whereabouts, logout } = await pooled({});
    const main = await players.player('main');
    expect(await times(4, logout)).toEqual(Array.from({ length: 4 }, () => [204, undefined]));
    expect(await whereabouts(main)).toEqual([200, main.id]);
  });

  test('is sent once more, alone, where another sign-in ended its session first', async () => {
    const { players, whereabouts, logout } = await pooled({ sessionsEach: 1 }, { LOGIN_TOKEN: 'only' });
    const main = await players.player('main');
    const [logouts, reads] = await Promise.all([times(4, logout), times(8, () => whereabouts(main))]);
    expect(logouts.map(([status]) => status)).toEqual([204, 204, 204, 204]);
    expect(reads.map(([status]) => status)).toEqual(Array.from({ length: 8 }, () => 200));
  });

  test('takes the only session there is where no second sign-in is allowed', async () => {
    const { players, whereabouts, logout } = await pooled({ refusesSecond: true }, { LOGIN_TOKEN: 'only' });
    const main = await players.player('main');
    expect(await logout()).toEqual([204, undefined]);
    expect(await whereabouts(main)).toEqual([200, main.id]);
  });
});

describe('a session that was logged out', () => {
  test('no longer makes a difference, and is made once', async () => {
    const { players, logins } = await pooled({});
    const [one, two] = await Promise.all([players.deadSession(), players.deadSession()]);
    expect(one).toMatchObject({
      ok: true,
      session: { secrets: [expect.stringMatching(/^session-number-/)] },
    });
    expect(two).toBe(one);
    expect(logins()).toBe(2);
  });

  test('is none where the logout was refused', async () => {
    const { players } = await pooled({ logout: 500 });
    expect(await players.deadSession()).toEqual({ ok: false, why: 'logout was answered 500' });
  });

  test('leaves the players who share its account signed in', async () => {
    const { players, whereabouts } = await pooled({ sessionsEach: 1 }, { LOGIN_TOKEN: 'only' });
    const main = await players.player('main');
    const [dead, ...reads] = await Promise.all([players.deadSession(), whereabouts(main), whereabouts(main)]);
    expect(dead.ok).toBe(true);
    expect([...reads, await whereabouts(main)].map(([status]) => status)).toEqual([200, 200, 200]);
  });
});
