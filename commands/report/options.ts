// Declares the command `report` and its options, as commander parses them.
import type { Command } from 'commander';
import { formatOption } from '../../reports/files.ts';

/** Adds report. */
export function addReportCommand(program: Command): void {
  program
    .command('report')
    .description('make the files of a run again from its result, of an older version of Assay too')
    .argument('<result>', 'result.json of a run; load.json or capacity.json: the page of it')
    .option('--out <dir>', 'where they go (default: beside the result)')
    .addOption(formatOption())
    .action(async (result, options) => (await import('./command.ts')).reportCommand(result, options));
}
