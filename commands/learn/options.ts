// Declares the command `learn` and its options, as commander parses them.
import type { Command } from 'commander';
import { insecure } from '../../engine/target/transport.ts';
import { rateOption, takingUrl } from '../option-values.ts';

/** Adds learn. */
export function addLearnCommand(program: Command): void {
  takingUrl(program.command('learn'))
    .description('write a profile from a run against a target, or from captures of its clients')
    .option('--har <file...>', 'HAR captures; without them a run learns')
    .option('--base <url>', 'which calls of a capture go to the main API; found out without')
    .option('--cdn <url>', 'to the client data')
    .option('--gamelogs <url>', 'to the logging API')
    .option('--profile <file>', 'what is known of the target already: what is learnt is added to it')
    .option('--read-only', 'make no call that may change the target; less is learnt')
    .option('--omit-missing', 'leave out what the target does not serve, so that it is not judged (omit)')
    .option(
      '--expects',
      'the server is good as it is: also pin what it answers to open points (two more runs)',
    )
    .addOption(rateOption())
    .option(...insecure)
    .option('--output <file>', 'the profile', 'assay-profile.json')
    .option('--force', 'replace a profile that says something else')
    .action(async (url, options) => {
      // Of captures, it says which calls go to the main API.
      const base = options.har && url !== undefined && { base: url };
      await (await import('./command.ts')).learnCommand({ ...base, ...options });
    });
}
