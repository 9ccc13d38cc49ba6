// What a player has, as figures that can be counted: balances, and entries of everything that lists belongings.
import type { StepContext } from '../../engine/flow/step-context.ts';
import { isSuccess, json } from '../../engine/http/exchange.ts';
import { leavesOf } from '../../engine/values/json-walk.ts';
import { balancesIn, belongings, wallets } from '../store/effects.ts';

/** A balance by its name, and the number of entries by the read that lists them. */
export type Holdings = Readonly<Record<string, number>>;

const [wallet] = wallets;

/** Reads them; a read that is not answered 2xx tells nothing. */
export async function holdingsOf(context: StepContext<string>, role: string): Promise<Holdings> {
  const [money, ...lists] = await Promise.all([wallet, ...belongings].map((read) => context.put(role, read)));
  const counts = belongings.map((read, at) => {
    const answer = lists[at];
    const parsed = answer?.response && isSuccess(answer) ? json(answer.response) : undefined;
    return [read.id, parsed?.ok ? leavesOf(parsed.value).length : 0] as const;
  });
  const balances = money && isSuccess(money) ? balancesIn(money) : [];
  return Object.fromEntries([
    ...balances.map(([name, value]) => [`balance ${name}`, value] as const),
    ...counts,
  ]);
}

/** What changed, by name. */
export function effectOf(before: Holdings, after: Holdings): ReadonlyMap<string, number> {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  const moved = [...names].map((name) => [name, (after[name] ?? 0) - (before[name] ?? 0)] as const);
  return new Map(moved.filter(([, by]) => by !== 0));
}

/** The balance that moved, or the list that grew, by at least twice what it does once; in words. */
export function repeated(
  effect: ReadonlyMap<string, number>,
  single: ReadonlyMap<string, number>,
): string | undefined {
  for (const [name, by] of single) {
    const times = (effect.get(name) ?? 0) / by;
    if (times >= 2) return `${name} changed by ${effect.get(name)}, and by ${by} for one call alone`;
  }
  return undefined;
}
