// Declares the command `capacity` and its options, as commander parses them.
import type { Command } from 'commander';
import { insecure } from '../../engine/target/transport.ts';
import { durationOption, numberOption, runTime } from '../option-values.ts';

/** Journeys per second. */
const searched = { least: 1, most: 100_000 };

/** Adds capacity. */
export function addCapacityCommand(program: Command): void {
  program
    .command('capacity')
    .description('how much a target takes before an SLO breaks, with its error, or why that cannot be said')
    .argument(
      '[journey]',
      'login, session, party, crowd, match, queue, logs, analytics, cdn, friends, store, purchases, states, names or mixed',
    )
    .option('--operation <id>', 'one operation alone in place of a journey')
    .option('--slo <bounds>', "as 'p95=80ms,errors=0.1%'; it is broken by whichever breaks first")
    .addOption(numberOption('--start <n>', 'journeys per second to begin with', searched, '50'))
    .addOption(numberOption('--max-rate <n>', 'never more than this', searched, '2000'))
    .addOption(
      durationOption(
        '--budget <time>',
        'for all of it, as 420 (seconds) or 7m (default: 7m, with a quantile beyond p95 10m)',
        {
          ...runTime,
          leastMs: 15_000,
          mostMs: 3_600_000,
          expected: 'a time from 15s to 1h, such as 420 (seconds) or 7m',
        },
      ),
    )
    .addOption(
      numberOption('--at-least <n>', 'exit 1 unless so many per second are taken for sure', searched),
    )
    .option('--arrivals <kind>', 'poisson, as of many who know nothing of each other, or even', 'poisson')
    .option('--connections <kind>', 'shared by all journeys, or per-player, as real clients do', 'shared')
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
    .action(async (_, options, { args }) => (await import('./command.ts')).capacityCommand(args, options));
}
