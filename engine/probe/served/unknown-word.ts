// A neutral word left at its default, though the target may have another: absence of an operation that holds it proves nothing.
import { catalog } from '../../../catalog/catalog.ts';
import { allHosts, type Host, type Operation } from '../../../catalog/operation.ts';
import { type GivenWords, type Word, type WordMark, wordGiven, worthTrying } from '../../../catalog/words.ts';

export interface WordFacts {
  /** Is one of these operations served, judged without the words of others? */
  readonly anyServed: (rows: readonly Operation[]) => Promise<boolean>;
  readonly answers: (host: Host) => boolean;
  readonly words: GivenWords | undefined;
  /** What may be the target's own words. */
  readonly likelyWords?: readonly string[] | undefined;
}

const nothingGiven: GivenWords = { words: {}, wordsAt: {} };

/** Why the absence of an operation may be that of a word; undefined where it is the operation's own. */
export function createUnknownWord({ anyServed, answers, words = nothingGiven, likelyWords }: WordFacts) {
  const likely = worthTrying(likelyWords);
  const hint = likely === undefined ? '' : `; ${likely}`;
  const unserving = (word: string) =>
    `no call whose path holds the neutral word "${word}" is served, while others are${hint}`;
  const undecided = (word: string) =>
    `no answer shows whether the target has another word for "${word}" here${hint}`;
  const rowsOf = (host: Host) => catalog.filter((row) => row.host === host);
  /** Operations of a host with this word that are asked for by the document's own text. */
  const holders = (host: Host, word: string, isOpen: boolean) =>
    rowsOf(host).filter((row) =>
      row.words.some(
        (mark) => mark.word === word && mark.open === isOpen && wordGiven(row.id, mark, words) === undefined,
      ),
    );
  const without = (host: Host, word: string) =>
    rowsOf(host).filter((row) => row.words.every((mark) => mark.word !== word));

  const unserved = async (host: Host, { word, open }: WordMark) =>
    !(await anyServed(holders(host, word, open))) && (await anyServed(without(host, word)));

  /** The word is the document's own where operations that surely hold it are served by it. */
  const isDefault = async (word: WordMark['word']): Promise<boolean> =>
    words.words[word] === undefined &&
    anyServed(allHosts.filter(answers).flatMap((host) => holders(host, word, false)));

  /** Somewhere else operations that surely hold the word are missing, while their neighbours are there. */
  const isUnknownElsewhere = async (mark: WordMark): Promise<boolean> => {
    const seen = allHosts
      .filter((host) => answers(host) && holders(host, mark.word, false).length > 0)
      .map((host) => unserved(host, { ...mark, open: false }));
    return (await Promise.all(seen)).some(Boolean);
  };

  /** Somebody was there to be asked by a path that surely holds the word. */
  const hasWitness = (word: Word) =>
    allHosts.some((host) => answers(host) && holders(host, word, false).length > 0);

  const whyOpen = async (operation: Operation, mark: WordMark): Promise<string | undefined> => {
    const { host } = operation;
    const { word } = mark;
    if (await anyServed(holders(host, word, true).filter((row) => spelledAlike(row, operation, word))))
      return undefined;
    if (words.words[word] !== undefined)
      return `the target has another word for "${word}", and the document leaves open whether it is meant in this path (wordsAt)`;
    if (await isDefault(word)) return undefined;
    if ((await unserved(host, mark)) || (await isUnknownElsewhere(mark))) return unserving(word);
    // Where all that surely holds none is missing too, it is not for want of a word.
    const neighbours = without(host, word);
    const isMissing = neighbours.length > 0 && !(await anyServed(neighbours));
    return isMissing || hasWitness(word) ? undefined : undecided(word);
  };

  return async (operation: Operation): Promise<string | undefined> => {
    for (const mark of operation.words) {
      if (wordGiven(operation.id, mark, words) !== undefined) continue;
      const why = mark.open
        ? await whyOpen(operation, mark)
        : (await unserved(operation.host, mark))
          ? unserving(mark.word)
          : undefined;
      if (why !== undefined) return why;
    }
    return undefined;
  };
}

/** A target that says `QuestConfigs` may well say `gameplay`: only the very same letters are a witness. */
const spelledAlike = (a: Operation, b: Operation, word: Word) => spelling(a, word) === spelling(b, word);
const spelling = ({ path, words }: Operation, word: Word) =>
  words.flatMap((mark) => (mark.word === word ? path.slice(mark.index, mark.index + word.length) : []))[0];
