// Many failures are often one finding. Folding shows each finding once, the heaviest first.
import type { Level } from '../../catalog/clauses/clause.ts';
import type { Outcome } from '../../engine/judgement.ts';
import type { Result } from '../../engine/run/result.ts';

/** One finding: the results that share it, in plan order, and the first of them as its example. */
export interface Cause {
  readonly example: Result;
  readonly results: readonly Result[];
  /** Ids of the operations concerned, each once. */
  readonly operations: readonly string[];
  /** Operations concerned × how much the level counts. */
  readonly weight: number;
}

/** What the document states outweighs what is only good sense. */
const counts: Readonly<Record<Level, number>> = {
  documented: 4,
  profile: 4,
  standard: 2,
  inferred: 1,
  open: 1,
};

/** Groups the results of one outcome by cause, the heaviest first; equal weights stay in plan order. */
export function causes(results: readonly Result[], outcome: Outcome = 'fail'): Cause[] {
  const groups = Map.groupBy(
    results.filter((result) => result.outcome === outcome),
    causeOf,
  );
  return Array.from(groups.values(), toCause).sort((a, b) => b.weight - a.weight);
}

/** Operation ids a result is filed under. */
export function operationsOf({ operation }: Pick<Result, 'operation'>): readonly string[] {
  return typeof operation === 'string' ? [operation] : operation;
}

function causeOf({ cause, clause, expected, actual, detail }: Result): string {
  return cause ?? JSON.stringify([clause, expected, actual, detail]);
}

function toCause(results: readonly [Result, ...Result[]] | readonly Result[]): Cause {
  const [example] = results as readonly [Result, ...Result[]];
  const operations = [...new Set(results.flatMap(operationsOf))];
  const weight = Math.max(operations.length, 1) * Math.max(...results.map(({ level }) => counts[level]));
  return { example, results, operations, weight };
}
