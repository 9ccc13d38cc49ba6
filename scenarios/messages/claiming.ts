// Checks that what a message brings is given once, however often the message is claimed.
import { areas } from '../../catalog/catalog.ts';
import { effects } from '../../catalog/clauses/flows.ts';
import { belongings } from '../../engine/attack/figures.ts';
import type { Flow } from '../../engine/flow/flow.ts';
import { unlessStopped } from '../../engine/flow/refusal.ts';
import { inWords, type Snapshots, snapshotOf, snapshotsOf } from '../store/effects.ts';
import { inboxOf, messagesAt } from './inbox.ts';

const { general, messages } = areas;

const mostTried = 5;

/** A message that brings something is claimed twice. */
export function claimingTwice(flow: Flow): void {
  const { prepare, step } = flow.scenario('player');
  // A list of messages may say when one was claimed last.
  const reads = [general.currencies, ...belongings].filter(({ area }) => area !== 'messages');

  const made = prepare('a message that brings something', async (context) => {
    const { found, place } = await inboxOf(context, 'player');
    for (const { id } of found.slice(0, mostTried)) {
      const carry = { messageId: id };
      const before = await snapshotsOf(context, 'player', reads);
      const answer = await context
        .done('player', messages.claim, { carry, anyFixed: true, mayRefuse: 'claiming a message' })
        .catch(unlessStopped);
      if (answer === undefined) continue;
      await context.settled('player', general.currencies).catch(unlessStopped);
      const given = await snapshotsOf(context, 'player', reads);
      const changed = [...given].filter(([read, is]) => {
        const was = before.get(read);
        return was !== undefined && context.differs(was, is);
      });
      if (changed.length > 0) return { id: String(id), carry, place, found, given: new Map(changed) };
    }
    return context.cannotTell('needs-state', 'no message that was claimed changes the wallet or belongings');
  });

  step(
    'claim-once',
    [messages.claim, [messages.list, ...reads]],
    effects.progression.once,
    'a second claim of a message does not change the wallet or the belongings',
    async (context) => {
      const { id, carry, place, found, given } = context.of(made);
      const entries = async () => {
        const answer = await context.done('player', messages.list);
        return new Map((messagesAt(answer, place) ?? []).map((one) => [String(one.id), one.text]));
      };
      const before = await entries();
      // What was sent is understood: of all messages, the one that was named has changed.
      const changed = found.filter((one) => before.get(String(one.id)) !== one.text);
      if (found.length > 1 && changed.every((one) => String(one.id) === id) && changed.length === 1)
        context.worked(messages.claim);
      await context.put(
        'player',
        messages.claim,
        context.likeliestAsk('player', messages.claim, { carry, anyFixed: true }),
      );
      const after: Snapshots = await snapshotsOf(context, 'player', [...given.keys()]);
      const now = await entries();
      // A guessed body may have claimed the next message.
      if ([...before].some(([one, text]) => one !== id && now.get(one) !== text))
        context.cannotTell('needs-body', 'the second claim changed another message');
      for (const [read, first] of given)
        await context.expectStill(
          first,
          snapshotOf(context, after, read),
          `${read.id} as it was after the first claim`,
        );
      context.note(`the first claim changed ${inWords(given)}`);
    },
  );
}
