// result.json: what every other report and every later comparison is made from.
import { readFileSync, statSync } from 'node:fs';
import type { RunResult } from '../fixtures/check/result.ts';
import { terminalText } from './console/terminal-text.ts';
import { shapeProblem } from './result-shape.ts';
import { writeWhole } from './whole-file.ts';

/** 256 MiB: a run of 3,000 checks, each with an exchange of 64 KiB, stays below. */
const largestResult = 256 * 1024 * 1024;

/** A result file that cannot be used; its message is one line for the user. */
export class UnreadableResult extends Error {
  override readonly name = 'UnreadableResult';

  constructor(path: string, problem: string) {
    super(terminalText(`${path}: ${problem}`));
  }
}

/** Writes a run's result as JSON, whole or not at all. */
export function writeResult(result: RunResult, path: string): void {
  writeWhole(path, `${JSON.stringify(result, null, 1)}\n`);
}

/**
 * Reads a result back and checks its shape.
 * @param limit bytes; larger files are refused unread
 * @throws UnreadableResult saying what is wrong and where
 */
export function readResult(path: string, limit = largestResult): RunResult {
  const value = parse(path, read(path, limit));
  const problem = shapeProblem(value);
  if (problem !== undefined) throw new UnreadableResult(path, problem);
  return value as RunResult;
}

function read(path: string, limit: number): string {
  try {
    const found = statSync(path);
    if (!found.isFile()) throw new UnreadableResult(path, 'is not a file; give the result.json of a run');
    if (found.size > limit) {
      throw new UnreadableResult(path, `holds ${found.size} bytes, more than the ${limit} Assay reads`);
    }
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof UnreadableResult) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    throw new UnreadableResult(
      path,
      code === 'ENOENT' ? 'does not exist; a run writes it into --out' : message,
    );
  }
}

function parse(path: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UnreadableResult(path, `is not JSON: ${(error as SyntaxError).message}`);
  }
}
