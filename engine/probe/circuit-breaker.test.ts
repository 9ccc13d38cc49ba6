import { expect, test } from 'vitest';
import type { Exchange } from '../http/exchange.ts';
import {
  createBreaker,
  createGrace,
  createPatiences,
  createStory,
  type Grace,
  type Patience,
} from './circuit-breaker.ts';
import { brokenExchange, exchangeOf } from './evidence.ts';

const wasted = (patience: Patience, times: number, ms = 10_000) => {
  for (let nth = 0; nth < times; nth++) patience.timedOut(patience.begin(), ms);
  return patience;
};
const options = { timeoutMs: 10_000, concurrency: 32, now: () => 0 };
const fresh = () => createPatiences(options)();

/** What the next call may take. */
const next = (patience: Patience) => {
  const wait = patience.begin();
  patience.ended(wait);
  return wait.deadlineMs;
};

test('a call has its whole deadline until eight were wasted', () => {
  expect(next(wasted(fresh(), 7))).toBe(10_000);
});

test('from then on it has a second', () => {
  expect(next(wasted(fresh(), 8))).toBe(1_000);
});

test('where few calls are sent at a time, six of eight connections are enough', () => {
  const patience = createPatiences({ ...options, concurrency: 8 })();
  expect(next(wasted(patience, 5))).toBe(10_000);
  expect(next(wasted(patience, 1))).toBe(1_000);
});

test('from then on it has twenty times as long as answers took on average, and never more than the user said', () => {
  const patience = wasted(fresh(), 32);
  patience.answered(patience.begin(), 100);
  patience.answered(patience.begin(), 500);
  expect(next(patience)).toBe(6_000);
  patience.answered(patience.begin(), 9_000);
  expect(next(patience)).toBe(10_000);
});

test('of calls that fall due together the first to do so makes the next ones short', () => {
  let at = 0;
  const patience = createPatiences({ ...options, now: () => at })();
  const [first] = Array.from({ length: 9 }, () => patience.begin());
  at = 10_000;
  // As long as none has run out of time they may all be answered yet.
  expect(next(patience)).toBe(10_000);
  if (first) patience.timedOut(first, 10_000);
  expect(next(patience)).toBe(1_000);
});

test('a call that was answered, or given up, no longer counts as waiting', () => {
  let at = 0;
  const patience = createPatiences({ ...options, now: () => at })();
  const [first, second, ...others] = Array.from({ length: 9 }, () => patience.begin());
  at = 10_000;
  if (first) patience.answered(first, 1);
  for (const each of others) patience.ended(each);
  if (second) patience.timedOut(second, 10_000);
  expect(next(patience)).toBe(10_000);
});

test('patience is spent when every connection has wasted two', () => {
  expect(wasted(fresh(), 63).spent()).toBeUndefined();
  expect(wasted(fresh(), 64).spent()).toBe('64 calls were not answered in time');
});

test('so it is after ten calls for every connection, however short', () => {
  expect(wasted(fresh(), 319, 1_000).spent()).toBeUndefined();
  expect(wasted(fresh(), 320, 1_000).spent()).toBeDefined();
});

test('what one host wasted makes calls to the others shorter, and does not end them', () => {
  const patienceWith = createPatiences(options);
  wasted(patienceWith(), 64);
  const other = patienceWith();
  expect([next(other), other.spent()]).toEqual([1_000, undefined]);
});

const answer = (status = 200) => exchangeOf({ status });

test('a silence is told by what was answered last and what was put first of all that was not', () => {
  const story = createStory();
  const config = story.begin('general.config');
  const poison = story.begin('party.create');
  story.answered(config, answer());
  const later = story.begin('me.location');
  story.unanswered(later);
  story.unanswered(poison);
  expect(story.silence()).toBe(
    'stopped answering after general.config (answered 200); first left without an answer: party.create, me.location',
  );
});

test('calls that are still under way count as unanswered, and many are named by the first three', () => {
  const story = createStory();
  for (const name of ['a.a', 'b.b', 'a.a', 'c.c', 'd.d', 'e.e']) story.begin(name);
  expect(story.silence()).toBe(
    'stopped answering from the first call on; first left without an answer: a.a, b.b, c.c and 2 more',
  );
});

test('what was answered after all, or never sent, is not named', () => {
  const story = createStory();
  story.unanswered(story.begin('party.create'));
  const withheld = story.begin('me.location');
  story.answered(story.begin('general.config'), answer());
  story.void(withheld);
  story.unanswered(story.begin('match.create'));
  expect(story.silence()).toMatch(/left without an answer: match\.create$/);
});

const told = (sound: number, broken: number, ending: number[] = []) => {
  const story = createStory();
  for (let nth = 0; nth < sound; nth++) story.answered(story.begin('general.config'), answer());
  const poison = story.begin('party.create');
  const beside = story.begin('me.location');
  story.answered(beside, answer(500));
  story.answered(poison, answer(500));
  for (let nth = 2; nth < broken; nth++) story.answered(story.begin('me.location'), answer(500));
  for (const status of ending) story.answered(story.begin('me.location'), answer(status));
  return story.brokenSince();
};

test('from where on a host answered nothing but 5xx is told by the calls that were under way together then', () => {
  expect(told(20, 40)).toBe(
    'answered 5xx to everything from party.create or me.location on (40 answers in a row)',
  );
});

test('an answer that was under way already when the row began does not end it', () => {
  const story = createStory();
  for (let nth = 0; nth < 20; nth++) story.answered(story.begin('general.config'), answer());
  const slow = story.begin('me.location');
  story.answered(story.begin('party.create'), answer(500));
  story.answered(slow, answer());
  for (let nth = 1; nth < 40; nth++) story.answered(story.begin('general.config'), answer(500));
  expect(story.brokenSince()).toBe('answered 5xx to everything from party.create on (40 answers in a row)');
});

test.each([
  ['it always did', told(19, 40)],
  ['it were few', told(20, 39)],
  ['one of the last answers is none', told(20, 60, [404])],
  ['it announces an outage', told(20, 60, [503])],
])('and not where %s', (_, found) => {
  expect(found).toBeUndefined();
});

const dead = brokenExchange('timeout');
const refused = brokenExchange('refused');
const sound = exchangeOf({ status: 200 });
const times = (count: number, exchange: Exchange) => Array.from({ length: count }, () => exchange);

/** A breaker before a host that is probed as `probed` says, the last of it for ever; sleeping passes no real time. */
const breaker = (...probed: readonly Exchange[]) => breakerWith(createGrace(), {}, ...probed);

function breakerWith(grace: Grace, over: { readonly never?: string }, ...probed: readonly Exchange[]) {
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
    grace,
    patience: createPatiences({ timeoutMs: 10_000, concurrency: 32, now: () => at })(),
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

test('eight equal transport errors in a row and probes that fail for some seconds: the host is lost', async () => {
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

test('a host that was never there is sent nothing, is not looked at, and did not stop answering', async () => {
  const { guard, lost, incidents, probes } = breakerWith(createGrace(), { never: 'refused' }, sound);
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

test('a host that goes away after another was waited for in vain is not waited for', async () => {
  const grace = createGrace();
  const [first, second] = [breakerWith(grace, {}, refused), breakerWith(grace, {}, refused)];
  await first.put(refused);
  await second.put(refused);
  expect([first.probes(), second.probes()]).toEqual([4, 1]);
  expect(second.lost()).toContain('and so ended a last probe');
});

test('one that came back cost nothing of that', async () => {
  const grace = createGrace();
  const [first, second] = [breakerWith(grace, {}, refused, sound), breakerWith(grace, {}, refused)];
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

test('many failures at once are told by one look, and all wait for it', async () => {
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

test('a host that wastes its patience is left alone although it answers now and then', async () => {
  const slow = { ...dead, durationMs: 10_000 };
  const { putAll, lost } = breaker(sound);
  for (let nth = 0; nth < 63; nth++) await putAll(slow, sound);
  expect(lost()).toBeUndefined();
  await putAll(slow);
  expect(lost()).toContain('64 calls were not answered in time, though some are');
});
