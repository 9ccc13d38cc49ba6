// Declares the report commands for the CLI. Each loads what it needs when it is called.
import type { Command } from 'commander';
import { formatOption } from '../reports/files.ts';
import { durationOption, failOnOption } from './option-values.ts';

const dayMs = 86_400_000;

/** Adds diff, accept, trend, report and explain. */
export function addReportCommands(program: Command): void {
  program
    .command('diff')
    .description('what changed between two runs, or between two servers; exit 1 as a run with that baseline')
    .argument('<before>', 'result.json of a run, or capacity.json of a search')
    .argument('<after>', 'result.json of a later run, or of a run against another server')
    .option('--all', 'every line, where there are more than 80')
    .option('--json', 'the comparison as data')
    .addOption(failOnOption('what ends with exit 1'))
    .action(async (before, after, options) =>
      (await import('./diff/command.ts')).diffCommand(before, after, options),
    );

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
      const { acceptCommand, terminalQuestion } = await import('./accept/command.ts');
      const { env, stdin, stdout } = process;
      const ask = terminalQuestion(stdin, stdout);
      const print = (text: string) => stdout.write(text);
      process.exitCode = await acceptCommand(result, ids, options, { env, cwd: process.cwd(), print, ask });
    });

  program
    .command('trend')
    .description(
      'what became of a target over many stored runs: what broke, what is flaky, what changed; exit 0 whatever it shows',
    )
    .argument(
      '<path...>',
      'stored results, or folders of them (npm start -- --keep DIR); load.json, capacity.json',
    )
    .option('--out <dir>', 'where trend.html and trend.json go', 'reports/out')
    .option('--json', 'print trend.json')
    .addOption(
      durationOption(
        '--prune-older-than <days>',
        'first remove the files of runs that began before then (90d)',
        {
          units: ['d'],
          leastMs: dayMs,
          mostMs: 36_500 * dayMs,
          expected: 'a number of days from 1d to 36500d',
        },
      ),
    )
    .action(async (paths, options) =>
      (await import('./trend/command.ts')).trendCommand(paths, options, Date.now()),
    );

  program
    .command('report')
    .description('make the files of a run again from its result, of an older version of Assay too')
    .argument('<result>', 'result.json of a run; load.json or capacity.json: the page of it')
    .option('--out <dir>', 'where they go (default: beside the result)')
    .addOption(formatOption())
    .action(async (result, options) => (await import('./report/command.ts')).reportCommand(result, options));

  program
    .command('explain')
    .description(
      "what a word of Assay's means: a reason, check, rule, clause, operation, flow, level or exit code",
    )
    .argument('[word...]', 'as a report writes it')
    .option(
      '--result <file>',
      'result.json of a run: how it judged a check (default: reports/out/result.json)',
    )
    .action(async (words, options) => (await import('./explain/command.ts')).explainCommand(words, options));
}
