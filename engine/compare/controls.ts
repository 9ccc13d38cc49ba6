// Makes the controls of docs/how-it-decides.md, paths without a route, and compares an answer with a control.
import { type Operation, placeholders } from '../../catalog/operation.ts';
import { hasPlaceholder, operationsMatching, segmentsOf } from '../../catalog/path-templates.ts';
import { keepsSlashes } from '../../catalog/request-path.ts';
import { type Exchange, statusOf } from '../http/exchange.ts';
import { noSuchName, scramble, shortestName } from '../values/nonexistent.ts';
import { areOfOneKind, besideControl } from './contrast.ts';
import { isUnusableControl } from './no-answer.ts';

/** `name N`: the Nth segment from the end has a name that cannot exist, the others are the operation's own. */
export type ControlKind = 'sibling' | 'tail' | 'root' | `name ${number}`;

/**
 * The controls of a client-data file besides its sibling: a name that cannot exist in one segment each, since a route
 * may accept any name in one place of the path. A version segment is no name, and the first folder is the store's own.
 */
export function nameControls(operation: Operation): readonly ControlKind[] {
  if (operation.host !== 'cdn') return [];
  const file = segmentsOf(operation).slice(firstOfFile);
  return file.toReversed().flatMap((segment, fromEnd): ControlKind[] => {
    const isFolder = fromEnd > 0;
    if (isFolder && (fromEnd === file.length - 1 || /^v\d+$/.test(segment))) return [];
    const isSibling = !isFolder && !hasPlaceholder(segment) && splitSuffix(segment)[0].length >= shortestName;
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
    // A letter of a percent-encoded name cannot be changed by itself.
    return {
      path: put(noSuchName(stem.includes('%') ? 'unrouted' : stem, random, nth) + ending),
      key: put(`~${ending}`),
    };
  return {
    path: put(scramble(stem.length < shortestName ? 'unrouted' : stem, random) + ending),
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

// The comparison: whether two answers differ by their paths, or by the machine that happened to answer.

/** Answers to one question, by their number, from 1 on; each number asks once more. */
export type Answers = (nth: number) => Promise<Exchange>;

export interface Comparison {
  readonly differs: boolean;
  readonly unstable: boolean;
  /** The exchange of a control that shows nothing: a transport error, a 429 or a 503. */
  readonly failed?: Exchange;
}

/** How a host's answers to paths that lead nowhere vary by themselves. */
export interface UnroutedNoise {
  /** Parts of such answers that change by themselves. */
  readonly wanders: () => ReadonlySet<string>;
  /** Whether many such answers were seen, all of them alike. */
  readonly isStill: () => boolean;
}

const unknownNoise: UnroutedNoise = { wanders: () => new Set(), isStill: () => false };

/** Whether the answer says that there is no such path or method: then nothing was done. */
export const isAbsent = (exchange: Exchange) => [404, 405, 501].includes(statusOf(exchange));

/**
 * With the first sample: seven answers, eight controls. Where one of two machines is drawn each time, and an answer has
 * two controls to differ from, it does so by luck less than once in a million times, however often each is drawn.
 */
const furtherRounds = 6;
/** The same on a host whose controls were always answered alike. */
const furtherRoundsOnSteadyHost = 2;

/**
 * Compares an answer with a control: by status, else by what all answers to the control have in common. Where only that
 * differs, both are asked again until nothing differs any more, or it cannot be chance.
 * @param answers number 1 is the answer; later ones repeat the call, or give the same answer where that is not allowed
 * @param noise how the host's controls vary by themselves; called only where statuses do not decide
 */
export async function compareWithControl(
  answers: Answers,
  control: Answers,
  noise: () => Promise<UnroutedNoise> = async () => unknownNoise,
): Promise<Comparison> {
  const [answer, first] = await Promise.all([answers(1), control(1)]);
  if (isUnusableControl(first)) return { differs: false, unstable: false, failed: first };
  if (statusOf(first) !== statusOf(answer)) return { differs: true, unstable: false };
  const second = await control(2);
  if (isUnusableControl(second)) return { differs: false, unstable: false, failed: second };
  let isOneKind = areOfOneKind(first, second);
  const contrast = besideControl();
  let apart = contrast([answer], [first, second]);
  if (!isOneKind || apart.size === 0 || isSureToDiffer(answer, apart))
    return { differs: isOneKind && apart.size > 0, unstable: !isOneKind };
  const { wanders, isStill } = await noise();
  const isSettled = () => apart.difference(wanders()).size === 0;
  for (let round = 1; round <= (isStill() ? furtherRoundsOnSteadyHost : furtherRounds); round += 1) {
    if (isSettled()) break;
    const [again, further] = await Promise.all([answers(round + 1), control(round + 2)]);
    if (isUnusableControl(further) || statusOf(further) > 499) break;
    isOneKind &&= areOfOneKind(first, further);
    // Answers may change over time: the first one is judged.
    apart = contrast(statusOf(again) === statusOf(answer) ? [again] : [], [further]);
    if (!isOneKind || isSureToDiffer(answer, apart)) break;
  }
  return { differs: isOneKind && !isSettled(), unstable: !isOneKind };
}

/** Whether the answer surely equals those of the control: missing and unstable answers do not count as equal. */
export async function isLike(answers: Answers, control: Answers): Promise<boolean> {
  const { differs, unstable, failed } = await compareWithControl(answers, control);
  return !differs && !unstable && failed === undefined;
}

/** A success of another media type surely differs, so nothing is asked again. A server may refuse in several types. */
const isSureToDiffer = (answer: Exchange, apart: ReadonlySet<string>) =>
  statusOf(answer) < 300 && apart.has('type');
