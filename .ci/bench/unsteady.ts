/** What each check of one run said, by id. */
export type Said = ReadonlyMap<string, string>;

const longest = 160;

/** A line for each check that did not say the same in every run: what it said, and how often. */
export function unsteady(runs: readonly Said[]): string[] {
  const ids = new Set(runs.flatMap((said) => [...said.keys()]));
  return [...ids].flatMap((id) => {
    const times = Map.groupBy(runs, (said) => said.get(id) ?? 'absent');
    if (times.size === 1) return [];
    const phrases = [...times].sort(([, a], [, b]) => b.length - a.length);
    const parts = phrases.map(([phrase, { length }]) => `${length} × ${phrase.slice(0, longest)}`);
    return [`${id}: ${parts.join(', ')}`];
  });
}
