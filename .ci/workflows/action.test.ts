// What the shell steps of the action do. In place of the packed program, a script runs this checkout.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listen } from '../../fixtures/kit/loopback.ts';
import { action, actionFolder, runStep, type StepEnd, stepNamed } from './shell-step.ts';

const { steps } = action.runs;
const step = (name: string) => stepNamed(action, name);

const temp = mkdtempSync(join(tmpdir(), 'assay action '));
const out = join(temp, 'out');
const own = actionFolder(temp);
let target: Awaited<ReturnType<typeof listen>>;
let status = 200;
beforeAll(async () => {
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

const judged = (env: Readonly<Record<string, string>> = {}): Promise<StepEnd> =>
  runStep(step('Judge'), temp, {
    ACTION: own,
    BASE_URL: target.url,
    CDN_URL: '',
    GAMELOGS_URL: '',
    PROFILE: '',
    OPTIONS: '',
    BASELINE: '',
    FAIL_ON: '',
    OUT: out,
    NIGHT: '',
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
  const { worse: _, ...outputs } = action.outputs;
  expect(Object.keys(named).sort()).toEqual(Object.keys(outputs).sort());
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

test('findings go to code scanning where they are asked for, from the file that the run wrote', async () => {
  const { uses, if: when, with: given } = step('Send the findings to code scanning');
  expect(uses).toMatch(/^github\/codeql-action\/upload-sarif@v\d+$/);
  expect(when).toBe("always() && inputs.sarif == 'true' && steps.judge.outputs.report != ''");
  // What the host takes: SARIF 2.1.0, below 10 MB packed, at most 25,000 results.
  const place = (given?.sarif_file ?? '').replace(/^\$\{\{.*?\}\}/, out);
  const { version, runs } = JSON.parse(readFileSync(place, 'utf8'));
  expect([version, runs.length]).toEqual(['2.1.0', 1]);
  expect(runs[0].results.length).toBeGreaterThan(0);
});

test('the command is built where the checkout of the action has none', async () => {
  const { code } = await runStep(step('Build'), temp, { ACTION: own });
  expect(code).toBe(0);
  expect(step('Build').run).toContain('npm run --prefix "$ACTION" prepack');
});
