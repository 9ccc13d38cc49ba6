import { execFile } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { root } from '../engine/files.ts';
import type { Result, RunResult } from '../engine/run/result.ts';
import { sampleResult, sampleRun } from '../fixtures/kit/sample-run.ts';
import { openKeep } from '../reports/trend/store.ts';
import { resultText } from '../reports/write.ts';

const scratch = mkdtempSync(join(tmpdir(), 'assay trend '));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** `npm run trend`; its files go to a folder beside the nights. */
function trend(...args: readonly string[]): Promise<Ended> {
  const command = ['--import', './runtime.js', 'cli.ts', 'trend', ...args, '--out', join(scratch, 'out')];
  return new Promise((resolve) => {
    execFile(process.execPath, command, { cwd: root, timeout: 30_000 }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
  });
}

const hostile = '</script><img src=x onerror=alert(1)>\u202e\x1b[31m';

/** The run of a night in January 2026. */
function night(day: number, checks: readonly Partial<Result>[], over: Partial<RunResult> = {}): RunResult {
  const startedAt = `2026-01-${String(day).padStart(2, '0')}T03:04:05.678Z`;
  return sampleRun(checks.map(sampleResult), { startedAt, runId: `night${day}`, ...over });
}

/** A folder of nights, kept and plain, in no order. */
function folder(name: string): string {
  const path = join(scratch, name);
  const keep = openKeep(path);
  const outcomes = ['pass', 'fail', 'pass', 'fail', 'pass'] as const;
  for (const [at, outcome] of outcomes.entries()) {
    const run = night(
      5 - at,
      [
        { id: 'a.b#flaky', outcome },
        { id: 'a.b#broken', outcome: at < 2 ? 'fail' : 'pass' },
        { id: 'a.b#mended', outcome: at === 0 ? 'pass' : 'fail' },
      ],
      { ledger: { 'a.b#shape': at === 0 ? '200 {"a":"string"}' : '200 {"a":"number"}', [hostile]: hostile } },
    );
    if (at % 2 === 0) keep(run);
    else {
      mkdirSync(join(path, `${at}`), { recursive: true });
      writeFileSync(join(path, `${at}`, 'result.json'), resultText(run));
    }
  }
  return path;
}

describe('trend', () => {
  test('shows what broke, what was mended, what is flaky and what changed', async () => {
    const { code, stdout } = await trend(folder('told'));
    expect(stdout).toMatch(/^5 runs from 2026-01-01 03:04 UTC to 2026-01-05 03:04 UTC\n/);
    expect(stdout).toContain(
      'since the one before: 0 newly broken, 2 mended, 0 new warnings, 1 change of behaviour',
    );
    expect(stdout).toContain(
      'broken: 1 check\n  a.b#broken  fails in 2 runs, since 2026-01-04 03:04 UTC: +++--\n',
    );
    expect(stdout).toContain('a.b#flaky  switched between good and failing 4 times lately: +-+-+\n');
    expect(stdout).toContain('  a.b#shape  /a: number → string\n');
    expect(code).toBe(0);
  });

  test('writes the same as data', async () => {
    const { stdout } = await trend(folder('data'), '--json');
    expect(stdout).toBe(readFileSync(join(scratch, 'out', 'trend.json'), 'utf8'));
    const { schema, runs, broken, flaky } = JSON.parse(stdout);
    expect(schema).toBe('assay.trend/1');
    expect(runs.map(({ newlyBroken }: { newlyBroken: { list: string[] } }) => newlyBroken.list)).toEqual([
      [],
      ['a.b#flaky'],
      [],
      ['a.b#flaky', 'a.b#broken'],
      [],
    ]);
    expect(broken).toMatchObject([{ id: 'a.b#broken', streak: 2, lately: '+++--' }]);
    expect(flaky).toMatchObject([{ id: 'a.b#flaky', changes: 4 }]);
  });

  test('writes a page that lets nothing run and nothing out', async () => {
    const nights = folder('page');
    const target = { embedded: false, base: `http://${hostile}` };
    writeFileSync(
      join(nights, 'result.json'),
      resultText(night(9, [{ id: hostile, outcome: 'fail' }], { target, runId: hostile })),
    );
    const load = {
      schema: 'assay.load/1',
      verdict: hostile,
      journey: hostile,
      startedAt: '2026-01-09T00:00:00Z',
    };
    writeFileSync(join(nights, 'load.json'), JSON.stringify(load));
    const capacity = { ...load, schema: 'assay.capacity/1', capacity: 120, interval: [118, 124] };
    writeFileSync(join(nights, 'capacity.json'), JSON.stringify(capacity));
    const { stdout } = await trend(nights);
    const page = readFileSync(join(scratch, 'out', 'trend.html'), 'utf8');
    expect(page).toContain(`content="default-src 'none'; style-src 'sha256-`);
    expect(page).not.toMatch(
      /<script|<img|<[^>]*\s(on\w+|style|href|src)="(?!data:,)|\u202e|\x1b|https?:\/\/www/,
    );
    expect(page).toContain('&lt;img src=x onerror=alert(1)&gt;\\u{202e}\\u{1b}[31m');
    // Three charts, each once for a wide page and once for a phone.
    expect(page.match(/<svg role="img"/g)).toHaveLength(6);
    expect(stdout).not.toMatch(/\x1b|\u202e/);
  });

  test('counts a run that two files hold once', async () => {
    const nights = folder('copies');
    writeFileSync(join(nights, 'again-result.json'), resultText(night(1, [{ id: 'a.b#flaky' }])));
    const { stdout } = await trend(nights);
    expect(stdout).toMatch(/^5 runs .* \(1 copy left out\)/);
  });

  test('folds checks of one rule that took the same course, so that they hide no other', async () => {
    const path = join(scratch, 'folded');
    mkdirSync(path);
    const gone = Array.from({ length: 30 }, (_, nth) => ({
      id: `a.b${nth}#routed`,
      outcome: 'fail' as const,
    }));
    const steps = Array.from({ length: 21 }, (_, nth) => ({ id: `flow/s${nth}`, outcome: 'fail' as const }));
    writeFileSync(join(path, 'result.json'), resultText(night(1, [...gone, ...steps])));
    const { stdout } = await trend(path);
    const course = 'fails in every run, since 2026-01-01 03:04 UTC: -';
    expect(stdout).toContain(
      `broken: 51 checks\n  a.b0#routed and 29 more checks of #routed  ${course}\n  flow/s0  ${course}\n`,
    );
    expect(stdout).toContain('\n  … and 2 more checks\n');
  });

  test('names the files of a folder that it could not read, and goes on', async () => {
    const nights = folder('torn');
    writeFileSync(join(nights, 'result.json'), '{"schema":');
    symlinkSync(nights, join(nights, 'loop'));
    const { code, stdout } = await trend(nights);
    expect(stdout).toMatch(/^5 runs/);
    expect(stdout).toMatch(/not read {2}.*torn\/result\.json is not JSON; it may have been cut off/);
    expect(code).toBe(0);
  });
});

describe('a mistake is one line, and exit 2', () => {
  test.each([
    ['a path that is not there', ['none'], /^assay: trend: "none" does not exist; expected .*\n$/],
    [
      'a folder without results',
      ['reports/trend'],
      /^assay: trend: "reports\/trend" holds no stored result; a folder .* names that end in result\.json, .*; files of other names have to be named one by one .*\n$/,
    ],
    ['a file that is no result', ['package.json'], /^assay: trend: "package.json" is a package.json; .*\n$/],
    ['a device', ['/dev/zero'], /^assay: trend: "\/dev\/zero" is not a file\n$/],
    [
      'an age that is none',
      ['.', '--prune-older-than', '3w'],
      /^assay: --prune-older-than: "3w"; expected .*\n$/,
    ],
  ])('%s is refused with one line and exit 2', async (_, args, message) => {
    const { code, stderr } = await trend(...args);
    expect(stderr).toMatch(message);
    expect(code).toBe(2);
  });
});

test('--prune-older-than removes what began before then, reports it, and nothing else', async () => {
  const nights = folder('pruned');
  writeFileSync(join(nights, 'result.json'), '{"schema":');
  const young = openKeep(nights)(night(6, [{ id: 'a.b#flaky' }], { startedAt: new Date().toISOString() }));
  const { stdout, stderr } = await trend(nights, '--prune-older-than', '2d');
  expect(stderr.match(/^removed \S.*result\.json/gm)).toHaveLength(5);
  expect(stderr).toContain('removed 5 of 7 files, older than 2d\n');
  expect(stdout).toMatch(/^1 run from/);
  expect([existsSync(young), existsSync(join(nights, 'result.json'))]).toEqual([true, true]);
  expect(existsSync(join(nights, '1', 'result.json'))).toBe(false);
});
