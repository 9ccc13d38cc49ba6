// Makes the controls of docs/how-it-decides.md: unrouted paths that an operation is compared with.
import { type Operation, placeholders } from '../../catalog/operation.ts';
import { hasPlaceholder, operationsMatching, segmentsOf } from '../../catalog/path-templates.ts';
import { keepsSlashes } from '../../catalog/request-path.ts';
import { type Exchange, header, statusOf, type TransportKind } from '../http/exchange.ts';
import type { InconclusiveReason } from '../judgement.ts';
import { areOfOneKind, besideControl } from './contrast.ts';

/** `name N`: the Nth segment from the end has a name that cannot exist, the others are the operation's own. */
export type ControlKind = 'sibling' | 'tail' | 'root' | `name ${number}`;

/** A shorter name has a control of another length, or random letters might hit a name that exists. */
const shortest = 4;

/** Random letters of the same length and class (upper, lower, digit), from a seeded source of [0, 1). */
export function scramble(text: string, random: () => number): string {
  const pick = (letters: string) => letters[Math.floor(random() * letters.length)] ?? 'x';
  const made = text.replace(/[A-Za-z]/g, (letter) =>
    letter >= 'a' ? pick('bcdfghjklmnpqrstvwxz') : pick('BCDFGHJKLMNPQRSTVWXZ'),
  );
  return made === text ? `${made}${pick('bcdfgh')}xq` : made;
}

/** Letters that hardly any name or code of a language is made of. */
const rare = 'qxjzvw';

/**
 * A name of the same class that cannot exist, for a route that takes names of a pattern alone. Letters are random, or
 * rare ones where they are few; digits go on, since a number next to one that exists may exist too.
 * @param nth tells names apart that have too few letters to differ by chance
 */
export function noSuchName(name: string, random: () => number, nth: number): string {
  if (name.length >= shortest && /[A-Za-z]{3}/.test(name)) return scramble(name, random);
  const letters = [...name].map((char, at) => {
    if (!/[A-Za-z]/.test(char)) return char;
    const letter = rare[(nth + at * 2) % rare.length] ?? 'q';
    return char >= 'a' ? letter : letter.toUpperCase();
  });
  const digits = /\d/.test(name) ? String(Math.floor(random() * 900_000) + 100_000) : '';
  return letters.join('') + digits;
}

/**
 * An id of the same form that nobody has, or by a rare chance: its last letters and digits go on by one. A number that
 * counts gets longer, since the next ones may be taken.
 */
export const noSuchId = (id: string): string =>
  /^\d{1,8}$/.test(id)
    ? `9${id.padStart(8, '0')}`
    : id.replace(/[a-z0-9]{1,6}(?=[^a-z0-9]*$)/i, (end) =>
        end.replace(/[0-9a-z]/gi, (each) =>
          /[9f-zF-Z]/.test(each) ? '1' : String.fromCharCode(each.charCodeAt(0) + 1),
        ),
      );

/** A version of the same form that cannot exist: for a target that accepts any text of that form. */
export function noSuchVersion(version: string, random: () => number): string {
  const made = version.replace(/\d+/g, () => String(Math.floor(random() * 9_000) + 1_000));
  return made === version ? scramble(version, random) : made;
}

/**
 * Where a client-data file needs names that cannot exist besides its sibling: a file is there by its content, and a
 * route may take any name in one place of the path alone. Versions in a path are no names, and the first folder is
 * the store's own.
 */
export function nameControls(operation: Operation): readonly ControlKind[] {
  if (operation.host !== 'cdn') return [];
  const file = segmentsOf(operation).slice(firstOfFile);
  return file.toReversed().flatMap((segment, fromEnd): ControlKind[] => {
    const isFolder = fromEnd > 0;
    if (isFolder && (fromEnd === file.length - 1 || /^v\d+$/.test(segment))) return [];
    const isSibling = !isFolder && !hasPlaceholder(segment) && splitSuffix(segment)[0].length >= shortest;
    return isSibling ? [] : [`name ${fromEnd}`];
  });
}

/** `/clientData/{root}/content/{version}/` */
const firstOfFile = 5;

const splitSuffix = (segment: string) => {
  const dot = segment.lastIndexOf('.');
  return dot > 0 ? ([segment.slice(0, dot), segment.slice(dot)] as const) : ([segment, ''] as const);
};

/**
 * The path (no query) of one control of an operation, and a key that operations sharing the control have in common.
 * @param path the operation's own path, expanded
 * @param nth which of several controls of a kind it is
 */
export function controlPath(
  kind: ControlKind,
  operation: Operation,
  path: string,
  random: () => number,
  nth = 1,
): { readonly path: string; readonly key: string } {
  const segments = path.split('/');
  const [, suffix] = splitSuffix(segments.at(-1) ?? '');
  const letters = scramble('unrouted', random);
  if (kind === 'root') return { path: `/${letters}${suffix}`, key: `/*${suffix}` };
  if (kind === 'tail') return { path: `${path}/${letters}${suffix}`, key: `${path}/*${suffix}` };
  const fromEnd = /^name (\d+)$/.exec(kind)?.[1];
  const at =
    fromEnd === undefined
      ? mutableSegment(operation, segments, random)
      : segments.length - 1 - Number(fromEnd);
  const [stem, ending] = splitSuffix(segments[at] ?? '');
  const put = (middle: string) => [...segments.slice(0, at), middle, ...segments.slice(at + 1)].join('/');
  if (fromEnd !== undefined)
    // Of a name in percent-encoding no letter may be changed by itself.
    return {
      path: put(noSuchName(stem.includes('%') ? 'unrouted' : stem, random, nth) + ending),
      key: put(`~${ending}`),
    };
  return {
    path: put(scramble(stem.length < shortest ? 'unrouted' : stem, random) + ending),
    key: put(`*${ending}`),
  };
}

/** The last segment without a parameter whose replacement no other operation's template matches. */
function mutableSegment(operation: Operation, segments: readonly string[], random: () => number): number {
  const literal = literalSegments(operation, segments);
  for (let at = segments.length - 1; at > 0; at -= 1) {
    if (!literal.has(at)) continue;
    const mutated = [...segments.slice(0, at), scramble('unrouted', random), ...segments.slice(at + 1)];
    if (operationsMatching(operation.host, operation.method, mutated).length === 0) return at;
  }
  return segments.length - 1;
}

/** Which segments of the expanded path are the template's own; a folder or a news file may span several. */
function literalSegments(operation: Operation, segments: readonly string[]): ReadonlySet<number> {
  const found = new Set<number>();
  const template = segmentsOf(operation);
  let at = 0;
  for (const [index, part] of template.entries()) {
    if (!hasPlaceholder(part)) {
      found.add(at);
      at += 1;
    } else if (placeholders(part).some((name) => keepsSlashes.has(name))) {
      const next = template[index + 1];
      at = next === undefined ? segments.length : Math.max(at + 1, segments.indexOf(next, at + 1));
    } else at += 1;
  }
  return found;
}

interface Silence {
  readonly reason: InconclusiveReason;
  readonly why: string;
}

/** Why a call that ended in such an error shows nothing. */
export const reasonOf: Readonly<Record<TransportKind, InconclusiveReason>> = {
  timeout: 'timeout',
  budget: 'budget',
  aborted: 'interrupted',
  refused: 'unreachable',
  dns: 'unreachable',
  tls: 'unreachable',
  reset: 'reset',
  protocol: 'reset',
  'too-large': 'too-large',
};

/** It may be answered, if it is put again later. */
export const asksForRetryBudget = ({ response, error }: Exchange): boolean =>
  response?.status === 429 ||
  response?.status === 503 ||
  error?.kind === 'timeout' ||
  error?.kind === 'reset';

/** No word came before the deadline. An answer that had begun may be a long one. */
export const isUnanswered = ({ error }: Exchange): boolean =>
  error?.kind === 'timeout' && error.partial === undefined;

/** Why an exchange gave no answer; undefined where it gave one. */
export function silenceOf({ response, error, unsigned, held }: Exchange): Silence | undefined {
  if (unsigned)
    return { reason: 'no-session', why: 'its session was over, and no other that was made lasted' };
  if (held) return { reason: 'prerequisite-failed', why: error?.message ?? 'not sent' };
  if (!response) return { reason: reasonOf[error?.kind ?? 'reset'], why: error?.message ?? 'no answer' };
  const limited = response.status === 429;
  const outage = response.status === 503 && header(response, 'retry-after') !== undefined;
  if (!limited && !outage) return undefined;
  const what = limited ? '429' : '503 with Retry-After';
  return { reason: 'rate-limited', why: `answered ${what} until the run could wait no longer` };
}

// The comparison: whether two answers differ by their paths, or by the machine that happened to answer.

/** The answers to one question, each to be had by its number, from 1 on. */
export type Answers = (nth: number) => Promise<Exchange>;

export interface Comparison {
  readonly differs: boolean;
  readonly unstable: boolean;
  /** The control could not be put: its transport error, or its 429 or 503. */
  readonly failed?: Exchange;
}

/** How a host's answers to paths that lead nowhere vary by themselves. */
export interface UnroutedNoise {
  /** Parts of such answers that wander. */
  readonly wanders: () => ReadonlySet<string>;
  /** They were all alike, and many. */
  readonly isStill: () => boolean;
}

const unknownNoise: UnroutedNoise = { wanders: () => new Set(), isStill: () => false };

/** Is it no answer: a transport error, or a wish to be asked later? */
export const noAnswer = (exchange: Exchange) => silenceOf(exchange) !== undefined;

/** A control answered 503 is no control, with or without Retry-After: an overload shows nothing about a path. */
export const unheard = (exchange: Exchange) => noAnswer(exchange) || statusOf(exchange) === 503;

/** Not found, or no such method: nothing was done. */
export const isAbsent = (exchange: Exchange) => [404, 405, 501].includes(statusOf(exchange));

/**
 * With the first look, seven answers and eight controls. Where one of two machines is drawn each time, and an answer has
 * two controls to differ from, it does so by luck less than once in a million times, however often each is drawn.
 */
const furtherRounds = 6;
/** At a host that was seen to answer controls alike, each time. */
const furtherRoundsOfStill = 2;

/**
 * Compares an answer with a control: by status; else by what all answers to the control have in common. Where only
 * that tells them apart, both are asked again until nothing does, or it is no chance.
 * @param answers the answer, and what is said to the same call later; the answer again where it must not be repeated
 * @param noise what the host's controls do by themselves; asked for where statuses do not decide
 */
export async function compare(
  answers: Answers,
  control: Answers,
  noise: () => Promise<UnroutedNoise> = async () => unknownNoise,
): Promise<Comparison> {
  const [answer, first] = await Promise.all([answers(1), control(1)]);
  if (unheard(first)) return { differs: false, unstable: false, failed: first };
  if (statusOf(first) !== statusOf(answer)) return { differs: true, unstable: false };
  const second = await control(2);
  if (unheard(second)) return { differs: false, unstable: false, failed: second };
  let isOneKind = areOfOneKind(first, second);
  const contrast = besideControl();
  let apart = contrast([answer], [first, second]);
  if (!isOneKind || apart.size === 0 || isNoLuck(answer, apart))
    return { differs: isOneKind && apart.size > 0, unstable: !isOneKind };
  const { wanders, isStill } = await noise();
  const isSettled = () => apart.difference(wanders()).size === 0;
  for (let round = 1; round <= (isStill() ? furtherRoundsOfStill : furtherRounds); round += 1) {
    if (isSettled()) break;
    const [again, further] = await Promise.all([answers(round + 1), control(round + 2)]);
    if (unheard(further) || statusOf(further) > 499) break;
    isOneKind &&= areOfOneKind(first, further);
    // Answers may change over time: the first one is judged.
    apart = contrast(statusOf(again) === statusOf(answer) ? [again] : [], [further]);
    if (!isOneKind || isNoLuck(answer, apart)) break;
  }
  return { differs: isOneKind && !isSettled(), unstable: !isOneKind };
}

/** Machines of one kind refuse in many ways; a success of another media type is another kind of answer. */
const isNoLuck = (answer: Exchange, apart: ReadonlySet<string>) =>
  statusOf(answer) < 300 && apart.has('type');
