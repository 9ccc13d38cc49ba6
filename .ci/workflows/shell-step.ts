// Runs one step of a workflow as a CI runner would: in bash, with the step's environment.
import { type ExecFileException, execFile } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';

export const root = fileURLToPath(new URL('../..', import.meta.url));

export interface Step {
  readonly name?: string;
  readonly run?: string;
  readonly uses?: string;
  readonly if?: string;
  readonly with?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
}

export interface Workflow {
  readonly env?: Readonly<Record<string, string>>;
  readonly jobs: Readonly<
    Record<string, { readonly env?: Readonly<Record<string, string>>; readonly steps: readonly Step[] }>
  >;
}

export const workflow = (path: string): Workflow => parse(readFileSync(join(root, path), 'utf8'));

interface Action {
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly outputs: Readonly<Record<string, { readonly value: string }>>;
  readonly runs: { readonly steps: readonly (Step & { readonly shell?: string })[] };
}

export const action: Action = parse(readFileSync(join(root, 'action.yml'), 'utf8'));

/**
 * Makes the folder of the action in `temp`. In place of the packed program, a script there runs this checkout, with the
 * checks of one operation alone, and appends its arguments to the file `calls`.
 */
export function actionFolder(temp: string): string {
  const folder = join(temp, 'action');
  for (const part of ['dist', '.ci']) mkdirSync(join(folder, part), { recursive: true });
  cpSync(join(root, '.ci', 'nightly.sh'), join(folder, '.ci', 'nightly.sh'));
  const command = `const given = process.argv.slice(2);
    require('node:fs').appendFileSync(${JSON.stringify(join(temp, 'calls'))}, given.join(' ') + '\\n');
    const few = given[0] === 'run' ? ['--only', 'general.config', '--min-judged', '0'] : [];
    const args = ['--import', './runtime.js', 'cli.ts', ...given, ...few];
    process.exit(require('node:child_process').spawnSync(process.execPath, args, { stdio: 'inherit' }).status);`;
  writeFileSync(join(folder, 'dist', 'assay.cjs'), command);
  return folder;
}

export function stepNamed(of: Workflow | Action, name: string): Step {
  const steps = 'jobs' in of ? Object.values(of.jobs).flatMap(({ steps }) => steps) : of.runs.steps;
  const found = steps.find((step) => step.name === name);
  if (found === undefined) throw new Error(`no step is named ${name}`);
  return found;
}

export interface StepEnd {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  /** What it wrote to GITHUB_OUTPUT. */
  readonly output: string;
  /** What it wrote to GITHUB_STEP_SUMMARY. */
  readonly summary: string;
}

/**
 * Runs a step in the checkout.
 * @param temp RUNNER_TEMP; its `bin` goes before PATH
 * @param env the values of the `${{ … }}` expressions
 */
export function runStep(
  { run = '' }: Step,
  temp: string,
  env: Readonly<Record<string, string>> = {},
): Promise<StepEnd> {
  const [output, summary] = [join(temp, 'output'), join(temp, 'summary')];
  for (const file of [output, summary]) writeFileSync(file, '');
  const given = {
    PATH: [join(temp, 'bin'), dirname(process.execPath), process.env.PATH].join(delimiter),
    HOME: temp,
    RUNNER_TEMP: temp,
    GITHUB_OUTPUT: output,
    GITHUB_STEP_SUMMARY: summary,
    GITHUB_SERVER_URL: 'https://git.example',
    GITHUB_REPOSITORY: 'owner/name',
    GITHUB_REF_NAME: 'main',
    GITHUB_RUN_ID: '42',
    ARTIFACT: 'assay-nightly',
    ...env,
  };
  const args = ['--noprofile', '--norc', '-eo', 'pipefail', '-c', run];
  return new Promise((resolve) => {
    execFile('bash', args, { cwd: root, timeout: 60_000, env: given }, (error, stdout, stderr) =>
      resolve({
        code: exitCodeOf(error),
        stdout,
        stderr,
        output: readFileSync(output, 'utf8'),
        summary: readFileSync(summary, 'utf8'),
      }),
    );
  });
}

/** The exit code as a shell reports it: a step that a signal ended, as after the timeout, has no code of its own. */
function exitCodeOf(error: ExecFileException | null): number {
  if (error === null) return 0;
  return error.signal ? 128 + constants.signals[error.signal] : Number(error.code);
}

/** Puts a program of that name before PATH (into `bin` of `temp`): it appends its arguments to `calls`, and runs the script. */
export function stub(temp: string, name: string, script: string): void {
  const bin = join(temp, 'bin');
  mkdirSync(bin, { recursive: true });
  const text = `#!/usr/bin/env bash\nprintf '%s\\n' "${name} $*" >>'${join(temp, 'calls')}'\n${script}\n`;
  writeFileSync(join(bin, name), text, { mode: 0o755 });
}
