import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { startWords } from '../../fixtures/kit/programs.ts';
import { scratchFolder } from '../../fixtures/kit/scratch.ts';
import { root } from '../files.ts';
import type { RunResult } from './result.ts';

/** A run against an embedded server of its own, as a user starts it. */
async function run(...args: readonly string[]): Promise<RunResult> {
  const out = scratchFolder();
  await promisify(execFile)(process.execPath, [...startWords, 'run', '--out', out, ...args], {
    cwd: root,
    env: { PATH: process.env.PATH },
    timeout: 120_000,
  });
  return JSON.parse(readFileSync(join(out, 'result.json'), 'utf8'));
}

test('two runs against an unchanged target leave the same ledger, byte for byte, whatever their order of calls, and send fewer requests than they have checks', async () => {
  // Without a URL, how many attacks there is time for differs from run to run.
  const withoutAttacks = ['--attack', 'off'];
  const [one, other] = [
    await run('--concurrency', '32', ...withoutAttacks),
    await run('--concurrency', '5', ...withoutAttacks),
  ];
  expect(other.runId).not.toBe(one.runId);
  expect(JSON.stringify(other.ledger, null, 1)).toBe(JSON.stringify(one.ledger, null, 1));
  const points = Object.keys(one.ledger);
  expect(points).toEqual([...points].sort());
  expect(points.filter((point) => point.endsWith('#shape')).length).toBeGreaterThan(150);
  // Evidence is shared: a run without attacks sends fewer requests than it has checks.
  for (const { requests, checks } of [one, other]) {
    expect(requests).toBeGreaterThan(1_000);
    expect(requests).toBeLessThan(checks.length);
  }
}, 240_000);
