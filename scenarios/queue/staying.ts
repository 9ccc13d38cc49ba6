// Checks that the other players stay in the queue when one leaves it.
import { queue } from '../../catalog/areas/queue-ranks-utils.ts';
import { effects } from '../../catalog/clauses/flows.ts';
import type { Flow } from '../../engine/flow/flow.ts';
import type { StepContext } from '../../engine/flow/step-context.ts';
import { requireAnswer } from '../../engine/flow/why-refused.ts';
import { statusOf } from '../../engine/http/exchange.ts';
import {
  enter,
  fillUp,
  isMatched,
  isSizeUntried,
  lastReply,
  leave,
  matchedSoonMs,
  matchIn,
  meet,
  type QueueReply,
  queueFactsOf,
} from './await-match.ts';

type Role = 'gone' | 'first' | 'second';

/** When a match came. */
type Came =
  /** When the last of the players entered. */
  | 'at once'
  /** Only after the player who had waited first entered again. */
  | 'late'
  | 'never';

interface Round {
  readonly came: Came;
  readonly last: QueueReply;
}

/** One player waits, another leaves the queue; players who enter afterwards are matched with the one who waited. */
export function staying(flow: Flow): void {
  const { prepare } = flow.scenario('gone', 'first', 'second');
  const played = prepare('one who waits in a queue that another leaves', (context) =>
    context.aloneInQueue(async () => {
      const facts = await queueFactsOf(context);
      const meeting = isSizeUntried(facts)
        ? await meet(context, ['first', 'second'], context.unique('assayqueue'), { thenLeave: true })
        : undefined;
      const { size } = facts;
      if (size === undefined)
        return context.notTriggered(meeting?.why ?? facts.whySizeUnknown ?? 'the queue matched nobody');
      const rounds = [await round(context, size, 'leaves')];
      // Queues vary in speed: plays three more rounds, to see whether the match is late only when somebody leaves.
      if (rounds[0]?.came === 'late')
        for (const leaves of [undefined, 'leaves', undefined] as const)
          rounds.push(await round(context, size, leaves));
      return rounds;
    }),
  );

  played.step(
    'others-stay',
    [queue.cancel, queue.enter],
    effects.queue.stays,
    'a player who waits in the queue stays in it when another one leaves',
    async (context, rounds) => {
      const came = rounds.map((each) => each.came).join();
      // One prompt match after a leave is enough: the delay had another cause.
      if (rounds.some((each, nth) => nth % 2 === 0 && each.came === 'at once')) return;
      if (came !== 'late,at once,late,at once')
        return context.notTriggered('no match came with the last player who entered');
      context.expect(
        false,
        'a match as soon as the last player has entered, as where nobody leaves',
        'none until the player who had waited entered again',
        rounds[0]?.last.answer,
      );
    },
  );
}

/**
 * The first waits, others enter until they are enough for a match, and only the last of them polls.
 * @param leaves a third player enters first and leaves while "first" waits; where a match takes two, in another queue,
 * so that the two are not matched
 */
async function round(context: StepContext<Role>, size: number, leaves: 'leaves' | undefined): Promise<Round> {
  const name = context.unique('assayqueue');
  if (leaves) await enter(context, 'gone', size > 2 ? name : context.unique('assayqueue'));
  const waiting = await enter(context, 'first', name);
  let early = await matchIn(context, waiting);
  if (leaves && size === 2 && early === undefined) {
    // A target with one queue for all names matches the two who wait, perhaps a moment later.
    await context.pause(matchedSoonMs);
    const again = await context.sendLikeliest('first', queue.enter, { offer: { value: name } });
    early = await matchIn(context, again);
  }
  if (early !== undefined) {
    for (const role of ['first', 'gone'] as const) await leave(context, role, early);
    return context.notTriggered('the queue matches players before they are enough');
  }
  if (leaves) {
    const answer = requireAnswer(await context.send('gone', queue.cancel));
    if (statusOf(answer) >= 300) {
      await leave(context, 'first', undefined);
      context.cannotTell('needs-state', `leaving the queue is answered ${statusOf(answer)}`);
    }
  }
  const people: [string, string, ...string[]] = ['first', 'second'];
  let entered = await enter(context, 'second', name);
  const why = await fillUp(context, people, size - 2, async (role: Role) => {
    entered = await enter(context, role, name);
  });
  const newest = people.at(-1) as Role;
  const soon = await lastReply(context, [newest, 'first'], name, { entered });
  const late = isMatched(soon)
    ? soon
    : await lastReply(context, ['first', newest], name, { entered: waiting });
  for (const role of people) await leave(context, role as Role, late.matchId);
  if (why !== undefined) return context.notTriggered(`a match takes ${size} players: ${why}`);
  return { came: isMatched(soon) ? 'at once' : isMatched(late) ? 'late' : 'never', last: late };
}
