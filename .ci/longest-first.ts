// The order of test files: on a new machine vitest knows no durations, and would begin the longest when all others are over.
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** By the seconds that they take, most first. */
const longest = [
  'fixtures/liars/prove-command',
  'fixtures/liars/variants/honest',
  'fixtures/server/strangers/strangers',
  'reports/html/page',
  'fixtures/liars/mutants/mutants',
  'fixtures/check/ledger-and-order',
  'fixtures/hostile/hostile',
  'fixtures/target/export/consumers',
  'fixtures/check/schedule/endings',
  'suites/noise',
  'load/command/command',
].map((name) => `/${name}.test.ts`);

const rankOf = ({ moduleId }: TestSpecification) => {
  const rank = longest.findIndex((end) => moduleId.endsWith(end));
  return rank < 0 ? longest.length : rank;
};

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.sort((a, b) => rankOf(a) - rankOf(b));
  }
}
