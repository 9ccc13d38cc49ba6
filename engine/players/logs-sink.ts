// Reads what the target has stored of the logs that it was sent: runs LOGS_SINK_COMMAND.
import { execFile } from 'node:child_process';
import type { Target } from '../target/target.ts';
import { explainCommand } from './tokens.ts';

/** What the place where logs are stored holds, a record or its id a line. */
export type StoredLogs =
  | { readonly ok: true; readonly lines: readonly string[] }
  | { readonly ok: false; readonly why: string };

const deadlineMs = 10_000;
const mostBytes = 16 * 2 ** 20;

/**
 * Runs LOGS_SINK_COMMAND, split at white space and without a shell, and takes the lines it prints: one stored record or
 * its id each. An error is reported with the command's first complaint, without secrets.
 */
export function storedLogs({
  logsSinkCommand: command,
  secrets,
}: Pick<Target, 'logsSinkCommand' | 'secrets'>): Promise<StoredLogs> {
  if (command === undefined)
    return Promise.resolve({ ok: false, why: 'losses cannot be seen: LOGS_SINK_COMMAND is not set' });
  const words = command.split(/\s+/);
  const [file = '', ...args] = words;
  const { env } = process;
  const options = { env, timeout: deadlineMs, maxBuffer: mostBytes, killSignal: 'SIGKILL' as const };
  return new Promise((settle) => {
    const child = execFile(file, args, options, (error, stdout, stderr) => {
      if (!error) return settle({ ok: true, lines: stdout.split('\n') });
      const { complaint, split } = explainCommand({ words, stdout, stderr, env, secrets });
      settle({
        ok: false,
        why: `losses cannot be seen: LOGS_SINK_COMMAND ${failed(error)}${complaint}${split}`,
      });
    });
    // A command that waits for input gets none.
    child.stdin?.end();
  });
}

function failed(error: Error & { code?: unknown; killed?: boolean }): string {
  if (error.code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER') return 'printed more than 16 MiB';
  if (error.killed) return `did not end within ${deadlineMs / 1_000} s`;
  return typeof error.code === 'string'
    ? `could not be started (${error.code})`
    : `ended with exit code ${error.code}`;
}
