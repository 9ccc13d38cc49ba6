// Checks that the queue goes on matching while players it has matched are still in their match.
import type { StepContext } from '../../engine/flow/step-context.ts';
import { isMatched, type Meeting, meet, queueFactsOf } from './await-match.ts';

type Roles = 'first' | 'second' | 'next' | 'last';

/**
 * Expects that two more players are matched while the two of a meeting play. Where the two were not matched although others
 * had been, they enter once more, and wait longer.
 * @throws Stop where nobody is matched, or a match takes more players than two
 */
export async function expectMatchBeside(context: StepContext<Roles>, meeting: Meeting): Promise<void> {
  const { size } = await queueFactsOf(context);
  const meetAt = (length: 'at length' | undefined, ...two: readonly [Roles, Roles]) =>
    context.aloneInQueue(() => meet(context, two, context.unique('assayqueue'), length));
  if (size === undefined) return context.notTriggered(meeting.why);
  if (size > 2) return context.notTriggered(`a match takes ${size} players`);
  const playing = meeting.isMet ? meeting : await meetAt('at length', 'first', 'second');
  if (!playing.isMet) return context.notTriggered(playing.why);
  const soon = await meetAt(undefined, 'next', 'last');
  const { replies } = soon.replies.some(isMatched) ? soon : await meetAt('at length', 'next', 'last');
  context.expect(
    replies.some(isMatched),
    'a match for the next two, as for those who play',
    'none while they play',
    replies[1].answer,
  );
}
