// Declares every command that a user types: its options, and the module that performs it, which is loaded when it is called.
import { type Command, Option } from 'commander';
import { guardStandardOutput } from '../engine/process.ts';
import { insecure } from '../engine/target/transport.ts';
import { assayVersion } from '../engine/version.ts';
import { createCommand, reportError, reportInterruption } from './command-line.ts';
import { examplesOf } from './help/examples.ts';
import { addLoadCommands } from './load/commands.ts';
import { isMeantAsUrl, numberOption, rateOption, takingUrl } from './option-values.ts';
import { addReportCommands } from './reports.ts';
import { addRunCommand } from './run/options.ts';
import type { LoadMutants } from './serve/command.ts';

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
  addReportCommands(program);

  takingUrl(program.command('learn'))
    .description('write a profile from a run against a target, or from captures of its clients')
    .option('--har <file...>', 'HAR captures; without them a run learns')
    .option('--base <url>', 'which calls of a capture go to the main API; found out without')
    .option('--cdn <url>', 'to the client data')
    .option('--gamelogs <url>', 'to the logging API')
    .option('--profile <file>', 'what is known of the target already: what is learnt is added to it')
    .option('--read-only', 'make no call that may change the target; less is learnt')
    .option('--omit-missing', 'leave out what the target does not serve, so that it is not judged (omit)')
    .option(
      '--expects',
      'the server is good as it is: also pin what it answers to open points (two more runs)',
    )
    .addOption(rateOption())
    .option(...insecure)
    .option('--output <file>', 'the profile', 'assay-profile.json')
    .option('--force', 'replace a profile that says something else')
    .action(async (url, options) => {
      // Of captures, it says which calls go to the main API.
      const base = options.har && url !== undefined && { base: url };
      await (await import('./learn/command.ts')).learnCommand({ ...base, ...options });
    });

  takingUrl(program.command('doctor'))
    .description('what stands between a target and its judgement; exit 0 when a run can judge enough of it')
    .option('--profile <file>', 'what this target answers to open points')
    .option('--jwt-alg <alg>', 'signature of test JWTs, where no LOGIN_TOKEN is set (default: HS256)')
    .addOption(rateOption())
    .option(...insecure)
    .option('--json', 'the findings as data')
    .action(async (_, options) => {
      const { doctorCommand } = await import('./doctor/command.ts');
      reportInterruption('the look at the target was not finished');
      const { env, stdout } = process;
      const print = (text: string) => stdout.write(text);
      // A LOGIN_TOKEN_COMMAND that is still at it must not hold anybody up.
      process.exit(await doctorCommand(options, { env, cwd: process.cwd(), print }));
    });

  takingUrl(program.command('session'))
    .description('sign in and print ASSAY_TOKEN and ASSAY_SESSION for a shell: eval "$(npm run -s session)"')
    .option('--profile <file>', 'what this target answers to open points')
    .option('--jwt-alg <alg>', 'signature of test JWTs, where no LOGIN_TOKEN is set (default: HS256)')
    .option(...insecure)
    .action(async (_, options) => (await import('./session/command.ts')).sessionCommand(options));

  program
    .command('init')
    .description('write .env, a profile and the CI file into this folder; what is there already stays')
    .addOption(
      new Option('--ci <system>', 'whose file (default: whose files are there, else github)').choices([
        'github',
        'gitlab',
        'none',
      ]),
    )
    .action(async ({ ci }) => {
      const { initCommand } = await import('./init/command.ts');
      process.stdout.write(`${initCommand(process.cwd(), ci).join('\n')}\n`);
    });

  addLoadCommands(program);

  const serve = program
    .command('serve')
    .description(
      'the embedded server; its first line of output is JSON with the three URLs, once it is ready',
    )
    .addOption(
      numberOption(
        '--port <port>',
        'of the main API; the client data and the logging API listen on the next two',
        { least: 0, most: 65_533, whole: true },
        '0',
      ),
    )
    .option('--session <kind>', 'cookie, bearer or header', 'bearer')
    .option(
      '--session-hosts <hosts>',
      'that want the session besides the main API: cdn, gamelogs or both',
      '',
    )
    .addOption(numberOption('--seed <n>', 'of its data', { least: 0, most: 2 ** 31, whole: true }, '1'))
    .action(async (options) => (await import('./serve/command.ts')).serveCommand(options, mutants));
  if (mutants !== undefined)
    serve
      .option('--mutant <name>', 'with one thing wrong (npm run prove -- --list shows what there is)')
      .addOption(new Option('--liar <name>', 'the former name of --mutant').hideHelp());

  program
    .command('catalog')
    .description('the interface as data, or as a file that another tool runs')
    .addOption(
      new Option('--format <format>', 'how to write it')
        .choices(['json', 'markdown', 'openapi', 'postman', 'http', 'k6'])
        .default('json'),
    )
    .option('--profile <file>', "the target's words, bodies and headers; secrets become variables")
    .option('--only <id...>', 'operations, areas, flows, rules (#answers) or globs of them')
    .action(async (options) => {
      const { catalogCommand } = await import('./catalog/command.ts');
      process.stdout.write(await catalogCommand(options, process.cwd()));
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
