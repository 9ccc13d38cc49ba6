import { sameForm } from '../../engine/compare/content.ts';
import { type Exchange, isSuccess, statusInWords } from '../../engine/http/exchange.ts';

/** Describes the answer to an anonymous caller, or to a spoiled session, beside that to the signed-in player. */
export function besideSignedIn(exchange: Exchange, signedIn: Exchange): string {
  const status = statusInWords(exchange);
  const isLikeSignedIn = sameForm(exchange, signedIn);
  if (!isSuccess(exchange)) return isLikeSignedIn ? `${status}, as signed in` : status;
  return isLikeSignedIn
    ? `${status}, in the same form as signed in`
    : `${status}, in another form than signed in`;
}
