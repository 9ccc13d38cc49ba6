// The commands of this room, as the front door offers them. Each loads what it needs when it is called.
import type { Command } from 'commander';
import { insecure } from '../../engine/target/transport.ts';

/** Adds load, capacity and k6-install. */
export function addLoadCommands(program: Command): void {
  program
    .command('load')
    .description('put load on a target and judge it by an SLO; without a BASE_URL on the embedded server')
    .argument(
      '[journey]',
      'login, session, party, match, queue, logs, analytics, cdn, friends, store or mixed',
    )
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
    .action(async (_, options, { args }) => (await import('./command.ts')).loadCommand(args, options));

  program
    .command('capacity')
    .description('how much a target takes before an SLO breaks, with its error, or why that cannot be said')
    .argument(
      '[journey]',
      'login, session, party, match, queue, logs, analytics, cdn, friends, store or mixed',
    )
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
      (await import('../capacity/command.ts')).capacityCommand(args, options),
    );

  program
    .command('k6-install')
    .description('build k6 from its pinned source, where K6_BIN, PATH and the cache hold none')
    .action(async () => (await import('../k6-install/command.ts')).k6InstallCommand());
}
