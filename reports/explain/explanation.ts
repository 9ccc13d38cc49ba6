// What is told of one word that Assay uses.
export interface Explanation {
  /** The word, as Assay writes it. */
  readonly word: string;
  /** What kind of thing it is: `check`, `reason of an inconclusive check`. */
  readonly kind: string;
  /** In the order in which a reader asks; without empty texts. */
  readonly fields: readonly Field[];
}

export type Field = readonly [
  label: 'asks' | 'means' | 'why' | 'level' | 'source' | 'call' | 'at' | 'holds' | 'to do' | 'run' | 'see',
  text: string,
];

/** Words and how to explain each; the explanation is made for the one that is asked for. */
export type Glossary = ReadonlyMap<string, () => Explanation>;

/** A glossary of the entries of a table. */
export function glossary<T>(
  entries: Iterable<readonly [string, T]>,
  explain: (word: string, entry: T) => Explanation,
): Glossary {
  return new Map(Array.from(entries, ([word, entry]) => [word, () => explain(word, entry)]));
}
