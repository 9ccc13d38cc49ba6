// Runs Assay as a user does, in a process of its own, against a server of a proof.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { root } from '../../engine/files.ts';
import type { RunResult } from '../../engine/run/result.ts';
import { readStoredResult } from '../../engine/run/stored-result.ts';
import { startWords } from '../../fixtures/kit/programs.ts';

const runLimitMs = 180_000;

interface Running {
  /** Of the server, for messages. */
  readonly name: string;
  readonly hosts: Readonly<Record<string, string>>;
  readonly seed: string;
  /** Where its results go. */
  readonly out: string;
  readonly args: readonly string[];
}

/** @throws Error where the run ends without a verdict */
export async function runAgainst({ name, hosts, seed, out, args }: Running): Promise<RunResult> {
  const command = [...startWords, 'run', '--out', out, ...args];
  const child = spawn(process.execPath, command, {
    cwd: root,
    env: { PATH: process.env.PATH, SEED: seed, ...hosts },
    stdio: 'ignore',
  });
  const timer = setTimeout(() => child.kill('SIGKILL'), runLimitMs);
  const exit = await new Promise((resolve) => child.once('exit', resolve));
  clearTimeout(timer);
  if (exit !== 0 && exit !== 1) throw new Error(`the run against ${name} ended with ${exit}`);
  return readStoredResult(join(out, 'result.json'), 'prove');
}
