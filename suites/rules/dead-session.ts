// Checks that a credential signs no player in after its logout.
import { areas } from '../../catalog/catalog.ts';
import type { Operation } from '../../catalog/operation.ts';
import { differences } from '../../engine/compare/compare.ts';
import { sameForm } from '../../engine/compare/content.ts';
import { samplesApart, waitForCopies } from '../../engine/compare/noise.ts';
import { dead, nobody, spoiled } from '../../engine/http/ask.ts';
import { type Exchange, isSuccess, statusOf, text } from '../../engine/http/exchange.ts';
import { inconclusive, type Judgement, notTriggered, pass, violation } from '../../engine/judgement.ts';
import type { Rule } from '../../engine/probe/check.ts';
import type { Context } from '../../engine/probe/context.ts';
import { breakage, isServerError } from '../../engine/probe/matchers/http-fields.ts';
import { answered, servedAnswer } from '../../engine/probe/prerequisites.ts';
import { switchPoint } from '../../engine/values/switch-points.ts';
import { askPastTemporary } from '../shared/repeats.ts';

/** The operation that judges logout itself; see `ends-session` in suites/me.ts. */
export const logoutProbe: Operation = areas.me.location;

/**
 * Whether an anonymous caller is sometimes answered as the signed-in player is: where anonymous callers are not
 * refused, only the content tells them apart, and a field may come and go by itself.
 */
async function changesByItself(
  operation: Operation,
  context: Context,
  signedIn: Exchange,
  nobodys: Exchange,
): Promise<boolean> {
  // A server error to the anonymous caller may be chance, so it is not taken as that caller's usual answer.
  if (statusOf(nobodys) !== statusOf(signedIn) && breakage(nobodys) === undefined) return false;
  for await (const nth of samplesApart('dead-session', context.pause, context.noise(operation.host))) {
    const again = await context.ask(operation, { as: nobody, nth });
    if (standing(again, signedIn, nobodys) === 'signed-in') return true;
  }
  return false;
}

/** Whether even a signed-in player is refused before the credential is checked: then a spoiled one is refused alike. */
const takesAnyCredential = async (
  operation: Operation,
  context: Context,
  signedIn: Exchange,
  nobodys: Exchange,
): Promise<boolean> =>
  !isSuccess(signedIn) &&
  standing(await context.ask(operation, { as: spoiled }), signedIn, nobodys) === 'signed-in';

/** Judges whether this operation treats the credential of a logged-out session as none. */
export async function judgeAfterLogout(operation: Operation, context: Context): Promise<Judgement> {
  const missing = context.noSession();
  if (missing !== undefined) return inconclusive('no-session', missing);
  const signedIn = await servedAnswer(operation, context);
  const nobodys = answered(await askPastTemporary(context, operation, { as: nobody }));
  if (standing(nobodys.exchange, signedIn.exchange, nobodys.exchange) === 'indistinct')
    return notTriggered(`answered ${nobodys.response.status} with and without a credential`);
  const ended = await context.deadSession();
  if (!ended.ok) return inconclusive('prerequisite-failed', ended.why);
  const isSignedIn = (exchange: Exchange) =>
    standing(exchange, signedIn.exchange, nobodys.exchange) === 'signed-in';
  // A logout has to reach several nodes, and one of them may lag: the last answer counts.
  let last = await context.ask(operation, { as: dead });
  if (isSignedIn(last)) last = await context.ask(operation, { as: dead, nth: 1 });
  if (isSignedIn(last)) {
    await waitForCopies(context);
    last = await context.ask(operation, { as: dead, nth: 2 });
  }
  const answer = answered(last);
  const { status } = answer.response;
  switch (standing(answer.exchange, signedIn.exchange, nobodys.exchange)) {
    case 'nobody':
      return pass(answer.exchange, `answered ${status} after the logout`);
    case 'signed-in':
      if (await changesByItself(operation, context, signedIn.exchange, nobodys.exchange))
        return notTriggered('what it answers changes by itself, with and without a credential');
      if (await takesAnyCredential(operation, context, signedIn.exchange, nobodys.exchange))
        return notTriggered(`answered ${status} to a credential that never was one, too`);
      return {
        ...violation(
          `after the logout, what nobody gets: ${nobodys.response.status}`,
          `answered ${status}, as signed in`,
          answer.exchange,
        ),
        byHand: 'its credential has to be that of a session that was logged out',
      };
    default:
      if (breakage(answer.exchange) !== undefined)
        return inconclusive(
          'prerequisite-failed',
          `answered ${status} after the logout: a server error is no refusal`,
          answer.exchange,
        );
      return inconclusive(
        'unstable-answers',
        `answered ${status} after the logout: neither as signed in nor as nobody`,
        answer.exchange,
      );
  }
}

export const deadSession: Rule = {
  name: 'dead-session',
  title: 'a logged-out credential signs nobody in',
  clause: 'auth.logout',
  // Some targets end all sessions of a player at one logout.
  changes: true,
  judge: judgeAfterLogout,
};

export type SessionStanding = 'signed-in' | 'nobody' | 'neither' | 'indistinct';

/** Some frameworks answer 419, 440 or 498 for a session that has ended; others redirect to the sign-in. */
const refusals = new Set([401, 403, 419, 440, 498, 302, 303, 307]);
const isRefusal = (exchange: Exchange) => refusals.has(statusOf(exchange));
/** Bodies without content. */
const nothing: ReadonlySet<string> = new Set(['', '{}', '[]', 'null']);
/** Whether it has no content. A success without content is no refusal; with content it may be how a target refuses. */
const saysNothing = ({ response }: Exchange) =>
  response !== undefined && response.body.length < 100 && nothing.has(text(response).replace(/\s/g, ''));
/** A server error is no refusal. */
const isBroken = ({ response }: Exchange) => response !== undefined && isServerError(response);

/**
 * Compares the form of an answer with those to a signed-in player and to an anonymous caller; values do not count,
 * since players have different ones. `indistinct`: the call does not tell the two apart. `neither`: the answer is like
 * neither of them, or is the server error that the anonymous caller got.
 */
export const standing = switchPoint(function standing(
  answer: Exchange,
  signedIn: Exchange,
  nobodys: Exchange,
): SessionStanding {
  // The refusal of a signed-in player does not show what a session gets.
  if (sameForm(signedIn, nobodys) || isRefusal(signedIn)) return 'indistinct';
  if (sameForm(answer, nobodys)) return isBroken(answer) ? 'neither' : 'nobody';
  if (isRefusal(answer) && isRefusal(nobodys)) return 'nobody';
  if (isRefusal(nobodys) && [answer, signedIn].every(isSuccess) && saysNothing(answer)) return 'signed-in';
  if (!sameForm(answer, signedIn)) return 'neither';
  // Refusals often have one form whatever their reason, so only an equal refusal shows the same standing.
  return isSuccess(signedIn) || differences(answer, signedIn).size === 0 ? 'signed-in' : 'neither';
});
