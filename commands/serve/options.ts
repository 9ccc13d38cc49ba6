// Declares the command `serve` and its options, as commander parses them.
import { type Command, Option } from 'commander';
import { numberOption } from '../option-values.ts';
import type { LoadMutants } from './command.ts';

/**
 * Adds serve.
 * @param mutants what `--mutant` needs; without it there is no such option
 */
export function addServeCommand(program: Command, mutants?: LoadMutants): void {
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
    .action(async (options) => (await import('./command.ts')).serveCommand(options, mutants));
  if (mutants !== undefined)
    serve
      .option('--mutant <name>', 'with one thing wrong (npm run prove -- --list shows what there is)')
      .addOption(new Option('--liar <name>', 'the former name of --mutant').hideHelp());
}
