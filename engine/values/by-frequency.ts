// Counts the words of a list.

/** Each word once, with how often it stands in the list: the most frequent first, those that are as frequent in their order. */
export const byFrequency = (words: readonly string[]): (readonly [word: string, count: number])[] =>
  Array.from(
    Map.groupBy(words, (word) => word),
    ([word, { length }]) => [word, length] as const,
  ).sort(([, a], [, b]) => b - a);
