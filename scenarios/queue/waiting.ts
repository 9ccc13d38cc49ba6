import { areas } from '../../fixtures/catalog/catalog.ts';
import { effects } from '../../fixtures/catalog/clauses/effects/effects.ts';
import { open } from '../../fixtures/catalog/clauses/open.ts';
import type { Flow } from '../../fixtures/check/flow/flow.ts';
import { silenced } from '../../fixtures/check/flow/refusal.ts';
import { type Exchange, statusOf } from '../../fixtures/client/exchange.ts';
import { leave, matchIn } from './met.ts';

const { queue } = areas;
const clauses = effects.queue;
const anyState = open['open.flows'];

/** One player waits, goes away, and comes back. */
export function waiting(flow: Flow): void {
  const { step } = flow.scene('player', 'other');

  const token = step(
    'token',
    [queue.issueToken],
    clauses.called,
    'a player gets a token for the queue',
    (stage) => stage.done('player', queue.issueToken),
  );

  step(
    'token-other',
    [queue.issueToken],
    anyState,
    'whether two players get one token or two',
    async (stage) => {
      const tokenIn = (answer: Exchange) =>
        stage.identifier(answer, queue.issueToken, 'queueToken').catch(() => undefined);
      const own = stage.of(token);
      const others = await stage.done('other', queue.issueToken);
      const [first, second] = [await tokenIn(own), await tokenIn(others)];
      if (first === undefined || second === undefined) stage.observe('no token is told', others);
      else stage.observe(first === second ? 'one token for both' : 'a token each', others);
    },
  );

  step(
    'cancel-unqueued',
    [queue.cancel],
    anyState,
    'what leaving the queue without having entered it is answered',
    async (stage) => {
      await stage.observeAnswer('other', queue.cancel);
    },
  );

  const visit = step(
    'enter',
    [queue.enter],
    clauses.called,
    'a player enters the queue',
    // The whole visit is one step, since nobody else may come between its calls.
    (stage) =>
      stage.aloneInQueue(async () => {
        const name = stage.unique('assayqueue');
        stage.later('player', queue.cancel);
        await stage.done('player', queue.enter, { offer: { value: name } });
        const enter = stage.said('player', queue.enter, { offer: { value: name } });
        const again = await stage.put('player', queue.enter, enter);
        const found = await matchIn(stage, again);
        const left = await stage.put('player', queue.cancel);
        const leftAgain = await stage.put('player', queue.cancel);
        const back = await stage.put('player', queue.enter, enter);
        await leave(stage, 'player', await matchIn(stage, back));
        return { again, isFound: found !== undefined, left, leftAgain, back };
      }),
  );

  step('cancel', [queue.cancel], clauses.called, 'a player leaves the queue', async (stage) => {
    const { isFound, left } = stage.of(visit);
    if (isFound) stage.notTriggered('a match with somebody else was found before');
    await stage.wasDone(queue.cancel, left);
  });

  const later = [
    ['enter-again', queue.enter, 'again', 'what entering the queue again is answered'],
    ['cancel-again', queue.cancel, 'leftAgain', 'what leaving the queue again is answered'],
    ['enter-after-cancel', queue.enter, 'back', 'what entering the queue after having left it is answered'],
  ] as const;
  for (const [name, operation, call, title] of later)
    step(name, [operation], anyState, title, async (stage) => {
      const { [call]: answer } = stage.of(visit);
      silenced(answer);
      stage.observe(`${statusOf(answer)}`, answer);
    });
}
