// Vitest runs this in its one worker before every suite file: it makes a test of every check, and writes its result to
// the journal, as in a run of the CLI.
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, inject, type TaskMeta, test } from 'vitest';
import type { Check, Suite } from '../../../engine/probe/check.ts';
import { type CheckRunner, openCheckRunner } from '../../../engine/run/check-runner.ts';
import type { Result } from '../../../engine/run/result.ts';
import { applyWaivers } from '../../../engine/run/waivers.ts';
import { longerThanAnyCheck } from './project.ts';

const assignment = inject('run');
const { waivers, known, today } = assignment.excuses;
/** Global, since vitest runs this file anew for every suite file, while a run has one check runner. */
const run = globalThis as { assayRunner?: CheckRunner };
run.assayRunner ??= openCheckRunner(assignment);
const runner = run.assayRunner;

let file: { readonly meta: TaskMeta } | undefined;

// Vitest imports the same file next, and finds no tests of its own in it.
const { testPath = '' } = expect.getState();
const { default: suite } = (await import(pathToFileURL(testPath).href)) as { readonly default: Suite };
describe(suite.name, () => {
  for (const check of suite.checks) asTest(check);
});

function asTest(check: Check): void {
  test.concurrent(`${check.id} ${check.title}`, longerThanAnyCheck, async ({ skip, task }) => {
    task.meta.asked = true;
    file = task.file;
    const result = await runner.perform(check);
    const { outcome, reason, detail = '' } = result;
    if (outcome === 'inconclusive' || outcome === 'not-applicable') skip(`${reason}: ${detail}`);
    if (outcome !== 'fail' && outcome !== 'harness-error') return;
    const excuse = excuseOf(result);
    if (excuse !== undefined) skip(excuse);
    throw new CheckFailed(result);
  });
}

/** Why a failure does not count in the verdict of this run; undefined where it does. */
function excuseOf(result: Result): string | undefined {
  const [{ waived } = result] = applyWaivers([result], { waivers, known: [result.id], today }).checks;
  if (waived !== undefined) return `failed, waived until ${waived.expires}: ${waived.reason}`;
  return known.includes(result.id) ? 'failed, as in the baseline' : undefined;
}

class CheckFailed extends Error {
  override readonly name = 'CheckFailed';

  constructor({ clause, expected, actual, detail, curl, rerun }: Result) {
    const found = `${clause}: expected ${expected ?? 'no error of our own'}, got ${actual ?? detail}`;
    super([found, curl, rerun].filter(Boolean).join('\n'));
    this.stack = `${this.name}: ${this.message}`;
  }
}

afterAll(async () => {
  if (file) file.meta.progress = await runner.end();
});
