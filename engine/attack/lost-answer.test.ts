import { expect, test } from 'vitest';
import { areas } from '../../catalog/catalog.ts';
import { saidBy } from '../../fixtures/kit/attack-step.ts';
import { exchangeOf } from '../../fixtures/kit/exchanges.ts';
import type { Cut } from '../http/cut-off.ts';
import { loseAnswer } from './lost-answer.ts';

const { redeem } = areas.general;

/** What a target keeps of one player. */
interface Kept {
  coins: number;
  /** Whether the call was noted as done. */
  noted: boolean;
}

interface Target {
  /** A whole call, answered or not; its status. */
  readonly whole: (kept: Kept, cut: Cut | undefined) => number;
  /** Half of a body. */
  readonly half?: (kept: Kept) => void;
  /** The body is empty. */
  readonly bare?: (kept: Kept) => void;
  /** What time does, in ms, to a player. */
  readonly passes?: (kept: Kept, ms: number) => void;
  readonly isBrief?: boolean;
  readonly mayBeRandom?: true;
  readonly sends?: (cut: Cut) => boolean;
}

const once = (kept: Kept): number => {
  if (kept.noted) return 409;
  kept.noted = true;
  kept.coins += 5;
  return 200;
};

/** Cuts answers off; what the step noted, observed or ended with. */
function attacked({
  whole,
  half,
  bare,
  passes,
  isBrief = false,
  sends,
  mayBeRandom,
}: Target): Promise<string> {
  const players = new Map<string, Kept>();
  const of = (role = '') => players.get(role) as Kept;
  const step = (context: Parameters<typeof loseAnswer>[0]) =>
    loseAnswer(context, {
      call: ({ people: [role = ''] }) => ({ role, operation: redeem }),
      ...(mayBeRandom && { mayBeRandom }),
      figures: async ({ people: [role = ''] }) => ({ coins: of(role).coins }),
    });
  return saidBy(step, {
    recruit: async (...roles) => {
      for (const role of roles) players.set(role, { coins: 0, noted: false });
    },
    done: async (role) => exchangeOf({ status: whole(of(role), undefined) }),
    async put(role, _, { body } = {}) {
      if (body !== '') return exchangeOf({ status: whole(of(role), undefined) });
      bare?.(of(role));
      return exchangeOf({ status: 400 });
    },
    repeatable: async ({ role }) => ({
      ok: true,
      request: exchangeOf({}).request,
      send: async () => exchangeOf({ status: whole(of(role), undefined) }),
      async cut(where) {
        if (sends?.(where) === false) return false;
        if (where === 'in the body') half?.(of(role));
        else whole(of(role), where);
        return true;
      },
    }),
    pause: async (ms) => {
      for (const kept of players.values()) passes?.(kept, ms);
    },
    attacksBriefly: isBrief,
  });
}

const broken = 'broken: a call whose answer was lost, and that is sent again, has its effect once; ';

test('passes when the effect is there once, in three rounds and in one', async () => {
  expect(await attacked({ whole: once })).toBe('cut off and sent again in 3 rounds');
  expect(await attacked({ whole: once, isBrief: true })).toBe('cut off and sent again in one round');
});

test('fails when the effect is there twice, although a repetition without a cut has no effect', async () => {
  const whole = (kept: Kept, cut?: Cut) => {
    const status = once(kept);
    if (cut !== undefined) kept.noted = false;
    return status;
  };
  expect(await attacked({ whole })).toBe(
    `${broken}not so in 2 of 3 rounds; cut at once and sent again (answered 200): coins changed by 10, and by 5 for one call alone`,
  );
});

test('observes a double effect when a repetition without a cut has its effect again', async () => {
  const whole = (kept: Kept) => {
    kept.coins += 5;
    return 200;
  };
  expect(await attacked({ whole })).toMatch(/^observed: at least once/);
});

test.each([
  ['refused as a repetition', 409],
  ['acknowledged', 200],
])('an effect that never comes is a loss, where the repetition is %s', async (_, status) => {
  const whole = (kept: Kept, cut?: Cut) => {
    if (cut === undefined) return kept.noted ? status : once(kept);
    kept.noted = true;
    return 200;
  };
  expect(await attacked({ whole })).toMatch(
    /^broken: .*; not so in 2 of 3 rounds; cut at once and sent again/,
  );
});

test('does not count figures that a single call changes differently for different players', async () => {
  const gains = [5, 5, 20, 5, 10, 20, 5, 5, 10, 20, 5, 5];
  let nth = 0;
  const whole = (kept: Kept) => {
    if (kept.noted) return 409;
    kept.noted = true;
    kept.coins += gains[nth++ % gains.length] ?? 0;
    return 200;
  };
  expect(await attacked({ whole, mayBeRandom: true })).toMatch(
    /^needs-state: .* differs from player to player/,
  );
  nth = 0;
  expect(await attacked({ whole })).toMatch(/^broken: /);
});

test('does not count what a new player gets late as an effect of the call', async () => {
  const shows = new WeakMap<Kept, boolean>();
  const passes = (kept: Kept) => {
    if (!shows.has(kept)) kept.coins += 10;
    shows.set(kept, true);
  };
  expect(await attacked({ whole: once, passes })).toMatch(/^cut off and sent again/);
});

test('draws no conclusion from another refusal, a server error or silence', async () => {
  for (const status of [403, 429, 503]) {
    const whole = (kept: Kept, cut?: Cut) => {
      if (cut === undefined) return kept.noted && kept.coins === 0 ? status : once(kept);
      kept.noted = true;
      return 200;
    };
    expect(await attacked({ whole, isBrief: true })).toMatch(/^rate-limited: not exercised/);
  }
});

test('an effect that comes late, or that is taken back, is awaited', async () => {
  const late = new WeakMap<Kept, number>();
  const whole = (kept: Kept, cut?: Cut) => {
    if (kept.noted) return 409;
    if (cut === undefined) return once(kept);
    kept.noted = true;
    late.set(kept, 400);
    return 202;
  };
  const passes = (kept: Kept, ms: number) => {
    const left = late.get(kept);
    if (left === undefined) return;
    if (left <= ms) kept.coins = 5;
    late.set(kept, left - ms);
  };
  expect(await attacked({ whole, passes })).toMatch(/^cut off and sent again/);
});

test('a refusal while the first call is under way is no loss', async () => {
  const tries = new WeakMap<Kept, number>();
  const whole = (kept: Kept, cut?: Cut) => {
    const before = tries.get(kept) ?? 0;
    if (cut === undefined && before === 0) return once(kept);
    tries.set(kept, before + 1);
    return before < 2 ? 409 : once(kept);
  };
  expect(await attacked({ whole })).toMatch(/^cut off and sent again/);
});

test('fails when half of a body has an effect, unless the call needs no body', async () => {
  const half = (kept: Kept) => void once(kept);
  expect(await attacked({ whole: once, half })).toBe(
    `${broken}not so in 1 of 3 rounds; cut in the body: coins changed by 5, and by 5 for one call alone`,
  );
  expect(await attacked({ whole: once, half, bare: half })).toMatch(/^cut off and sent again/);
});

test('half of a body whose effect is taken back is no finding', async () => {
  const half = (kept: Kept) => {
    kept.coins = 5;
  };
  const passes = (kept: Kept, ms: number) => {
    if (!kept.noted && ms === 500) kept.coins = 0;
  };
  expect(await attacked({ whole: once, half, passes })).toMatch(/^cut off and sent again/);
});

test('is not exercised when no read shows the effect, or when figures change without a call', async () => {
  expect(await attacked({ whole: () => 200 })).toMatch(/^needs-state: not exercised: nothing shows/);
  const passes = (kept: Kept) => {
    kept.coins += 1;
  };
  expect(await attacked({ whole: once, passes })).toMatch(/^needs-state: not exercised: nothing shows/);
  const toggle = (kept: Kept) => {
    kept.coins = 5 - kept.coins;
    return 200;
  };
  expect(await attacked({ whole: toggle })).toMatch(/takes back what it did$/);
});

test('leaves out a cut that cannot be made, and is not exercised when no call can be sent', async () => {
  expect(await attacked({ whole: once, sends: (cut) => cut !== 'in the body' })).toBe(
    'cut off and sent again in 2 rounds',
  );
  expect(await attacked({ whole: once, sends: () => false })).toMatch(/^rate-limited: not exercised/);
});
