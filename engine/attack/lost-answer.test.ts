import { expect, test } from 'vitest';
import { areas } from '../../catalog/catalog.ts';
import { saidBy } from '../../fixtures/kit/attack-step.ts';
import { brokenExchange, exchangeOf } from '../../fixtures/kit/exchanges.ts';
import type { Cut } from '../http/cut-off.ts';
import { loseAnswer } from './lost-answer.ts';
import { confirmMs } from './waiting.ts';

const { redeem } = areas.general;

/** What a target keeps of one player. */
interface Kept {
  coins: number;
  /** Whether the call was noted as done. */
  noted: boolean;
}

interface Target {
  /** What a whole call does to the player, whether or not the answer arrives; returns the status, 0 for silence. */
  readonly onWholeCall: (kept: Kept, cut: Cut | undefined) => number;
  /** What a call does whose connection breaks in the middle of its body. */
  readonly onHalfBody?: (kept: Kept) => void;
  /** What a call with an empty body does. */
  readonly onEmptyBody?: (kept: Kept) => void;
  /** What happens to a player while so many ms pass. */
  readonly passes?: (kept: Kept, ms: number) => void;
  readonly isBrief?: boolean;
  readonly mayBeRandom?: true;
  /** Whether a call can be cut off there; default: everywhere. */
  readonly canCut?: (cut: Cut) => boolean;
}

const once = (kept: Kept): number => {
  if (kept.noted) return 409;
  kept.noted = true;
  kept.coins += 5;
  return 200;
};

const answerOf = (status: number) => (status === 0 ? brokenExchange() : exchangeOf({ status }));

/** Cuts answers off; what the step noted, observed or ended with. */
function attacked({
  onWholeCall,
  onHalfBody,
  onEmptyBody,
  passes,
  isBrief = false,
  canCut,
  mayBeRandom,
}: Target): Promise<string> {
  const players = new Map<string, Kept>();
  const keptOf = (role = '') => players.get(role) as Kept;
  const step = (context: Parameters<typeof loseAnswer>[0]) =>
    loseAnswer(context, {
      call: ({ people: [role = ''] }) => ({ role, operation: redeem }),
      ...(mayBeRandom && { mayBeRandom }),
      figures: async ({ people: [role = ''] }) => ({ coins: keptOf(role).coins }),
    });
  return saidBy(step, {
    recruit: async (...roles) => {
      for (const role of roles) players.set(role, { coins: 0, noted: false });
    },
    mustSucceed: async (role) => answerOf(onWholeCall(keptOf(role), undefined)),
    async send(role, _, { body } = {}) {
      if (body !== '') return answerOf(onWholeCall(keptOf(role), undefined));
      onEmptyBody?.(keptOf(role));
      return exchangeOf({ status: 400 });
    },
    repeatable: async ({ role }) => ({
      ok: true,
      request: exchangeOf({}).request,
      send: async () => answerOf(onWholeCall(keptOf(role), undefined)),
      async cut(where) {
        if (canCut?.(where) === false) return false;
        if (where === 'in the body') onHalfBody?.(keptOf(role));
        else onWholeCall(keptOf(role), where);
        return true;
      },
    }),
    pause: async (ms) => {
      for (const kept of players.values()) passes?.(kept, ms);
    },
    means: { attacksBriefly: isBrief },
  });
}

const broken = 'broken: a call whose answer was lost, and that is sent again, has its effect once; ';

test('passes when the effect is there once, in three rounds and in one', async () => {
  expect(await attacked({ onWholeCall: once })).toBe('cut off and sent again in 3 rounds');
  expect(await attacked({ onWholeCall: once, isBrief: true })).toBe('cut off and sent again in one round');
});

test('fails when the effect is there twice, although a repetition without a cut has no effect', async () => {
  const onWholeCall = (kept: Kept, cut?: Cut) => {
    const status = once(kept);
    if (cut !== undefined) kept.noted = false;
    return status;
  };
  expect(await attacked({ onWholeCall })).toBe(
    `${broken}not so in 2 of 3 rounds; cut at once and sent again (answered 200): coins changed by 10, and by 5 for one call alone`,
  );
});

test('observes a double effect when a repetition without a cut has its effect again', async () => {
  const onWholeCall = (kept: Kept) => {
    kept.coins += 5;
    return 200;
  };
  expect(await attacked({ onWholeCall })).toMatch(/^observed: at least once/);
});

test.each([
  ['refused as a repetition', 409],
  ['acknowledged', 200],
])('an effect that never comes is a loss, where the repetition is %s', async (_, status) => {
  const onWholeCall = (kept: Kept, cut?: Cut) => {
    if (cut === undefined) return kept.noted ? status : once(kept);
    kept.noted = true;
    return 200;
  };
  expect(await attacked({ onWholeCall })).toMatch(
    /^broken: .*; not so in 2 of 3 rounds; cut at once and sent again/,
  );
});

test('does not count figures that a single call changes differently for different players', async () => {
  const gains = [5, 5, 20, 5, 10, 20, 5, 5, 10, 20, 5, 5];
  let nth = 0;
  const onWholeCall = (kept: Kept) => {
    if (kept.noted) return 409;
    kept.noted = true;
    kept.coins += gains[nth++ % gains.length] ?? 0;
    return 200;
  };
  expect(await attacked({ onWholeCall, mayBeRandom: true })).toMatch(
    /^needs-state: .* differs from player to player/,
  );
  nth = 0;
  expect(await attacked({ onWholeCall })).toMatch(/^broken: /);
});

test('does not count what a new player gets late as an effect of the call', async () => {
  const gotLate = new WeakMap<Kept, boolean>();
  const passes = (kept: Kept) => {
    if (!gotLate.has(kept)) kept.coins += 10;
    gotLate.set(kept, true);
  };
  expect(await attacked({ onWholeCall: once, passes })).toMatch(/^cut off and sent again/);
});

test('draws no conclusion from another refusal, a server error or silence', async () => {
  // All of them end with one reason code: nothing that was answered shows what became of the call.
  for (const status of [403, 429, 503, 0]) {
    const onWholeCall = (kept: Kept, cut?: Cut) => {
      if (cut === undefined) return kept.noted && kept.coins === 0 ? status : once(kept);
      kept.noted = true;
      return 200;
    };
    expect(await attacked({ onWholeCall, isBrief: true })).toMatch(/^rate-limited: not exercised/);
  }
});

test('an effect that comes late is awaited', async () => {
  const late = new WeakMap<Kept, number>();
  const onWholeCall = (kept: Kept, cut?: Cut) => {
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
  expect(await attacked({ onWholeCall, passes })).toMatch(/^cut off and sent again/);
});

test('a second effect that is taken back is no finding', async () => {
  const onWholeCall = (kept: Kept, cut?: Cut) => {
    const status = once(kept);
    if (cut !== undefined) kept.noted = false;
    return status;
  };
  const passes = (kept: Kept, ms: number) => {
    if (ms === confirmMs) kept.coins = Math.min(kept.coins, 5);
  };
  expect(await attacked({ onWholeCall, passes })).toMatch(/^cut off and sent again/);
});

test('a refusal while the first call is under way is no loss', async () => {
  const tries = new WeakMap<Kept, number>();
  const onWholeCall = (kept: Kept, cut?: Cut) => {
    const before = tries.get(kept) ?? 0;
    if (cut === undefined && before === 0) return once(kept);
    tries.set(kept, before + 1);
    return before < 2 ? 409 : once(kept);
  };
  expect(await attacked({ onWholeCall })).toMatch(/^cut off and sent again/);
});

test('fails when half of a body has an effect, unless the call needs no body', async () => {
  const onHalfBody = (kept: Kept) => void once(kept);
  expect(await attacked({ onWholeCall: once, onHalfBody })).toBe(
    `${broken}not so in 1 of 3 rounds; cut in the body: coins changed by 5, and by 5 for one call alone`,
  );
  expect(await attacked({ onWholeCall: once, onHalfBody, onEmptyBody: onHalfBody })).toMatch(
    /^cut off and sent again/,
  );
});

test('where each player may draw another gift, any effect of an empty body shows that none is needed', async () => {
  const onHalfBody = (kept: Kept) => void once(kept);
  const onEmptyBody = (kept: Kept) => {
    kept.coins += 1;
  };
  const target = { onWholeCall: once, onHalfBody, onEmptyBody } as const;
  expect(await attacked({ ...target, mayBeRandom: true })).toMatch(/^cut off and sent again/);
  expect(await attacked(target)).toContain('cut in the body');
});

test('half of a body whose effect is taken back is no finding', async () => {
  const onHalfBody = (kept: Kept) => {
    kept.coins = 5;
  };
  const passes = (kept: Kept, ms: number) => {
    if (!kept.noted && ms === confirmMs) kept.coins = 0;
  };
  expect(await attacked({ onWholeCall: once, onHalfBody, passes })).toMatch(/^cut off and sent again/);
});

test('is not exercised when no read shows the effect, or when figures change without a call', async () => {
  expect(await attacked({ onWholeCall: () => 200 })).toMatch(/^needs-state: not exercised: nothing shows/);
  const passes = (kept: Kept) => {
    kept.coins += 1;
  };
  expect(await attacked({ onWholeCall: once, passes })).toMatch(/^needs-state: not exercised: nothing shows/);
  const toggle = (kept: Kept) => {
    kept.coins = 5 - kept.coins;
    return 200;
  };
  expect(await attacked({ onWholeCall: toggle })).toMatch(/takes back what it did$/);
});

test('leaves out a cut that cannot be made, and is not exercised when no call can be sent', async () => {
  expect(await attacked({ onWholeCall: once, canCut: (cut) => cut !== 'in the body' })).toBe(
    'cut off and sent again in 2 rounds',
  );
  expect(await attacked({ onWholeCall: once, canCut: () => false })).toMatch(/^rate-limited: not exercised/);
});
