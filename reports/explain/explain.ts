// From a word to what it means, or to the words that are nearest.
import { nearest } from '../../fixtures/target/nearest.ts';
import { blank, copiedField, field, type Line, line, paint } from '../console/line.ts';
import type { Explanation, Glossary } from './explanation.ts';

/** A word can be of two kinds: `reset` is a reason, and may be a rule. */
export function explanationsOf(word: string, glossaries: readonly Glossary[]): Explanation[] {
  return glossaries.flatMap((words) => words.get(word)?.() ?? []);
}

/** The words that are closest to one that is not known, each once. */
export function nearestWords(word: string, glossaries: readonly Glossary[]): string[] {
  return nearest(word, new Set(glossaries.flatMap((words) => [...words.keys()])), 3);
}

export interface ExplainView {
  /** Columns. */
  readonly width: number;
  readonly colour: boolean;
}

const mostLines = 12;

/** The explanation as text; commands are never cut. */
export function renderExplanation({ word, kind, fields }: Explanation, view: ExplainView): string {
  const heading: Line = {
    spans: [
      { text: word, style: 'good' },
      { text: `  ${kind}`, style: 'weak' },
    ],
  };
  const lines = fields.flatMap(([label, text]) =>
    label === 'run' ? [copiedField(label, text)] : field(label, text, view.width, mostLines),
  );
  return [heading, ...lines, blank].map((each) => paint(each, view)).join('\n');
}

/** What there is to ask for, for those who ask for nothing. */
export function renderKinds(view: ExplainView): string {
  const kinds = [
    'a reason (needs-body), an outcome (inconclusive), a level (inferred), an exit code (2)',
    'a verdict of a load or capacity (GENERATOR_LIMITED)',
    'a check (party.create#answers), a rule (#answers), a clause (rfc8259.text)',
    'an operation (party.create), an area or flow (party), a step (party/leave)',
  ];
  return kinds.map((text) => paint(line(text), view)).join('\n');
}
