// Declares the command `explain` and its options, as commander parses them.
import type { Command } from 'commander';

/** Adds explain. */
export function addExplainCommand(program: Command): void {
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
    .action(async (words, options) => (await import('./command.ts')).explainCommand(words, options));
}
