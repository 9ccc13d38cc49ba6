import { areas } from '../../fixtures/catalog/catalog.ts';
import { effects } from '../../fixtures/catalog/clauses/effects/effects.ts';
import { open } from '../../fixtures/catalog/clauses/open.ts';
import type { Flow } from '../../fixtures/check/flow/flow.ts';
import { enter } from './met.ts';

const { queue } = areas;
const clauses = effects.queue;
const anyState = open['open.flows'];

/** One player waits, goes away, and comes back. */
export function waiting(flow: Flow): void {
  const { prepare, step } = flow.scene('player', 'other');
  const name = prepare('a queue', async (stage) => stage.unique('assayqueue'));

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
      const tokenIn = (answer: typeof own) =>
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

  const entered = step('enter', [queue.enter], clauses.called, 'a player enters the queue', async (stage) => {
    await enter(stage, 'player', stage.of(name));
  });

  step('enter-again', [queue.enter], anyState, 'what entering the queue again is answered', async (stage) => {
    stage.of(entered);
    const again = stage.said('player', queue.enter, { offer: { value: stage.of(name) } });
    await stage.observeAnswer('player', queue.enter, again);
  });

  const left = step('cancel', [queue.cancel], clauses.called, 'a player leaves the queue', async (stage) => {
    stage.of(entered);
    await stage.done('player', queue.cancel);
  });

  step(
    'cancel-again',
    [queue.cancel],
    anyState,
    'what leaving the queue again is answered',
    async (stage) => {
      stage.of(left);
      await stage.observeAnswer('player', queue.cancel);
    },
  );

  step(
    'enter-after-cancel',
    [queue.enter, queue.cancel],
    anyState,
    'what entering the queue after having left it is answered',
    async (stage) => {
      stage.of(left);
      const again = stage.said('player', queue.enter, { offer: { value: stage.of(name) } });
      stage.later('player', queue.cancel);
      await stage.observeAnswer('player', queue.enter, again);
    },
  );
}
