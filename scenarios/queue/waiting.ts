// Checks that a player can wait in the queue, leave it and come back, and that one who left is not matched.
import { areas } from '../../catalog/catalog.ts';
import { effects } from '../../catalog/clauses/flows.ts';
import { open } from '../../catalog/clauses/open.ts';
import type { Flow } from '../../engine/flow/flow.ts';
import { namedBeside } from '../../engine/flow/places.ts';
import { silenced } from '../../engine/flow/refusal.ts';
import { type Exchange, statusOf } from '../../engine/http/exchange.ts';
import { enter, leave, matchIn, meet } from './meeting.ts';

const { queue, match } = areas;
const clauses = effects.queue;
const anyState = open['open.flows'];

/** One player waits, goes away, and comes back. */
export function waiting(flow: Flow): void {
  const { step } = flow.scenario('player', 'other');

  const token = step(
    'token',
    [queue.issueToken],
    clauses.called,
    'a player gets a token for the queue',
    (context) => context.done('player', queue.issueToken),
  );

  step(
    'token-other',
    [queue.issueToken],
    anyState,
    'whether two players get one token or two',
    async (context) => {
      const tokenIn = (answer: Exchange) =>
        context.identifier(answer, queue.issueToken, 'queueToken').catch(() => undefined);
      const own = context.of(token);
      const others = await context.done('other', queue.issueToken);
      const [first, second] = [await tokenIn(own), await tokenIn(others)];
      if (first === undefined || second === undefined) context.observe('no token is told', others);
      else context.observe(first === second ? 'one token for both' : 'a token each', others);
    },
  );

  step(
    'cancel-unqueued',
    [queue.cancel],
    anyState,
    'how the server answers when a player leaves the queue without having entered',
    async (context) => {
      await context.observeAnswer('other', queue.cancel);
    },
  );

  const visit = step(
    'enter',
    [queue.enter],
    clauses.called,
    'a player enters the queue',
    // The whole visit is one step, since no other player may enter between its calls.
    (context) =>
      context.aloneInQueue(async () => {
        const name = context.unique('assayqueue');
        context.later('player', queue.cancel);
        await context.done('player', queue.enter, { offer: { value: name } });
        const enter = context.likeliestAsk('player', queue.enter, { offer: { value: name } });
        const again = await context.put('player', queue.enter, enter);
        const found = await matchIn(context, again);
        const left = await context.put('player', queue.cancel);
        const leftAgain = await context.put('player', queue.cancel);
        const back = await context.put('player', queue.enter, enter);
        await leave(context, 'player', await matchIn(context, back));
        return { again, isFound: found !== undefined, left, leftAgain, back };
      }),
  );

  step('cancel', [queue.cancel], clauses.called, 'a player leaves the queue', async (context) => {
    const { isFound, left } = context.of(visit);
    if (isFound) context.notTriggered('a match with somebody else was found before');
    await context.wasDone(queue.cancel, left);
  });

  const later = [
    ['enter-again', queue.enter, 'again', 'how the server answers when a player enters the queue again'],
    [
      'cancel-again',
      queue.cancel,
      'leftAgain',
      'how the server answers when a player leaves the queue again',
    ],
    [
      'enter-after-cancel',
      queue.enter,
      'back',
      'how the server answers when a player enters the queue after leaving it',
    ],
  ] as const;
  for (const [name, operation, call, title] of later)
    step(name, [operation], anyState, title, async (context) => {
      const { [call]: answer } = context.of(visit);
      silenced(answer);
      context.observe(`${statusOf(answer)}`, answer);
    });
}

/** One leaves the queue before two others enter it. */
export function leaving(flow: Flow): void {
  const { prepare, step } = flow.scenario('gone', 'first', 'second');
  const met = prepare('two players who enter a queue that another has left', (context) =>
    context.aloneInQueue(async () => {
      const name = context.unique('assayqueue');
      await enter(context, 'gone', name);
      const left = await context.put('gone', queue.cancel);
      silenced(left);
      if (statusOf(left) >= 300)
        context.cannotTell('needs-state', `leaving the queue is answered ${statusOf(left)}`);
      return meet(context, ['first', 'second'], name);
    }),
  );

  step(
    'cancelled-not-matched',
    [queue.cancel, queue.enter],
    effects.queue.cancelled,
    'the queue does not match a player who left with players who enter later',
    async (context) => {
      const { isMet, replies } = context.of(met);
      const answers: Exchange[] = [];
      for (const { answer, matchId } of replies) {
        answers.push(answer);
        if (matchId !== undefined)
          answers.push(await context.put('first', match.get, { params: { matchId } }));
      }
      const fellows = [context.id('first'), context.id('second')];
      const isNamed = namedBeside(context.id('gone'), fellows, answers);
      const naming = answers.findLast((answer) => context.mentioned(answer, context.id('gone')));
      context.expect(!isNamed, 'a match without the player who left', 'one with them', naming);
      if (!isMet) context.notTriggered('the queue matched nobody');
    },
  );
}
