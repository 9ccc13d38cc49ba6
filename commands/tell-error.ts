// Reports an error to the user: one clear line each, and its exit code.
import { CommanderError } from 'commander';
import { ConfigurationError } from '../engine/values/configuration-error.ts';

/**
 * Prints to standard error, never a stack trace; commander prints its own errors.
 * @returns 0: help was asked for; 2: the user's settings, or a target out of reach; 3: our own fault
 */
export function tellError(error: unknown): 0 | 2 | 3 {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  if (error instanceof ConfigurationError) {
    for (const line of error.lines) console.error(`assay: ${line}`);
    return 2;
  }
  const { message, stack = '' } = error instanceof Error ? error : new Error(String(error));
  const where =
    stack
      .split('\n')
      .find((line) => line.includes('.ts:'))
      ?.trim() ?? '';
  console.error(`assay: our own error, please report it: ${message.split('\n')[0]} ${where}`);
  return 3;
}

/** On Ctrl-C and SIGTERM: one line that says what became of the work, and exit 130. */
export function tellInterruption(became: string): void {
  const end = () => {
    console.error(`assay: interrupted; ${became}`);
    process.exit(130);
  };
  process.once('SIGINT', end).once('SIGTERM', end);
}
