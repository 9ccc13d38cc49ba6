// Asks mutants side by side, then those that were missed once more, each alone.

import { sideBySide } from '../../engine/values/side-by-side.ts';
import type { Mutant } from '../../fixtures/mutants/mutant.ts';
import type { ProofRow, Prover } from './prover.ts';

/** Most mutants that are asked at once: most of the time they wait for answers that do not come. */
const atOnce = 32;

/** The rows of these mutants, in their order. */
export async function askAll(
  { prove }: Pick<Prover, 'prove'>,
  mutants: readonly Mutant[],
  onProgress: (done: number, of: number) => void = () => {},
  most = atOnce,
): Promise<ProofRow[]> {
  // Begins with mutants that never answer, which take longest; then come those of flows, which are last in the list.
  const order = [...mutants.entries()]
    .sort(([, a], [, b]) => (a.timeoutMs ?? 0) - (b.timeoutMs ?? 0))
    .reverse();
  const rows: ProofRow[] = [];
  let done = 0;
  await sideBySide(order, most, async ([nth, mutant]) => {
    rows[nth] = await prove(mutant);
    done += 1;
    onProgress(done, mutants.length);
  });
  return rows;
}

/** Most misses that a busy machine explains; where there are more, none is asked again. */
const mostAskedAgain = 16;

/**
 * Asks each missed mutant once more, alone: calls that have to meet at one moment may fail to do so where many servers
 * share a processor. The new row is marked `askedAgain`.
 * @param prove asks the mutant of this name; undefined where there is none to ask
 */
export async function againAlone(
  rows: readonly ProofRow[],
  prove: (mutant: string) => Promise<ProofRow> | undefined,
): Promise<ProofRow[]> {
  const missed = rows.filter(({ outcome }) => outcome === 'survived');
  const asked = new Map<ProofRow, ProofRow>();
  for (const row of missed.length > mostAskedAgain ? [] : missed) {
    const again = await prove(row.mutant);
    if (again) asked.set(row, { ...again, askedAgain: true });
  }
  return rows.map((row) => asked.get(row) ?? row);
}
