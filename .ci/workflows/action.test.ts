// What the shell steps of the action do, with the package that it builds stood in for by the clone.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { listen } from '../../fixtures/kit/loopback.ts';
import { type Ran, root, runStep, type Step } from './shell-step.ts';

interface Action {
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly outputs: Readonly<Record<string, { readonly value: string }>>;
  readonly runs: { readonly steps: readonly (Step & { readonly shell?: string })[] };
}

const action: Action = parse(readFileSync(join(root, 'action.yml'), 'utf8'));
const { steps } = action.runs;
const step = (name: string) => {
  const found = steps.find((each) => each.name === name);
  if (found === undefined) throw new Error(`no step is named ${name}`);
  return found;
};

const temp = mkdtempSync(join(tmpdir(), 'assay action '));
const out = join(temp, 'out');
const own = join(temp, 'action');
let target: Awaited<ReturnType<typeof listen>>;
let status = 200;
beforeAll(async () => {
  mkdirSync(join(own, 'dist'), { recursive: true });
  // One check instead of thousands: what the step does with its outcome is the same.
  const command = `const { spawnSync } = require('node:child_process');
    const args = ['--import', './runtime.js', 'cli.ts', ...process.argv.slice(2), '--only', 'general.config', '--min-judged', '0'];
    process.exit(spawnSync(process.execPath, args, { stdio: 'inherit' }).status);`;
  writeFileSync(join(own, 'dist', 'assay.cjs'), command);
  target = await listen(
    createServer((request, response) => {
      request.resume();
      const isServed = request.url === '/api/v1/config' && request.method === 'GET';
      response.writeHead(isServed ? status : 404, { 'content-type': 'application/json' });
      response.end('{"ok":true}');
    }),
  );
});
afterAll(async () => {
  await target.close();
  rmSync(temp, { recursive: true, force: true });
});

const judged = (env: Readonly<Record<string, string>> = {}): Promise<Ran> =>
  runStep(step('Judge'), temp, {
    PATH: `${join(process.execPath, '..')}:${process.env.PATH}`,
    ACTION: own,
    ...{ BASE_URL: target.url, CDN_URL: '', GAMELOGS_URL: '', PROFILE: '' },
    ...{ OPTIONS: '', BASELINE: '', FAIL_ON: '', OUT: out },
    ...env,
  });

test('every shell step names its shell, and holds no expression that would be run', () => {
  for (const { run, shell } of steps.filter((each) => each.run !== undefined)) {
    expect(shell).toBe('bash');
    expect(run).not.toContain('${{');
  }
});

test('a target that conforms is green; counts and the report are outputs, and the summary is the report', async () => {
  const { code, output } = await judged({ OPTIONS: '--rate 500' });
  expect([code, output]).toEqual([0, expect.stringContaining('verdict=green\n')]);
  const named = Object.fromEntries(
    output
      .trim()
      .split('\n')
      .map((line) => line.split('=')),
  );
  expect(Object.keys(named).sort()).toEqual(Object.keys(action.outputs).sort());
  expect(named).toMatchObject({ failed: '0', report: `${out}/report.html` });
  const { summary } = await runStep(step('Summarize'), temp, { OUT: out });
  expect(summary).toBe(readFileSync(join(out, 'report.md'), 'utf8'));
});

test('held against the last accepted run, one that got worse is red', async () => {
  const accepted = join(temp, 'accepted.json');
  writeFileSync(accepted, readFileSync(join(out, 'result.json')));
  status = 500;
  const { code, output, stdout } = await judged({ BASELINE: accepted, FAIL_ON: 'worse' });
  expect([code, output]).toEqual([1, expect.stringMatching(/verdict=red\n.*failed=[1-9]/s)]);
  expect(stdout).toContain('Got worse than the run of');
});

test('without a URL there is no target, and nothing else is judged in its place', async () => {
  const { code, output, stderr } = await judged({ BASE_URL: '' });
  expect([code, output]).toEqual([2, 'verdict=error\n']);
  expect(stderr).toMatch(/^assay: none of base-url[^\n]+\n$/);
});

test('the command is built where the checkout of the action has none', async () => {
  const { code } = await runStep(step('Build'), temp, { ACTION: own });
  expect(code).toBe(0);
  expect(step('Build').run).toContain('npm run --prefix "$ACTION" prepack');
});
