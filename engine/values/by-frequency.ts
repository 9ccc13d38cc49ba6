// Counts the words of a list.

/** Each word with its count in the list, most frequent first; equally frequent words keep their order. */
export const byFrequency = (words: readonly string[]): (readonly [word: string, count: number])[] =>
  Array.from(
    Map.groupBy(words, (word) => word),
    ([word, { length }]) => [word, length] as const,
  ).sort(([, a], [, b]) => b - a);
