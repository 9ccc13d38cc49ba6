// Compares an answer with its controls, and says why there is nothing to compare: transport errors, rate limits and
// announced outages say nothing of a path.
import { type Exchange, header, statusOf, type TransportKind } from '../http/exchange.ts';
import type { InconclusiveReason } from '../judgement.ts';
import { differencesFromControl, steadyParts } from './compare.ts';

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
const furtherRounds = [1, 2, 3, 4, 5, 6] as const;

/**
 * Compares an answer with a control: by status; else by what all answers to the control have in common. Where only
 * that tells them apart, both are asked again until nothing does, or it is no chance.
 * @param answers the answer, and what is said to the same call later; the answer again where it must not be repeated
 */
export async function compare(answers: Answers, control: Answers): Promise<Comparison> {
  const [answer, first] = await Promise.all([answers(1), control(1)]);
  if (unheard(first)) return { differs: false, unstable: false, failed: first };
  if (statusOf(first) !== statusOf(answer)) return { differs: true, unstable: false };
  const second = await control(2);
  if (unheard(second)) return { differs: false, unstable: false, failed: second };
  let apart = partsApart([answer], [first, second]);
  const seen = { answers: [answer], controls: [first, second] };
  for (const round of furtherRounds) {
    if (apart === undefined || apart.size === 0 || isNoLuck(answer, apart)) break;
    const [again, further] = await Promise.all([answers(round + 1), control(round + 2)]);
    if (unheard(further) || statusOf(further) > 499) break;
    // Answers may change over time: the first one is judged.
    if (statusOf(again) === statusOf(answer)) seen.answers.push(again);
    seen.controls.push(further);
    apart = partsApart(seen.answers, seen.controls);
  }
  return { differs: apart !== undefined && apart.size > 0, unstable: apart === undefined };
}

/** The parts in which every answer differs from a control that is always the same; undefined where it is never. */
function partsApart(answers: readonly Exchange[], controls: readonly Exchange[]): Set<string> | undefined {
  const [first, ...others] = controls as [Exchange, ...Exchange[]];
  const steady = others.map((other) => steadyParts(first, other));
  if (steady.includes(undefined)) return undefined;
  const isSteady = (name: string) => steady.every((each) => each?.(name));
  return answers
    .map((answer) => differencesFromControl(answer, first, isSteady))
    .reduce((common, each) => common.intersection(each));
}

/** Machines of one kind say no in many ways; a success of another type is another thing. */
const isNoLuck = (answer: Exchange, apart: ReadonlySet<string>) =>
  statusOf(answer) < 300 && apart.has('type');
