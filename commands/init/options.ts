// Declares the command `init` and its options, as commander parses them.
import { type Command, Option } from 'commander';

/** Adds init. */
export function addInitCommand(program: Command): void {
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
      const { initCommand } = await import('./command.ts');
      process.stdout.write(`${initCommand(process.cwd(), ci).join('\n')}\n`);
    });
}
