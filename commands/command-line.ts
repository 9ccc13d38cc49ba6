// Reads a command line with commander, and reports every mistake as one line that begins with `assay:`.
import { existsSync } from 'node:fs';
import { Command, CommanderError } from 'commander';
import { interruption, leave } from '../engine/process.ts';
import { ConfigurationError } from '../engine/values/configuration-error.ts';
import { typedWith } from '../engine/values/typed-command.ts';

/**
 * A command that prints what is wrong with its options and throws, instead of ending the process.
 * @param source where its options come from, which begins each message; empty for the command line
 */
export const createCommand = (name: string, source = ''): Command =>
  new Command(name)
    .exitOverride()
    .configureOutput({
      outputError: (text, write) => write(mistakeLine(text, source, source === '' ? '--help' : undefined)),
    })
    // Runs before commander counts arguments: where npm takes an option, its value is left as a surplus argument.
    .hook('preSubcommand', (_, command) => refuseOptionsOfNpm(command))
    .hook('preAction', (_, command) => {
      refuseEmpty(command);
      refuseOptionsOfNpm(command);
    });

/**
 * Turns an error message of commander into one line.
 * @param source begins the message
 * @param help what a user types to list the right words; undefined to leave this advice out
 */
export function mistakeLine(text: string, source: string, help: string | undefined): string {
  const mistake = text
    .trim()
    .replace(/^error: /, '')
    .replace(/\n\(Did you mean (.+)\?\)$/s, '; did you mean $1?');
  const joint = /[.?]$/.test(mistake) ? ' ' : '; ';
  const advice = help === undefined ? '' : `${joint}${help} shows what there is`;
  return `assay: ${source}${mistake}${advice}\n`;
}

/** Refuses an option with the value '': most often a shell variable that is not set. */
function refuseEmpty(command: Command): void {
  for (const option of command.options) {
    const key = option.attributeName();
    const isEmpty = [command.getOptionValue(key)].flat().includes('');
    if (option.required && isEmpty && command.getOptionValueSource(key) === 'cli')
      command.error(`error: option '${option.flags}' is given nothing`);
  }
}

/** Options that npm has too. Many users set them for npm in their environment, so they are not refused. */
const ofNpmToo = new Set(['force', 'yes']);

/**
 * Refuses options that npm took: `npm start --strict` gives the option to npm, which puts it into the environment, and
 * the command would run without it. `--only WORD` cannot be seen, since npm has an `--only` of its own and drops other
 * values; `unselectedLines` warns of that.
 * @throws ConfigurationError naming the options that npm took
 */
export function refuseOptionsOfNpm(
  command: Command,
  env: Readonly<Record<string, string | undefined>> = process.env,
  words: readonly string[] = process.argv,
): void {
  const script = command.name() === 'run' ? 'start' : command.name();
  if (env.npm_lifecycle_event !== script) return;
  const isTyped = (name: string) =>
    words.some((word) => word === `--${name}` || word.startsWith(`--${name}=`));
  const names = command.options.map((option) => option.name()).filter((name) => !ofNpmToo.has(name));
  const taken = names.filter((name) => env[`npm_config_${name.replaceAll('-', '_')}`] && !isTyped(name));
  if (!isTyped('ci') && isCiSystemOf(command, env.npm_config_cidr)) taken.push('ci');
  const [, , , first = ''] = words;
  if (!isTyped('format') && isFormatOf(command, first)) taken.push('format');
  if (taken.length === 0) return;
  throw new ConfigurationError(
    taken.map(
      (name) =>
        `--${name}: npm took it for its own; put options behind a "--": ${typedWith(command.name())} --${name} …`,
    ),
  );
}

/**
 * Warns a terminal user of `npm start` that npm swallows `--only`, so that all checks run. Empty outside `npm start`,
 * where any option arrived, or where stdout is no terminal.
 */
export function unselectedLines(
  env: Readonly<Record<string, string | undefined>>,
  words: readonly string[],
  { isTTY = false }: { readonly isTTY?: boolean },
): string[] {
  const hasOption = words.slice(3).some((word) => word.startsWith('-'));
  if (env.npm_lifecycle_event !== 'start' || hasOption || !isTTY) return [];
  return [
    `all checks: no --only reached Assay; of "npm start --only party" npm drops it: ${typedWith('run')} --only party`,
  ];
}

/** npm reads `--ci github` as its own `--cidr`, which takes no names. */
const isCiSystemOf = (command: Command, word: string | undefined): boolean =>
  word !== undefined &&
  (command.options.find((option) => option.name() === 'ci')?.argChoices?.includes(word) ?? false);

/** npm reads `--format har` as its own `--format-package-lock`, so only the value `har` arrives, as an argument. */
function isFormatOf(command: Command, word: string): boolean {
  const format = command.options.find((option) => option.name() === 'format');
  if (format?.parseArg === undefined || existsSync(word)) return false;
  try {
    format.parseArg(word, undefined);
    return true;
  } catch {
    return false;
  }
}

// How a command ends early: by an error, printed in one line and with its exit code, or by Ctrl-C.

/**
 * Prints to standard error, never a stack trace; commander prints its own errors.
 * @returns 0: help was asked for; 2: the user's settings, or a target out of reach; 3: our own fault
 */
export function reportError(error: unknown): 0 | 2 | 3 {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  if (error instanceof ConfigurationError) {
    for (const line of error.lines) console.error(`assay: ${line}`);
    return 2;
  }
  const { message, stack = '' } = error instanceof Error ? error : new Error(String(error));
  const where =
    stack
      .split('\n')
      .find((line) => /\.[jt]s:/.test(line))
      ?.trim() ?? '';
  console.error(`assay: our own error, please report it: ${message.split('\n')[0]} ${where}`);
  return 3;
}

/**
 * On Ctrl-C and SIGTERM, prints one line with what became of the work (`no profile was written`), and exits 130.
 * @returns aborted then: leaving takes a moment, in which the work must not end after all
 */
export function reportInterruption(became: string): AbortSignal {
  const interrupted = interruption();
  interrupted.addEventListener('abort', () => {
    console.error(`assay: interrupted; ${became}`);
    void leave(130);
  });
  return interrupted;
}
