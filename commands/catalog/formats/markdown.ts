// The interface as the document writes it, with the ids that reports and --only use.
import { catalog } from '../../../catalog/catalog.ts';
import { clauseById } from '../../../catalog/clauses/clauses.ts';
import type { Operation } from '../../../catalog/operation.ts';
import { documentedPath } from '../../../catalog/request-path.ts';
import { type Speech, unspoken } from '../target-speech.ts';

/** Rows as Markdown: one table a heading, in document order, paths in full, in the target's words if known. */
export function catalogMarkdown(
  selected: readonly Operation[] = catalog,
  { words }: Pick<Speech, 'words'> = unspoken,
): string {
  return `${['# The interface', ...tables(selected, words)].join('\n\n')}\n`;
}

function tables(selected: readonly Operation[], words: Speech['words']): string[] {
  const headings = new Map<string, Operation[]>();
  for (const operation of selected) {
    const rows = headings.get(operation.clause) ?? [];
    headings.set(operation.clause, [...rows, operation]);
  }
  return Array.from(headings, ([clause, rows]) =>
    [
      `## ${clauseById(clause).heading} at {${rows[0]?.host}_url}`,
      '',
      '| Method | Path | Id |',
      '|---|---|---|',
      ...rows.map((row) => `| ${row.method} | \`${documentedPath(row, words)}\` | ${row.id} |`),
    ].join('\n'),
  );
}
