import { describe, expect, test } from 'vitest';
import type { Host } from '../../catalog/operation.ts';
import { brokenExchange, exchangeOf } from '../../fixtures/kit/exchanges.ts';
import type { Exchange, Request } from '../http/exchange.ts';
import {
  type Breaker,
  breakersFor,
  createBreaker,
  createReturnBudget,
  probeHost,
  type ReturnBudget,
} from './circuit-breaker.ts';
import { createTimeoutBudgets } from './timeout-budget.ts';

const dead = brokenExchange('timeout');
const refused = brokenExchange('refused');
const sound = exchangeOf({ status: 200 });
const times = (count: number, exchange: Exchange) => Array.from({ length: count }, () => exchange);

/** A breaker before a host that is probed as `probed` says, the last of it for ever; sleeping passes no real time. */
const breaker = (...probed: readonly Exchange[]) => breakerWith(createReturnBudget(), {}, ...probed);

function breakerWith(
  returnBudget: ReturnBudget,
  over: { readonly never?: string },
  ...probed: readonly Exchange[]
) {
  let probes = 0;
  let at = 0;
  const made = createBreaker({
    name: 'base',
    probe: async () => {
      probes += 1;
      at += 1_000;
      return probed[Math.min(probes, probed.length) - 1] ?? dead;
    },
    now: () => at,
    sleep: async (ms) => {
      at += ms;
    },
    returnBudget,
    timeoutBudget: createTimeoutBudgets({ timeoutMs: 10_000, concurrency: 32, now: () => at })(),
    ...over,
  });
  const put = (exchange: Exchange, operation = 'general.config') =>
    made.guard(operation, async ({ withhold }): Promise<Exchange> => {
      const why = withhold?.();
      if (why === undefined) return exchange;
      return { ...dead, error: { kind: 'aborted', message: why, reusedConnection: false } };
    });
  return {
    ...made,
    put,
    probes: () => probes,
    async putAll(...exchanges: readonly Exchange[]) {
      for (const each of exchanges) await put(each);
    },
  };
}

test('a host is lost after eight equal transport errors in a row and probes that fail for some seconds', async () => {
  const { putAll, lost, probes } = breaker(dead);
  await putAll(...times(7, dead));
  expect([lost(), probes()]).toEqual([undefined, 0]);
  await putAll(dead);
  expect(lost()).toMatch(
    /^base stopped answering from the first call on; .*\(timeout; 4 further probes got no answer either\)$/,
  );
});

test('the first refused connection is enough to look', async () => {
  const { putAll, lost } = breaker(refused);
  await putAll(sound, refused);
  expect(lost()).toContain('stopped answering after general.config (answered 200)');
});

test('a call that was refused while the host was away for a moment is put once more', async () => {
  const { guard, lost, incidents } = breaker(refused, refused, sound);
  const answers = [refused, sound];
  const exchange = await guard('party.create', async ({ withhold }) => {
    withhold?.();
    return answers.shift() ?? dead;
  });
  expect(exchange).toBe(sound);
  expect(lost()).toBeUndefined();
  expect(incidents()).toEqual([
    'base stopped answering from the first call on; first left without an answer: party.create; it came back after 4 s',
  ]);
});

test('a host was away since a moment when it refused a connection later, though it is back; not since its return', async () => {
  const { putAll, wasAway } = breaker(sound);
  expect(wasAway(0)).toBe(false);
  await putAll(sound, refused, sound);
  expect(wasAway(0)).toBe(true);
  expect(wasAway(1_000_000)).toBe(false);
});

test('a lost host has been away since any moment', async () => {
  const { putAll, wasAway } = breaker(refused);
  await putAll(refused);
  expect(wasAway(1_000_000)).toBe(true);
});

test('a host that was never there is sent nothing, is not looked at, and did not stop answering', async () => {
  const { guard, lost, incidents, probes } = breakerWith(createReturnBudget(), { never: 'refused' }, sound);
  const held: (string | undefined)[] = [];
  await guard('party.create', async ({ withhold }) => {
    held.push(withhold?.());
    return dead;
  });
  expect([held, lost(), incidents(), probes()]).toEqual([
    ['refused'],
    'refused',
    ['base was not reached: refused'],
    0,
  ]);
});

test('a call that was reset is not put again: the target may have done it', async () => {
  const { guard } = breaker(sound);
  const reset = brokenExchange('reset');
  let sent = 0;
  for (let nth = 0; nth < 8; nth++) {
    await guard('party.create', async ({ withhold }) => {
      withhold?.();
      sent += 1;
      return reset;
    });
  }
  expect(sent).toBe(8);
});

test('the third time a host goes away it is not waited for', async () => {
  const { put, lost, probes } = breaker(refused, sound, refused, sound, refused);
  // It is put once more, and refused again.
  await put(refused);
  expect([lost(), probes()]).toEqual([undefined, 4]);
  await put(refused);
  expect(lost()).toContain('one further probe got no answer either');
});

test('does not wait for a second host after the first one did not return', async () => {
  const returnBudget = createReturnBudget();
  const [first, second] = [breakerWith(returnBudget, {}, refused), breakerWith(returnBudget, {}, refused)];
  await first.put(refused);
  await second.put(refused);
  expect([first.probes(), second.probes()]).toEqual([4, 1]);
  expect(second.lost()).toContain('one further probe got no answer either');
});

test('a host that came back does not use up the waiting time', async () => {
  const returnBudget = createReturnBudget();
  const [first, second] = [
    breakerWith(returnBudget, {}, refused, sound),
    breakerWith(returnBudget, {}, refused),
  ];
  await first.put(refused);
  await second.put(refused);
  expect([first.lost(), second.probes()]).toEqual([undefined, 4]);
});

test('a probe that is answered, whatever it says, keeps the host', async () => {
  const { putAll, lost, probes } = breaker(exchangeOf({ status: 500 }));
  await putAll(...times(8, dead));
  expect(lost()).toBeUndefined();
  await putAll(...times(7, dead));
  expect(probes()).toBe(1);
  await putAll(dead);
  expect(probes()).toBe(2);
});

test('an answer in between begins the count anew', async () => {
  const { putAll, lost } = breaker(dead);
  await putAll(...times(7, dead), exchangeOf({ status: 503 }), ...times(7, dead));
  expect(lost()).toBeUndefined();
});

test('errors of another kind begin the count anew', async () => {
  const { putAll, lost } = breaker(dead);
  await putAll(...times(7, dead), ...times(7, brokenExchange('reset')));
  expect(lost()).toBeUndefined();
  await putAll(brokenExchange('reset'));
  expect(lost()).toContain('reset');
});

test('an answer that breaks the protocol is an answer', async () => {
  const { putAll, lost } = breaker(dead);
  await putAll(...times(20, brokenExchange('protocol')));
  expect(lost()).toBeUndefined();
});

test('many failures at once cause one probe, and all wait for it', async () => {
  const { put, lost, probes } = breaker(dead);
  await Promise.all(times(32, dead).map((each) => put(each)));
  expect(probes()).toBe(4);
  expect(lost()).toBeDefined();
});

test('a lost host stays lost, and what is put to it is withheld with the reason', async () => {
  const { put, putAll, lost } = breaker(dead);
  await putAll(...times(8, dead));
  const exchange = await put(sound);
  expect(exchange.error?.message).toBe(lost());
});

test('a host whose timeout budget is spent gets no more calls, although it answers now and then', async () => {
  const slow = { ...dead, durationMs: 10_000 };
  const { putAll, lost } = breaker(sound);
  for (let nth = 0; nth < 63; nth++) await putAll(slow, sound);
  expect(lost()).toBeUndefined();
  await putAll(slow);
  expect(lost()).toContain('64 calls were not answered in time, though some are');
});

describe('the breakers of a run', () => {
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
    [
      'its health hangs, and its root is answered',
      { [health]: hangs, '/': exchangeOf({ status: 404 }) },
      404,
    ],
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
    const breakers = breakersFor(
      { hosts } as Parameters<typeof breakersFor>[0],
      unreachable,
      (host, name) => {
        asked.push(`${host} for ${name}`);
        return {} as Breaker;
      },
    );
    return { asked, shared: new Set(breakers.values()).size };
  }

  test('hosts of one origin share a breaker, made for one that was reached where there is one', () => {
    const one = { base: 'http://h:1/api', cdn: 'http://h:1/cdn', gamelogs: 'http://h:2' };
    expect(made(one, {})).toEqual({ asked: ['base for base, cdn', 'gamelogs for gamelogs'], shared: 2 });
    expect(made(one, { base: 'timeout' }).asked[0]).toBe('cdn for base, cdn');
    expect(made(one, { base: 'refused', cdn: 'refused' }).asked[0]).toBe('base for base, cdn');
  });
});
