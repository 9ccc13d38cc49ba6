// The order of test files: on a new machine vitest knows no durations, and would begin the longest when all others are over.
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** By the seconds that they take, most first. */
const longest = [
  'commands/prove/command',
  'commands/prove/conforming/judge',
  'fixtures/third-party/third-party',
  'reports/html/page',
  'docs/commands',
  'commands/prove/judge-mutants/judge-mutants',
  'engine/run/behaviours-and-order',
  'fixtures/hostile/hostile',
  'commands/catalog/consumers',
  'engine/run/run-endings',
  'suites/noise',
  'commands/load/command',
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
