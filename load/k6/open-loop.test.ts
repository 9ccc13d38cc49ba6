import { expect, test } from 'vitest';
import { startOpenLoop } from './open-loop.ts';

interface Begun {
  readonly nth: number;
  readonly at: number;
  readonly lateMs: number;
}

/**
 * A VU whose clock goes on only while it waits or works.
 * @param workMs what each beginning takes
 */
function play(due: readonly number[], workMs: (nth: number) => number) {
  let now = 0;
  let ended = false;
  const begun: Begun[] = [];
  const turns: number[] = [];
  const waiting: { readonly then: () => void; readonly at: number }[] = [];
  let nth = 0;
  startOpenLoop({
    clock: () => now,
    later: (then, ms) => waiting.push({ then, at: now + ms }),
    next: () => {
      const at = due[nth];
      if (at === undefined) return undefined;
      nth += 1;
      return { nth: nth - 1, due: at };
    },
    begin: (arrival, lateMs) => {
      begun.push({ nth: arrival.nth, at: now, lateMs });
      now += workMs(arrival.nth);
    },
    end: () => {
      ended = true;
    },
  });
  for (let turn = waiting.shift(); turn !== undefined; turn = waiting.shift()) {
    now = Math.max(now, turn.at);
    const before = begun.length;
    turn.then();
    turns.push(begun.length - before);
  }
  return { begun, turns, ended };
}

const due = Array.from({ length: 100 }, (_, nth) => nth * 10);

test('every arrival begins when it is due, and then it ends', () => {
  const { begun, ended } = play(due, () => 0);
  expect(begun.map(({ at }) => at)).toEqual(due);
  expect(begun.every(({ lateMs }) => lateMs === 0)).toBe(true);
  expect(ended).toBe(true);
});

test('one that holds up all others moves none of those that are due after it was made up for', () => {
  const { begun } = play(due, (nth) => (nth === 20 ? 105 : 0));
  expect(begun.map(({ nth }) => nth)).toEqual(due.map((_, nth) => nth));
  expect(begun.slice(21, 31).every(({ lateMs }) => lateMs > 0)).toBe(true);
  expect(begun.slice(31).map(({ at }) => at)).toEqual(due.slice(31));
});

test('after a while without a turn a few at a time begin, so that answers are read in between', () => {
  const { begun, turns } = play(
    due.map(() => 50),
    () => 0,
  );
  expect(begun).toHaveLength(100);
  expect(Math.max(...turns)).toBeLessThanOrEqual(16);
});

test('none at all ends at once', () => expect(play([], () => 0).ended).toBe(true));
