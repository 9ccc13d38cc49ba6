// Declares the command `diff` and its options, as commander parses them.
import type { Command } from 'commander';
import { failOnOption } from '../option-values.ts';

/** Adds diff. */
export function addDiffCommand(program: Command): void {
  program
    .command('diff')
    .description('what changed between two runs, or between two servers; exit 1 as a run with that baseline')
    .argument('<before>', 'result.json of a run, or capacity.json of a search')
    .argument('<after>', 'result.json of a later run, or of a run against another server')
    .option('--all', 'every line, where there are more than 80')
    .option('--json', 'the comparison as data')
    .addOption(failOnOption('what ends with exit 1'))
    .action(async (before, after, options) =>
      (await import('./command.ts')).diffCommand(before, after, options),
    );
}
