// The test files that take longest: project `long` runs them, and every project begins with its longest. On a new
// machine vitest knows no durations, and would begin the longest when all others are over.
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Whole runs of Assay and long computations, by the seconds that they take, most first. */
export const longTests: readonly string[] = [
  'commands/prove/prove',
  'fixtures/third-party/third-party',
  'commands/learn/law',
  'commands/learn/whole-run',
  'fixtures/third-party/stored-harbour',
  'commands/run/vitest/global-setup',
  'fixtures/hostile/hostile',
  'reports/html/page',
  'docs/commands',
  'fixtures/third-party/any-name',
  'commands/prove/crossed-answers',
  'commands/prove/judge-mutants/judge-mutants',
  'commands/prove/attacks',
  'commands/run/attack-cost',
  'engine/run/run-endings',
  'load/step/leaving',
  'suites/noise',
  'commands/hostile/readers',
  'load/step/run-step',
  'commands/run/interrupted',
  'commands/run/requests',
  'load/capacity/accuracy',
  'load/step/conserved',
  'engine/run/behaviours-and-order',
  'engine/run/behaviours-of-runs',
  'commands/run/nights',
  'engine/full-disk',
  'commands/catalog/consumers',
  'commands/prove/few-players',
  'commands/prove/missing-operation',
  '.ci/workflows/nightly',
  'commands/run/fail-on',
  '.ci/package/package',
].map((name) => `${name}.test.ts`);

/** The longest of all other test files. */
const begunFirst: readonly string[] = [
  'commands/load/load',
  'engine/probe/served/decide-routed',
  'scenarios/store',
  'commands/capacity',
].map((name) => `${name}.test.ts`);

export const order = [...longTests, ...begunFirst];
const rankOf = ({ moduleId }: TestSpecification) => {
  const rank = order.findIndex((name) => moduleId.endsWith(`/${name}`));
  return rank < 0 ? order.length : rank;
};

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.sort((a, b) => rankOf(a) - rankOf(b));
  }
}
