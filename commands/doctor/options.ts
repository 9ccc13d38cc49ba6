// Declares the command `doctor` and its options, as commander parses them.
import type { Command } from 'commander';
import { insecure } from '../../engine/target/transport.ts';
import { reportInterruption } from '../command-line.ts';
import { rateOption, takingUrl } from '../option-values.ts';

/** Adds doctor. */
export function addDoctorCommand(program: Command): void {
  takingUrl(program.command('doctor'))
    .description('what stands between a target and its judgement; exit 0 when a run can judge enough of it')
    .option('--profile <file>', 'what this target answers to open points')
    .option('--jwt-alg <alg>', 'signature of test JWTs, where no LOGIN_TOKEN is set (default: HS256)')
    .addOption(rateOption())
    .option(...insecure)
    .option('--json', 'the findings as data')
    .action(async (_, options) => {
      const { doctorCommand } = await import('./command.ts');
      reportInterruption('the look at the target was not finished');
      const { env, stdout } = process;
      const print = (text: string) => stdout.write(text);
      // A LOGIN_TOKEN_COMMAND that is still at it must not hold anybody up.
      process.exit(await doctorCommand(options, { env, cwd: process.cwd(), print }));
    });
}
