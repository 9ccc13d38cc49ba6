/** The outcome of each check of one run, by id. */
export type Outcomes = ReadonlyMap<string, string>;

const longest = 160;

/** A line for each check whose outcome is not the same in every run: its outcomes, and how often each came. */
export function unsteady(runs: readonly Outcomes[]): string[] {
  const ids = new Set(runs.flatMap((outcomes) => [...outcomes.keys()]));
  return [...ids].flatMap((id) => {
    const times = Map.groupBy(runs, (outcomes) => outcomes.get(id) ?? 'absent');
    if (times.size === 1) return [];
    const phrases = [...times].sort(([, a], [, b]) => b.length - a.length);
    const parts = phrases.map(([phrase, { length }]) => `${length} × ${phrase.slice(0, longest)}`);
    return [`${id}: ${parts.join(', ')}`];
  });
}
