// Finds neutral words in paths. They stand for names that differ per target; each occurrence can be replaced alone.

export const words = ['game', 'storefront', 'console', 'creatorSupport'] as const;
export type Word = (typeof words)[number];

/** One occurrence of a neutral word in a path template; `index` counts characters from its start. */
export interface WordMark {
  readonly word: Word;
  readonly index: number;
  /** The document leaves open whether the word is meant here (`gameLogs`, `GameConfigs.json`). */
  readonly open: boolean;
}

type Replacements = { readonly [W in Word]?: string };

/** The words that a target uses instead of the neutral ones. */
export interface GivenWords {
  /** Replaces the word at every mark that is not `open`. */
  readonly words: Replacements;
  /** By operation id; replaces open marks too, and takes precedence over `words`. */
  readonly wordsAt: Readonly<Record<string, Replacements>>;
}

const certainMark = /storefront|console|creatorSupport|(?<=\/)game(?=-)/g;
const openMark = /(?<=\/)(?:game(?=[A-Zp])|Game(?=[A-Z]))/g;

/** The marks of a template's literal text, in order; placeholders (`{gameVersion}`) hold none. */
export function wordsIn(template: string): WordMark[] {
  const literal = template.replace(/\{[^}]*\}/g, (hole) => ' '.repeat(hole.length));
  const marks = [
    ...Array.from(literal.matchAll(certainMark), (m) => ({
      word: m[0] as Word,
      index: m.index,
      open: false,
    })),
    ...Array.from(literal.matchAll(openMark), (m) => ({ word: 'game' as const, index: m.index, open: true })),
  ];
  return marks.sort((a, b) => a.index - b.index);
}

/** The replacement for a mark; undefined where the document's word stays. */
export function wordGiven(operation: string, mark: WordMark, given: GivenWords): string | undefined {
  const here = own(given.wordsAt, operation);
  return (here && own(here, mark.word)) ?? (mark.open ? undefined : own(given.words, mark.word));
}

/** An operation's path template with the given words in it, percent-encoded; other words stay the document's. */
export function pathInWords(
  { id, path, words }: { readonly id: string; readonly path: string; readonly words: readonly WordMark[] },
  given: GivenWords | undefined,
): string {
  if (given === undefined) return path;
  return words.reduceRight((spoken, mark) => {
    const word = wordGiven(id, mark, given);
    if (word === undefined) return spoken;
    return (
      spoken.slice(0, mark.index) + encodeURIComponent(word) + spoken.slice(mark.index + mark.word.length)
    );
  }, path);
}

/** Keys come from a user's file: one may be the name of an inherited property, such as `constructor`. */
const own = <T extends object, K extends string>(values: T, key: K) =>
  Object.hasOwn(values, key) ? (values as Record<K, T[keyof T]>)[key] : undefined;

/** `worth trying: rally, camp`; undefined where nothing is. */
export const worthTrying = (words: readonly string[] = []): string | undefined =>
  words.length === 0 ? undefined : `worth trying: ${words.join(', ')}`;
