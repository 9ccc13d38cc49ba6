// Declares the command `trend` and its options, as commander parses them.
import type { Command } from 'commander';
import { typedWith } from '../../engine/values/typed.ts';
import { durationOption } from '../option-values.ts';

const dayMs = 86_400_000;

/** Adds trend. */
export function addTrendCommand(program: Command): void {
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
    .action(async (paths, options) =>
      (await import('./command.ts')).trendCommand(paths, options, Date.now()),
    );
}
