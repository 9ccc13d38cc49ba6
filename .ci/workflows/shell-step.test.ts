import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { runStep } from './shell-step.ts';

const temp = mkdtempSync(join(tmpdir(), 'assay shell step '));
afterAll(() => rmSync(temp, { recursive: true, force: true }));

test.each([
  ['succeeds', 'true', 0],
  ['fails', 'exit 3', 3],
  ['is killed, as it is after the timeout,', 'kill -TERM $$', 143],
])('a step that %s ends with the exit code of a shell', async (_, run, code) => {
  expect((await runStep({ run }, temp)).code).toBe(code);
});
