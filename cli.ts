// The front door: one subcommand per job, no logic of its own.
import { Command, CommanderError, Option } from 'commander';

const catalogFormats = {
  json: async () => (await import('./fixtures/catalog/export/json.ts')).catalogJson(),
  markdown: async () => (await import('./fixtures/catalog/export/markdown.ts')).catalogMarkdown(),
};

// Whoever reads along may stop doing so (`| head`); the run goes on and its files are whole.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

const program = new Command('assay')
  .description('Conformance and load tests for the backend of a multiplayer game')
  .exitOverride()
  .showHelpAfterError('(--help shows what there is)');

program
  .command('run')
  .description(
    'judge a target against the interface; without BASE_URL, CDN_URL and GAMELOGS_URL the embedded server',
  )
  .option('--only <id...>', 'checks, operations, areas, rules (#answers) or globs of them')
  .option('--list', 'print the ids of the selected checks and stop')
  .option('--out <dir>', 'where the result files go', 'reports/out')
  .option('--strict', 'inferred clauses fail instead of warning')
  .option('--read-only', 'leave out every call that may change the target')
  .option('--min-judged <percent>', 'share of the documented checks that must be judged on every host', '80')
  .option('--bail <n>', 'stop after n failures')
  .option('--budget <seconds>', 'one deadline for the whole run', '300')
  .option('--timeout <seconds>', 'one deadline for each call, body included', '10')
  .option('--concurrency <n>', 'calls in flight (default: 32 on loopback, 8 elsewhere)')
  .option('--rate <n>', 'calls per second at most')
  .option('--seed <seed>', 'repeats the choices of a run')
  .option('--profile <file>', 'what this target answers to open points')
  .option('--jwt-alg <alg>', 'signature of test JWTs, where no LOGIN_TOKEN is set (default: HS256)')
  .option('--baseline <file>', 'result.json of an earlier run: only what got worse since fails this one')
  .option('--rerun <file>', 'result.json of an earlier run: only what failed or was inconclusive there')
  .addHelpText(
    'after',
    `
Examples:
  npm start -- --only party               an area
  npm start -- --only party.create        an operation
  npm start -- --only '#answers' --bail 5 a rule, until the fifth failure
  npm start -- --read-only --rate 20      with care, on somebody else's server`,
  )
  .action(async (options) => {
    const { runCommand } = await import('./fixtures/check/schedule/command.ts');
    await runCommand(options, await import('./reports/show.ts'));
  });

program
  .command('diff')
  .description('what changed between two runs, or between two servers; exit 1 where something got worse')
  .argument('<before>', 'result.json of a run')
  .argument('<after>', 'result.json of a later run, or of a run against another server')
  .option('--all', 'every line, where there are more than 80')
  .option('--json', 'the comparison as data')
  .action(async (before, after, options) =>
    (await import('./reports/diff/command.ts')).diffCommand(before, after, options),
  );

program
  .command('learn')
  .description('write a profile from a run against a target, or from captures of its clients')
  .option('--har <file...>', 'HAR captures; without them a run learns')
  .option('--base <url>', 'which calls of a capture go to the main API; found out without')
  .option('--cdn <url>', 'to the client data')
  .option('--gamelogs <url>', 'to the logging API')
  .option('--profile <file>', 'what is known of the target already; for a run')
  .option('--output <file>', 'the profile', 'assay-profile.json')
  .option('--force', 'replace a profile that says something else')
  .action(async (options) => (await import('./fixtures/target/learn/command.ts')).learnCommand(options));

program
  .command('doctor')
  .description('what stands between a target and its judgement; exit 0 when a run can judge enough of it')
  .option('--profile <file>', 'what this target answers to open points')
  .option('--jwt-alg <alg>', 'signature of test JWTs, where no LOGIN_TOKEN is set (default: HS256)')
  .option('--json', 'the findings as data')
  .action(async (options) => {
    const { doctorCommand } = await import('./fixtures/target/doctor/command.ts');
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
  .action(async (options) => (await import('./fixtures/target/session-command.ts')).sessionCommand(options));

program
  .command('serve')
  .description('the embedded server; its first line of output is JSON with the three URLs, once it is ready')
  .option('--port <port>', 'of the main API; the client data and the logging API listen on the next two', '0')
  .option('--session <kind>', 'cookie, bearer or header', 'bearer')
  .option('--seed <n>', 'of its data', '1')
  .option('--liar <name>', 'with one thing wrong (npm run prove -- --list shows what there is)')
  .action(async (options) => (await import('./fixtures/server/serve-command.ts')).serveCommand(options));

program
  .command('prove')
  .description('judge the judge: servers with one thing wrong each, every one of which must be found out')
  .option('--seed <seed>', 'draws other operations', '1')
  .option('--only <name...>', 'liars whose name holds one of these')
  .option('--list', 'print the liars and stop')
  .option('--honest', 'judge the honest variants too, alone and in pairs: none may be accused')
  .option('--out <dir>', 'where proof.json and proof.md go', 'reports/out')
  .action(async (options) => (await import('./fixtures/liars/prove-command.ts')).proveCommand(options));

program
  .command('catalog')
  .description('the interface as data')
  .addOption(new Option('--format <format>', 'how to write it').choices(['json', 'markdown']).default('json'))
  .action(async ({ format }: { format: 'json' | 'markdown' }) => {
    process.stdout.write(await catalogFormats[format]());
  });

try {
  await program.parseAsync();
} catch (error) {
  // A worker or a server that was being started has nobody to serve any more.
  process.exit(await exitCodeOf(error));
}

/** One line for a mistake of the user's, one for a mistake of ours; never a stack trace. */
async function exitCodeOf(error: unknown): Promise<number> {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  const { tellError } = await import('./fixtures/target/tell-error.ts');
  return tellError(error);
}
