// Runs `npm run explain`: prints what a word of Assay means, why it matters, and what to do.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { RunResult } from '../engine/run/result.ts';
import { hostUrl, withDotenv } from '../engine/target/settings.ts';
import { ConfigurationError } from '../engine/values/configuration-error.ts';
import { perhapsOneOf, quoted } from '../engine/values/text.ts';
import { typed } from '../engine/values/typed-command.ts';
import { columnsOf, terminalOf } from '../reports/console/layout.ts';
import {
  asJudged,
  explanationsOf,
  type Glossary,
  nearestWords,
  renderExplanation,
  renderKinds,
} from '../reports/explain/explain.ts';
import {
  areaWords,
  checkWords,
  clauseWords,
  exitCodeWords,
  operationWords,
  ruleWords,
  verdictWords,
} from '../reports/explain/glossaries.ts';
import { resultFile } from '../reports/files.ts';

const { stdout } = process;

/** Where a run leaves its result unless it is asked otherwise. */
const usualResult = join('reports', 'out', resultFile);

/** Whether the settings name another server than the run asked. */
function asksAnother({ target }: RunResult): boolean {
  const { BASE_URL } = withDotenv(process.env, process.cwd(), []);
  if (!BASE_URL) return false;
  const url = hostUrl(BASE_URL);
  return !('host' in url) || url.host !== target.base;
}

/**
 * Reads the result that the user names, or else the one that runs leave in their usual folder.
 * @returns undefined where none is named, and the usual one is missing, cannot be read or is about another server
 */
async function runIn(result: string | undefined): Promise<{ run: RunResult; file: string } | undefined> {
  const file = result ?? usualResult;
  if (result === undefined && !existsSync(file)) return undefined;
  const { readStoredResult } = await import('../engine/run/stored-result.ts');
  try {
    const run = readStoredResult(file, '--result');
    return result === undefined && asksAnother(run) ? undefined : { run, file };
  } catch (error) {
    // The user did not name this file, so it is not their mistake that it cannot be read (as one of another version).
    if (result === undefined) return undefined;
    throw error;
  }
}

/**
 * Prints what each word means, and how the run judged it if it is a check; without words, lists what can be explained.
 * @throws ConfigurationError with the nearest words for an unknown word, after the known ones are explained
 */
export async function explainCommand(
  words: readonly string[],
  { result }: { readonly result?: string } = {},
): Promise<void> {
  const view = { width: columnsOf(stdout, 110), colour: terminalOf(stdout, process.env).colour };
  if (words.length === 0) {
    stdout.write(`${renderKinds(view)}\n`);
    return;
  }
  const glossaries = await everyGlossary();
  const found = wordsIn(words).map((word) => ({ word, explanations: explanationsOf(word, glossaries) }));
  const mistakes = found
    .filter(({ explanations }) => explanations.length === 0)
    .map(({ word }) => `explain: ${quoted(word)} is no word of Assay's${near(word, glossaries)}`);
  const known = found.flatMap(({ explanations }) => explanations);
  if (known.length > 0) {
    const judged = await runIn(result);
    stdout.write(
      known
        .map((each) => renderExplanation(judged ? asJudged(each, judged.run, judged.file) : each, view))
        .join('\n'),
    );
  }
  if (mistakes.length > 0) throw new ConfigurationError(mistakes);
}

/**
 * The words to explain. An exit code is typed as reports write it (`exit 2`, `exit code 2`), in one word or several;
 * `exit` alone, or with a range, means all of them.
 */
const wordsIn = (words: readonly string[]): string[] =>
  words
    .join('\n')
    .replace(/^exit(?:\s+codes?)?[\s=:]+(\d+)$/gim, '$1')
    .replace(/^exit(?:\s+codes?)?(?:[\s=:]+\d+\.\..*)?$/gim, exitCodeWords.join('\n'))
    .split('\n');

const near = (word: string, glossaries: readonly Glossary[]): string =>
  perhapsOneOf(nearestWords(word, glossaries)) || `; ${typed('explain')} without a word lists what there is`;

/** All glossaries, in the order of the explanations: words of results come before checks and clauses of that name. */
export async function everyGlossary(): Promise<Glossary[]> {
  const { everySuite } = await import('./run/suites.ts');
  const checks = everySuite.flatMap((suite) => suite.checks);
  return [
    ...verdictWords,
    areaWords(checks),
    operationWords(checks),
    clauseWords(checks),
    ruleWords(checks),
    checkWords(checks),
  ];
}
