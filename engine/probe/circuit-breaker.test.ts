import { describe, expect, test } from 'vitest';
import type { Host } from '../../catalog/operation.ts';
import { brokenExchange, exchangeOf } from '../../fixtures/kit/exchanges.ts';
import type { Exchange, Request } from '../http/exchange.ts';
import {
  type Breaker,
  breakersFor,
  createBreaker,
  createIncidentLog,
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
    /^base stopped answering from the first call on; .*\(timeout, and so ended 4 last probes\)$/,
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
  expect(lost()).toContain('and so ended a last probe');
});

test('does not wait for a second host after the first one did not return', async () => {
  const returnBudget = createReturnBudget();
  const [first, second] = [breakerWith(returnBudget, {}, refused), breakerWith(returnBudget, {}, refused)];
  await first.put(refused);
  await second.put(refused);
  expect([first.probes(), second.probes()]).toEqual([4, 1]);
  expect(second.lost()).toContain('and so ended a last probe');
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

describe('the incident log', () => {
  const answer = (status = 200) => exchangeOf({ status });

  test('a silence is described by what was answered last and what was put first of all that was not', () => {
    const incidentLog = createIncidentLog();
    const config = incidentLog.begin('general.config');
    const poison = incidentLog.begin('party.create');
    incidentLog.answered(config, answer());
    const later = incidentLog.begin('me.location');
    incidentLog.unanswered(later);
    incidentLog.unanswered(poison);
    expect(incidentLog.silence()).toBe(
      'stopped answering after general.config (answered 200); first left without an answer: party.create, me.location',
    );
  });

  test('a cut is named that a silence follows, and not one that many answers followed', () => {
    const incidentLog = createIncidentLog();
    incidentLog.answered(incidentLog.begin('general.config'), answer());
    incidentLog.cutOff('POST /api/v1/party');
    incidentLog.unanswered(incidentLog.begin('me.location'));
    expect(incidentLog.silence()).toMatch(
      /^stopped answering after general\.config \(answered 200\), and just after an attack had cut .* POST \/api\/v1\/party/,
    );
    for (let nth = 0; nth < 6; nth += 1) incidentLog.answered(incidentLog.begin('general.config'), answer());
    expect(incidentLog.silence()).not.toContain('cut');
  });

  test('calls that are still under way count as unanswered, and many are named by the first three', () => {
    const incidentLog = createIncidentLog();
    for (const name of ['a.a', 'b.b', 'a.a', 'c.c', 'd.d', 'e.e']) incidentLog.begin(name);
    expect(incidentLog.silence()).toBe(
      'stopped answering from the first call on; first left without an answer: a.a, b.b, c.c and 2 more',
    );
  });

  test('does not name calls that were answered or never sent', () => {
    const incidentLog = createIncidentLog();
    incidentLog.unanswered(incidentLog.begin('party.create'));
    const withheld = incidentLog.begin('me.location');
    incidentLog.answered(incidentLog.begin('general.config'), answer());
    incidentLog.void(withheld);
    incidentLog.unanswered(incidentLog.begin('match.create'));
    expect(incidentLog.silence()).toMatch(/left without an answer: match\.create$/);
  });

  const brokenSince = (sound: number, broken: number, ending: number[] = []) => {
    const incidentLog = createIncidentLog();
    for (let nth = 0; nth < sound; nth++) incidentLog.answered(incidentLog.begin('general.config'), answer());
    const poison = incidentLog.begin('party.create');
    const beside = incidentLog.begin('me.location');
    incidentLog.answered(beside, answer(500));
    incidentLog.answered(poison, answer(500));
    for (let nth = 2; nth < broken; nth++)
      incidentLog.answered(incidentLog.begin('me.location'), answer(500));
    for (const status of ending) incidentLog.answered(incidentLog.begin('me.location'), answer(status));
    return incidentLog.brokenSince();
  };

  test('from where on a host answered nothing but 5xx is decided by the calls that were under way together then', () => {
    expect(brokenSince(20, 40)).toBe(
      'answered 5xx to everything from party.create or me.location on (40 answers in a row)',
    );
  });

  test('a sound answer to a call from before the series of 5xx does not end the series', () => {
    const incidentLog = createIncidentLog();
    for (let nth = 0; nth < 20; nth++) incidentLog.answered(incidentLog.begin('general.config'), answer());
    const slow = incidentLog.begin('me.location');
    incidentLog.answered(incidentLog.begin('party.create'), answer(500));
    incidentLog.answered(slow, answer());
    for (let nth = 1; nth < 40; nth++) incidentLog.answered(incidentLog.begin('general.config'), answer(500));
    expect(incidentLog.brokenSince()).toBe(
      'answered 5xx to everything from party.create on (40 answers in a row)',
    );
  });

  test.each([
    ['it always did', brokenSince(19, 40)],
    ['it were few', brokenSince(20, 39)],
    ['one of the last answers is none', brokenSince(20, 60, [404])],
    ['it announces an outage', brokenSince(20, 60, [503])],
  ])('and not where %s', (_, found) => {
    expect(found).toBeUndefined();
  });
});
