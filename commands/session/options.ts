// Declares the command `session` and its options, as commander parses them.
import type { Command } from 'commander';
import { insecure } from '../../engine/target/transport.ts';
import { typed } from '../../engine/values/typed.ts';
import { takingUrl } from '../option-values.ts';

/** Adds session. */
export function addSessionCommand(program: Command): void {
  takingUrl(program.command('session'))
    .description(
      `sign in and print ASSAY_TOKEN and ASSAY_SESSION for a shell: eval "$(${typed('session', 'quietly')})"`,
    )
    .option('--profile <file>', 'what this target answers to open points')
    .option('--jwt-alg <alg>', 'signature of test JWTs, where no LOGIN_TOKEN is set (default: HS256)')
    .option(...insecure)
    .action(async (_, options) => (await import('./command.ts')).sessionCommand(options));
}
