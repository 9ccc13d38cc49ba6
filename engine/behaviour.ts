// The values that open points are answered with: a few words to compare, pin and gate on, beside the sentence that is shown.
import { type Exchange, isSuccess, statusOf } from './http/exchange.ts';
import { othersData } from './judgement.ts';

/** What an answer says of a call, as far as clients branch on it. */
export type AnswerValue =
  | 'accepted'
  | 'redirected'
  | 'sign in first'
  | 'refused'
  | 'not found'
  | 'server error';

/** The value of an answer, by its status. */
export function answerValue(exchange: Exchange): AnswerValue {
  const status = statusOf(exchange);
  if (status >= 500) return 'server error';
  if (status === 401) return 'sign in first';
  if (status === 404 || status === 410) return 'not found';
  if (status >= 400) return 'refused';
  return status >= 300 ? 'redirected' : 'accepted';
}

/** The value of an answer to somebody who asked for what belongs to another player. */
export const seenOfOthers = (exchange: Exchange, isShown: boolean): string =>
  isSuccess(exchange) ? (isShown ? othersData : 'nothing of theirs') : answerValue(exchange);
