// Set up by vitest in its one worker before every suite file, for those who run vitest themselves: every check is a test,
// whose result goes back with it, since what all of them come to is judged where vitest itself runs.
import { afterAll, describe, inject, test } from 'vitest';
import { type Check, listen } from '../../../engine/probe/check.ts';
import { sharedJudge } from '../../../engine/run/judge.ts';
import type { Result } from '../../../engine/run/result.ts';
import { longerThanAnyCheck } from './project.ts';

const judge = sharedJudge(inject('run'));

listen(({ name, checks }) => {
  describe(name, () => {
    for (const check of checks) asTest(check);
  });
});

function asTest(check: Check): void {
  test.concurrent(`${check.id} ${check.title}`, longerThanAnyCheck, async ({ skip, task }) => {
    const result = await judge.perform(check);
    const { exchange: _, curl: __, ...told } = result;
    task.meta.result = told;
    task.file.meta.found = judge.found();
    if (result.outcome === 'fail' || result.outcome === 'harness-error') throw new CheckFailed(result);
    if (result.outcome === 'inconclusive' || result.outcome === 'not-applicable') {
      skip(`${result.reason}: ${result.detail ?? ''}`);
    }
  });
}

class CheckFailed extends Error {
  override readonly name = 'CheckFailed';

  constructor({ clause, expected, actual, detail, curl, rerun }: Result) {
    const found = `${clause}: expected ${expected ?? 'no error of our own'}, got ${actual ?? detail}`;
    super([found, curl, rerun].filter(Boolean).join('\n'));
    this.stack = `${this.name}: ${this.message}`;
  }
}

afterAll(() => listen(undefined));
