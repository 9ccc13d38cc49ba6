// Runs each judge mutant against its server mutants, and prints the outcomes. It is a process of its own, since a
// switch point changes everything in its thread.
import { openGround, type ProofRow, proverOn } from '../prover.ts';
import { everyMutant } from '../serve-mutant.ts';
import { type JudgeMutant, mutants } from './judge-mutants.ts';

export interface MutantResults {
  readonly name: string;
  readonly rows: readonly ProofRow[];
}

const ground = await openGround('1');
const byName = new Map((await everyMutant()).map((mutant) => [mutant.name, mutant]));
/** The judge without a mutation, which has to find all server mutants. */
const unchanged: JudgeMutant = {
  name: 'unchanged',
  apply: () => () => {},
  serverMutants: [...new Set(mutants.flatMap(({ serverMutants }) => serverMutants))],
};
const judged: MutantResults[] = [];
for (const { name, apply, serverMutants: names } of [unchanged, ...mutants]) {
  const undo = apply();
  const { prove } = proverOn(ground);
  const rows = await Promise.all(
    names.map((each) => {
      const mutant = byName.get(each);
      if (!mutant) throw new Error(`there is no mutant of the server named "${each}"`);
      return prove(mutant);
    }),
  );
  undo();
  judged.push({ name, rows });
}
process.stdout.write(JSON.stringify(judged), () => process.exit(0));
