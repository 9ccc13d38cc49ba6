// Reads from a first pass over recorded calls where the target's hosts are, and which words and segments it uses.

import { operationById } from '../../../catalog/catalog.ts';
import type { Host, Operation } from '../../../catalog/operation.ts';
import { ambientParameters } from '../../../catalog/request-path.ts';
import type { GivenWords, Word } from '../../../catalog/words.ts';
import { addParameters, type ParameterValues } from '../infer/bodies.ts';
import { isPlainWord } from '../privacy.ts';
import { Tally } from '../tally.ts';
import { type CallMatch, documentedWord } from './match-call.ts';

/** Where this many operations agree on a word, a call with another word in its place is no call of the operation. */
const enough = 3;

/**
 * Chooses words by the majority of operations, not of calls, so that one frequent call does not rename the rest.
 * @returns `spokenAt`: the word at the place of each operation, documented ones included
 */
export function electWords(seen: ReadonlyMap<string, Tally>) {
  const counts = [...seen].flatMap(([id, tally]) => {
    const operation = operationById(id);
    return operation ? [{ operation, tally }] : [];
  });
  const words: { [W in Word]?: string } = {};
  const wordsAt: Record<string, { [W in Word]?: string }> = {};
  const spokenAt = new Map<string, string>();
  const byWord = Map.groupBy(counts, ({ operation }) => wordOf(operation));
  for (const [word, places] of byWord) {
    const meant = places.filter(({ operation }) => !operation.words[0]?.open);
    const winner = majority(meant);
    if (winner) words[word] = winner.value;
    const likely = winner ?? majority(places.filter(({ operation }) => operation.host === 'gamelogs'));
    for (const { operation, tally } of places) {
      const spoken = operation.words[0]?.open
        ? atOpenMark(operation, tally, likely?.value)
        : atMeant(tally, winner);
      if (spoken === undefined) continue;
      spokenAt.set(operation.id, spoken);
      const usual = operation.words[0]?.open ? documentedWord(operation) : winner?.value;
      if (spoken !== usual) wordsAt[operation.id] = { [word]: spoken };
    }
  }
  return { words, wordsAt, spokenAt };
}

const wordOf = ({ words: [mark] }: Operation) => (mark?.word ?? 'game') as Word;

function majority(places: readonly { readonly tally: Tally }[]) {
  const votes = new Map<string, { operations: number; calls: number }>();
  for (const { tally } of places)
    for (const [value, calls] of tally.ranked()) {
      const vote = votes.get(value) ?? { operations: 0, calls: 0 };
      votes.set(value, { operations: vote.operations + 1, calls: vote.calls + calls });
    }
  const [best] = [...votes].sort(
    ([a, m], [b, n]) => n.operations - m.operations || n.calls - m.calls || (a < b ? -1 : 1),
  );
  return best && { value: best[0], operations: best[1].operations };
}

function atMeant(tally: Tally, winner: ReturnType<typeof majority>): string | undefined {
  if (winner === undefined || tally.of(winner.value) > 0) return winner?.value;
  return winner.operations >= enough ? undefined : tally.first;
}

/**
 * The document's own spelling, or the target's word in whichever case. Anything else is taken on the logging API
 * alone, where two operations are all there is: `otherConfigs.json` may be a file that the document does not have.
 */
function atOpenMark(operation: Operation, tally: Tally, likely: string | undefined): string | undefined {
  const spelling = documentedWord(operation) ?? '';
  if (tally.of(spelling) > 0) return spelling;
  const alike = tally.ranked().find(([value]) => value.toLowerCase() === likely?.toLowerCase());
  return alike?.[0] ?? (operation.host === 'gamelogs' ? tally.first : undefined);
}

const mostSegments = 10;

/** Method, origin and path without what may be somebody's: every segment that is no plain word becomes `{…}`. */
export function shapeOf(method: string, { origin, pathname }: URL): string {
  const segments = pathname.split('/').slice(1);
  const shown = segments
    .slice(0, mostSegments)
    .map((segment) => (segment === '' || isPlainWord(segment) ? segment : '{…}'));
  return `${method} ${origin}/${shown.join('/')}${segments.length > mostSegments ? '/…' : ''}`;
}

export interface Findings extends GivenWords {
  /** By host: origin and path prefix, how many of its operations were called there, and how often. */
  readonly hosts: Readonly<
    Partial<Record<Host, { readonly url: string; readonly operations: number; readonly calls: number }>>
  >;
  /** `CDN_ROOT_FOLDER_PATH`, `gameVersion`, `versionPattern`, as far as calls held them. */
  readonly segments: Readonly<Record<string, string>>;
  /** Parameters of successful calls to these hosts. */
  readonly parameterValues: ParameterValues;
  /** Whether a call goes to this target, with the words that it uses. */
  readonly isTheirs: (match: CallMatch) => boolean;
  /** How many operations have calls that show a word or a segment. */
  readonly showing: (kind: Word | 'CDN_ROOT_FOLDER_PATH' | 'gameVersion' | 'versionPattern') => number;
}

const mostHosts = 200;

interface Candidate {
  readonly host: Host;
  readonly url: string;
  readonly operations: Tally;
  readonly words: Map<string, Tally>;
  /** Segment values by the operations that showed them, so that one often-read file does not decide alone. */
  readonly segments: Map<string, Map<string, Set<string>>>;
  readonly parameterValues: ParameterValues;
}

/** @param given the hosts that the user named: no other is considered for them */
export function createSurvey(given: Readonly<Partial<Record<Host, string>>> = {}) {
  const candidates = new Map<string, Candidate>();
  const candidateOf = (host: Host, url: string): Candidate | undefined => {
    const key = `${host} ${url}`;
    const known = candidates.get(key);
    if (known || candidates.size >= mostHosts) return known;
    const tallies = { operations: new Tally(), words: new Map(), segments: new Map() };
    const made: Candidate = { host, url, ...tallies, parameterValues: new Map() };
    candidates.set(key, made);
    return made;
  };

  return {
    /** @param isSuccess whether the call succeeded; otherwise it is a 304 for a file in a browser's cache */
    note({ operation, host, word, params }: CallMatch, isSuccess = true): void {
      if (given[operation.host] !== undefined && given[operation.host] !== host) return;
      const candidate = candidateOf(operation.host, host);
      if (candidate === undefined) return;
      candidate.operations.add(operation.id);
      if (isSuccess) addParameters(candidate.parameterValues, operation.id, params);
      if (word !== undefined) {
        const words = candidate.words.get(operation.id) ?? new Tally(50);
        candidate.words.set(operation.id, words);
        words.add(word);
      }
      for (const name of ambientParameters) {
        const value = params[name];
        if (value === undefined) continue;
        const values = candidate.segments.get(name) ?? new Map<string, Set<string>>();
        candidate.segments.set(name, values);
        if (values.size < 1_000 || values.has(value))
          values.set(value, (values.get(value) ?? new Set()).add(operation.id));
      }
    },

    end(): Findings {
      const elected = electHosts([...candidates.values()]);
      const chosen = [...elected.values()];
      const { words, wordsAt, spokenAt } = electWords(new Map(chosen.flatMap((each) => [...each.words])));
      const showing = new Map<string, number>();
      const segments = ambientParameters.flatMap((name) => {
        const best = electSegment(chosen.flatMap((each) => [...(each.segments.get(name) ?? [])]));
        if (!best) return [];
        showing.set(name, best.operations);
        return [[name, best.value]];
      });
      for (const id of spokenAt.keys()) {
        const word = operationById(id)?.words[0]?.word ?? '';
        showing.set(word, (showing.get(word) ?? 0) + 1);
      }
      return {
        hosts: Object.fromEntries(
          Array.from(elected, ([host, { url, operations }]) => [
            host,
            { url, operations: operations.size, calls: operations.total },
          ]),
        ),
        words,
        wordsAt,
        segments: Object.fromEntries(segments),
        parameterValues: new Map(chosen.flatMap(({ parameterValues }) => [...parameterValues])),
        isTheirs: ({ operation, host, word }) =>
          elected.get(operation.host)?.url === host && spokenAt.get(operation.id) === word,
        showing: (kind) => showing.get(kind) ?? 0,
      };
    },
  };
}

/** For each host the URL that served most of its operations; of equals the one with most calls, then the first name. */
function electHosts(candidates: readonly Candidate[]): Map<Host, Candidate> {
  const worstFirst = candidates.toSorted(
    (a, b) =>
      a.operations.size - b.operations.size ||
      a.operations.total - b.operations.total ||
      (a.url < b.url ? 1 : -1),
  );
  return new Map(worstFirst.map((each) => [each.host, each]));
}

function electSegment(
  seen: readonly (readonly [value: string, operations: ReadonlySet<string>])[],
): { value: string; operations: number } | undefined {
  const tally = new Map<string, Set<string>>();
  for (const [value, operations] of seen)
    tally.set(value, (tally.get(value) ?? new Set<string>()).union(operations));
  const [best] = [...tally].sort(([a, m], [b, n]) => n.size - m.size || (a < b ? 1 : -1));
  return best && { value: best[0], operations: best[1].size };
}
