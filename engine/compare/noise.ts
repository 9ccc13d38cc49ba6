// Models the noise of a host: how its answers change by themselves, learnt from all calls that a run repeats and that
// none of its own calls can have changed. Comparisons ask it how many samples they need.

import type { Host } from '../../catalog/operation.ts';
import { type Exchange, header, statusOf } from '../http/exchange.ts';
import { instantOf } from '../values/instant.ts';
import { parsedJson, withoutPositions } from '../values/json-walk.ts';
import { isServerFault } from '../values/status.ts';
import { differences, fingerprint, ignoredHeader, inShort, maskEchoes } from './compare.ts';
import type { UnroutedNoise } from './controls.ts';
import { noAnswer } from './no-answer.ts';
import { createErrorRepeats, type ErrorRepeats, type PassingErrors } from './passing-errors.ts';

/** How the answers of one host vary by themselves, as `result.json` records it. */
export interface HostNoise {
  /** How many answers were compared with an earlier one to the same question. */
  readonly repeats: number;
  /** Most values of one part that take turns in the answers to one question: as many machines seem to answer. */
  readonly machines: number;
  /** The longest time, in ms, for which a value that changes by itself stayed the same: a cache, or a coarse clock. */
  readonly copiesLiveMs: number;
  /** The longest replication lag that was seen, in ms: a read still showed the state before a write. */
  readonly lagMs: number;
  /** Members (JSON Pointers, `-` for each list element) and headers that changed between answers to one question. */
  readonly wanders: readonly string[];
  /** Calls that no check judges, and how many met a server error that did not come again; absent where none did. */
  readonly passingErrors?: PassingErrors;
}

/** The noise that comparisons use. Reads are counted apart, since controls show nothing of how reads are cached. */
export interface KnownNoise extends HostNoise {
  /** How many of the repeats were of a read. */
  readonly reads: number;
}

/** `root`: a control at the host's root. `control`: any other control. `read`: of a player who only reads. */
type Kind = 'root' | 'control' | 'read';

export interface Noise {
  /** @param question equal for answers that would be equal if nothing varied by itself */
  readonly note: (host: Host, kind: Kind, question: string, answer: Exchange) => void;
  /** Sends a control, and repeats it after a server error, which shows nothing of its path. */
  readonly pastErrors: ErrorRepeats['past'];
  /** Notes that a read showed a write only after that many ms. */
  readonly noteLag: (host: Host, ms: number) => void;
  readonly readTimeout: ReadTimeout;
  readonly unrouted: (host: Host) => UnroutedNoise;
  readonly of: (host: Host) => KnownNoise;
  /** The noise of each host that got a call twice. */
  readonly figures: () => Readonly<Partial<Record<Host, HostNoise>>>;
}

/** How long to wait for a read to show a write. */
export interface ReadTimeout {
  /**
   * The wait in ms, at most `fullMs`. It is shorter once waits for this kind of read were in vain for twice that time:
   * then it depends on the lag that other reads of the host showed.
   */
  readonly forRead: (host: Host, kind: string, fullMs: number) => number;
  /** Notes that a read of this kind did not show the write within that many ms. */
  readonly noteInVain: (host: Host, kind: string, ms: number) => void;
}

/** Repeats needed: where one of two machines answers a fifth of all calls, both are seen in 199 of 200 cases. */
const enough = 24;
/** How many of them have to be reads: of two machines that answer at random, both are met but in 1 of 128 cases. */
const enoughReads = 8;
/** Most answers to one question that are kept and compared. */
const mostAnswers = 32;
const mostWandering = 100;
/** Waits of full length that may be in vain before waits for the same kind of read get shorter. */
const fullWaits = 2;
/** The wait for a read, in ms, where no read of the host was seen to lag: a busy machine may stop for half of it. */
const leastReadTimeoutMs = 400;

export function createNoise(repeats: ErrorRepeats = createErrorRepeats()): Noise {
  const hosts = new Map<Host, HostAccount>();
  const account = (host: Host) => {
    const known = hosts.get(host) ?? createAccount();
    hosts.set(host, known);
    return known;
  };
  return {
    note: (host, kind, question, answer) => account(host).note(kind, question, answer),
    pastErrors: repeats.past,
    noteLag: (host, ms) => account(host).noteLag(ms),
    readTimeout: {
      forRead: (host, kind, fullMs) => account(host).readTimeoutMs(kind, fullMs),
      noteInVain: (host, kind, ms) => account(host).noteInVain(kind, ms),
    },
    unrouted: (host) => account(host).unrouted,
    of: (host) => account(host).figures(),
    figures: () =>
      Object.fromEntries(
        [...hosts]
          .map(([host, each]) => {
            const { reads: _, ...figures } = each.figures();
            const passingErrors = repeats.of(host);
            return [host, { ...figures, ...(passingErrors.errors > 0 && { passingErrors }) }] as const;
          })
          .filter(([, { repeats }]) => repeats > 0),
      ),
  };
}

type HostAccount = ReturnType<typeof createAccount>;

interface Question {
  readonly answers: Exchange[];
  /** What is known of these answers; undefined before they were compared. */
  series: readonly Series[] | undefined;
}

function createAccount() {
  const questions = new Map<string, Question>();
  const repeats: Record<Kind, number> = { root: 0, control: 0, read: 0 };
  const wandering: Record<Kind, Set<string>> = { root: new Set(), control: new Set(), read: new Set() };
  let lagMs = 0;
  const inVainMs = new Map<string, number>();
  const controls = ['root', 'control'] as const;
  const unrouted: UnroutedNoise = {
    wanders: () => wandering.root,
    isStill: () =>
      controls.reduce((sum, kind) => sum + repeats[kind], 0) >= enough &&
      controls.every((kind) => wandering[kind].size === 0),
  };
  return {
    unrouted,
    note(kind: Kind, question: string, answer: Exchange): void {
      if (noAnswer(answer) || (kind === 'read' && isServerFault(statusOf(answer)))) return;
      const key = `${kind} ${question}`;
      const asked = questions.get(key) ?? { answers: [], series: undefined };
      questions.set(key, asked);
      if (asked.answers.length >= mostAnswers) return;
      const [first] = asked.answers;
      asked.answers.push(answer);
      asked.series = undefined;
      if (!first) return;
      repeats[kind] += 1;
      for (const part of partsThatDiffer(first, answer))
        if (wandering[kind].size < mostWandering) wandering[kind].add(part);
    },
    noteLag(ms: number): void {
      lagMs = Math.max(lagMs, ms);
    },
    readTimeoutMs: (kind: string, fullMs: number) =>
      (inVainMs.get(kind) ?? 0) < fullWaits * fullMs
        ? fullMs
        : Math.min(fullMs, Math.max(leastReadTimeoutMs, 4 * lagMs)),
    noteInVain: (kind: string, ms: number) => void inVainMs.set(kind, (inVainMs.get(kind) ?? 0) + ms),
    figures(): KnownNoise {
      const series = [...questions.values()].flatMap((asked) => {
        asked.series ??= seriesOf(asked.answers);
        return asked.series;
      });
      const members = [...Map.groupBy(series, ({ name }) => name).values()];
      // A part whose value comes back in the answers to one question differs between machines, for all questions.
      const [ofMachines, others] = [true, false].map((back) =>
        members.filter((each) => each.some(({ comesBack }) => comesBack) === back).flat(),
      ) as [Series[], Series[]];
      return {
        repeats: Object.values(repeats).reduce((sum, each) => sum + each, 0),
        reads: repeats.read,
        machines: Math.max(1, ...ofMachines.map(({ values }) => values)),
        copiesLiveMs: Math.max(0, ...others.map(({ stoodMs }) => stoodMs)),
        lagMs,
        wanders: [...new Set(series.map(({ name }) => name))].sort().slice(0, mostWandering),
      };
    },
  };
}

const partsThatDiffer = (a: Exchange, b: Exchange): Set<string> => {
  if (isWordForWord(a, b)) return new Set();
  const found = differences(a, b);
  const [left, right] = [headerValues(a), headerValues(b)];
  for (const name of new Set([...left.keys(), ...right.keys()]))
    if (left.get(name) !== right.get(name)) found.add(`header ${name}`);
  return found;
};

/** Whether two answers are the same word for word, as most are: this costs less than to take both apart. */
function isWordForWord({ request, response }: Exchange, other: Exchange): boolean {
  const { response: another } = other;
  if (!response || !another || response.status !== another.status || request.url !== other.request.url)
    return false;
  const headersOf = ({ headers }: typeof response) =>
    headers.filter(([name]) => !ignoredHeader.test(name)).join('\n');
  return headersOf(response) === headersOf(another) && Buffer.compare(response.body, another.body) === 0;
}

/** Header values by name. A fingerprint holds the names alone, since the values only distinguish machines. */
function headerValues({ request, response }: Exchange): ReadonlyMap<string, string> {
  const names = (response?.headers ?? []).map(([name]) => name).filter((name) => !ignoredHeader.test(name));
  return new Map(
    names.map((name) => [name, inShort(maskEchoes((response && header(response, name)) ?? '', request))]),
  );
}

/** How one member or header varied in the answers to one question, in the order in which they were asked for. */
interface Series {
  readonly name: string;
  /** A value was seen again after another one: a machine's own. A clock, a count or a copy of it does not come back. */
  readonly comesBack: boolean;
  /** How many values were seen. */
  readonly values: number;
  /** The longest time, in ms, for which it was seen to stand still. */
  readonly stoodMs: number;
}

function seriesOf(answers: readonly Exchange[]): readonly Series[] {
  const [first, ...others] = answers.toSorted((a, b) => a.startedAt - b.startedAt);
  if (!first) return [];
  const parts = new Set(others.flatMap((other) => [...partsThatDiffer(first, other)]));
  if (parts.size === 0) return [];
  const seen = [first, ...others].map((answer) => ({
    at: answer.startedAt,
    now: Date.parse((answer.response && header(answer.response, 'date')) ?? '') || answer.startedAt,
    valueAt: (part: string) =>
      headerValues(answer).get(part.replace(/^header /, '')) ?? fingerprint(answer).get(part),
  }));
  return [...parts].map((part) => {
    const runs: { readonly value: string | undefined; readonly from: number; to: number }[] = [];
    for (const { at, valueAt } of seen) {
      const [value, last] = [valueAt(part), runs.at(-1)];
      if (last?.value === value && last !== undefined) last.to = at;
      else runs.push({ value, from: at, to: at });
    }
    const isClock = seen.every(({ now, valueAt }) => isAbout(now, valueAt(part)));
    const values = new Set(runs.map(({ value }) => value)).size;
    const stoodMs = Math.max(...runs.map(({ from, to }) => to - from));
    return { name: nameOf(part), comesBack: !isClock && values < runs.length, values, stoodMs };
  });
}

/** How far a clock may be from the Date field, in ms: a Date counts in seconds, and an answer takes its time. */
const mostClockMs = 2_000;

/** Whether a value is the time of the answer. Such a clock may seem to run backwards between calls that overlap. */
function isAbout(now: number, value: string | undefined): boolean {
  const instant = value === undefined ? undefined : instantOf(parsedJson(value));
  return instant !== undefined && Math.abs(instant - now) <= mostClockMs;
}

/** A part by the name that people know: the JSON Pointer of a member, or the header. */
const nameOf = (part: string): string =>
  part.startsWith('body/')
    ? withoutPositions(part.slice('body'.length), '-')
    : part.replace(/^body word \d+/, 'the text');

// Independent samples of a response, spaced so that load balancing and caches do not repeat one.

/** Caches and replicas of some targets are up to half a second old; after this pause, a sample is up to date. */
const lagOfCopiesMs = 600;

/** Waits until a read shows what was written before, whichever replica or cache it comes from. */
export const waitForCopies = ({
  pause,
}: {
  readonly pause: (ms: number) => Promise<unknown>;
}): Promise<unknown> => pause(lagOfCopiesMs);

/** After this pause, a clock of whole seconds shows another second. */
const clockTicksMs = 1_100;
const longestPauseMs = 2_000;

/**
 * The pauses, in ms, before further samples. Most of what changes by itself does so at once. Caches show one moment for
 * a while, so samples without a pause count as one. A value that is one of two by chance stays the same in all eight
 * later samples with a probability of 2^-8, and for two players at a time of 2^-16. On a host with one machine and no
 * cache or lag, six samples show as much with one pause, which is as long as a clock of whole seconds needs.
 */
export function pausesFor({ repeats, reads, machines, copiesLiveMs, lagMs }: KnownNoise): readonly number[] {
  const isPlain =
    repeats >= enough && reads >= enoughReads && machines === 1 && copiesLiveMs === 0 && lagMs === 0;
  if (isPlain) return [0, 0, 0, clockTicksMs, 0, 0];
  const pause = Math.min(Math.max(lagOfCopiesMs, copiesLiveMs, lagMs), longestPauseMs);
  return [0, 0, ...Array<number>(8).fill(pause)];
}

/** The noise of a host of which nothing is known. */
export const noRepeats: KnownNoise = {
  repeats: 0,
  reads: 0,
  machines: 1,
  copiesLiveMs: 0,
  lagMs: 0,
  wanders: [],
};

/**
 * The keys of further samples (`Ask.nth`), each after its pause. The caller stops as soon as it has seen enough.
 * @param scope the name of the rule that samples: an equal request of another rule is a sample of its own
 */
export async function* samplesApart(
  scope: string,
  sleep: (ms: number) => Promise<unknown>,
  noise: KnownNoise = noRepeats,
): AsyncGenerator<string> {
  for (const [later, pause] of pausesFor(noise).entries()) {
    await sleep(pause);
    yield `${scope} ${later}`;
  }
}
