// The front door: one subcommand per job, no logic of its own.
import { Option } from 'commander';
import { createCommand, tellError, tellInterruption } from './commands/command-line.ts';
import { aboutScripts, examplesOf } from './commands/help/examples.ts';
import { addLoadCommands } from './commands/load/commands.ts';
import { numberOption, rateOption } from './commands/option-values.ts';
import { addReportCommands } from './commands/reports.ts';
import { addRunCommand } from './commands/run/options.ts';
import { guardStandardOutput } from './engine/process.ts';
import { insecure } from './engine/target/transport.ts';

guardStandardOutput();

const program = createCommand('assay')
  .description('Conformance and load tests for the backend of a multiplayer game')
  .helpCommand(false)
  .showHelpAfterError('(--help shows what there is)');

addRunCommand(program);
addReportCommands(program);

program
  .command('learn')
  .description('write a profile from a run against a target, or from captures of its clients')
  .option('--har <file...>', 'HAR captures; without them a run learns')
  .option('--base <url>', 'which calls of a capture go to the main API; found out without')
  .option('--cdn <url>', 'to the client data')
  .option('--gamelogs <url>', 'to the logging API')
  .option('--profile <file>', 'what is known of the target already: what is learnt is added to it')
  .option('--read-only', 'make no call that may change the target; less is learnt')
  .option('--omit-missing', 'leave out what the target does not serve, so that it is not judged (omit)')
  .option('--expects', 'the server is good as it is: also pin what it answers to open points (two more runs)')
  .addOption(rateOption())
  .option(...insecure)
  .option('--output <file>', 'the profile', 'assay-profile.json')
  .option('--force', 'replace a profile that says something else')
  .action(async (options) => (await import('./commands/learn/command.ts')).learnCommand(options));

program
  .command('doctor')
  .description('what stands between a target and its judgement; exit 0 when a run can judge enough of it')
  .option('--profile <file>', 'what this target answers to open points')
  .option('--jwt-alg <alg>', 'signature of test JWTs, where no LOGIN_TOKEN is set (default: HS256)')
  .addOption(rateOption())
  .option(...insecure)
  .option('--json', 'the findings as data')
  .action(async (options) => {
    const { doctorCommand } = await import('./commands/doctor/command.ts');
    tellInterruption('the look at the target was not finished');
    const { env, stdout } = process;
    const print = (text: string) => stdout.write(text);
    // A LOGIN_TOKEN_COMMAND that is still at it must not hold anybody up.
    process.exit(await doctorCommand(options, { env, cwd: process.cwd(), print }));
  });

program
  .command('session')
  .description('sign in and print ASSAY_TOKEN and ASSAY_SESSION for a shell: eval "$(npm run -s session)"')
  .option('--profile <file>', 'what this target answers to open points')
  .option('--jwt-alg <alg>', 'signature of test JWTs, where no LOGIN_TOKEN is set (default: HS256)')
  .option(...insecure)
  .action(async (options) => (await import('./commands/session/command.ts')).sessionCommand(options));

addLoadCommands(program);

program
  .command('serve')
  .description('the embedded server; its first line of output is JSON with the three URLs, once it is ready')
  .addOption(
    numberOption(
      '--port <port>',
      'of the main API; the client data and the logging API listen on the next two',
      { least: 0, most: 65_533, whole: true },
      '0',
    ),
  )
  .option('--session <kind>', 'cookie, bearer or header', 'bearer')
  .option('--session-hosts <hosts>', 'that want the session besides the main API: cdn, gamelogs or both', '')
  .addOption(numberOption('--seed <n>', 'of its data', { least: 0, most: 2 ** 31, whole: true }, '1'))
  .option('--mutant <name>', 'with one thing wrong (npm run prove -- --list shows what there is)')
  .addOption(new Option('--liar <name>', 'the former name of --mutant').hideHelp())
  .action(async (options) => (await import('./commands/serve/command.ts')).serveCommand(options));

program
  .command('prove')
  .description('judge the judge: servers with one thing wrong each, every one of which must be found out')
  .option('--seed <seed>', 'draws other operations', '1')
  .option('--only <name...>', 'mutants whose name holds one of these')
  .option('--list', 'print the mutants and stop')
  .addOption(
    new Option(
      '--players <n...>',
      'ask the mutants of flows with 120 login tokens and with so many; one that only 120 find fails',
    ).conflicts(['list', 'honest', 'honestOnly', 'blind', 'blindOnly']),
  )
  .option('--honest', 'judge the conforming variants too, alone and in pairs: none may be accused')
  .addOption(
    new Option('--honest-only', 'judge the conforming variants, and ask no mutant').conflicts([
      'only',
      'list',
    ]),
  )
  .option(
    '--drawn',
    'of conforming variants, ask the flows, and the rules of a third of the operations, another third each',
  )
  .option(
    '--blind',
    'run against servers that were written blind too, correct and with one realistic bug each',
  )
  .addOption(
    new Option(
      '--blind-only',
      'run against those, and ask no mutant; --only names them as SERVER/BUG',
    ).conflicts(['list', 'honest', 'honestOnly']),
  )
  .addOption(
    new Option('--held-back', 'as --blind, with the third of the bugs that is tried last').implies({
      blind: true,
    }),
  )
  .option('--attacks', 'attack servers that lack a lock or a check of ownership too: each must be found')
  .addOption(
    new Option('--attacks-only', 'attack those, and ask no other mutant; --only names them').conflicts([
      ...['list', 'players', 'honest', 'honestOnly', 'blind', 'blindOnly'],
    ]),
  )
  .addOption(
    numberOption(
      '--seeds <n>',
      'attack with so many seeds: each mutant must be found with 19 of 20, and no correct server accused',
      { least: 1, most: 1_000, whole: true },
    ),
  )
  .option('--out <dir>', 'where proof.json and proof.md go', 'reports/out')
  .action(async (options) => (await import('./commands/prove/command.ts')).proveCommand(options));

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
    const { catalogCommand } = await import('./commands/catalog/command.ts');
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

program.addHelpText('after', aboutScripts);
for (const command of program.commands) command.addHelpText('after', examplesOf(command.name()));

try {
  await program.parseAsync();
} catch (error) {
  // A worker or a server that was being started has nobody to serve any more.
  process.exit(tellError(error));
}
