// Checks that the queue goes on matching while players it has matched are still in their match.
import type { StepContext } from '../../engine/flow/step-context.ts';
import { isMatched, leave, type Meeting, meet, queueFactsOf } from './await-match.ts';

type Roles = 'first' | 'second';

/** The roles that enter while the first two play; where there are two kinds of player, `last` is of the second one. */
const next = ['next', 'last'] as const;

/**
 * Expects that two more players are matched while the two of a meeting play. If the first two did not meet although
 * others had, they enter again with a longer wait.
 * @throws Stop where nobody is matched, or a match takes more players than two
 */
export async function expectMatchBeside(context: StepContext<Roles>, meeting: Meeting): Promise<void> {
  const { size } = await queueFactsOf(context);
  if (size === undefined) return context.notTriggered(meeting.why);
  if (size > next.length) return context.notTriggered(`a match takes ${size} players`);
  for (const role of next) {
    const why = await context.bringIn(role);
    if (why !== undefined) return context.cannotTell('needs-players', why);
  }
  const meetAlone = (two: readonly [string, string], options: Parameters<typeof meet>[3]) =>
    context.aloneInQueue(() => meet(context as StepContext, two, context.unique('assayqueue'), options));
  const playing = meeting.isMet ? meeting : await meetAlone(['first', 'second'], { waitsLonger: true });
  if (!playing.isMet) return context.notTriggered(playing.why);
  if ((await meetAlone(next, {})).replies.some(isMatched)) return;
  const { replies } = await meetAlone(next, { waitsLonger: true });
  if (replies.some(isMatched)) return;
  // A matchmaker may make matches seldom: once nobody plays any more, it has to match these two.
  for (const [nth, role] of (['first', 'second'] as const).entries())
    await leave(context, role, playing.replies[nth]?.matchId);
  const after = await meetAlone(next, { waitsLonger: true });
  if (!after.replies.some(isMatched)) return context.notTriggered(after.why);
  context.expect(
    false,
    'a match for the next two, as for those who play',
    'none while they play',
    replies[1].answer,
  );
}
