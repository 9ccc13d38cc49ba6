// Counts what a player has: finds the reads that may show it and the figures in an answer, and computes how they
// change. Pure.

import { areas } from '../../catalog/catalog.ts';
import type { Operation } from '../../catalog/operation.ts';
import { answerLeaves, type Exchange } from '../http/exchange.ts';
import { parentOf } from '../values/json-walk.ts';
import { switchPoint } from '../values/switch-points.ts';

const { extensions, game, general, messages } = areas;

/** Reads that could show what somebody got; a gift may lie in the inbox. */
export const belongings: readonly [Operation, ...Operation[]] = [
  general.entitlements,
  general.inventories,
  game.inventories,
  game.allCharacters,
  messages.list,
];
/** Reads that show what somebody has to spend. */
export const wallets: readonly [Operation, ...Operation[]] = [
  general.currencies,
  extensions.localizedCurrencies,
];

interface Figure {
  readonly value: number;
  /** The names and texts that stand beside it, in lower case: `coins` of `{"coins": 5}` and `{"id": "Coins", "n": 5}`. */
  readonly labels: ReadonlySet<string>;
  /** Name of the member that holds it. */
  readonly name: string;
  /** JSON Pointer of that member. */
  readonly pointer: string;
}

/** All figures of an answer, with what stands beside them. */
export function figuresIn(answer: Exchange): Figure[] {
  const leaves = answerLeaves(answer);
  const texts = Map.groupBy(
    leaves.filter(({ value }) => typeof value === 'string' && value.length < 64),
    ({ pointer }) => parentOf(pointer),
  );
  return leaves.flatMap(({ value, name, pointer }) => {
    if (typeof value !== 'number') return [];
    const beside = (texts.get(parentOf(pointer)) ?? []).map((text) => String(text.value));
    return [{ value, name, pointer, labels: new Set([name, ...beside].map((label) => label.toLowerCase())) }];
  });
}

/** How many values an answer holds: of a list of belongings, more once there is one more; 0 where it is not JSON. */
export const entriesIn = (answer: Exchange): number => answerLeaves(answer).length;

/** The balances of a wallet, each under a name that no other has. */
export function balancesIn(answer: Exchange): readonly (readonly [name: string, value: number])[] {
  const figures = figuresIn(answer);
  return figures.flatMap((figure) => {
    const own = [...figure.labels].find((label) =>
      figures.every((other) => other === figure || !other.labels.has(label)),
    );
    return own === undefined ? [] : [[own, figure.value] as const];
  });
}

/** Balances, numbers of entries, whether something is there (1) or not (0). */
export type Figures = Readonly<Record<string, number>>;

/** What changed, by name. */
export function effectOf(before: Figures, after: Figures): ReadonlyMap<string, number> {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  const moved = [...names].map((name) => [name, (after[name] ?? 0) - (before[name] ?? 0)] as const);
  return new Map(moved.filter(([, by]) => by !== 0));
}

/** How often the effect of one call is in the effect of several, by figure: 1 is once, 0 not at all. */
export function timesOf(
  effect: ReadonlyMap<string, number>,
  single: ReadonlyMap<string, number>,
): ReadonlyMap<string, number> {
  return new Map([...single].map(([name, by]) => [name, (effect.get(name) ?? 0) / by]));
}

/** One call alone moves a figure for one player half as much again as for another: what it gives is drawn. */
export const isDrawn = switchPoint((least: number, most: number) => most >= 1.5 * least);

/** The effect without the figures that one call alone moves otherwise for other players. */
export function withoutDraws(
  effect: ReadonlyMap<string, number>,
  ofOthers: readonly ReadonlyMap<string, number>[] | undefined,
): ReadonlyMap<string, number> {
  if (ofOthers === undefined) return effect;
  const isSteady = (name: string) => {
    const sizes = [effect, ...ofOthers].map((each) => Math.abs(each.get(name) ?? 0));
    return !isDrawn(Math.min(...sizes), Math.max(...sizes));
  };
  return new Map([...effect].filter(([name]) => isSteady(name)));
}

/** Further players who show whether a single call has the same effect for everybody. */
export const playersAlone = 8;

/** A figure moves by itself as much as a tenth of what a call does to it. */
export const isDrifting = switchPoint((moved: number, by: number) => Math.abs(moved) * 10 >= Math.abs(by));

/** The effect without the figures that change by themselves. */
export function withoutDrift(
  effect: ReadonlyMap<string, number>,
  drift: { readonly before: Figures; readonly after: Figures } | undefined,
): ReadonlyMap<string, number> {
  if (drift === undefined) return effect;
  const moved = effectOf(drift.before, drift.after);
  return new Map([...effect].filter(([name, by]) => !isDrifting(moved.get(name) ?? 0, by)));
}
