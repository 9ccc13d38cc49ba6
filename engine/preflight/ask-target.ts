// Makes the preflight's calls: an operation's plain call with other words or segments, and those for health, version
// and config, whose answers are kept.
import type { Operation } from '../../catalog/operation.ts';
import type { GivenWords } from '../../catalog/words.ts';
import { areOfOneKind, besideControl } from '../compare/contrast.ts';
import { type Answers, compareWithControl } from '../compare/controls.ts';
import { isUnusableControl } from '../compare/no-answer.ts';
import { type Ask, nobody, requestOf } from '../http/ask.ts';
import type { Client } from '../http/client.ts';
import { type Exchange, isSuccess, statusOf } from '../http/exchange.ts';
import { signed } from '../players/session.ts';
import type { Discovery } from '../players/sign-in-discovery.ts';
import { notSent } from '../probe/evidence.ts';
import { whyOmitted } from '../target/profile.ts';
import { takesSession } from '../target/session-transport.ts';
import { surroundingsOf, type Target } from '../target/target.ts';
import { once } from '../values/once.ts';
import type { SessionTrial } from './try-session.ts';

/** Makes a call as the signed-in player, unless `as` is nobody. Without `words`, the profile's words are used. */
export type Put = (
  operation: Operation,
  ask?: Pick<Ask, 'path' | 'params' | 'as' | 'body'>,
  words?: GivenWords,
) => Promise<Exchange>;

/** The session to sign calls with; none where it changes with every answer, since other code then follows it. */
const sessionIn = (discovery: Discovery | undefined) =>
  discovery?.kind === 'found' && !discovery.recipe.rotates ? discovery.session : undefined;

/** Whether this putter sends calls as a signed-in player. */
export const isSigning = (discovery: Discovery | undefined): boolean => sessionIn(discovery) !== undefined;

/** @param trial sends calls to the other hosts, and finds out whether they require the session */
export function putter(
  client: Client,
  target: Target,
  discovery: Discovery | undefined,
  trial?: Pick<SessionTrial, 'send'>,
): Put {
  const session = sessionIn(discovery);
  return async (operation, ask = {}, words = target.profile) => {
    const reason = target.profile?.omitted.get(operation.id);
    if (reason !== undefined) return notSent(operation, target, whyOmitted(reason));
    const request = requestOf(operation, ask, { ...surroundingsOf(target, operation), words });
    if (trial && operation.host !== 'base' && ask.as !== nobody) return trial.send(operation, request);
    const isSigned = session !== undefined && ask.as !== nobody && takesSession(target, operation.host);
    return client.send(isSigned ? signed(request, session) : request, { priority: 0 });
  };
}

// The answers to health, version and config, each asked once and shared.

/** The answer to an operation's plain call. Never rejects. */
type Source = (operation: Operation) => Promise<Exchange>;

/** @param isSigned whether `put` sends calls as a signed-in player */
export type Sources = (put: Put, isSigned: boolean) => Source;

/** Makes each read of a target once. One that failed without the session is repeated with it, and conversely. */
export function createSources(): Sources {
  const known = new Map<string, { readonly answer: Promise<Exchange>; readonly isSigned: boolean }>();
  return (put, isSigned) =>
    async function read(operation) {
      const before = known.get(operation.id);
      if (before === undefined) {
        const answer = put(operation);
        known.set(operation.id, { answer, isSigned });
        return answer;
      }
      if (before.isSigned === isSigned || isSuccess(await before.answer)) return before.answer;
      if (known.get(operation.id) === before) known.delete(operation.id);
      return read(operation);
    };
}

/** Returns a function for the nth answer to a call; the call is sent once for each n. */
export function answersTo(put: () => Promise<Exchange>): Answers {
  return once((_nth: number) => put());
}

/** Whether the answer differs from those of the control; repeats until that is sure. */
export const isUnlike = async (answers: Answers, control: Answers): Promise<boolean> =>
  (await compareWithControl(answers, control)).differs;

/** Whether the answer is a success, and differs from the answers to two paths that cannot exist and that are alike. */
export function standsOut(answer: Exchange, first: Exchange, second: Exchange): boolean {
  if (!areOfOneKind(first, second) || !isSuccess(answer)) return false;
  return besideControl()([answer], [first, second]).size > 0;
}

/**
 * Whether the answer is a success unlike the control, a call for what cannot exist. Another status is proof enough.
 * @param again asks for something else that cannot exist
 */
export async function standsOutFrom(
  answer: Exchange,
  control: Exchange,
  again: () => Promise<Exchange>,
): Promise<boolean> {
  if (isUnusableControl(control)) return false;
  if (statusOf(control) !== statusOf(answer)) return isSuccess(answer);
  const other = await again();
  return !isUnusableControl(other) && standsOut(answer, control, other);
}
