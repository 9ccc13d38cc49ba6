// The command as a user types it.

import { spawn, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { k6ForTests } from '../../fixtures/kit/programs.ts';
import { scratchFolder } from '../../fixtures/kit/scratch.ts';

const k6 = await k6ForTests();
const root = fileURLToPath(new URL('../..', import.meta.url));

function load(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  out: string = scratchFolder(),
) {
  const { NODE_V8_COVERAGE, PATH, HOME, CI, XDG_CACHE_HOME, K6_BIN } = process.env;
  const own = { NODE_V8_COVERAGE, PATH, HOME, CI, XDG_CACHE_HOME, K6_BIN, ...env };
  const ended = spawnSync(
    process.execPath,
    ['--import', './runtime.js', 'cli.ts', 'load', ...args, '--out', out],
    { cwd: root, env: own, encoding: 'utf8', timeout: 100_000, killSignal: 'SIGKILL' },
  );
  return { ...ended, result: () => JSON.parse(readFileSync(join(out, 'load.json'), 'utf8')) };
}

test.skipIf(k6 === undefined)(
  'a journey on the embedded server passes, tells each second and each operation',
  () => {
    const { status, stdout, result } = load(['queue', '--rate', '20', '--duration', '2s']);
    expect(stdout).toMatch(/ {3}2 s {3}offered 20\.0\/s {3}achieved /);
    expect(stdout).toMatch(/^queue\.issueToken +\d+ /m);
    const loadResult = result();
    // On a machine that is busy with other tests the generator may be late, and then it has to say so.
    const late = loadResult.reasons.every((reason: string) =>
      reason.includes('the generator was late itself'),
    );
    expect([status, loadResult.verdict]).toEqual(late ? [1, 'INVALID'] : [0, 'PASS']);
    expect(stdout).toContain(late ? 'INVALID: ' : 'PASS: errors=0.1% holds, and the answers are right');
    expect(loadResult).toMatchObject({
      schema: 'assay.load/1',
      errors: { wrong: 0, transport: 0 },
      journey: 'queue',
      shape: 'steady',
      rate: 20,
      arrivals: 'poisson',
      dropped: 0,
    });
    expect(loadResult.seconds.length).toBeGreaterThanOrEqual(2);
  },
);

test.skipIf(k6 === undefined)('an SLO that does not hold is exit 1, and says why', () => {
  const { status, stdout, result } = load(['queue', '--duration', '1s', '--slo', 'p50=0.01ms']);
  expect(status).toBe(1);
  expect(stdout).toMatch(/^(FAIL|INVALID): .+ms/m);
  expect(['FAIL', 'INVALID']).toContain(result().verdict);
});

test('without k6 and Go one line names the ways out, exit 2', () => {
  const env = { PATH: '', K6_BIN: '', XDG_CACHE_HOME: '/nowhere' };
  const { status, stderr } = load(['queue'], env);
  expect([status, stderr]).toEqual([2, expect.stringMatching(/^assay: k6: not found[^\n]+K6_BIN[^\n]+\n$/)]);
});

test('mistakes are exit 2, a line each', () => {
  const { status, stderr } = load(['qeue']);
  expect([status, stderr]).toEqual([
    2,
    expect.stringMatching(/^assay: "qeue" is no journey; did you mean "queue"\?[^\n]+\n$/),
  ]);
  expect(load(['queue', '--operation', 'party.create'])).toMatchObject({
    status: 2,
    stderr: 'assay: load: the journey "queue" beside --operation "party.create"; give one of both\n',
  });
  expect(load([])).toMatchObject({ status: 2, stderr: expect.stringContaining('load: no journey') });
});

/** A folder with the results of an earlier load. */
function loadedFolder(): string {
  const out = scratchFolder();
  writeFileSync(join(out, 'load.json'), '{"journey":"logs","startedAt":"2026-01-02T03:04:05.000Z"}');
  writeFileSync(join(out, 'load.html'), 'earlier');
  return out;
}

test('a load that cannot start keeps the results of the one before', () => {
  const out = loadedFolder();
  const { status, stdout, result } = load(['queue'], { BASE_URL: 'http://127.0.0.1:1' }, out);
  expect([status, result().journey, readFileSync(join(out, 'load.html'), 'utf8')]).toEqual([
    2,
    'logs',
    'earlier',
  ]);
  expect(stdout).not.toContain('is replaced');
});

test.skipIf(k6 === undefined)('a load says which one it replaces', () => {
  const out = loadedFolder();
  const { stdout, result } = load(['queue', '--duration', '1s'], {}, out);
  expect(stdout).toContain(
    'load.json in "OUT" (logs, 2026-01-02T03:04:05.000Z) is replaced; --out DIR'.replace('OUT', out),
  );
  expect(result().journey).toBe('queue');
});

test('an export says which export and which load it replaces', () => {
  const out = loadedFolder();
  const exported = (journey: string) => load([journey, '--export', 'k8s'], {}, out);
  const ofLoad = `load.json in "${out}" (logs, 2026-01-02T03:04:05.000Z) is replaced; --out DIR`;
  const first = exported('logs').stdout;
  expect([first.includes(ofLoad), first.includes('run.json in')]).toEqual([true, false]);
  expect(exported('logs').stdout).toMatch(
    /^run\.json in "[^"]+" \(logs, assay-logs-\w+\) is replaced; --out DIR/m,
  );
});

test('an export into the folder of a conformance run is refused before anything is asked', () => {
  const out = loadedFolder();
  writeFileSync(join(out, 'run.json'), '{"schema":"assay.result/1"}');
  const { status, stdout, stderr } = load(['logs', '--export', 'k8s'], {}, out);
  expect([status, stdout, stderr]).toEqual([
    2,
    '',
    expect.stringMatching(/^assay: --export: "[^"]+" holds a run\.json that no export wrote, [^\n]+\n$/),
  ]);
  expect(readFileSync(join(out, 'run.json'), 'utf8')).toContain('assay.result/1');
});

test('a folder that a run keeps is refused, by capacity as by load', () => {
  const out = scratchFolder();
  const run = spawn('sleep', ['30'], { stdio: 'ignore' });
  onTestFinished(() => void run.kill('SIGKILL'));
  const began = readFileSync(`/proc/${run.pid}/stat`, 'utf8').split(' ')[21];
  writeFileSync(join(out, '.assay.pid'), `${run.pid} ${began}`);
  const refused = {
    status: 2,
    stdout: '',
    stderr: expect.stringMatching(/^assay: --out: another run [^\n]+\n$/),
  };
  expect(load(['queue'], {}, out)).toMatchObject(refused);
  const args = ['--import', './runtime.js', 'cli.ts', 'capacity', 'queue', '--slo', 'p95=5s', '--out', out];
  expect(spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8', timeout: 20_000 })).toMatchObject(
    refused,
  );
});
