// The command as a user types it, against the embedded server.

import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../engine/files.ts';
import { k6ForTests } from '../fixtures/kit/programs.ts';
import { scratchFolder } from '../fixtures/kit/scratch.ts';

const k6 = await k6ForTests();
const { PATH, HOME, XDG_CACHE_HOME, K6_BIN } = process.env;

/** @param onText called with all that was printed so far, whenever there is more */
function capacity(
  args: readonly string[],
  onText: (text: string, child: ChildProcess) => void = () => {},
  settings: Readonly<Record<string, string>> = {},
): Promise<{ code: number | null; text: string }> {
  const child = spawn(process.execPath, ['--import', './runtime.js', 'cli.ts', 'capacity', ...args], {
    cwd: root,
    env: { PATH, HOME, XDG_CACHE_HOME, K6_BIN, ...settings },
    timeout: 60_000,
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      onText(text, child);
    });
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, text })));
}

test.skipIf(k6 === undefined)('Ctrl-C leaves what is known, and says so', { timeout: 90_000 }, async () => {
  const out = scratchFolder();
  let isInterrupted = false;
  const args = ['--operation', 'general.healthcheck', '--slo', 'p95=5s', '--start', '20', '--out', out];
  const { code, text } = await capacity(args, (all, child) => {
    if (isInterrupted || !/^01 .*\n/m.test(all)) return;
    isInterrupted = true;
    child.kill('SIGINT');
  });
  expect(text).toMatch(/^01 +20\/s {2}more +p95 [\d.,]+ ms {2}ok/m);
  expect(code).toBe(130);
  const result = JSON.parse(readFileSync(join(out, 'capacity.json'), 'utf8'));
  expect(result).toMatchObject({
    schema: 'assay.capacity/1',
    verdict: 'ABORTED',
    capacity: 20,
    interval: [20, null],
    unit: 'journeys/s',
    arrivals: 'poisson',
    slo: 'p95=5000ms,errors=0.1%',
    journey: expect.any(String),
    seed: expect.any(String),
    generator: { ceiling: null, cpu: expect.any(Number), lag: expect.any(Number) },
  });
  expect(result.steps[0]).toMatchObject({ rate: 20, passed: true, against: 'target', ended: 'complete' });
});

test.skipIf(k6 === undefined)('Ctrl-C before any load says so in one line, exit 130', async () => {
  const out = scratchFolder();
  let isInterrupted = false;
  const { code, text } = await capacity(['queue', '--slo', 'p95=5s', '--out', out], (all, child) => {
    if (isInterrupted || !all.includes('sign-in: ')) return;
    isInterrupted = true;
    child.kill('SIGINT');
  });
  // It comes on another stream than what was said before it, so the two may arrive in either order.
  expect(text.split('\n')).toContain('assay: interrupted before any load: there are no results.');
  expect(code).toBe(130);
  expect(existsSync(join(out, 'capacity.json'))).toBe(false);
});

test.each([
  [['logs'], 'no --slo; say what the target has to keep'],
  [['--slo', 'p95=80ms'], 'capacity: no journey; give one, or --operation ID'],
  [['logz', '--slo', 'p95=80ms'], '"logz" is no journey; did you mean "logs"?'],
  [['logz'], '"logz" is no journey; did you mean "logs"?'],
])('%j is a mistake of one line, exit 2', async (args, message) => {
  const out = join(scratchFolder(), 'none');
  const { code, text } = await capacity([...args, '--out', out]);
  expect(text).toContain(message);
  expect(text.trim().split('\n')).toHaveLength(1);
  expect(code).toBe(2);
  expect(existsSync(join(out, 'capacity.json'))).toBe(false);
});

test('a search that measures nothing keeps the result of the one before', async () => {
  const out = scratchFolder();
  const file = join(out, 'capacity.json');
  writeFileSync(file, '{"journey":"logs"}');
  const away = { BASE_URL: 'http://127.0.0.1:1' };
  const { code, text } = await capacity(['queue', '--slo', 'p95=5s', '--out', out], () => {}, away);
  expect([code, readFileSync(file, 'utf8')]).toEqual([2, '{"journey":"logs"}']);
  expect(text).toContain(
    'assay: capacity: base: not reached at http://127.0.0.1:1 (refused): nothing accepts connections there; check the port, and that it is up',
  );
  expect(text).not.toContain('is replaced');
});
