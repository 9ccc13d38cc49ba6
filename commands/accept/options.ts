// Declares the command `accept` and its options, as commander parses them.
import type { Command } from 'commander';

/** Adds accept. */
export function addAcceptCommand(program: Command): void {
  program
    .command('accept')
    .description(
      'take what a result shows of open points into the profile: from then on another answer fails; exit 1 where you decline',
    )
    .argument('<result>', 'result.json of a run')
    .argument('[id...]', 'open points, or globs of them (default: what changed)')
    .option('--profile <file>', 'the profile that is written (default: PROFILE)')
    .option('--yes', 'write without asking')
    .action(async (result, ids, options) => {
      const { acceptCommand, terminalQuestion } = await import('./command.ts');
      const { env, stdin, stdout } = process;
      const ask = terminalQuestion(stdin, stdout);
      const print = (text: string) => stdout.write(text);
      process.exitCode = await acceptCommand(result, ids, options, { env, cwd: process.cwd(), print, ask });
    });
}
