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

/** One leaves the queue before two others enter it. */
export function leaving(flow: Flow): void {
  const { prepare, step } = flow.scene('gone', 'first', 'second');
  const met = prepare('two who enter a queue that another has left', (stage) =>
    stage.aloneInQueue(async () => {
      const name = stage.unique('assayqueue');
      await enter(stage, 'gone', name);
      const left = await stage.put('gone', queue.cancel);
      silenced(left);
      if (statusOf(left) >= 300)
        stage.cannotTell('needs-state', `leaving the queue is answered ${statusOf(left)}`);
      return meet(stage, ['first', 'second'], name);
    }),
  );

  step(
    'cancelled-not-matched',
    [queue.cancel, queue.enter],
    effects.queue.cancelled,
    'who left the queue is not matched with who enters after that',
    async (stage) => {
      const { isMet, told } = stage.of(met);
      const answers: Exchange[] = [];
      for (const { answer, matchId } of told) {
        answers.push(answer);
        if (matchId !== undefined) answers.push(await stage.put('first', match.get, { params: { matchId } }));
      }
      const fellows = [stage.id('first'), stage.id('second')];
      const isNamed = namedBeside(stage.id('gone'), fellows, answers);
      const naming = answers.findLast((answer) => stage.mentioned(answer, stage.id('gone')));
      stage.expect(!isNamed, 'a match without who left', 'one with them', naming);
      if (!isMet) stage.notTriggered('nobody is matched with anybody here');
    },
  );
}
