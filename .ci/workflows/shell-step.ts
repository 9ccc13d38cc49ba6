// A step of a workflow run as a runner runs it: bash, with the environment that the step is given.
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';

export const root = fileURLToPath(new URL('../..', import.meta.url));

export interface Step {
  readonly name?: string;
  readonly run?: string;
  readonly env?: Readonly<Record<string, string>>;
}

export interface Workflow {
  readonly env?: Readonly<Record<string, string>>;
  readonly jobs: Readonly<
    Record<string, { readonly env?: Readonly<Record<string, string>>; readonly steps: readonly Step[] }>
  >;
}

export const workflow = (path: string): Workflow => parse(readFileSync(join(root, path), 'utf8'));

/** The step of that name. */
export function stepNamed({ jobs }: Workflow, name: string): Step {
  const found = Object.values(jobs)
    .flatMap(({ steps }) => steps)
    .find((step) => step.name === name);
  if (found === undefined) throw new Error(`no step is named ${name}`);
  return found;
}

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  /** What it wrote to GITHUB_OUTPUT and GITHUB_STEP_SUMMARY. */
  readonly output: string;
  readonly summary: string;
}

/**
 * Runs a step in the checkout.
 * @param temp RUNNER_TEMP; its `bin` goes before PATH
 * @param env what the step's expressions would give
 */
export function runStep(
  { run = '' }: Step,
  temp: string,
  env: Readonly<Record<string, string>> = {},
): Promise<Ran> {
  const [output, summary] = [join(temp, 'output'), join(temp, 'summary')];
  for (const file of [output, summary]) writeFileSync(file, '');
  const given = {
    PATH: `${join(temp, 'bin')}:${process.env.PATH}`,
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
        code: error === null ? 0 : Number(error.code),
        stdout,
        stderr,
        output: readFileSync(output, 'utf8'),
        summary: readFileSync(summary, 'utf8'),
      }),
    );
  });
}

/** A program of that name that records its arguments in `calls` and does what the script says. */
export function stub(temp: string, name: string, script: string): void {
  const bin = join(temp, 'bin');
  mkdirSync(bin, { recursive: true });
  const text = `#!/usr/bin/env bash\nprintf '%s\\n' "${name} $*" >>'${join(temp, 'calls')}'\n${script}\n`;
  writeFileSync(join(bin, name), text, { mode: 0o755 });
}
