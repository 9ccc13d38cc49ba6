// Finds words of the profile that the target does not seem to use, so that the report names them before calls fail.
import { areas, catalog } from '../../catalog/catalog.ts';
import type { Host, Operation } from '../../catalog/operation.ts';
import { type Word, words } from '../../catalog/words.ts';
import { isLike } from '../compare/controls.ts';
import { type Exchange, statusOf } from '../http/exchange.ts';
import type { Discovery } from '../players/sign-in-discovery.ts';
import type { Target } from '../target/target.ts';
import { ownMember } from '../values/members.ts';
import { scramble } from '../values/nonexistent.ts';
import { randomFrom } from '../values/random.ts';
import { answersTo, type Put, standsOut } from './ask-target.ts';
import { findGame } from './find-words.ts';

/** Plain data: an entry of the profile, and the path that answers instead. */
export interface DoubtedWord {
  readonly word: Word;
  readonly given: string;
  /** The operation of an entry of `wordsAt`; undefined for one of `words`. */
  readonly at?: string;
  /** The status of its call, which a word that cannot be right gets as well. */
  readonly status: number;
  readonly instead?: { readonly word: string; readonly status: number; readonly by: string };
}

const { clientData, general, me } = areas;
/** Calls without a word in their path: where none of them is served either, the word is not the reason. */
const neighbours: Readonly<Record<Host, readonly Operation[]>> = {
  base: [me.location, general.healthcheck, general.config],
  cdn: [clientData.catalog, clientData.contentMetadata],
  gamelogs: [],
};
const mostEntries = 10;

interface Entry {
  readonly word: Word;
  readonly given: string;
  readonly at?: string;
  /** The entry is doubted only where all of these are missing. */
  readonly operations: readonly Operation[];
}

/** The entries of the profile that the target does not seem to use. Never rejects; sends GET alone. */
export async function doubtWords(
  put: Put,
  target: Target,
  discovery: Discovery | undefined,
): Promise<DoubtedWord[]> {
  const random = randomFrom(target.seed, target.runId, 'given words');
  const spelled = (operation: Operation, { word }: Entry, text: string) =>
    put(operation, {}, { words: {}, wordsAt: { [operation.id]: { [word]: text } } });

  const isServing = async (host: Host, first: Exchange, second: Exchange) =>
    (await Promise.all(neighbours[host].map((operation) => put(operation)))).some((answer) =>
      standsOut(answer, first, second),
    );

  const missing = async (operation: Operation, entry: Entry): Promise<DoubtedWord | undefined> => {
    const { word, given, at } = entry;
    const answers = answersTo(() => spelled(operation, entry, given));
    const wrong = answersTo(() => spelled(operation, entry, scramble(given, random)));
    const [answer, own, first, second] = await Promise.all([
      answers(1),
      put(operation, {}, { words: {}, wordsAt: {} }),
      wrong(1),
      wrong(2),
    ]);
    const status = statusOf(answer);
    if (status === 0 || status === 429 || status > 499 || !(await isLike(answers, wrong))) return undefined;
    if (!(await isServing(operation.host, first, second))) return undefined;
    const text = textOf(operation, word);
    return {
      word,
      given,
      status,
      ...(at !== undefined && { at }),
      ...(standsOut(own, first, second) && {
        instead: { word: text, status: statusOf(own), by: operation.id },
      }),
    };
  };

  const doubted = await Promise.all(
    entriesToDoubt(target).map(async (entry) => {
      const [first, ...others] = await Promise.all(
        entry.operations.map((operation) => missing(operation, entry)),
      );
      return first && others.every(Boolean) ? [first] : [];
    }),
  );
  return Promise.all(doubted.flat().map((each) => withOwnWord(put, target, discovery, each)));
}

/** Adds the target's own word for "game", found as if none was given, where the document's is not served either. */
async function withOwnWord(
  put: Put,
  target: Target,
  discovery: Discovery | undefined,
  doubted: DoubtedWord,
): Promise<DoubtedWord> {
  if (doubted.word !== 'game' || doubted.at !== undefined || doubted.instead || !target.profile)
    return doubted;
  const { game: _, ...others } = target.profile.words;
  const unsaid = { ...target, profile: { ...target.profile, words: others } };
  const found = await findGame((operation, ask) => put(operation, ask, unsaid.profile), unsaid, discovery);
  const [by] = found?.game?.by ?? [];
  return found?.game && by !== undefined
    ? { ...doubted, instead: { word: found.game.word, status: 200, by } }
    : doubted;
}

/** The profile's entries, each with reads of what is never absent: at most two for a word of `words`, else one. */
function entriesToDoubt({ profile, hosts }: Target): Entry[] {
  if (!profile) return [];
  const reads = catalog.filter(
    ({ id, host, method, effect, mayBe404 }) =>
      hosts[host] !== undefined &&
      !profile.omitted.has(id) &&
      [method, effect, mayBe404].join() === 'GET,read,never',
  );
  const everywhere = words.flatMap((word): Entry[] => {
    const given = ownMember<string>(profile.words, word);
    const operations = reads.filter(
      (operation) =>
        holds(operation, word, false) && !Object.hasOwn(profile.wordsAt[operation.id] ?? {}, word),
    );
    return given === undefined || operations.length === 0
      ? []
      : [{ word, given, operations: operations.slice(0, 2) }];
  });
  const single = reads.flatMap((operation) =>
    Object.entries(profile.wordsAt[operation.id] ?? {}).map(([word, given]): Entry => {
      return { word: word as Word, given, at: operation.id, operations: [operation] };
    }),
  );
  return [...everywhere, ...single].slice(0, mostEntries);
}

const holds = ({ words: marks }: Operation, word: Word, open: boolean) =>
  marks.some((mark) => mark.word === word && mark.open === open);

/** The document's word at that place, as its path writes it. */
function textOf({ path, words: marks }: Operation, word: Word): string {
  const index = marks.find((mark) => mark.word === word)?.index ?? 0;
  return path.slice(index, index + word.length);
}

/** `words: "nope" for "game" (words in the profile) is answered 404 …; the document's own …` */
export function doubtLine(doubted: DoubtedWord): string {
  return `words: ${doubtOf(doubted)}: ${adviceOn(doubted)}`;
}

export const doubtOf = ({ word, given, at, status }: DoubtedWord) =>
  `"${given}" for "${word}" in ${at === undefined ? 'words' : `wordsAt of ${at}`} of the profile is answered ${status} just as a wrong word is, while other calls are served`;

export function adviceOn({ word, instead }: DoubtedWord): string {
  if (!instead) return 'mend it, or leave it out';
  const { word: other, status, by } = instead;
  const isOwn = other.toLowerCase() !== word.toLowerCase();
  return isOwn
    ? `"${other}" is answered ${status} (${by}): say that instead`
    : `the document's own "${other}" is answered ${status} (${by}): leave it out`;
}
