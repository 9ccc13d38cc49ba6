// How well a run found one bug of a blind server. Pure.
import { catalog } from '../../../catalog/catalog.ts';
import { compareRuns } from '../../../engine/run/changes.ts';
import type { Result, RunResult } from '../../../engine/run/result.ts';
import type { BlindMutant } from '../../../fixtures/blind/servers.ts';

/** Best first: the run fails, it warns, a comparison shows a change, nothing is seen. */
export const grades = ['failed', 'warned', 'changed', 'silent'] as const;
export type Grade = (typeof grades)[number];

export interface Score {
  readonly grade: Grade;
  /** A finding of that grade is about one of the mutant's calls and speaks of its cause. */
  readonly isNamed: boolean;
  /** Ids of the checks behind the grade, those that name the cause first. */
  readonly by: readonly string[];
}

/** Two runs with the same settings against the same server without a bug. */
export interface CorrectRuns {
  readonly runs: readonly [RunResult, RunResult];
  /** Ids of checks that differ between them: they are no finding. */
  readonly noise: ReadonlySet<string>;
}

export function correctRunsOf(runs: readonly [RunResult, RunResult]): CorrectRuns {
  const [first, second] = runs;
  const found = [findingsOf(first, second), findingsOf(second, first)];
  return { runs, noise: new Set(found.flatMap((each) => Object.values(each).flat())) };
}

const findingsOf = (before: RunResult, after: RunResult): Record<Exclude<Grade, 'silent'>, string[]> => {
  const { kinds, behaviours } = compareRuns(before, after);
  const ids = (changes: readonly { readonly after: Result }[]) => changes.map((change) => change.after.id);
  return {
    failed: ids(kinds.worse),
    warned: ids(kinds['newly-warned']),
    changed: [...behaviours.flatMap(({ points }) => points), ...ids(kinds.lost)],
  };
};

/**
 * @param hasBaseline a user would see what changed; without, only what fails or warns
 */
export function scoreOf(
  mutant: BlindMutant,
  { runs: [correct], noise }: CorrectRuns,
  run: RunResult,
  hasBaseline: boolean,
): Score {
  const found = findingsOf(correct, run);
  const calls = new Set(operationsOf(mutant));
  const checks = new Map(run.checks.map((check) => [check.id, check]));
  const names = (id: string) => {
    const check = checks.get(id);
    if (check === undefined || ![check.operation].flat().some((each) => calls.has(each))) return false;
    const { title, detail, expected, actual, behaviour } = check;
    const text = [id, title, detail, expected, actual, behaviour].join(' ').toLowerCase();
    return mutant.words.some((word) => text.includes(word));
  };
  for (const grade of hasBaseline
    ? (['failed', 'warned', 'changed'] as const)
    : (['failed', 'warned'] as const)) {
    const ids = found[grade].filter((id) => !noise.has(id));
    if (ids.length === 0) continue;
    const naming = ids.filter(names);
    const by = [...naming, ...ids.filter((id) => !naming.includes(id))];
    return { grade, isNamed: naming.length > 0, by };
  }
  return { grade: 'silent', isNamed: false, by: [] };
}

/** Ids of the operations that a mutant's calls name. @throws Error for a call that the interface does not document */
export function operationsOf({ name, calls }: BlindMutant): string[] {
  return calls.map((call) => {
    const operation = catalog.find(({ method, path }) => `${method} ${path}` === call.split('?')[0]);
    if (operation === undefined) throw new Error(`${name}: the interface has no ${call}`);
    return operation.id;
  });
}
