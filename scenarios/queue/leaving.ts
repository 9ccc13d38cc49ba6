import { areas } from '../../fixtures/catalog/catalog.ts';
import { effects } from '../../fixtures/catalog/clauses/effects/effects.ts';
import type { Flow } from '../../fixtures/check/flow/flow.ts';
import { mentions } from '../../fixtures/check/flow/mentions.ts';
import type { Exchange } from '../../fixtures/client/exchange.ts';
import { enter, meet } from './met.ts';

const { match, queue } = areas;

/** One leaves the queue before two others enter it. */
export function leaving(flow: Flow): void {
  const { prepare, step } = flow.scene('gone', 'first', 'second');
  const left = prepare('a queue that one player has left, and two others have entered', async (stage) => {
    const name = stage.unique('assayqueue');
    await enter(stage, 'gone', name);
    await stage.done('gone', queue.cancel);
    await enter(stage, 'first', name);
    await enter(stage, 'second', name);
    return name;
  });

  step(
    'cancelled-not-matched',
    [queue.cancel, queue.enter],
    effects.queue.cancelled,
    'who left the queue is not matched with who enters after that',
    async (stage) => {
      const name = stage.of(left);
      const { isMet, told } = await meet(stage, ['first', 'second'], name);
      const answers: Exchange[] = [];
      for (const { answer, matchId } of told) {
        answers.push(answer);
        if (matchId !== undefined) answers.push(await stage.put('first', match.get, { params: { matchId } }));
      }
      const naming = answers.find((answer) => mentions(answer, stage.id('gone')));
      stage.expect(naming === undefined, 'a match without who left', 'one with them', naming);
      if (!isMet) stage.cannotTell('needs-state', 'nobody is matched with anybody here');
    },
  );
}
