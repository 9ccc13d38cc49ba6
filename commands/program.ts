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
 * The commands of the package.
 * @param mutants what `serve --mutant` needs; without it there is no such option
 */
export function createProgram(mutants?: LoadMutants): Command {
  const program = createCommand('assay')
    .version(assayVersion)
    .description('Conformance and load tests for the backend of a multiplayer game')
    .helpCommand(false);

  addCommands(program, mutants);
  // Of a command, `--help` reaches Assay; npx keeps one that stands where a command would.
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
 * Performs the command that was typed, and ends the process with its exit code; a mistake is one line that begins with `assay:`.
 * @param about the end of the help
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
  // What is still on its way (a worker that was interrupted, kept connections, a LOGIN_TOKEN_COMMAND) serves nobody.
  return leave(process.exitCode);
}

/** Where an option of `run` stands without it, the command that was meant. */
function misplacedLine(program: Command, text: string): string | undefined {
  const [, flag] = /unknown option '(--[\w-]+)/.exec(text) ?? [];
  const run = program.commands.find((command) => command.name() === 'run');
  if (flag === undefined || !run?.options.some(({ long }) => long === flag)) return undefined;
  return `assay: ${flag} is an option of run: ${typedWith('run')} ${flag} …\n`;
}

/** `assay URL` is short for `assay run URL`. */
const withRun = ([node = '', script = '', ...words]: readonly string[]): string[] =>
  isMeantAsUrl(words[0] ?? '') ? [node, script, 'run', ...words] : [node, script, ...words];
