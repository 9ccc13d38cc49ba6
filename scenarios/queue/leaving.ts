import { areas } from '../../fixtures/catalog/catalog.ts';
import { effects } from '../../fixtures/catalog/clauses/effects/effects.ts';
import type { Flow } from '../../fixtures/check/flow/flow.ts';
import { namedBeside } from '../../fixtures/check/flow/places.ts';
import { silenced } from '../../fixtures/check/flow/refusal.ts';
import { type Exchange, statusOf } from '../../fixtures/client/exchange.ts';
import { enter, meet } from './met.ts';

const { match, queue } = areas;

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
