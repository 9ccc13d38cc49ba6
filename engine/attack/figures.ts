// Counts what a player has: finds the reads that may show it and the figures in an answer, and computes how they
// change. Pure.

import { areas } from '../../catalog/catalog.ts';
import type { Operation } from '../../catalog/operation.ts';
import { answerLeaves, type Exchange } from '../http/exchange.ts';
import type { Player } from '../players/players.ts';
import { parentOf } from '../values/json-walk.ts';
import { switchPoint } from '../values/switch-points.ts';

const { extensions, game, general, messages } = areas;

/** Reads that may show what a player received; a gift may be in the inbox. */
export const belongings: readonly [Operation, ...Operation[]] = [
  general.entitlements,
  general.inventories,
  game.inventories,
  game.allCharacters,
  messages.list,
];
/** Reads that show what a player has to spend. */
export const wallets: readonly [Operation, ...Operation[]] = [
  general.currencies,
  extensions.localizedCurrencies,
];

/** Reads that may create what a new player starts with, which other reads then show. */
const openers: ReadonlySet<Operation> = new Set([
  general.entitlements,
  game.allCharacters,
  extensions.localizedCurrencies,
]);

/** Players whose entitlements were read before: the first such read may grant some, and list what it granted. */
const upToDate = new WeakSet<Player>();

/**
 * Makes several reads of one player, and returns their results in the order of `reads`. Those that may create what
 * others show are sent first: if all were sent at once, the order of arrival would decide what the others show.
 * @param player given where these may be the player's first reads
 */
export async function inReadingOrder<Value>(
  reads: readonly Operation[],
  ask: (read: Operation) => Promise<Value>,
  player?: Player,
): Promise<Value[]> {
  const opened = new Map<Operation, Value>();
  if (player && reads.includes(general.entitlements) && !upToDate.has(player)) {
    upToDate.add(player);
    await ask(general.entitlements);
  }
  for (const read of reads) if (openers.has(read)) opened.set(read, await ask(read));
  return Promise.all(reads.map(async (read) => (opened.has(read) ? (opened.get(read) as Value) : ask(read))));
}

interface LabelledNumber {
  readonly value: number;
  /** The names and texts beside it, in lower case: `coins` of `{"coins": 5}` and `{"id": "Coins", "n": 5}`. */
  readonly labels: ReadonlySet<string>;
  /** Name of the member that holds it. */
  readonly name: string;
  /** JSON Pointer of that member. */
  readonly pointer: string;
}

/** All numbers of an answer, with the names and texts that stand beside them. */
export function labelledNumbersIn(answer: Exchange): LabelledNumber[] {
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

/** How many values an answer holds: a list of belongings has more once something new is in it. 0 if it is not JSON. */
export const countValues = (answer: Exchange): number => answerLeaves(answer).length;

/** The balances of a wallet, each under a name that no other has. */
export function balancesIn(answer: Exchange): readonly (readonly [name: string, value: number])[] {
  const figures = labelledNumbersIn(answer);
  return figures.flatMap((figure) => {
    const own = [...figure.labels].find((label) =>
      figures.every((other) => other === figure || !other.labels.has(label)),
    );
    return own === undefined ? [] : [[own, figure.value] as const];
  });
}

/** What a player has, by name: a balance, a number of entries, or whether something is there (1) or not (0). */
export type Figures = Readonly<Record<string, number>>;

/** By how much each figure changed. Figures that did not change are left out. */
export function changesBetween(before: Figures, after: Figures): ReadonlyMap<string, number> {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  const moved = [...names].map((name) => [name, (after[name] ?? 0) - (before[name] ?? 0)] as const);
  return new Map(moved.filter(([, by]) => by !== 0));
}

/**
 * The effect of several calls in multiples of the effect of one, by figure: 1 is once, 0 not at all.
 * @param single the effect of one call
 */
export function multiplesOf(
  effect: ReadonlyMap<string, number>,
  single: ReadonlyMap<string, number>,
): ReadonlyMap<string, number> {
  return new Map([...single].map(([name, by]) => [name, (effect.get(name) ?? 0) / by]));
}

/** Whether an effect is random: one call moves a figure for one player at least 1.5 times as much as for another. */
export const isRandom = switchPoint((least: number, most: number) => most >= 1.5 * least);

/**
 * The effect without the figures that are random.
 * @param ofOthers what one call alone changed for other players; undefined leaves the effect as it is
 */
export function withoutRandomEffects(
  effect: ReadonlyMap<string, number>,
  ofOthers: readonly ReadonlyMap<string, number>[] | undefined,
): ReadonlyMap<string, number> {
  if (ofOthers === undefined) return effect;
  const isSteady = (name: string) => {
    const sizes = [effect, ...ofOthers].map((each) => Math.abs(each.get(name) ?? 0));
    return !isRandom(Math.min(...sizes), Math.max(...sizes));
  };
  return new Map([...effect].filter(([name]) => isSteady(name)));
}

/** How many other players make a single call each, to compare whether it has the same effect for all of them. */
export const comparedPlayers = 8;

/** Whether a figure moves by itself at least a tenth as much as a call moves it. */
export const isDrifting = switchPoint((moved: number, by: number) => Math.abs(moved) * 10 >= Math.abs(by));

/**
 * The effect without the figures that change by themselves.
 * @param drift what changed while nobody called
 */
export function withoutDrift(
  effect: ReadonlyMap<string, number>,
  drift: { readonly before: Figures; readonly after: Figures } | undefined,
): ReadonlyMap<string, number> {
  if (drift === undefined) return effect;
  const moved = changesBetween(drift.before, drift.after);
  return new Map([...effect].filter(([name, by]) => !isDrifting(moved.get(name) ?? 0, by)));
}
