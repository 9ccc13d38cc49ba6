// Figures that the target shows of a round, by name, and how they move. Pure.

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

/** The effect without the figures that change by themselves as much as a tenth of it. */
export function withoutDrift(
  effect: ReadonlyMap<string, number>,
  drift: { readonly before: Figures; readonly after: Figures } | undefined,
): ReadonlyMap<string, number> {
  if (drift === undefined) return effect;
  const moved = effectOf(drift.before, drift.after);
  return new Map([...effect].filter(([name, by]) => Math.abs(moved.get(name) ?? 0) * 10 < Math.abs(by)));
}
