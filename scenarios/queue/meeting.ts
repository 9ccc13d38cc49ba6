import { areas } from '../../fixtures/catalog/catalog.ts';
import { effects } from '../../fixtures/catalog/clauses/effects/effects.ts';
import { open } from '../../fixtures/catalog/clauses/open.ts';
import type { Flow } from '../../fixtures/check/flow/flow.ts';
import { statusOf } from '../../fixtures/client/exchange.ts';
import { type Meeting, meet } from './met.ts';

const { match, queue } = areas;
const clauses = effects.queue;
const notFound = 'the two did not find one another';

/** Two players enter one queue: they find one another, or honestly do not. */
export function meeting(flow: Flow): void {
  const { step } = flow.scene('first', 'second');

  const entered = step(
    'find',
    [queue.enter],
    open['open.flows'],
    'whether two players who enter the queue find one another',
    async (stage) => {
      const meeting = await stage.aloneInQueue(() =>
        meet(stage, ['first', 'second'], stage.unique('assayqueue')),
      );
      stage.observe(inWords(meeting), meeting.told[1].answer);
      return meeting;
    },
  );

  step(
    'find-both',
    [queue.enter],
    clauses.mutual,
    'when one is told of the other, both are',
    async (stage) => {
      const { isMet, told } = stage.of(entered);
      if (!isMet) stage.notTriggered(notFound);
      for (const [nth, { names, matchId, answer }] of told.entries()) {
        const who = nth === 0 ? 'the first' : 'the second';
        if (statusOf(answer) >= 300)
          stage.cannotTell('needs-state', `entering again, to be told, is answered ${statusOf(answer)}`);
        stage.expect(names || matchId !== undefined, `${who} is told as well`, 'nothing of it', answer);
      }
    },
  );

  const one = step('find-one-match', [queue.enter], clauses.one, 'both are told one match', async (stage) => {
    const { isMet, told } = stage.of(entered);
    const [first, second] = told.map(({ matchId }) => matchId);
    if (!isMet) stage.notTriggered(notFound);
    if (first === undefined || second === undefined)
      return stage.cannotTell('unknown-resource', 'no answer told the id of the match');
    stage.expect(first === second, 'one match', 'two', told[1].answer);
    return first;
  });

  for (const role of ['first', 'second'] as const)
    step(
      `found-${role}-reads`,
      [match.get, queue.enter],
      clauses.one,
      `the ${role} of two who found one another reads their match`,
      async (stage) => {
        const params = { matchId: stage.of(one) };
        await stage.sees(role, { operation: match.get, params, what: 'the match that was told' });
      },
    );

  step(
    'cancel-matched',
    [queue.cancel, queue.enter],
    open['open.flows'],
    'what leaving the queue once a match was found is answered',
    async (stage) => {
      if (!stage.of(entered).isMet) stage.notTriggered(notFound);
      await stage.observeAnswer('first', queue.cancel);
    },
  );
}

function inWords({ isMet, told }: Meeting): string {
  if (isMet) return 'they find one another';
  const matched = told.filter(({ matchId }) => matchId !== undefined).length;
  return matched === 0 ? 'they are told no match in time' : 'they are told matches without one another';
}
