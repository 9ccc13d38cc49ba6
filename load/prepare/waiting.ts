// Finds, in answers to a player who waits, the fields that give the time waited and the time left. Pure.
import { leavesOf } from '../../engine/values/json-walk.ts';
import type { ShownMember, ShownWaiting } from '../k6/plan.ts';

/** Pause between two answers, in ms: a field that counts seconds counts one in it. */
export const gapMs = 1_200;

/** Names of estimates: a number that stays the same is known as an estimate by its name alone. */
const estimateLike = /[wW]ait|(?:^|_)eta(?![a-z])|Eta(?![a-z])|[eE]stimat|[eE]xpect|[rR]emain/;
/** Names of estimates that may lack a unit: they take the unit of the time waited. */
const estimateWithoutUnit = /[wW]ait|(?:^|_)eta$|Eta$/;

/** The unit in ms that the end of a field's name gives. */
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
 * @param answers the numbers of three answers: at the beginning of the wait, after `gapMs`, and directly after that
 * @param waitedMs time waited when the second answer came
 * @returns the field that gives the time waited, and the field that gives the time left, where there is one
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
  /** Whether a field moves as the clock does, in this unit. A counter of calls also moves in the third answer. */
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
  // A time of day moves like a clock too, but its value is larger than the time waited.
  const [waited] = clocks.flatMap(({ member, unit }) =>
    member.moved > 0 && member.value * unit <= waitedMs ? shown(member, unit) : [],
  );
  const [expected] = [
    ...clocks.flatMap(({ member, unit }) => (member.moved < 0 ? shown(member, unit) : [])),
    ...members.flatMap((member) => {
      const own = units.find(([end]) => end.test(member.name))?.[1];
      const isEstimate = member.moved === 0 && estimateLike.test(member.name);
      return isEstimate
        ? shown(member, own ?? (estimateWithoutUnit.test(member.name) ? waited?.unitMs : undefined))
        : [];
    }),
  ];
  return { ...(waited && { waited }), ...(expected && { expected }) } satisfies ShownWaiting;
}
