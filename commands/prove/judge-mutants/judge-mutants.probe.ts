// Runs each mutant of the judge against its mutants of the server, and prints the outcomes: in a process of its own,
// since a switch point is flipped for everything in the thread.
import { openGround, type ProofRow, proverOn } from '../prove.ts';
import { everyMutant } from '../serve-mutant.ts';
import { type Mutant, mutants } from './judge-mutants.ts';

export interface Asked {
  readonly name: string;
  readonly rows: readonly ProofRow[];
}

const ground = await openGround('1');
const liars = new Map((await everyMutant()).map((mutant) => [mutant.name, mutant]));
/** The judge as it is finds all of them. */
const unchanged: Mutant = {
  name: 'unchanged',
  apply: () => () => {},
  liars: [...new Set(mutants.flatMap(({ liars }) => liars))],
};
const asked: Asked[] = [];
for (const { name, apply, liars: names } of [unchanged, ...mutants]) {
  const undo = apply();
  const { prove } = await proverOn(ground);
  const rows = await Promise.all(
    names.map((each) => {
      const mutant = liars.get(each);
      if (!mutant) throw new Error(`there is no mutant of the server named "${each}"`);
      return prove(mutant);
    }),
  );
  undo();
  asked.push({ name, rows });
}
process.stdout.write(JSON.stringify(asked), () => process.exit(0));
