// Finds the target's own words for "game" and "storefront", and which word a path holds where the interface leaves open
// whether a neutral one is meant.

import { areas, catalog } from '../../catalog/catalog.ts';
import type { Operation } from '../../catalog/operation.ts';
import { type GivenWords, pathInWords } from '../../catalog/words.ts';
import { areOfOneKind } from '../compare/contrast.ts';
import { type Answers, isLike } from '../compare/controls.ts';
import { nobody } from '../http/ask.ts';
import type { Client } from '../http/client.ts';
import { isSuccess, statusOf } from '../http/exchange.ts';
import type { Redactor } from '../http/redact.ts';
import { type Discovery, discover } from '../players/sign-in-discovery.ts';
import type { PlayerTokens } from '../players/tokens.ts';
import { silentProfile } from '../target/profile.ts';
import type { Described, Target } from '../target/target.ts';
import { scramble } from '../values/nonexistent.ts';
import { randomFrom } from '../values/random.ts';
import {
  answersTo,
  createSources,
  isSigning,
  isUnlike,
  type Put,
  putter,
  type Sources,
  standsOut,
} from './ask-target.ts';
import type { DoubtedWord } from './doubtful-words.ts';
import { type Clue, cluesIn, describedAs, distinct, inAnswer, softwareNamed } from './word-clues.ts';

const openOperations = catalog.filter(({ words }) => words.some(({ open }) => open));

/**
 * Finds the operations whose paths hold the target's own word: with it they are answered unlike with a wrong word, and
 * with the document's word they are not. Never rejects.
 * @param sending whether calls that are no reads may be sent; batches of logs are none
 * @returns the word of each such operation, by operation id
 */
export async function findOpen(
  put: Put,
  target: Pick<Target, 'hosts' | 'profile' | 'seed' | 'runId'>,
  game: string,
  sending: boolean,
): Promise<GivenWords['wordsAt']> {
  const random = randomFrom(target.seed, target.runId, 'open words');
  const given = target.profile?.wordsAt ?? {};
  const asked = openOperations.filter(
    ({ id, host, effect }) =>
      target.hosts[host] !== undefined && (sending || effect === 'read') && !Object.hasOwn(given, id),
  );
  const found = await Promise.all(
    asked.map(async (operation) => {
      const word = inCaseOf(operation, game);
      const spelled = (text: string) =>
        put(operation, {}, { words: {}, wordsAt: { [operation.id]: { game: text } } });
      const own = answersTo(() => spelled(word));
      const document = answersTo(() => put(operation, {}, { words: {}, wordsAt: {} }));
      const wrong = answersTo(() => spelled(scramble(word, random)));
      const [isOwn, isDocument] = await Promise.all([isThere(own, wrong), isThere(document, wrong)]);
      return isOwn && !isDocument ? [[operation.id, { game: word }] as const] : [];
    }),
  );
  return Object.fromEntries(found.flat());
}

const missing: ReadonlySet<number> = new Set([0, 404, 405, 429, 501]);
/** Returns whether the path is answered, and differently from a path that cannot be right. */
async function isThere(answers: Answers, wrong: Answers): Promise<boolean> {
  const status = statusOf(await answers(1));
  return !missing.has(status) && status < 500 && isUnlike(answers, wrong);
}

/** Writes the word as the document writes the neutral one: `Quest` where it has `Game`. */
function inCaseOf({ path, words }: Operation, word: string): string {
  const [mark] = words;
  const isCapital = mark !== undefined && path.charAt(mark.index) === path.charAt(mark.index).toUpperCase();
  return isCapital ? word.charAt(0).toUpperCase() + word.slice(1) : word;
}

// The target's own word for "game", where the document's is not served and none was given.

/** Plain data. */
interface FoundGame {
  /** Reads show that the document's own word for the game is not served. */
  readonly missing: boolean;
  /** Words to try where none was given. */
  readonly clues: readonly Clue[];
  /** The one word with which two reads are served that are not served with the document's. */
  readonly game?: Clue & { readonly by: readonly string[] };
}

const { game, general } = areas;
/** Reads without parameters. Every word is tried on the first two that are not omitted, and on the rest if one fits. */
const reads: readonly Operation[] = [
  game.challenges,
  game.playerCard,
  game.shrine,
  game.voiceOver,
  game.matchBonus,
  game.loadoutPresets,
];
const identifierSources = [general.healthcheck, general.version, general.config];
/** Statuses of a failure, a rate limit or a wall: another word does not change them. */
const closed = (status: number) =>
  status === 0 || status === 401 || status === 403 || status === 429 || status > 499;

/**
 * Finds the word for "game"; undefined where it was given or is the document's, and there is a login. Accepts a word
 * only where two reads succeed with it, unlike with any other word and with any other rest of the path, and where no
 * second word does the same. Never rejects; sends GET alone.
 */
export async function findGame(
  put: Put,
  target: Target,
  discovery: Discovery | undefined,
  sources: Sources = createSources(),
): Promise<FoundGame | undefined> {
  const random = randomFrom(target.seed, target.runId, 'words');
  const operations = reads.filter(({ id }) => !target.profile?.omitted.has(id));
  const spelled = (operation: Operation, word: string) =>
    pathInWords(operation, { words: { game: word }, wordsAt: {} });

  /** Whether the operation is served with this word, and with no other word and no other rest of the path. */
  const servedBy = async (operation: Operation, word: string): Promise<boolean> => {
    const path = spelled(operation, word);
    const answer = await put(operation, { path });
    if (!isSuccess(answer)) return false;
    const before = `/api/v1/${word}-`;
    const otherWord = () => spelled(operation, scramble(word, random));
    const otherRest = () => before + scramble(path.slice(before.length), random);
    for (const control of [otherWord, otherRest])
      if (
        !standsOut(
          answer,
          await put(operation, { path: control() }),
          await put(operation, { path: control() }),
        )
      )
        return false;
    return statusOf(await put(operation, { path })) === statusOf(answer);
  };

  const operationsServedBy = async (word: string): Promise<string[]> => {
    const [first, second] = operations as [Operation, Operation];
    const by: string[] = [];
    for (const operation of operations) {
      if (operation !== first && operation !== second && by.length === 0) break;
      if (await servedBy(operation, word)) by.push(operation.id);
      if (by.length === 2) break;
    }
    return by;
  };

  /** Answers to two words that cannot be right; undefined where a read differs from them or shows nothing. */
  const unknownWords = async () => {
    const [operation] = operations;
    if (operation === undefined) return undefined;
    const wrong = answersTo(() => put(operation, { path: spelled(operation, scramble('brxqzk', random)) }));
    const [first, second] = [await wrong(1), await wrong(2)];
    if (!areOfOneKind(first, second)) return undefined;
    for (const operation of operations) {
      const answers = answersTo(() => put(operation));
      if (closed(statusOf(await answers(1))) || !(await isLike(answers, wrong))) return undefined;
    }
    return [first, second] as const;
  };

  const given = target.profile !== undefined && Object.hasOwn(target.profile.words, 'game');
  const unknown = given ? undefined : await unknownWords();
  if (unknown === undefined && discovery?.kind !== 'unrouted') return undefined;
  const [refused, ...answers] = await Promise.all([
    put(areas.me.location, { as: nobody }),
    ...identifierSources.map(sources(put, isSigning(discovery))),
  ]);
  const clues = cluesIn(target, discovery, [...answers, refused]);
  // Where nothing else is served either, the word is not the reason.
  if (unknown === undefined || !answers.some((answer) => standsOut(answer, ...unknown)))
    return { missing: false, clues };
  const tried = await Promise.all(
    clues.map(async (clue) => ({ ...clue, by: await operationsServedBy(clue.word) })),
  );
  const [only, ...others] = tried.filter(({ by }) => by.length === 2);
  // A word of the Server header that did not work only names the software.
  const likely = clues.filter(
    ({ because }, nth) => because !== softwareNamed || (tried[nth]?.by.length ?? 0) > 0,
  );
  if (!only || others.length > 0) return { missing: true, clues: likely };
  return { missing: true, clues: likely.filter(({ word }) => word !== only.word), game: only };
}

/** Plain data. */
export interface FoundWords extends FoundGame {
  /** The word with which the sign-in works. */
  readonly storefront?: Clue;
  /** By operation id: the word that the target uses where the document leaves open whether a neutral one is meant. */
  readonly wordsAt: GivenWords['wordsAt'];
  /** Words of the profile that the target does not seem to use. */
  readonly doubted: readonly DoubtedWord[];
}

interface Parts {
  readonly storefront?: Clue | undefined;
  readonly game?: FoundGame | undefined;
  readonly wordsAt?: GivenWords['wordsAt'] | undefined;
  readonly doubted?: readonly DoubtedWord[];
}

/** Combines what was found; undefined where nothing was found, and nothing is known to be missing. */
export const together = ({ storefront, game, wordsAt = {}, doubted = [] }: Parts): FoundWords | undefined =>
  storefront || game || Object.keys(wordsAt).length + doubted.length > 0
    ? { missing: false, clues: [], ...game, ...(storefront && { storefront }), wordsAt, doubted }
    : undefined;

/** The words that hold everywhere, as a profile names them. */
export const wordsIn = ({ game, storefront }: Pick<FoundWords, 'game' | 'storefront'>) => ({
  ...(game && { game: game.word }),
  ...(storefront && { storefront: storefront.word }),
});

/** The target with the words that were found, as if they had been given. */
export function inWords(target: Target, found: FoundWords | undefined): Target {
  if (found === undefined) return target;
  const words = wordsIn(found);
  const likely = { ...target, likelyWords: found.clues.map(({ word }) => word) };
  if (Object.keys(words).length + Object.keys(found.wordsAt).length === 0) return likely;
  const { profile = silentProfile } = target;
  return {
    ...likely,
    profile: {
      ...profile,
      words: { ...profile.words, ...words },
      wordsAt: { ...profile.wordsAt, ...found.wordsAt },
    },
  };
}

// The target's own word for "storefront", where no login is served under the document's and none was given.

/** Plain data: the sign-in, and the word for "storefront" where the target has its own. */
export interface Discovered {
  readonly discovery: Discovery;
  readonly storefront?: Clue;
}

const storefrontSources = [general.config, general.healthcheck, general.version];
/** Most words that are tried: each takes a sign-in, since only a successful one confirms the word. */
const mostWords = 4;

/** Signs in; where the neutral login is missing, tries the words that the target names. Never rejects. */
export async function discoverByAnyName(
  client: Client,
  target: Target,
  tokens: PlayerTokens,
  redactor: Pick<Redactor, 'learn'>,
  sources: Sources = createSources(),
  describing: Promise<Described | undefined> = Promise.resolve(undefined),
): Promise<Discovered> {
  const discovery = await discover(client, target, tokens, redactor);
  const isGiven = Object.hasOwn(target.profile?.words ?? {}, 'storefront');
  if (discovery.kind !== 'unrouted' || isGiven) return { discovery };
  const read = sources(putter(client, target, undefined), false);
  const words = await Promise.all(
    storefrontSources.map(async (operation) => inAnswer(operation.id, await read(operation))),
  );
  const clues = [...describedAs(await describing, 'storefront'), ...words.flat()];
  for (const storefront of distinct(clues).slice(0, mostWords)) {
    const speaking = inWords(target, together({ storefront }));
    const found = await discover(client, speaking, tokens, redactor);
    if (found.kind === 'found') return { discovery: found, storefront };
  }
  return { discovery };
}
