// Decides which data is private to a player and which is shared, by `private` and `shared` of a profile. Pure.
import { catalog } from '../../catalog/catalog.ts';
import { globMatches, nearest, quoted } from '../values/text.ts';

export type Sharing = 'private' | 'shared';

/** The two lists of a profile: ids of operations or of checks, or globs of them. */
export type SharingLists = { readonly [Kind in Sharing]?: readonly string[] };

const kinds = ['private', 'shared'] as const;

/** How exactly a word names something: an id counts most, and a glob by the characters that it spells out. */
const specificity = (word: string) =>
  /[*?]/.test(word) ? word.replace(/[*?]/g, '').length : Number.POSITIVE_INFINITY;

/**
 * What a profile states of the data that an operation or a check shows; undefined where it states nothing.
 * @param names ids of the operation, or of a check and of its operations. The word that fits one of them best decides,
 * and `private` where two fit equally.
 */
export function sharingOf(lists: SharingLists, names: readonly string[]): Sharing | undefined {
  const fitting = kinds.flatMap((kind) =>
    (lists[kind] ?? [])
      .filter((word) => names.some((name) => globMatches(word, name)))
      .map((word) => ({ kind, specificity: specificity(word) })),
  );
  // Two infinities are equal, but their difference is NaN.
  const [best] = fitting.toSorted((a, b) =>
    a.specificity === b.specificity ? 0 : b.specificity - a.specificity,
  );
  return best?.kind;
}

/**
 * Returns a line for each word of the lists that matches no operation and no check, as a spelling mistake does.
 * @param known ids of all checks
 */
export function unmatchedWords(lists: SharingLists, known: readonly string[]): string[] {
  const ids = [...catalog.map(({ id }) => id), ...known];
  return kinds.flatMap((kind) =>
    (lists[kind] ?? [])
      .filter((word) => !ids.some((id) => globMatches(word, id)))
      .map((word) => {
        const [near] = nearest(word, ids, 1);
        const perhaps = near === undefined ? '' : ` (nearest: ${near})`;
        return `${kind}: ${quoted(word)} matches no operation and no check${perhaps}`;
      }),
  );
}
