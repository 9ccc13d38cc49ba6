// Repeatable randomness: the same seed gives the same numbers, in Node and in k6.

/** A source of numbers in [0, 1) that depends only on the seed, an integer (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The same, with a seed hashed from words (FNV-1a). */
export function randomFrom(...words: readonly string[]): () => number {
  let hash = 0x811c9dc5;
  for (const character of words.join('\u0000')) {
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  }
  return seededRandom(hash);
}
