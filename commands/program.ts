// Makes the program that parses what a user types, and performs the command that was typed.
import type { Command } from 'commander';
import { guardStandardOutput, leave } from '../engine/process.ts';
import { typed, typedWith } from '../engine/values/typed-command.ts';
import { assayVersion } from '../engine/version.ts';
import { createCommand, mistakeLine, reportError } from './command-line.ts';
import { examplesOf } from './help-examples.ts';
import { isMeantAsUrl } from './option-values.ts';
import { addCommands } from './options.ts';
import type { LoadMutants } from './serve/serve.ts';

/**
 * Makes the program with the commands of the package.
 * @param mutants loads the mutants of `serve --mutant`; without it, `serve` has no such option
 */
export function createProgram(mutants?: LoadMutants): Command {
  const program = createCommand('assay')
    .version(assayVersion)
    .description('Conformance and load tests for the backend of a multiplayer game')
    .helpCommand(false);

  addCommands(program, mutants);
  // Advises `help`, since npx takes `--help` for itself unless a command stands before it.
  program.configureOutput({
    outputError: (text, write) => write(misplacedLine(program, text) ?? mistakeLine(text, '', typed('help'))),
  });

  program
    .command('help')
    .description('what there is, or how one command is used')
    .argument('[command]')
    .action((name?: string) => {
      const asked = name === undefined ? program : program.commands.find((each) => each.name() === name);
      if (asked === undefined) return program.error(`error: unknown command '${name}'`);
      return asked.help();
    });

  return program;
}

/**
 * Runs the command that was typed, and ends the process with its exit code. Prints a mistake as one `assay:` line.
 * @param about text at the end of `--help`
 */
export async function performTyped(program: Command, about: string): Promise<void> {
  guardStandardOutput();
  program.addHelpText('after', about);
  const hasMutants = program.commands.some(({ options }) => options.some(({ long }) => long === '--mutant'));
  for (const command of program.commands)
    command.addHelpText('after', examplesOf(command.name(), hasMutants));
  try {
    await program.parseAsync(withRun(process.argv));
  } catch (error) {
    return leave(reportError(error));
  }
  // Does not wait for an interrupted worker, kept connections or a LOGIN_TOKEN_COMMAND: nothing needs them any more.
  return leave(process.exitCode);
}

/** The error line for an option of `run` that was typed without `run`; undefined for any other mistake. */
function misplacedLine(program: Command, text: string): string | undefined {
  const [, flag] = /unknown option '(--[\w-]+)/.exec(text) ?? [];
  const run = program.commands.find((command) => command.name() === 'run');
  if (flag === undefined || !run?.options.some(({ long }) => long === flag)) return undefined;
  return `assay: ${flag} is an option of run: ${typedWith('run')} ${flag} …\n`;
}

/** `assay URL` is short for `assay run URL`. */
const withRun = ([node = '', script = '', ...words]: readonly string[]): string[] =>
  isMeantAsUrl(words[0] ?? '') ? [node, script, 'run', ...words] : [node, script, ...words];
