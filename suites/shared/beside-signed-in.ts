// Asks as an anonymous caller, and describes the answer beside that to the signed-in player.
import type { Operation } from '../../catalog/operation.ts';
import { sameForm } from '../../engine/compare/content.ts';
import type { Ask } from '../../engine/http/ask.ts';
import { type Exchange, isSuccess } from '../../engine/http/exchange.ts';
import type { Context } from '../../engine/probe/context.ts';
import { mayBeTemporary } from '../../engine/probe/matchers/http-fields.ts';

/** The answer to a caller who is not signed in; repeated where a server error may be temporary. */
export async function toAnonymous(operation: Operation, { ask }: Context, anonymous: Ask): Promise<Exchange> {
  const first = await ask(operation, anonymous);
  return mayBeTemporary(first) ? ask(operation, { ...anonymous, nth: 0 }) : first;
}

/** Describes the answer to an anonymous caller, compared with the answer to the signed-in player. */
export function besideSignedIn(exchange: Exchange, signedIn: Exchange): string {
  const status = String(exchange.response?.status ?? '');
  const isLikeSignedIn = sameForm(exchange, signedIn);
  if (!isSuccess(exchange)) return isLikeSignedIn ? `${status}, as signed in` : status;
  return isLikeSignedIn
    ? `${status}, in the same form as signed in`
    : `${status}, in another form than signed in`;
}
