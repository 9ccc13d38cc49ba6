// Declares every command with its arguments and options for commander. A command's module is loaded only when the
// command runs, so that start-up and `--help` load none of them.
import { type Command, Option } from 'commander';
import { attackModes } from '../engine/run/attacks.ts';
import { insecure } from '../engine/target/transport.ts';
import { defaultLimits } from '../engine/values/default-limits.ts';
import { typed, typedWith } from '../engine/values/typed-command.ts';

import { reportInterruption } from './command-line.ts';
import {
  durationOption,
  failOnOption,
  formatOption,
  numberOption,
  rateOption,
  runTime,
  takingUrl,
} from './option-values.ts';
import type { LoadMutants } from './serve/serve.ts';

const profile = ['--profile <file>', 'how your server speaks'] as const;
const jwtAlg = [
  '--jwt-alg <alg>',
  'signature of test JWTs, where no LOGIN_TOKEN is set (default: HS256)',
] as const;

const print = (text: string) => process.stdout.write(text);

/**
 * Adds the commands of the package, in the order in which `--help` lists them.
 * @param mutants loads the mutants of `serve --mutant`; without it, `serve` has no such option
 */
export function addCommands(program: Command, mutants?: LoadMutants): void {
  addRun(program);
  addDiff(program);
  addAccept(program);
  addTrend(program);
  addReport(program);
  addExplain(program);
  addLearn(program);
  addDoctor(program);
  addSession(program);
  addInit(program);
  addLoad(program);
  addCapacity(program);
  addK6Install(program);
  addServe(program, mutants);
  addCatalog(program);
}

/** Adds the options of `run`. */
export const addRunOptions = (command: Command): Command =>
  command
    .option('--only <id...>', 'checks, operations, areas, rules (#answers) or globs of them')
    .option('--list', 'print the ids of the selected checks and stop')
    .option(
      '--out <dir>',
      'where the result files go (default: "reports/out"; with --rerun, the folder "rerun" beside that result)',
    )
    .option(
      '--strict',
      `inferred clauses fail instead of warning; open points still need a pin (${typed('accept')})`,
    )
    .option('--read-only', 'leave out every call that may change the target')
    .addOption(
      numberOption(
        '--min-judged <percent>',
        'share of the documented checks that must be judged on every host',
        { least: 0, most: 100 },
        `${defaultLimits.minJudged}`,
      ),
    )
    .addOption(numberOption('--bail <n>', 'stop after n failures', { least: 1, most: 100_000, whole: true }))
    .addOption(
      durationOption(
        '--budget <time>',
        'one deadline for the whole run, as 300 (seconds), 10m or 1h',
        runTime('1s', '24h', '300 (seconds) or 10m'),
        `${defaultLimits.budgetMs / 1_000}`,
      ),
    )
    .addOption(
      durationOption(
        '--timeout <time>',
        'one deadline for each call, body included, as 10 (seconds) or 500ms',
        runTime('100ms', '10m', '10 (seconds) or 500ms'),
        `${defaultLimits.timeoutMs / 1_000}`,
      ),
    )
    .addOption(
      numberOption(
        '--concurrency <n>',
        `calls in flight (default: ${defaultLimits.loopbackConcurrency} on loopback, ${defaultLimits.remoteConcurrency} elsewhere)`,
        {
          least: 1,
          most: 1_000,
          whole: true,
        },
      ),
    )
    .addOption(rateOption())
    .addOption(
      durationOption(
        '--wait-for <time>',
        'wait so long for hosts that do not answer yet, as 60s or 2m; exit 2 when they never do',
        { ...runTime('1ms', '1h', '60s or 2m'), expected: 'a time up to an hour, such as 60s or 2m' },
      ),
    )
    .option(...insecure)
    .option('--seed <seed>', 'repeats the choices of a run')
    .option(...profile)
    .option(...jwtAlg)
    .option('--baseline <file>', 'result.json of an earlier run: only what differs from it fails this one')
    .addOption(failOnOption('with --baseline, what fails the run'))
    .addOption(attackOption())
    .option(
      '--rerun <file>',
      'result.json of an earlier run: only what failed, warned or was inconclusive there',
    )
    .option('--keep <dir>', `also store a compressed copy there, named by time, for "${typed('trend')}"`)
    .addOption(formatOption());

/** `--attack`: whether the run sends calls at the same moment, forges sessions and cuts answers off. */
const attackOption = () =>
  new Option(
    '--attack <mode>',
    'let calls meet and watch what the target shows: on, off, or auto: on against the embedded server and where test JWTs sign in on this machine',
  )
    .choices(attackModes)
    .default('auto');

function addRun(program: Command): void {
  takingUrl(addRunOptions(program.command('run')))
    .description(
      'judge a target against the interface; without BASE_URL, CDN_URL and GAMELOGS_URL the embedded server',
    )
    .addHelpText(
      'after',
      `
HTTP_PROXY, HTTPS_PROXY and NO_PROXY hold as elsewhere; this machine is asked directly, unless NO_PROXY
says <-loopback>. TLS_CA names a PEM file of the certificates to trust instead of the system's.`,
    )
    .action(async (_, options) => {
      (await import('./run/warm-threads.ts')).warmThreads(process.env);
      const { runCommand } = await import('./run/run.ts');
      const { createShow } = await import('../reports/show.ts');
      const keep = options.keep && (await import('../reports/trend/store.ts')).openKeep(options.keep);
      await runCommand(options, createShow(options.format, keep));
    });
}

function addDiff(program: Command): void {
  program
    .command('diff')
    .description('what changed between two runs, or between two servers; exit 1 as a run with that baseline')
    .argument('<before>', 'result.json of a run, or capacity.json of a search')
    .argument('<after>', 'result.json of a later run, or of a run against another server')
    .option('--all', 'every line, where there are more than 80')
    .option('--json', 'the comparison as data')
    .addOption(failOnOption('what ends with exit 1'))
    .action(async (before, after, options) =>
      (await import('./diff.ts')).diffCommand(before, after, options),
    );
}

function addAccept(program: Command): void {
  program
    .command('accept')
    .description(
      'take what a result shows of open points into the profile: from then on another answer fails; exit 1 where you decline',
    )
    .argument('<result>', 'result.json of a run')
    .argument('[id...]', 'open points, or globs of them (default: what changed)')
    .option('--profile <file>', 'the profile that is written (default: PROFILE)')
    .option('--yes', 'write without asking')
    .action(async (result, ids, options) => {
      const { acceptCommand, terminalQuestion } = await import('./accept.ts');
      const { env, stdin, stdout } = process;
      const ask = terminalQuestion(stdin, stdout);
      process.exitCode = await acceptCommand(result, ids, options, { env, cwd: process.cwd(), print, ask });
    });
}

const dayMs = 86_400_000;

function addTrend(program: Command): void {
  program
    .command('trend')
    .description(
      'what became of a target over many stored runs: what broke, what is flaky, what changed; exit 0 whatever it shows',
    )
    .argument(
      '<path...>',
      `stored results, or folders of them (${typedWith('run')} --keep DIR); load.json, capacity.json`,
    )
    .option('--out <dir>', 'where trend.html and trend.json go', 'reports/out')
    .option('--json', 'print trend.json')
    .addOption(
      durationOption(
        '--prune-older-than <days>',
        'first remove the files of runs that began before then (90d)',
        {
          units: ['d'],
          leastMs: dayMs,
          mostMs: 36_500 * dayMs,
          expected: 'a number of days from 1d to 36500d',
        },
      ),
    )
    .action(async (paths, options) => (await import('./trend.ts')).trendCommand(paths, options, Date.now()));
}

function addReport(program: Command): void {
  program
    .command('report')
    .description('make the files of a run again from its result, of an older version of Assay too')
    .argument('<result>', 'result.json of a run; load.json or capacity.json: the page of it')
    .option('--out <dir>', 'where they go (default: beside the result)')
    .addOption(formatOption())
    .action(async (result, options) => (await import('./report.ts')).reportCommand(result, options));
}

function addExplain(program: Command): void {
  program
    .command('explain')
    .description(
      "what a word of Assay's means: a reason, check, rule, clause, operation, flow, level or exit code",
    )
    .argument('[word...]', 'as a report writes it')
    .option(
      '--result <file>',
      'result.json of a run: how it judged a check (default: reports/out/result.json)',
    )
    .action(async (words, options) => (await import('./explain.ts')).explainCommand(words, options));
}

function addLearn(program: Command): void {
  const command = program.command('learn');
  takingUrl(command)
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
    .addOption(new Option('--out <file>', 'as --output: the word of the other commands').hideHelp())
    .on('option:out', (file: string) => command.setOptionValueWithSource('output', file, 'cli'))
    .option('--force', 'replace a profile that says something else')
    .action(async (url, options) => {
      // With --har, the URL names the main API of the captures, as --base does.
      const base = options.har && url !== undefined && { base: url };
      await (await import('./learn/learn.ts')).learnCommand({ ...base, ...options });
    });
}

function addDoctor(program: Command): void {
  takingUrl(program.command('doctor'))
    .description('what stands between a target and its judgement; exit 0 when a run can judge enough of it')
    .option(...profile)
    .option(...jwtAlg)
    .addOption(rateOption())
    .option(...insecure)
    .option('--json', 'the findings as data')
    .action(async (_, options) => {
      const { doctorCommand } = await import('./doctor/doctor.ts');
      const interrupted = reportInterruption('the look at the target was not finished');
      const { env } = process;
      process.exitCode = await doctorCommand(options, { env, cwd: process.cwd(), print, interrupted });
    });
}

function addSession(program: Command): void {
  takingUrl(program.command('session'))
    .description(
      `sign in and print ASSAY_TOKEN and ASSAY_SESSION for a shell: eval "$(${typed('session', 'quietly')})"`,
    )
    .option(...profile)
    .option(...jwtAlg)
    .option(...insecure)
    .action(async (_, options) => (await import('./session.ts')).sessionCommand(options));
}

function addInit(program: Command): void {
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
      const { initCommand } = await import('./init/init.ts');
      print(`${initCommand(process.cwd(), ci).join('\n')}\n`);
    });
}

const journey = [
  '[journey]',
  'login, session, party, crowd, match, queue, logs, analytics, cdn, friends, store, purchases, states, names or mixed',
] as const;
const operation = ['--operation <id>', 'one operation alone in place of a journey'] as const;
const arrivals = [
  '--arrivals <kind>',
  'poisson, as of many who know nothing of each other, or even',
  'poisson',
] as const;
const connections = [
  '--connections <kind>',
  'shared by all journeys, or per-player, as real clients do',
  'shared',
] as const;

/** Journeys per second. */
const rates = { least: 0.1, most: 1_000_000 };
/** Most k6 processes of one load: more would compete for the processors of one machine. */
const mostSegments = 64;

function addLoad(program: Command): void {
  program
    .command('load')
    .description('put load on a target and judge it by an SLO; without a BASE_URL on the embedded server')
    .argument(...journey)
    .option(...operation)
    .addOption(numberOption('--rate <n>', 'journeys per second', rates, '20'))
    .addOption(
      durationOption(
        '--duration <time>',
        'as 30s, 5m or 1h (default: the shape says)',
        runTime('1s', '24h', '30s, 5m or 1h'),
      ),
    )
    .option('--shape <shape>', 'smoke, steady, ramp, spike, soak or stress', 'steady')
    .option('--slo <bounds>', "as 'p95=80ms,errors=0.1%', over the duration of the requests")
    .option('--per-operation-slo <file>', 'JSON: {"party.create": "p95=80ms"}')
    .option(...arrivals)
    .option(...connections)
    .addOption(numberOption('--max-rate <n>', 'refuse to go beyond', rates, '1000'))
    .option('--seed <seed>', 'repeats arrivals and choices')
    .option(...profile)
    .option(...insecure)
    .addOption(
      numberOption(
        '--segments <n>',
        'so many k6 processes share the load, and are judged as one',
        { least: 1, most: mostSegments, whole: true },
        '1',
      ),
    )
    .option(
      '--export <kind>',
      'load nothing; write what a k6-operator runs: k8s (players: its Secret, on stdout)',
    )
    .addOption(
      numberOption('--parallelism <n>', 'generator pods of an export', {
        least: 1,
        most: 1_000,
        whole: true,
        expected: 'how many pods, a whole number from 1 to 1000',
      }),
    )
    .addOption(
      numberOption(
        '--ceiling <n>',
        'journeys per second of one generator, to plan how many an export needs',
        {
          least: 1,
          most: 1_000_000,
          expected: 'the journeys per second of one generator, as capacity measures it',
        },
      ),
    )
    .option(
      '--allow-loopback',
      'of an export: keep addresses of this machine, which no pod reaches, and name each to be replaced',
    )
    .option(
      '--collect <url>',
      'of a Prometheus: judge the run that an export in --out began; of an export: where its pods write',
    )
    .option('--live', 'a page on this machine that shows it as it goes')
    .option('--out <dir>', 'where load.json goes', 'reports/out')
    .allowExcessArguments()
    .action(async (_, options, { args }) => (await import('./load/load.ts')).loadCommand(args, options));
}

/** Journeys per second. */
const searched = { least: 1, most: 100_000 };

function addCapacity(program: Command): void {
  program
    .command('capacity')
    .description('how much a target takes before an SLO breaks, with its error, or why that cannot be said')
    .argument(...journey)
    .option(...operation)
    .option('--slo <bounds>', "as 'p95=80ms,errors=0.1%'; it is broken by whichever breaks first")
    .addOption(numberOption('--start <n>', 'journeys per second to begin with', searched, '50'))
    .addOption(numberOption('--max-rate <n>', 'never more than this', searched, '2000'))
    .addOption(
      durationOption(
        '--budget <time>',
        'for all of it, as 420 (seconds) or 7m (default: 7m, with a quantile beyond p95 10m)',
        runTime('15s', '1h', '420 (seconds) or 7m'),
      ),
    )
    .addOption(
      numberOption('--at-least <n>', 'exit 1 unless so many per second are taken for sure', searched),
    )
    .option(...arrivals)
    .option(...connections)
    .option('--seed <seed>', 'repeats arrivals and choices')
    .option(...profile)
    .option(...insecure)
    .option('--out <dir>', 'where capacity.json goes', 'reports/out')
    .addHelpText(
      'after',
      `
  Exit code: 0 with a figure (FOUND, ERRORS, ABOVE_MAX), or with --at-least when the lower end of the interval
  reaches it; 1 otherwise; 2 a wrong option or a target out of reach; 130 interrupted, what was known is written.`,
    )
    .allowExcessArguments()
    .action(async (_, options, { args }) => (await import('./capacity.ts')).capacityCommand(args, options));
}

function addK6Install(program: Command): void {
  program
    .command('k6-install')
    .description('build k6 from its pinned source, where K6_BIN, PATH and the cache hold none')
    .action(async () => (await import('./k6-install.ts')).k6InstallCommand());
}

function addServe(program: Command, mutants?: LoadMutants): void {
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
    .action(async (options) => (await import('./serve/serve.ts')).serveCommand(options, mutants));
  if (mutants !== undefined)
    serve
      .option('--mutant <name>', 'with one thing wrong (npm run prove -- --list shows what there is)')
      .addOption(new Option('--liar <name>', 'the former name of --mutant').hideHelp());
}

function addCatalog(program: Command): void {
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
      const { catalogCommand } = await import('./catalog/catalog.ts');
      print(await catalogCommand(options, process.cwd()));
    });
}
