// Reads which logs the target has stored: runs LOGS_SINK_COMMAND.
import type { Target } from '../target/target.ts';
import type { OrWhy } from '../values/or-why.ts';
import { runUserCommand } from './user-command.ts';

/** The stored logs: one record or its id per line. */
export type StoredLogs = OrWhy<{ readonly lines: readonly string[] }>;

const mostBytes = 16 * 2 ** 20;

/**
 * Runs LOGS_SINK_COMMAND and takes the lines it prints: one stored record or its id each. An error is reported with the
 * command's first complaint, without secrets.
 */
export async function storedLogs({
  logsSinkCommand: command,
  secrets,
}: Pick<Target, 'logsSinkCommand' | 'secrets'>): Promise<StoredLogs> {
  if (command === undefined) return { ok: false, why: 'losses cannot be seen: LOGS_SINK_COMMAND is not set' };
  const { env } = process;
  const { stdout, failure, complaint, split } = await runUserCommand(command, { env, secrets, mostBytes });
  if (failure === undefined) return { ok: true, lines: stdout.split('\n') };
  return { ok: false, why: `losses cannot be seen: LOGS_SINK_COMMAND ${failure}${complaint}${split}` };
}
