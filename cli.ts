// The front door: one subcommand per job, no logic of its own.
import { Command, CommanderError, Option } from 'commander';
import { formatOption } from './reports/format-option.ts';
import { aboutScripts, examplesOf } from './reports/help/examples.ts';

// Whoever reads along may stop doing so (`| head`); the run goes on and its files are whole.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

const insecure = [
  '--insecure',
  'check no certificate: whoever stands in between can read everything and answer anything',
] as const;

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
  .option(
    '--wait-for <time>',
    'wait so long for hosts that do not answer yet, as 60s or 2m; exit 2 when they never do',
  )
  .option(...insecure)
  .option('--seed <seed>', 'repeats the choices of a run')
  .option('--profile <file>', 'what this target answers to open points')
  .option('--jwt-alg <alg>', 'signature of test JWTs, where no LOGIN_TOKEN is set (default: HS256)')
  .option('--baseline <file>', 'result.json of an earlier run: only what got worse since fails this one')
  .option('--rerun <file>', 'result.json of an earlier run: only what failed or was inconclusive there')
  .option('--keep <dir>', 'also store a compressed copy there, named by time, for "npm run trend"')
  .addOption(formatOption())
  .addHelpText(
    'after',
    `
HTTP_PROXY, HTTPS_PROXY and NO_PROXY hold as elsewhere; this machine is asked directly, unless NO_PROXY
says <-loopback>. TLS_CA names a PEM file of the certificates to trust instead of the system's.`,
  )
  .action(async (options) => {
    const { runCommand } = await import('./fixtures/check/schedule/command.ts');
    const { createShow } = await import('./reports/show.ts');
    const keep = options.keep && (await import('./reports/trend/keep.ts')).openKeep(options.keep);
    await runCommand(options, createShow(options.format, keep));
  });

program
  .command('diff')
  .description('what changed between two runs, or between two servers; exit 1 where something got worse')
  .argument('<before>', 'result.json of a run, or capacity.json of a search')
  .argument('<after>', 'result.json of a later run, or of a run against another server')
  .option('--all', 'every line, where there are more than 80')
  .option('--json', 'the comparison as data')
  .action(async (before, after, options) =>
    (await import('./reports/diff/command.ts')).diffCommand(before, after, options),
  );

program
  .command('trend')
  .description(
    'what became of a target over many stored runs: what broke, what is flaky, what changed; exit 0 whatever it shows',
  )
  .argument(
    '<path...>',
    'stored results, or folders of them (npm start -- --keep DIR); load.json, capacity.json',
  )
  .option('--out <dir>', 'where trend.html and trend.json go', 'reports/out')
  .option('--json', 'print trend.json')
  .option('--prune-older-than <days>', 'first remove the files of runs that began before then (90d)')
  .action(async (paths, options) =>
    (await import('./reports/trend/command.ts')).trendCommand(paths, options, Date.now()),
  );

program
  .command('report')
  .description('make the files of a run again from its result, of an older version of Assay too')
  .argument('<result>', 'result.json of a run')
  .option('--out <dir>', 'where they go (default: beside the result)')
  .addOption(formatOption())
  .action(async (result, options) =>
    (await import('./reports/again/command.ts')).reportCommand(result, options),
  );

program
  .command('explain')
  .description(
    "what a word of Assay's means: a reason, check, rule, clause, operation, flow, level or exit code",
  )
  .argument('[word...]', 'as a report writes it')
  .action(async (words) => (await import('./reports/explain/command.ts')).explainCommand(words));

program
  .command('learn')
  .description('write a profile from a run against a target, or from captures of its clients')
  .option('--har <file...>', 'HAR captures; without them a run learns')
  .option('--base <url>', 'which calls of a capture go to the main API; found out without')
  .option('--cdn <url>', 'to the client data')
  .option('--gamelogs <url>', 'to the logging API')
  .option('--profile <file>', 'what is known of the target already; for a run')
  .option('--read-only', 'make no call that may change the target; less is learnt')
  .option('--rate <n>', 'calls per second at most')
  .option(...insecure)
  .option('--output <file>', 'the profile', 'assay-profile.json')
  .option('--force', 'replace a profile that says something else')
  .action(async (options) => (await import('./fixtures/target/learn/command.ts')).learnCommand(options));

program
  .command('doctor')
  .description('what stands between a target and its judgement; exit 0 when a run can judge enough of it')
  .option('--profile <file>', 'what this target answers to open points')
  .option('--jwt-alg <alg>', 'signature of test JWTs, where no LOGIN_TOKEN is set (default: HS256)')
  .option(...insecure)
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
  .option(...insecure)
  .action(async (options) => (await import('./fixtures/target/session-command.ts')).sessionCommand(options));

program
  .command('load')
  .description('put load on a target and judge it by an SLO; without a BASE_URL on the embedded server')
  .argument('[journey]', 'login, session, party, match, queue, logs, analytics, cdn, friends, store or mixed')
  .option('--operation <id>', 'one operation alone in place of a journey')
  .option('--rate <n>', 'journeys per second', '20')
  .option('--duration <time>', 'as 30s, 5m or 1h (default: the shape says)')
  .option('--shape <shape>', 'smoke, steady, ramp, spike, soak or stress', 'steady')
  .option('--slo <bounds>', "as 'p95=80ms,errors=0.1%', over the duration of the requests")
  .option('--per-operation-slo <file>', 'JSON: {"party.create": "p95=80ms"}')
  .option('--arrivals <kind>', 'poisson, as of many who know nothing of each other, or even', 'poisson')
  .option('--max-rate <n>', 'refuse to go beyond', '1000')
  .option('--seed <seed>', 'repeats arrivals and choices')
  .option('--profile <file>', 'what this target answers to open points')
  .option(...insecure)
  .option('--segments <n>', 'so many k6 processes share the load, and are judged as one', '1')
  .option(
    '--export <kind>',
    'load nothing; write what a k6-operator runs: k8s (players: its Secret, on stdout)',
  )
  .option('--parallelism <n>', 'generator pods of an export')
  .option('--ceiling <n>', 'journeys per second of one generator, to plan how many an export needs')
  .option(
    '--collect <url>',
    'of a Prometheus: judge the run that an export in --out began; of an export: where its pods write',
  )
  .option('--live', 'a page on this machine that shows it as it goes')
  .option('--out <dir>', 'where load.json goes', 'reports/out')
  .allowExcessArguments()
  .action(async (_, options, { args }) =>
    (await import('./load/command/command.ts')).loadCommand(args, options),
  );

program
  .command('capacity')
  .description('how much a target takes before an SLO breaks, with its error, or why that cannot be said')
  .argument('[journey]', 'login, session, party, match, queue, logs, analytics, cdn, friends, store or mixed')
  .option('--operation <id>', 'one operation alone in place of a journey')
  .option('--slo <bounds>', "as 'p95=80ms,errors=0.1%'; it is broken by whichever breaks first")
  .option('--start <n>', 'journeys per second to begin with', '50')
  .option('--max-rate <n>', 'never more than this', '2000')
  .option('--budget <seconds>', 'for all of it (default: 420, with a quantile beyond p95 600)')
  .option('--at-least <n>', 'exit 1 unless so many per second are taken for sure')
  .option('--arrivals <kind>', 'poisson, as of many who know nothing of each other, or even', 'poisson')
  .option('--seed <seed>', 'repeats arrivals and choices')
  .option('--profile <file>', 'what this target answers to open points')
  .option(...insecure)
  .option('--out <dir>', 'where capacity.json goes', 'reports/out')
  .addHelpText(
    'after',
    `
Exit code: 0 with a figure (FOUND, ERRORS, ABOVE_MAX), or with --at-least when the lower end of the interval
reaches it; 1 otherwise; 2 a wrong option or a target out of reach; 130 interrupted, what was known is written.`,
  )
  .allowExcessArguments()
  .action(async (_, options, { args }) =>
    (await import('./load/capacity/command.ts')).capacityCommand(args, options),
  );

program
  .command('k6-install')
  .description('build k6 from its pinned source, where K6_BIN, PATH and the cache hold none')
  .action(async () => (await import('./load/install/command.ts')).k6InstallCommand());

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
  .description('the interface as data, or as a file that another tool runs')
  .addOption(
    new Option('--format <format>', 'how to write it')
      .choices(['json', 'markdown', 'openapi', 'postman', 'http', 'k6'])
      .default('json'),
  )
  .option('--profile <file>', "the target's words, bodies and headers; secrets become variables")
  .option('--only <id...>', 'operations, areas, flows, rules (#answers) or globs of them')
  .action(async (options) => {
    const { catalogCommand } = await import('./fixtures/target/export/command.ts');
    process.stdout.write(await catalogCommand(options, process.cwd()));
  });

program.addHelpText('after', aboutScripts);
for (const command of program.commands) command.addHelpText('after', examplesOf(command.name()));

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
