// Declares `prove` for the CLI of a clone: it proves Assay itself, and is no part of the package.
import { type Command, Option } from 'commander';
import { numberOption } from '../option-values.ts';

export function addProveCommand(program: Command): void {
  program
    .command('prove')
    .description('judge the judge: servers with one thing wrong each, every one of which must be found out')
    .option('--seed <seed>', 'draws other operations', '1')
    .option('--only <name...>', 'mutants whose name holds one of these')
    .option('--list', 'print the mutants, or with --honest the conforming variants, and stop')
    .option('--honest', 'judge the conforming variants too, alone and in pairs: none may be accused')
    .addOption(
      new Option('--honest-only', 'judge the conforming variants, and ask no mutant').conflicts(['only']),
    )
    .option(
      '--drawn',
      'ask conforming servers the rules of an eighth of the operations and two in five of the flows, those of few variants a quarter: another share each; no variant stands alone, and a server that is wronged is asked again with no other beside it',
    )
    .option(
      '--blind',
      'run against servers that were written blind too, correct and with one realistic bug each',
    )
    .addOption(
      new Option(
        '--blind-only',
        'run against those, and ask no mutant; --only names them as SERVER/BUG',
      ).conflicts(['list', 'honest', 'honestOnly']),
    )
    .addOption(
      new Option('--held-back', 'as --blind, with the third of the bugs that is tried last').implies({
        blind: true,
      }),
    )
    .option('--attacks', 'attack servers that lack a lock or a check of ownership too: each must be found')
    .addOption(
      new Option('--attacks-only', 'attack those, and ask no other mutant; --only names them').conflicts([
        ...['list', 'honest', 'honestOnly', 'blind', 'blindOnly'],
      ]),
    )
    .addOption(
      numberOption(
        '--seeds <n>',
        'attack with so many seeds: each mutant must be found with 19 of 20, and no correct server accused',
        { least: 1, most: 1_000, whole: true },
      ),
    )
    .option('--out <dir>', 'where proof.json and proof.md go', 'reports/out')
    .action(async (options) => (await import('./prove.ts')).proveCommand(options));
}
