// The suites against the embedded server with its own profile, as a user runs them.
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { catalog } from '../catalog/catalog.ts';
import { root } from '../engine/files.ts';
import type { Result, RunResult } from '../engine/run/result.ts';
import { quotedWord } from '../engine/values/shell.ts';
import { startWords } from '../fixtures/kit/programs.ts';
import { scratchFolder } from '../fixtures/kit/scratch.ts';

const reference = join(root, 'fixtures/profiles/reference.json');

async function run(
  profile: string,
  ...only: readonly string[]
): Promise<RunResult & { readonly out: string }> {
  const out = scratchFolder();
  const args = [...startWords, 'run', '--out', out, '--only', ...only];
  const env = { PATH: process.env.PATH, PROFILE: profile };
  await promisify(execFile)(process.execPath, args, { cwd: root, env, timeout: 60_000 }).catch(() => {});
  return { ...JSON.parse(readFileSync(join(out, 'result.json'), 'utf8')), out };
}

const of = (rule: string, checks: readonly Result[]) => checks.filter(({ id }) => id.endsWith(`#${rule}`));

test('every check that applies is judged, none fails and none warns', async () => {
  const { exitCode, summary, checks } = await run(reference, '*#*');
  expect(exitCode).toBe(0);
  expect(summary).toMatchObject({ fail: 0, warn: 0, inconclusive: 0, 'harness-error': 0 });
  const passed = (rule: string) => of(rule, checks).filter(({ outcome }) => outcome === 'pass');
  expect(passed('answers')).toHaveLength(catalog.length);
  // All but the one that answers bytes.
  expect(passed('schema')).toHaveLength(catalog.length - 1);
});

test('an answer unlike its schema fails, and so does a call that the profile says succeeds', async () => {
  const profile = JSON.parse(readFileSync(reference, 'utf8'));
  profile.operations['general.version'].schema.required.push('build');
  profile.operations['onboarding.updateProgress'].body = { step: 'three' };
  const file = join(scratchFolder(), 'wrong.json');
  writeFileSync(file, JSON.stringify(profile));

  const { exitCode, checks, out } = await run(
    file,
    'general.version#schema',
    'onboarding.updateProgress#answers',
  );

  expect(exitCode).toBe(1);
  expect(checks.map(({ outcome, level, clause, actual }) => [outcome, level, clause, actual])).toEqual([
    ['fail', 'profile', 'profile.schema', 'it is missing'],
    ['fail', 'profile', 'profile.accepts', '400'],
  ]);
  const again = `PROFILE=${quotedWord(file)} npm start -- --out ${quotedWord(join(out, 'rerun'))} --only`;
  for (const { rerun } of checks) expect(rerun).toContain(again);
});
