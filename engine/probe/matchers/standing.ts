// Decides whether an answer treats its caller as signed in or as anonymous.
import { differences } from '../../compare/compare.ts';
import { sameOutline } from '../../compare/outline.ts';
import { type Exchange, isSuccess, statusOf, text } from '../../http/exchange.ts';
import { switchPoint } from '../../values/switch-points.ts';
import { isServerError } from './server-error.ts';

export type Standing = 'signed-in' | 'nobody' | 'neither' | 'indistinct';

/** 419, 440 and 498 are what some frameworks say of a session that is over; others redirect to the sign-in. */
const refusals = new Set([401, 403, 419, 440, 498, 302, 303, 307]);
const isRefusal = (exchange: Exchange) => refusals.has(statusOf(exchange));
/** Written short: no more than this is nothing. */
const nothing: ReadonlySet<string> = new Set(['', '{}', '[]', 'null']);
/** A success that gives no reason is no refusal; one with content may be the way in which some refuse. */
const saysNothing = ({ response }: Exchange) =>
  response !== undefined && response.body.length < 100 && nothing.has(text(response).replace(/\s/g, ''));
/** A server error is no refusal. */
const isBroken = ({ response }: Exchange) => response !== undefined && isServerError(response);

/**
 * Whose answer is this one like? Values are left out of it, since another player's differ. `indistinct` where the call
 * does not tell a signed-in player from nobody, `neither` where it is like neither of the two, or broke the
 * server as nobody's did.
 */
export const standing = switchPoint(function standing(
  answer: Exchange,
  signedIn: Exchange,
  nobodys: Exchange,
): Standing {
  const alike = (a: Exchange, b: Exchange) => statusOf(a) === statusOf(b) && sameOutline(a, b);
  // Somebody who is refused although signed in is no measure of being signed in.
  if (alike(signedIn, nobodys) || isRefusal(signedIn)) return 'indistinct';
  if (alike(answer, nobodys)) return isBroken(answer) ? 'neither' : 'nobody';
  if (isRefusal(answer) && isRefusal(nobodys)) return 'nobody';
  if (isRefusal(nobodys) && [answer, signedIn].every(isSuccess) && saysNothing(answer)) return 'signed-in';
  if (!alike(answer, signedIn)) return 'neither';
  // Refusals share an outline whatever their reason: only the very same one shows the same standing.
  return isSuccess(signedIn) || differences(answer, signedIn).size === 0 ? 'signed-in' : 'neither';
});
