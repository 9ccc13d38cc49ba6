// Declares the command `k6-install` and its options, as commander parses them.
import type { Command } from 'commander';

/** Adds k6-install. */
export function addK6InstallCommand(program: Command): void {
  program
    .command('k6-install')
    .description('build k6 from its pinned source, where K6_BIN, PATH and the cache hold none')
    .action(async () => (await import('./command.ts')).k6InstallCommand());
}
