// Finds, in answers to a player who waits, the members that give the time waited and the time left. Pure.
import { leavesOf } from '../../engine/values/json-walk.ts';
import type { ShownMember, ShownWaiting } from '../k6/plan.ts';

/** Between two answers: long enough for a member that counts seconds to count one. */
export const gapMs = 1_200;

/** An estimate need not move, so its name has to say what it is. */
const estimateLike = /[wW]ait|(?:^|_)eta(?![a-z])|Eta(?![a-z])|[eE]stimat|[eE]xpect|[rR]emain/;
/** Such a name is an estimate even where it ends with no unit. */
const surely = /[wW]ait|(?:^|_)eta$|Eta$/;

/** In ms, by the end of a member's name. */
const units: readonly (readonly [RegExp, number])[] = [
  [/(?:_ms|Ms|MS|[mM]illis(?:econds)?)$/, 1],
  [/(?:_s|_secs?|Secs?|[sS]econds)$/, 1_000],
  [/(?:_mins?|Mins?|[mM]inutes)$/, 60_000],
];

type Numbers = ReadonlyMap<string, number>;

/** The numbers in an answer, by JSON Pointer. */
export function numbersIn(answer: unknown): Numbers {
  const found = leavesOf(answer).flatMap(({ pointer, value }) =>
    typeof value === 'number' && value >= 0 ? [[pointer, value] as const] : [],
  );
  return new Map(found);
}

/**
 * @param answers at the beginning of the wait, after the gap, and at once after that
 * @param waitedMs at the second of them
 * @returns the member that gives the time waited, and the one that gives the time left, where there is one
 */
export function waitingIn([begun, later, atOnce]: readonly [Numbers, Numbers, Numbers], waitedMs: number) {
  const members = [...begun].flatMap(([pointer, value]) => {
    const [now, again] = [later.get(pointer), atOnce.get(pointer)];
    const name = pointer.split('/').at(-1) ?? '';
    return now === undefined || again === undefined
      ? []
      : [{ name, pointer, value, moved: now - value, movedAgain: again - now }];
  });
  type Member = (typeof members)[number];
  /** Moves as the clock does, by this unit. What counts calls moves at once, too. */
  const isClock = ({ moved, movedAgain }: Member, unit: number) => {
    const slack = unit === 1 ? 0.25 * waitedMs : unit;
    const isInTime = Math.abs(Math.abs(moved) * unit - waitedMs) <= slack;
    return moved !== 0 && isInTime && Math.abs(movedAgain) * unit < slack;
  };
  const shown = ({ name, pointer }: Member, unitMs: number | undefined): ShownMember[] =>
    unitMs === undefined ? [] : [{ name, pointer, unitMs }];
  const clocks = members.flatMap((member) => {
    const unit = [1_000, 1].find((each) => isClock(member, each));
    return unit === undefined ? [] : [{ member, unit }];
  });
  // The time of day passes, too: it began long ago.
  const [waited] = clocks.flatMap(({ member, unit }) =>
    member.moved > 0 && member.value * unit <= waitedMs ? shown(member, unit) : [],
  );
  const [expected] = [
    ...clocks.flatMap(({ member, unit }) => (member.moved < 0 ? shown(member, unit) : [])),
    ...members.flatMap((member) => {
      const own = units.find(([end]) => end.test(member.name))?.[1];
      const isOne = member.moved === 0 && estimateLike.test(member.name);
      return isOne ? shown(member, own ?? (surely.test(member.name) ? waited?.unitMs : undefined)) : [];
    }),
  ];
  return { ...(waited && { waited }), ...(expected && { expected }) } satisfies ShownWaiting;
}
