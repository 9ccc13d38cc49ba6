// Explains a word that Assay uses: finds it in the glossaries, or the nearest ones, and renders the explanation.
import type { Level } from '../../catalog/clauses/clause.ts';
import type { RunResult } from '../../engine/run/result.ts';
import { nearest } from '../../engine/values/text.ts';
import { typed } from '../../engine/values/typed-command.ts';
import {
  blank,
  type ConsoleView,
  copiedField,
  field,
  type Line,
  line,
  paint,
  terminalText,
} from '../console/layout.ts';

const waive = 'A waiver in the profile excuses it until a day that you name.';

/** What a user can do where a clause of this level is broken. */
export const adviceOf: Readonly<Record<Level, string>> = {
  documented: `Mend the server: the interface document says so. ${waive}`,
  profile: `Mend the server, or the profile where it no longer states how the server answers. ${waive}`,
  standard: `Mend the server: clients rely on the RFC. ${waive}`,
  inferred:
    'Look whether the server means it: only good sense says so, and it warns. It fails under --strict, and where the profile says how the operations are spoken.',
  open: `Nothing: the document leaves it open, so the answer is recorded. ${typed('diff')} reports when it changes.`,
};

/** The source of a rule of this level, and what a violation does to the run. */
export const consequenceOf: Readonly<Record<Level, string>> = {
  documented: 'the interface document says it; a violation fails',
  profile: "the target's own profile says it; a violation fails",
  standard: 'an RFC says it; a violation fails where clients trip over it, and warns otherwise',
  inferred: 'good sense says it; a violation warns, and fails under --strict',
  open: 'the document leaves it open; nothing fails, the answer is recorded',
};

export interface Explanation {
  /** The word, as Assay writes it. */
  readonly word: string;
  /** What kind of thing it is: `check`, `reason of an inconclusive check`. */
  readonly kind: string;
  /** In the order in which a reader wants them; without empty texts. */
  readonly fields: readonly Field[];
}

export type Field = readonly [label: string, text: string];

/** Words and how to explain each; the explanation is made for the one that is asked for. */
export type Glossary = ReadonlyMap<string, () => Explanation>;

/** A glossary of the entries of a table. */
export function glossary<T>(
  entries: Iterable<readonly [string, T]>,
  explain: (word: string, entry: T) => Explanation,
): Glossary {
  return new Map(Array.from(entries, ([word, entry]) => [word, () => explain(word, entry)]));
}

/**
 * The explanation with the command that asks the target of a run; for a check, also with the level that it had in the
 * run, and its outcome.
 */
export function asJudged(
  explanation: Explanation,
  { checks, startedAt }: RunResult,
  file: string,
): Explanation {
  const found = checks.find(({ id }) => id === explanation.word);
  const fields = explanation.fields.flatMap((field): Field[] => {
    if (field[0] !== 'run') return [field];
    return found === undefined ? [['run', commandLike(field[1], checks)]] : commandsOf(found, file);
  });
  if (found === undefined) return { ...explanation, fields };
  const { level, outcome, reason, detail, expected, actual, behaviour } = found;
  // A violation of these levels fails, except where only a comparison with other calls shows it.
  const onlyWarns = outcome === 'warn' && (level === 'documented' || level === 'profile');
  const how = [
    reason === undefined ? outcome : `${outcome} (${reason})`,
    ...(onlyWarns ? ['it only warns here, since other calls show it and not its answer alone'] : []),
    ...(expected === undefined ? [] : [`expected ${expected}`, `got ${actual ?? ''}`]),
    ...(behaviour === undefined || behaviour === actual ? [] : [behaviour]),
    ...(detail === undefined ? [] : [detail]),
  ].join('; ');
  const here = (each: Field): Field => {
    if (each[0] === 'level') return ['level', `${level} in this run: ${consequenceOf[level]}`];
    return each[0] === 'to do' ? ['to do', adviceOf[level]] : each;
  };
  const usual = explanation.fields.find(([label]) => label === 'level')?.[1].split(':')[0];
  return {
    ...explanation,
    fields: [
      ...(usual === level ? fields : fields.map(here)),
      ['in run', `of ${startedAt} (${file}), at level ${level}: ${how}`],
    ],
  };
}

/** The commands that repeat a check, as its result holds them: with variables in place of secrets. */
const commandsOf = ({ curl, rerun }: RunResult['checks'][number], file: string): Field[] => [
  // A command that a terminal would not print unchanged cannot be copied from it.
  ...(curl === undefined
    ? []
    : [['curl', terminalText(curl) === curl ? curl : `see ${file}`] satisfies Field]),
  ['rerun', rerun],
];

const only = '--only ';

/** The command with the settings that the run's own commands have: without them it would ask the embedded server. */
function commandLike(command: string, checks: RunResult['checks']): string {
  const { rerun = '' } = checks.find(({ attack }) => attack === undefined) ?? {};
  const end = rerun.lastIndexOf(only);
  return end < 0 ? command : rerun.slice(0, end) + command.slice(command.indexOf(only));
}

/** The explanations of a word: several, where it is of several kinds. Case counts only where it tells words apart. */
export function explanationsOf(word: string, glossaries: readonly Glossary[]): Explanation[] {
  const exact = glossaries.flatMap((words) => words.get(word)?.() ?? []);
  if (exact.length > 0) return exact;
  const lower = word.toLowerCase();
  return glossaries.flatMap((words) =>
    [...words].filter(([each]) => each.toLowerCase() === lower).map(([, explain]) => explain()),
  );
}

/** The words that are closest to one that is not known, each once. */
export function nearestWords(word: string, glossaries: readonly Glossary[]): string[] {
  return nearest(word, new Set(glossaries.flatMap((words) => [...words.keys()])), 3);
}

const mostLines = 12;
const copied = new Set(['run', 'curl', 'rerun']);

/** The explanation as text; commands are never cut. */
export function renderExplanation({ word, kind, fields }: Explanation, view: ConsoleView): string {
  const heading: Line = {
    spans: [
      { text: word, style: 'good' },
      { text: `  ${kind}`, style: 'weak' },
    ],
  };
  const lines = fields.flatMap(([label, text]) =>
    copied.has(label) ? [copiedField(label, text)] : field(label, text, view.width, mostLines),
  );
  return [heading, ...lines, blank].map((each) => paint(each, view)).join('\n');
}

/** The kinds of words that can be explained, for a call without a word. */
export function renderKinds(view: ConsoleView): string {
  const kinds = [
    'a reason (needs-body), an outcome (inconclusive), a level (inferred), an exit code (2)',
    'the verdict of a run (Conforms), the course of a check in a trend (flaky)',
    'a verdict of a load or capacity (GENERATOR_LIMITED)',
    'a check (party.create#answers), a rule (#answers), a clause (rfc8259.text)',
    'an operation (party.create), an area or flow (party), a step (party/leave)',
  ];
  return kinds.map((text) => paint(line(text), view)).join('\n');
}
