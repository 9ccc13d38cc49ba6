// Declares the command `load` and its options, as commander parses them.
import type { Command } from 'commander';
import { insecure } from '../../engine/target/transport.ts';
import { durationOption, numberOption, runTime } from '../option-values.ts';

/** Journeys per second. */
const rates = { least: 0.1, most: 1_000_000 };
/** More k6 processes on one machine take each other's processors. */
const mostSegments = 64;

/** Adds load. */
export function addLoadCommand(program: Command): void {
  program
    .command('load')
    .description('put load on a target and judge it by an SLO; without a BASE_URL on the embedded server')
    .argument(
      '[journey]',
      'login, session, party, crowd, match, queue, logs, analytics, cdn, friends, store, purchases, states, names or mixed',
    )
    .option('--operation <id>', 'one operation alone in place of a journey')
    .addOption(numberOption('--rate <n>', 'journeys per second', rates, '20'))
    .addOption(
      durationOption('--duration <time>', 'as 30s, 5m or 1h (default: the shape says)', {
        ...runTime,
        leastMs: 1_000,
        mostMs: 24 * 3_600_000,
        expected: 'a time from 1s to 24h, such as 30s, 5m or 1h',
      }),
    )
    .option('--shape <shape>', 'smoke, steady, ramp, spike, soak or stress', 'steady')
    .option('--slo <bounds>', "as 'p95=80ms,errors=0.1%', over the duration of the requests")
    .option('--per-operation-slo <file>', 'JSON: {"party.create": "p95=80ms"}')
    .option('--arrivals <kind>', 'poisson, as of many who know nothing of each other, or even', 'poisson')
    .option('--connections <kind>', 'shared by all journeys, or per-player, as real clients do', 'shared')
    .addOption(numberOption('--max-rate <n>', 'refuse to go beyond', rates, '1000'))
    .option('--seed <seed>', 'repeats arrivals and choices')
    .option('--profile <file>', 'what this target answers to open points')
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
    .action(async (_, options, { args }) => (await import('./command.ts')).loadCommand(args, options));
}
