// Runs `npm run explain`: prints what a word of Assay means, why it matters, and what to do.
import { ConfigurationError } from '../../engine/values/configuration-error.ts';
import { quoted } from '../../engine/values/text.ts';
import {
  explanationsOf,
  type Glossary,
  nearestWords,
  renderExplanation,
  renderKinds,
} from '../../reports/explain/explain.ts';
import {
  areaWords,
  checkWords,
  clauseWords,
  operationWords,
  ruleWords,
  verdictWords,
} from '../../reports/explain/words.ts';

const { stdout } = process;

/**
 * Prints what each word means; without words, what there is to ask for.
 * @throws ConfigurationError with the nearest words where one is not known
 */
export async function explainCommand(words: readonly string[]): Promise<void> {
  const view = { width: stdout.columns ?? 110, colour: stdout.isTTY === true && !process.env.NO_COLOR };
  if (words.length === 0) {
    stdout.write(`${renderKinds(view)}\n`);
    return;
  }
  const glossaries = await everyGlossary();
  const found = words.map((word) => ({ word, explanations: explanationsOf(word, glossaries) }));
  const mistakes = found
    .filter(({ explanations }) => explanations.length === 0)
    .map(({ word }) => `explain: ${quoted(word)} is no word of Assay's; ${near(word, glossaries)}`);
  if (mistakes.length > 0) throw new ConfigurationError(mistakes);
  stdout.write(
    `${found
      .flatMap(({ explanations }) => explanations)
      .map((each) => renderExplanation(each, view))
      .join('\n')}`,
  );
}

function near(word: string, glossaries: readonly Glossary[]): string {
  const words = nearestWords(word, glossaries);
  return words.length === 0
    ? 'npm run explain without a word says what there is'
    : `did you mean ${words.join(', ')}?`;
}

/** All the words that are explained; what a word means first, then what stands under that name. */
export async function everyGlossary(): Promise<Glossary[]> {
  const { everySuite } = await import('../run/suites.ts');
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
