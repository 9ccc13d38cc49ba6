// Judges mutants side by side, then those that were missed once more, each alone.

import { sideBySide } from '../../engine/values/side-by-side.ts';
import type { Mutant } from '../../fixtures/mutants/mutant.ts';
import type { ProofRow, Prover } from './prover.ts';

/** Most mutants that are judged at once: most of the time they wait for answers that do not come. */
const atOnce = 32;

/** The rows of these mutants, in their order. */
export async function judgeAll(
  { prove }: Pick<Prover, 'prove'>,
  mutants: readonly Mutant[],
  onProgress: (done: number, of: number) => void = () => {},
  most = atOnce,
): Promise<ProofRow[]> {
  // Begins with mutants that never answer, which take longest; then come those of flows, which are last in the list.
  const order = [...mutants.entries()].sort(
    ([m, a], [n, b]) => (b.timeoutMs ?? 0) - (a.timeoutMs ?? 0) || n - m,
  );
  const rows: ProofRow[] = [];
  let done = 0;
  await sideBySide(order, most, async ([nth, mutant]) => {
    rows[nth] = await prove(mutant);
    done += 1;
    onProgress(done, mutants.length);
  });
  return rows;
}

/** Most misses that a busy machine explains; where there are more, none is judged again. */
const mostJudgedAgain = 16;

/**
 * Judges each missed mutant once more, alone: calls that have to meet at one moment may fail to do so where many servers
 * share a processor. The new row is marked `askedAgain`.
 * @param prove judges the mutant of this name; undefined where there is none to judge
 */
export async function judgeMissedAgain(
  rows: readonly ProofRow[],
  prove: (mutant: string) => Promise<ProofRow> | undefined,
): Promise<ProofRow[]> {
  const missed = rows.filter(({ outcome }) => outcome === 'survived');
  const judgedAgain = new Map<ProofRow, ProofRow>();
  for (const row of missed.length > mostJudgedAgain ? [] : missed) {
    const again = await prove(row.mutant);
    if (again) judgedAgain.set(row, { ...again, askedAgain: true });
  }
  return rows.map((row) => judgedAgain.get(row) ?? row);
}
