// Finds out whether an exchange gave an answer to judge, and why it gave none.
import { type Exchange, header, statusOf, type TransportKind } from '../http/exchange.ts';
import type { InconclusiveReason } from '../judgement.ts';

interface Silence {
  readonly reason: InconclusiveReason;
  readonly why: string;
}

/** Why a call that ended in a transport error shows nothing, by the kind of error. */
export const reasonOfError: Readonly<Record<TransportKind, InconclusiveReason>> = {
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

/** Whether the same call may get an answer later. */
export const mayAnswerLater = ({ response, error }: Exchange): boolean =>
  response?.status === 429 ||
  response?.status === 503 ||
  error?.kind === 'timeout' ||
  error?.kind === 'reset';

/** Whether no part of an answer came before the deadline. An answer that had begun may just be long. */
export const isUnanswered = ({ error }: Exchange): boolean =>
  error?.kind === 'timeout' && error.partial === undefined;

/** Why an exchange gave no answer; undefined where it gave one. */
export function silenceOf({ response, error, unsigned, held }: Exchange): Silence | undefined {
  if (unsigned)
    return {
      reason: 'no-session',
      why: 'its session was over, and no other that was made lasted: does a login end the sessions of others?',
    };
  if (held) return { reason: 'prerequisite-failed', why: error?.message ?? 'not sent' };
  if (!response) return { reason: reasonOfError[error?.kind ?? 'reset'], why: error?.message ?? 'no answer' };
  const limited = response.status === 429;
  const outage = response.status === 503 && header(response, 'retry-after') !== undefined;
  if (!limited && !outage) return undefined;
  const what = limited ? '429' : '503 with Retry-After';
  return { reason: 'rate-limited', why: `answered ${what} until the run could wait no longer` };
}

/** Whether an exchange gave no answer to judge: a transport error, or a request to ask again later. */
export const noAnswer = (exchange: Exchange) => silenceOf(exchange) !== undefined;

/** A control without an answer, or answered 503 with or without Retry-After: an overload shows nothing about a path. */
export const isUnusableControl = (exchange: Exchange) => noAnswer(exchange) || statusOf(exchange) === 503;
