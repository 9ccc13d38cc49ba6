// Writes the interface as JSON, for use in other languages.
import { catalog } from '../../../catalog/catalog.ts';
import type { Operation } from '../../../catalog/operation.ts';
import { documentedPath } from '../../../catalog/request-path.ts';
import { type Speech, unspoken } from '../target-speech.ts';

/**
 * Rows as a JSON array of `{id, host, method, path, clause}` in document order; `path` as documented with its query
 * (`types[]` and `<JWT>` as they stand), client-data paths in full, in the target's words where they are known.
 */
export function catalogJson(
  selected: readonly Operation[] = catalog,
  { words }: Pick<Speech, 'words'> = unspoken,
): string {
  const rows = selected.map((operation) => {
    const { id, host, method, clause } = operation;
    return { id, host, method, path: documentedPath(operation, words), clause };
  });
  return JSON.stringify(rows, null, 2);
}
