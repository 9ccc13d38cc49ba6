// Tries the flow mutants with few login tokens: whatever a run with many players finds, one with few must find too.
import { ConfigurationError } from '../../engine/values/configuration-error.ts';
import { flowMutants } from '../../fixtures/mutants/flows/all.ts';
import { askAll } from './ask-mutants.ts';
import { type CheckOutcome, chosen, openGround, type ProofRow, type ProveAll, proverOn } from './prover.ts';

interface FewPlayers extends Omit<ProveAll, 'onProgress'> {
  /** Numbers of tokens. */
  readonly players: readonly number[];
}

/** The mutants of flows with one number of tokens. */
interface FewRow {
  readonly players: number;
  /** Mutants that turned a step, and that did so with many players. */
  readonly found: number;
  readonly foundByMany: number;
  /** Those that turned none: what the steps said that should have turned. */
  readonly missed: readonly { readonly mutant: string; readonly steps: readonly CheckOutcome[] }[];
}

/** Tokens with which no two players share an account. */
const many = 120;

/** Tries the flow mutants with each number of tokens: those that are found with many must be found with few. */
export async function proveFewPlayers({ seed, only = [], players }: FewPlayers): Promise<FewRow[]> {
  const wrong = players.find((count) => !(Number.isSafeInteger(count) && count > 0 && count < many));
  if (wrong !== undefined)
    throw new ConfigurationError([`--players: expected numbers from 1 to ${many - 1}, got ${wrong}`]);
  const ground = await openGround(seed);
  const isFound = ({ turned }: ProofRow) => turned.some((id) => id.includes('/'));
  try {
    const mutants = chosen(flowMutants, only);
    const foundByMany = new Set(
      (await askAll(await proverOn(ground, many), mutants)).filter(isFound).map(({ mutant }) => mutant),
    );
    const rows: FewRow[] = [];
    for (const count of players) {
      const asked = await askAll(await proverOn(ground, count), mutants);
      const due = asked.filter(({ mutant }) => foundByMany.has(mutant));
      const missed = due.filter((row) => !isFound(row));
      rows.push({
        players: count,
        found: due.length - missed.length,
        foundByMany: due.length,
        missed: missed.map(({ mutant, missed: steps }) => ({ mutant, steps })),
      });
    }
    return rows;
  } finally {
    ground.close();
  }
}

export const fewPlayersLines = (rows: readonly FewRow[]): string[] =>
  rows.flatMap(({ players, found, foundByMany, missed }) => [
    `${players} tokens: ${found} of the ${foundByMany} mutants that ${many} find`,
    ...missed.flatMap(({ mutant, steps }) => [
      `  GREEN ${mutant}`,
      ...steps.map(({ id, outcome, why }) => `    ${id} ${outcome} ${why}`),
    ]),
  ]);
