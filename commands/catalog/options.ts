// Declares the command `catalog` and its options, as commander parses them.
import { type Command, Option } from 'commander';

/** Adds catalog. */
export function addCatalogCommand(program: Command): void {
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
      const { catalogCommand } = await import('./command.ts');
      process.stdout.write(await catalogCommand(options, process.cwd()));
    });
}
