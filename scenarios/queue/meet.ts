// Steps that scenarios of the queue share: enter it, wait for a match, and leave again.
import { areas } from '../../catalog/catalog.ts';
import { isLong, namedBeside } from '../../engine/flow/places.ts';
import { poll } from '../../engine/flow/polling.ts';
import { silenced } from '../../engine/flow/refusal.ts';
import type { StepContext } from '../../engine/flow/step-context.ts';
import { type Exchange, statusOf } from '../../engine/http/exchange.ts';

const { match, queue } = areas;

/** Enters the queue; a target that accepts any queue name gets one that no other player waits in. */
export async function enter<Role extends string>(
  context: StepContext<Role>,
  role: NoInfer<Role>,
  name: string,
): Promise<Exchange> {
  const mayRefuse = 'entering the queue once more';
  const answer = await context.done(role, queue.enter, { offer: { value: name }, mayRefuse });
  context.later(role, queue.cancel);
  return answer;
}

/** Leaves the queue, or quits the match that was found. */
export async function leave<Role extends string>(
  context: StepContext<Role>,
  role: NoInfer<Role>,
  matchId: string | undefined,
): Promise<void> {
  if (matchId === undefined) await context.put(role, queue.cancel);
  else await context.put(role, match.quit, { params: { matchId } });
}

/** The last answer to a player who entered. */
interface QueueReply {
  readonly answer: Exchange;
  /** The match to play, where it names one. */
  readonly matchId: string | undefined;
  /** It names the other player. */
  readonly names: boolean;
  /** The match as its player reads it, where the two did not meet, or briefly. */
  readonly details?: Exchange;
}

export interface Meeting {
  /** Whether both answers name one match, or one names the other player. */
  readonly isMet: boolean;
  readonly replies: readonly [QueueReply, QueueReply];
}

type Two<Role extends string> = readonly [NoInfer<Role>, NoInfer<Role>];

/**
 * Two players enter and poll for a bounded time until both replies name a match; without a match both leave again.
 * @param briefly leaves the match, too, once both have read it
 */
export async function meet<Role extends string>(
  context: StepContext<Role>,
  [first, second]: Two<Role>,
  name: string,
  briefly?: 'briefly',
): Promise<Meeting> {
  const ofFirst = await enter(context, first, name);
  const ofSecond = await enter(context, second, name);
  const ask = () =>
    Promise.all([
      lastReply(context, [first, second], name, ofFirst),
      lastReply(context, [second, first], name, ofSecond),
    ]);
  let replies = await ask();
  // One player may get the match just when the other has stopped polling.
  if (isMatched(replies[0]) !== isMatched(replies[1])) replies = await ask();
  const isOne = replies[0].matchId !== undefined && replies[0].matchId === replies[1].matchId;
  const isMet = isOne || replies[0].names || replies[1].names;
  const settled = async (role: NoInfer<Role>, reply: QueueReply): Promise<QueueReply> => {
    const { matchId } = reply;
    if (isMet && matchId !== undefined) context.later(role, match.quit, { params: { matchId } });
    if (isMet && !briefly) return reply;
    // Read now: who has left a match may no longer read it.
    const details = matchId && (await context.put(role, match.get, { params: { matchId } }));
    await leave(context, role, matchId);
    return { ...reply, ...(details && { details }) };
  };
  return { isMet, replies: [await settled(first, replies[0]), await settled(second, replies[1])] };
}

/**
 * Expects that the match of two who entered has no player of this run besides them: where nobody else waits, that player
 * has left the queue before.
 */
export async function expectNobodyWhoLeft<Role extends string>(
  context: StepContext<Role>,
  { replies }: Meeting,
  people: Two<Role>,
): Promise<void> {
  const answers: Exchange[] = [];
  for (const [nth, { answer, matchId, details }] of replies.entries()) {
    answers.push(answer);
    if (details) answers.push(details);
    else if (matchId !== undefined)
      answers.push(await context.put(people[nth] as Role, match.get, { params: { matchId } }));
  }
  const fellows = people.map((role) => context.id(role));
  const others = answers.flatMap(context.playersIn).filter((id) => !fellows.includes(id));
  const gone = others.find((id) => namedBeside(id, fellows, answers));
  if (gone === undefined) return;
  const [first] = people;
  await enter(context, first, context.unique('assayqueue'));
  const status = statusOf(await context.put(first, queue.cancel));
  if (cannotLeave.has(status)) context.cannotTell('needs-state', `leaving the queue is answered ${status}`);
  const naming = answers.findLast((answer) => context.mentioned(answer, gone));
  context.expect(false, 'a match without a player who left', 'one with them', naming);
}

/** A target that refuses the call as such took nobody out of the queue. */
const cannotLeave: ReadonlySet<number> = new Set([400, 405, 415, 422, 501]);

const isMatched = ({ matchId, names }: QueueReply) => matchId !== undefined || names;

/**
 * Polls by entering again: a target that takes that call reports the player's place or match.
 * @param entered the answer to entering: a match that it names may be named this once
 */
async function lastReply<Role extends string>(
  context: StepContext<Role>,
  [role, other]: Two<Role>,
  name: string,
  entered: Exchange,
): Promise<QueueReply> {
  const again = context.likeliestAsk(role, queue.enter, { offer: { value: name } });
  const otherId = context.id(other);
  const names = (answer: Exchange) =>
    context.mentioned(answer, otherId) &&
    (isLong(otherId) || namedBeside(otherId, [context.id(role)], [answer]));
  let matchId = await matchIn(context, entered);
  if (matchId !== undefined) return { answer: entered, matchId, names: names(entered) };
  const { last } = await poll(
    async () => {
      const answer = await context.put(role, queue.enter, again);
      matchId = await matchIn(context, answer);
      return answer;
    },
    (answer) => matchId !== undefined || names(answer),
  );
  silenced(last);
  return { answer: last, matchId, names: names(last) };
}

/** The id that an answer names as a match's: a queue ticket has an id as well. */
export const matchIn = <Role extends string>(
  context: StepContext<Role>,
  answer: Exchange,
): Promise<string | undefined> =>
  context.identifier(answer, queue.enter, 'matchId', async () => false).catch(() => undefined);
