// Puts together the commands that a user types. The folder of each declares its options, and loads its module when it is called.
import type { Command } from 'commander';
import { guardStandardOutput } from '../engine/process.ts';
import { assayVersion } from '../engine/version.ts';
import { addAcceptCommand } from './accept/options.ts';
import { addCapacityCommand } from './capacity/options.ts';
import { addCatalogCommand } from './catalog/options.ts';
import { createCommand, reportError } from './command-line.ts';
import { addDiffCommand } from './diff/options.ts';
import { addDoctorCommand } from './doctor/options.ts';
import { addExplainCommand } from './explain/options.ts';
import { examplesOf } from './help/examples.ts';
import { addInitCommand } from './init/options.ts';
import { addK6InstallCommand } from './k6-install/options.ts';
import { addLearnCommand } from './learn/options.ts';
import { addLoadCommand } from './load/options.ts';
import { isMeantAsUrl } from './option-values.ts';
import { addReportCommand } from './report/options.ts';
import { addRunCommand } from './run/options.ts';
import type { LoadMutants } from './serve/command.ts';
import { addServeCommand } from './serve/options.ts';
import { addSessionCommand } from './session/options.ts';
import { addTrendCommand } from './trend/options.ts';

/**
 * The commands of the package.
 * @param mutants what `serve --mutant` needs; without it there is no such option
 */
export function createProgram(mutants?: LoadMutants): Command {
  const program = createCommand('assay')
    .version(assayVersion)
    .description('Conformance and load tests for the backend of a multiplayer game')
    .helpCommand(false)
    .showHelpAfterError('(--help shows what there is)');

  addRunCommand(program);
  addDiffCommand(program);
  addAcceptCommand(program);
  addTrendCommand(program);
  addReportCommand(program);
  addExplainCommand(program);
  addLearnCommand(program);
  addDoctorCommand(program);
  addSessionCommand(program);
  addInitCommand(program);
  addLoadCommand(program);
  addCapacityCommand(program);
  addK6InstallCommand(program);
  addServeCommand(program, mutants);
  addCatalogCommand(program);

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
 * Performs the command that was typed, and leaves its exit code; a mistake is one line that begins with `assay:`.
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
    // A worker or a server that was being started has nobody to serve any more.
    process.exit(reportError(error));
  }
}

/** `assay URL` is short for `assay run URL`. */
const withRun = ([node = '', script = '', ...words]: readonly string[]): string[] =>
  isMeantAsUrl(words[0] ?? '') ? [node, script, 'run', ...words] : [node, script, ...words];
