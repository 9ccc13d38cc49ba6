// Observes whether a player who signs out while they wait in the queue is matched.
import { areas } from '../../catalog/catalog.ts';
import type { Flow } from '../../engine/flow/flow.ts';
import { isSuccess } from '../../engine/http/exchange.ts';
import { answeredTo, enter, isMatched, meet, queueFactsOf } from './await-match.ts';

const { me, queue } = areas;

export function signingOut(flow: Flow): void {
  const { observe } = flow.scenario('gone', 'first', 'second');
  observe(
    'signed-out',
    [me.logout, queue.enter],
    'whether the queue matches a player who has signed out with players who enter later',
    (context) =>
      context.aloneInQueue(async () => {
        const { size, whySizeUnknown } = await queueFactsOf(context);
        if (size !== 2) return context.notTriggered(whySizeUnknown ?? 'a match does not take two players');
        const [name, gone] = [context.unique('assayqueue'), context.id('gone')];
        await enter(context, 'gone', name);
        if (!isSuccess(await context.send('gone', me.logout)))
          return context.notTriggered('the player cannot sign out');
        const meeting = await meet(context, ['first', 'second'], name, 'briefly');
        if (!meeting.replies.some(isMatched)) return context.notTriggered(meeting.why);
        const found = answeredTo(context, meeting).find(({ answer }) => context.mentions(answer, gone));
        context.observe(found ? 'it does' : 'it does not', found?.answer ?? meeting.replies[0].answer);
      }),
  );
}
