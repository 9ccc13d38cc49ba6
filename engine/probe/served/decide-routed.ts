// Decides whether an operation is served, also by what other operations show: proof, dead areas, words, segments.
import { areas, catalog, isPublic } from '../../../catalog/catalog.ts';
import { allHosts, type Host, type Method, type Operation } from '../../../catalog/operation.ts';
import { type GivenWords, type Word, type WordMark, wordGiven, worthTrying } from '../../../catalog/words.ts';
import { isLike, nameControls } from '../../compare/controls.ts';
import { statusOf } from '../../http/exchange.ts';
import { isWall } from '../../target/session-transport.ts';
import type { Target } from '../../target/target.ts';
import { once } from '../../values/once.ts';
import { is2xx } from '../../values/status.ts';
import { guessesPattern } from '../prerequisites.ts';
import { open, type Routed, routedFor } from './routed-table.ts';
import {
  answersOf,
  compareWith,
  createSampler,
  type HostProof,
  isSteady,
  type SamplerFacts,
} from './samples.ts';

interface RoutedFacts extends SamplerFacts {
  /** Whether the host answered 401 before the run, with every session that could be sent. */
  readonly isWalled?: ((host: Host) => boolean) | undefined;
  readonly segmentsGiven: boolean;
  /** Whether its call names a version pattern that was not given. */
  readonly guessesPattern: (operation: Operation) => boolean;
  /** Whether the host was given and is reached. */
  readonly answers: (host: Host) => boolean;
  /** Words that may be the target's own. */
  readonly likelyWords?: readonly string[] | undefined;
  /** What is known of an operation that may not be called; undefined for any other. */
  readonly known?: ((operation: Operation) => Routed | undefined) | undefined;
}

/** Facts about a target from its settings and preflight. */
export function routedFactsOf(
  target: Pick<Target, 'given' | 'sessions' | 'profile' | 'likelyWords'>,
): Pick<RoutedFacts, 'isWalled' | 'segmentsGiven' | 'guessesPattern' | 'words' | 'likelyWords'> {
  const ambientGiven = new Set<string>(target.given);
  return {
    isWalled(host) {
      const session = host === 'base' ? undefined : target.sessions?.[host];
      return isWall(session) && session.status === 401;
    },
    segmentsGiven: ambientGiven.has('CDN_ROOT_FOLDER_PATH') && ambientGiven.has('gameVersion'),
    guessesPattern: (operation) => guessesPattern(operation, { ambientGiven }),
    words: target.profile,
    likelyWords: target.likelyWords,
  };
}

const { privacyV3Definition: v3, privacyV4Definition: v4, privacyV4 } = areas.clientData;

/** Makes the function that decides `routed` in one run; it decides each operation once. */
export function createDecideRouted(facts: RoutedFacts): (operation: Operation) => Promise<Routed> {
  const { standsOut, proven, steady } = createProof(facts);

  const sampled = createSampler(facts, { proven, steady });
  const sample = oncePerOperation(async (operation) => facts.known?.(operation) ?? sampled(operation));

  const alone = oncePerOperation(async (operation: Operation): Promise<Routed> => {
    const observation = await sample(operation);
    if ('served' in observation) return observation;
    const areaIsDead = operation.mayBe404 !== 'never' && (await nothingServedIn(operation));
    return routedFor({ ...observation, areaIsDead });
  });

  const nothingServedIn = async (operation: Operation): Promise<boolean> => {
    const area = catalog.filter((each) => each.area === operation.area && each.host === operation.host);
    if (!area.some((each) => each.mayBe404 === 'never')) return false;
    const seen = await Promise.all(
      area.map(async (each) => {
        const observation = await sample(each);
        return {
          operation: each,
          served:
            'served' in observation
              ? observation.served
              : routedFor({ ...observation, areaIsDead: false }).served,
        };
      }),
    );
    return seen.every(({ operation: { mayBe404 }, served }) =>
      mayBe404 === 'never' ? served === false : served !== true,
    );
  };

  const anyServed = async (operations: readonly Operation[]) =>
    (await Promise.all(operations.map(alone))).some(({ served }) => served === true);

  const unknownWord = createUnknownWord({ ...facts, anyServed });

  /** Whether a file's answer shows nothing, since folder and version were only assumed and no file is served there. */
  const underUnknownSegments = async (operation: Operation, found: Routed): Promise<boolean> => {
    if (operation.host !== 'cdn' || facts.segmentsGiven || (await standsOut(operation))) return false;
    // A host that refuses every caller shows nothing of a folder or a version.
    if (facts.isWalled?.('cdn') && found.served === undefined && found.reason === 'auth-wall') return false;
    if (found.served === undefined && !saysNothingOfSegments.has(found.reason)) return false;
    const files = catalog.filter((each) => each.host === 'cdn' && each.mayBe404 === 'never');
    return !(await Promise.all(files.map(standsOut))).some(Boolean);
  };

  /** Why no player is signed in; undefined where one is, or where no login exists and so none is needed. */
  const missingSession = async (operation: Operation): Promise<string | undefined> => {
    const why = facts.noSession();
    if (why === undefined || operation.host !== 'base' || isPublic(operation)) return undefined;
    const login = await alone(areas.auth.login);
    return login.served === false || looksUnrouted(login) ? undefined : why;
  };

  /** Whether only the other privacy version is served; for the text of v4, whether its definition is missing too. */
  const otherPrivacy = async (operation: Operation): Promise<boolean> => {
    if (operation === privacyV4) return !(await anyServed([v4])) && anyServed([v3]);
    return (operation === v3 && anyServed([v4])) || (operation === v4 && anyServed([v3]));
  };

  return oncePerOperation(async (operation) => {
    const found = await alone(operation);
    if (await underUnknownSegments(operation, found)) return open('segments-unknown', segmentsUnknown);
    if (!looksUnrouted(found)) return found;
    const missing = await missingSession(operation);
    if (missing !== undefined) return open('no-session', missing);
    const word = await unknownWord(operation);
    if (word !== undefined) return open('word-unknown', word);
    // A file that is missing under a guessed pattern is no fault. On the main API, the pattern changes no route.
    if (found.served === false && operation.host === 'cdn' && facts.guessesPattern(operation))
      return open('unknown-resource', `${found.why}; its version pattern was not given`);
    if (found.served === false && (await otherPrivacy(operation)))
      return {
        ...found,
        warn: 'the other privacy version is served, and the document leaves open which applies',
      };
    return found;
  });
}

const segmentsUnknown = 'no client-data file is served under the assumed folder and version';

/** Reasons whose answer may also be that to a folder or a version which is not the target's. */
const saysNothingOfSegments = new Set(['unknown-resource', 'auth-wall', 'any-name']);

const unrouted = new Set(['unknown-resource', 'auth-wall', 'catch-all', 'shadowed']);

/** Whether its answer may be that of a path without a route. A known path with another method has one. */
const looksUnrouted = (found: Routed): boolean =>
  found.served === undefined
    ? unrouted.has(found.reason)
    : found.served === false && found.kind !== 'wrong method';

/** Calls `make` once per operation. */
const oncePerOperation = <Found>(make: (operation: Operation) => Promise<Found>) =>
  once(make, ({ id }) => id);

interface Proof extends HostProof {
  /** Whether the operation is answered 2xx, unlike its controls. */
  readonly standsOut: (operation: Operation) => Promise<boolean>;
}

function createProof({ ask, control }: Pick<RoutedFacts, 'ask' | 'control'>): Proof {
  const standsOut = oncePerOperation(async (operation: Operation) => {
    const answer = await ask(operation);
    const status = statusOf(answer);
    if (!is2xx(status)) return false;
    const answers = answersOf(ask, operation, answer);
    const compared = await Promise.all(
      (['sibling', 'root', ...nameControls(operation)] as const).map((kind) =>
        compareWith(control, operation, kind, answers),
      ),
    );
    return compared.every(({ differs, failed }) => differs && failed === undefined);
  });

  const steady = once(async (host: Host): Promise<boolean> => {
    const found = (['GET', 'POST'] as const).map((method) =>
      catalog.find(
        (operation) => operation.host === host && operation.method === method && isPlain(operation),
      ),
    );
    const seen = found.map((operation) => operation === undefined || isSteady(control, operation));
    return (await Promise.all(seen)).every(Boolean);
  });

  const proofsOf = once((host: Host) => once((method: Method) => prove(host, method)));
  const proven = (host: Host, method: Method): Promise<boolean> => proofsOf(host)(method);

  const prove = async (host: Host, method: Method): Promise<boolean> => {
    const operations = catalog.filter((operation) => operation.host === host && operation.method === method);
    const seen = await Promise.all(operations.map(standsOut));
    if (seen.filter(Boolean).length >= 3) return true;
    if (operations.length >= 3 && method === 'GET') return false;
    return borrow(host, method);
  };

  /** A method with few operations borrows the proof of GET or POST where their unrouted answers look the same. */
  const borrow = async (host: Host, method: Method): Promise<boolean> => {
    const own = catalog.find((operation) => operation.host === host && operation.method === method);
    for (const lender of (['GET', 'POST'] as const).filter((other) => other !== method)) {
      const operation = catalog.find((candidate) => candidate.host === host && candidate.method === lender);
      if (!own || !operation || !(await proven(host, lender))) continue;
      const isAlike = await isLike(
        (nth) => control(own, 'root', nth),
        (nth) => control(operation, 'root', nth),
      );
      if (isAlike) return true;
    }
    return false;
  };

  return { standsOut, proven, steady };
}

/** Whether the operation shares its controls with many others and needs no player of its own. */
const isPlain = ({ query, ends }: Operation) => Object.keys(query).length === 0 && ends === undefined;

interface WordFacts extends Pick<RoutedFacts, 'answers' | 'words' | 'likelyWords'> {
  /** Whether one of these operations is served; unknown words are not considered. */
  readonly anyServed: (operations: readonly Operation[]) => Promise<boolean>;
}

const nothingGiven: GivenWords = { words: {}, wordsAt: {} };

/** Finds why an operation may be missing only because the target has another word; undefined where it is not that. */
function createUnknownWord({ anyServed, answers, words = nothingGiven, likelyWords }: WordFacts) {
  const likely = worthTrying(likelyWords);
  const hint = likely === undefined ? '' : `; ${likely}`;
  const unserving = (word: string) =>
    `no call whose path holds the neutral word "${word}" is served, while others are${hint}`;
  const undecided = (word: string) =>
    `no answer shows whether the target has another word for "${word}" here${hint}`;
  const operationsOn = (host: Host) => catalog.filter((operation) => operation.host === host);
  /** Operations of a host with this word that are called by the document's own spelling. */
  const holders = (host: Host, word: string, isOpen: boolean) =>
    operationsOn(host).filter((operation) =>
      operation.words.some(
        (mark) =>
          mark.word === word && mark.open === isOpen && wordGiven(operation.id, mark, words) === undefined,
      ),
    );
  const without = (host: Host, word: string) =>
    operationsOn(host).filter((operation) => operation.words.every((mark) => mark.word !== word));

  const unserved = async (host: Host, { word, open }: WordMark) =>
    !(await anyServed(holders(host, word, open))) && (await anyServed(without(host, word)));

  /** Whether the target uses the document's word: operations that surely hold it are served with it. */
  const isDefault = async (word: WordMark['word']): Promise<boolean> =>
    words.words[word] === undefined &&
    anyServed(allHosts.filter(answers).flatMap((host) => holders(host, word, false)));

  /** Whether, on some host, operations that surely hold the word are missing while others are served. */
  const isUnknownElsewhere = async (mark: WordMark): Promise<boolean> => {
    const seen = allHosts
      .filter((host) => answers(host) && holders(host, mark.word, false).length > 0)
      .map((host) => unserved(host, { ...mark, open: false }));
    return (await Promise.all(seen)).some(Boolean);
  };

  /** Whether a host that answers has an operation that surely holds the word. */
  const hasWitness = (word: Word) =>
    allHosts.some((host) => answers(host) && holders(host, word, false).length > 0);

  const whyOpen = async (operation: Operation, mark: WordMark): Promise<string | undefined> => {
    const { host } = operation;
    const { word } = mark;
    if (await anyServed(holders(host, word, true).filter((each) => spelledAlike(each, operation, word))))
      return undefined;
    if (words.words[word] !== undefined)
      return `the target has another word for "${word}", and the document leaves open whether it is meant in this path (wordsAt)`;
    if (await isDefault(word)) return undefined;
    if ((await unserved(host, mark)) || (await isUnknownElsewhere(mark))) return unserving(word);
    // If the operations that surely hold no word are missing too, the word is not the reason.
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

/** Whether both paths write the word with the same letters: only then is one evidence for the other. */
const spelledAlike = (a: Operation, b: Operation, word: Word) => spelling(a, word) === spelling(b, word);
const spelling = ({ path, words }: Operation, word: Word) =>
  words.flatMap((mark) => (mark.word === word ? path.slice(mark.index, mark.index + word.length) : []))[0];
