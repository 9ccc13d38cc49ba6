import { expect, test } from 'vitest';
import { areas } from '../../catalog/catalog.ts';
import { saidBy } from '../../fixtures/kit/attack-step.ts';
import { exchangeOf } from '../../fixtures/kit/exchanges.ts';
import type { Exchange } from '../http/exchange.ts';
import { cannotTell } from '../judgement.ts';
import { flip } from '../values/switch-points.ts';
import { race, roundsOf } from './race.ts';
import { goesOnAfter } from './waiting.ts';

const { redeem } = areas.general;
const ok = exchangeOf({ status: 200 });

interface Target {
  /** In which calls meet here. */
  readonly windowMs?: number;
  readonly speaksHttp2?: boolean;
  /** What a call does to the coins of a player who has redeemed so many times; `meets`: others are on their way. */
  readonly redeem: (coins: number, meets: boolean) => number;
  /** The answers of a burst of so many. */
  readonly answers?: (calls: number) => readonly Exchange[];
  /** Who has redeemed is refused. */
  readonly refuses?: true;
  /** What a call gives may be random. */
  readonly mayBeRandom?: true;
  /** After so many rounds, and the control before them, the time is over. */
  readonly rounds?: number;
  /** Coins as a read shows them, by the number of reads since the burst. */
  readonly shown?: (coins: number, readsSince: number) => number;
}

/** Runs a race for one player's coins; what it noted, observed or ended with. */
function raced(target: Target): Promise<string> {
  const coins = new Map<string, number>();
  let [readsSince, rounds] = [0, 0];
  const change = (role: string, meets: boolean) =>
    coins.set(role, target.redeem(coins.get(role) ?? 0, meets));
  const step = (context: Parameters<typeof race>[0]) =>
    race<number>(context, {
      people: () => 1,
      calls: ({ people: [role = ''] }, most) =>
        Array.from({ length: most }, () => ({ role, operation: redeem })),
      state: async ({ people: [role = ''] }) => {
        readsSince += 1;
        const held = coins.get(role) ?? 0;
        return target.shown?.(held, readsSince) ?? held;
      },
      ...(target.mayBeRandom && { mayBeRandom: true }),
      broken({ before, after, firstCall, laterSingleCalls = [] }) {
        const most = Math.max(...[firstCall, ...laterSingleCalls].map((each) => each.after - each.before));
        return after - before > most ? `${after - before} coins` : undefined;
      },
    });
  return saidBy(step, {
    recruit: async (...roles) => {
      rounds = Number(/round (\d+)$/.exec(roles[0] ?? '')?.[1]);
      if (rounds < 100 && rounds > (target.rounds ?? rounds)) throw cannotTell('budget', 'over');
      for (const role of roles) coins.set(role, 0);
    },
    mustSucceed: async (role = '') => {
      change(role, false);
      return ok;
    },
    send: async (role = '') => {
      const isRefused = target.refuses === true && coins.get(role) !== 0;
      change(role, false);
      return isRefused ? exchangeOf({ status: 409 }) : ok;
    },
    burst: async (calls) => {
      readsSince = 0;
      for (const { role } of calls) change(role, true);
      return target.answers?.(calls.length) ?? calls.map(() => ok);
    },
    means: {
      shortestWindowMs: async () => target.windowMs,
      offersHttp2: async () => target.speaksHttp2 === true,
    },
  });
}

const onceFor = (coins: number) => (coins === 0 ? 5 : coins);

test('passes when the effect is there once, however many calls meet', async () => {
  expect(await raced({ redeem: onceFor })).toMatch(/^no violation in 3 rounds, up to 16 at one moment/);
});

test('an effect that calls have again where they meet is broken, in each round', async () => {
  const racy = (coins: number, meets: boolean) => (meets ? coins + 5 : onceFor(coins));
  expect(await raced({ redeem: racy })).toMatch(
    /^broken: .*; not so in 3 of 3 rounds; 8 calls at one moment, 8 acknowledged: 40 coins/,
  );
});

test('ends after the first decisive round when rounds are not counted', async () => {
  const racy = (coins: number, meets: boolean) => (meets ? coins + 5 : onceFor(coins));
  const putBack = flip(goesOnAfter, (decides) => !decides);
  try {
    expect(await raced({ redeem: racy })).toMatch(/^broken: .*; not so in 1 of 1 rounds/);
    expect(await raced({ redeem: onceFor })).toMatch(/^no violation in 3 rounds/);
  } finally {
    putBack();
  }
});

test('judges the rounds that were played when the time for more is over', async () => {
  const racy = (coins: number, meets: boolean) => (meets ? coins + 5 : onceFor(coins));
  expect(await raced({ redeem: racy, rounds: 1 })).toMatch(/^broken: .*; not so in 1 of 1 rounds/);
  expect(await raced({ redeem: onceFor, rounds: 2 })).toMatch(/^no violation in 2 rounds/);
  expect(await raced({ redeem: onceFor, rounds: 0 })).toBe('budget: over');
});

test('observes an effect that calls one after another repeat as well', async () => {
  expect(await raced({ redeem: (coins) => coins + 5 })).toBe(
    'observed: one after another they do it too: 10 coins',
  );
});

test('a target that takes the second effect back is not accused', async () => {
  const racy = (coins: number, meets: boolean) => (meets ? coins + 5 : onceFor(coins));
  const takenBack = (coins: number, readsSince: number) => (readsSince > 2 ? Math.min(coins, 5) : coins);
  expect(await raced({ redeem: racy, shown: takenBack })).toMatch(
    /^(what was acknowledged was taken back afterwards){3}/,
  );
});

test('is inconclusive when the calls of a burst are held back', async () => {
  const limited = exchangeOf({ status: 429 });
  const answers = (calls: number) => Array.from({ length: calls }, (_, at) => (at === 0 ? ok : limited));
  expect(await raced({ redeem: onceFor, answers })).toMatch(/^rate-limited: not exercised/);
});

test('is not exercised when a single call may give as much, and fails when it never does', async () => {
  let players = 0;
  const drawn = (coins: number) => (coins === 0 ? ([5, 20, 10][players++ % 3] ?? 0) : coins);
  expect(await raced({ redeem: drawn, mayBeRandom: true })).toMatch(
    /^needs-state: .*differs from player to player/,
  );
  const racy = (coins: number, meets: boolean) => (meets ? coins + 5 : onceFor(coins));
  expect(await raced({ redeem: racy, mayBeRandom: true })).toMatch(/^broken: .*; not so in 3 of 3 rounds/);
});

test('where all but one of the calls were refused, one round is not enough', async () => {
  const refused = exchangeOf({ status: 409 });
  const answers = (calls: number) => Array.from({ length: calls }, (_, at) => (at === 0 ? ok : refused));
  const racy = (coins: number, meets: boolean) => (meets ? coins + 5 : onceFor(coins));
  const target = { redeem: racy, answers, mayBeRandom: true, refuses: true } as const;
  expect(await raced({ ...target, rounds: 1 })).toMatch(
    /^only one call was done; .* may be chance: 8 calls at one moment, 1 ack/,
  );
  expect(await raced({ ...target, rounds: 2 })).toMatch(/^broken: .*; not so in 2 of 2 rounds/);
});

test('a call whose effect nothing shows is not exercised', async () => {
  expect(await raced({ redeem: (coins) => coins })).toMatch(
    /^needs-state: not exercised: nothing shows what/,
  );
});

test('states in a pass how closely calls from this machine meet', async () => {
  const said = (windowMs: number) => raced({ redeem: onceFor, windowMs });
  expect(await said(0.03)).toMatch(/; calls from here meet within 0.1 ms, and in shorter windows by luck$/);
  expect(await said(0.42)).toMatch(/meet within 0.5 ms/);
});

test('adds a last round over one connection when the target speaks HTTP/2', async () => {
  const ended = await raced({ redeem: (coins) => Math.max(coins, 5), speaksHttp2: true });
  expect(ended).toMatch(/no violation in 4 rounds/);
  const brief = await roundsOf({ attacksBriefly: true, offersHttp2: async () => true });
  expect(brief.map(({ release }) => release)).toEqual(['last-byte']);
  const all = await roundsOf({ attacksBriefly: false, offersHttp2: async () => true });
  expect(all.map(({ release }) => release).at(-1)).toBe('one-connection');
});
