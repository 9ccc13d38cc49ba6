import { areas } from '../../fixtures/catalog/catalog.ts';
import { effects } from '../../fixtures/catalog/clauses/effects/effects.ts';
import { open } from '../../fixtures/catalog/clauses/open.ts';
import type { Flow } from '../../fixtures/check/flow/flow.ts';
import { Stop } from '../../fixtures/check/flow/stop.ts';
import { inboxOf, listed } from './inbox.ts';

const { messages } = areas;
const clauses = effects.messages;
const anyState = open['open.flows'];
const mostTried = 5;

/** Messages claimed and marked. Which of them can be claimed, and how a mark shows, is open. */
export function taking(flow: Flow): void {
  const { prepare, step } = flow.scene('player');
  const made = prepare('a list of messages', (stage) => inboxOf(stage, 'player'));

  const claimed = step(
    'claim',
    [messages.claim],
    clauses.called,
    'a message can be claimed',
    async (stage) => {
      const { found } = stage.of(made);
      let refused: Stop | undefined;
      for (const message of found.slice(0, mostTried)) {
        try {
          const carry = { messageId: message.id };
          await stage.done('player', messages.claim, {
            carry,
            anyFixed: true,
            mayRefuse: 'claiming a message',
          });
          return message;
        } catch (error) {
          // It may be one without anything to claim: the next may have something.
          if (!(error instanceof Stop) || error.judgement.kind !== 'inconclusive') throw error;
          refused = error;
        }
      }
      throw refused ?? stage.cannotTell('needs-state', 'there is no message to claim');
    },
  );

  step(
    'claim-again',
    [messages.claim],
    anyState,
    'what claiming a message again is answered',
    async (stage) => {
      const carry = { messageId: stage.of(claimed).id };
      await stage.observeAnswer(
        'player',
        messages.claim,
        stage.said('player', messages.claim, { carry, anyFixed: true }),
      );
    },
  );

  step(
    'claimed-listed',
    [messages.list, messages.claim],
    anyState,
    'what becomes of a message in the list once it was claimed',
    async (stage) => {
      const { id, text } = stage.of(claimed);
      const after = await listed(stage, 'player', stage.of(made), messages.list);
      const entry = after.messages.find((message) => message.id === id);
      stage.observe(
        entry === undefined ? 'it is gone' : entry.text === text ? 'it is as before' : 'it is changed',
      );
    },
  );

  const marked = step(
    'mark',
    [messages.markAs],
    clauses.called,
    'a message can be marked as read',
    async (stage) => {
      const message = stage.of(made).found.at(-1);
      if (message === undefined) return stage.cannotTell('needs-state', 'there is no message to mark');
      await stage.done('player', messages.markAs, { carry: { messageId: message.id }, anyFixed: true });
      return message;
    },
  );

  step(
    'marked-listed',
    [messages.list, messages.markAs],
    anyState,
    'what becomes of a message in the list once it was marked as read',
    async (stage) => {
      const { id, text } = stage.of(marked);
      const after = await listed(stage, 'player', stage.of(made), messages.list);
      const entry = after.messages.find((message) => message.id === id);
      stage.observe(
        entry === undefined ? 'it is gone' : entry.text === text ? 'it is as before' : 'it is changed',
      );
    },
  );

  for (const [name, operation, doing] of [
    ['claim-unknown', messages.claim, 'claiming'],
    ['mark-unknown', messages.markAs, 'marking'],
  ] as const)
    step(
      name,
      [operation],
      anyState,
      `what ${doing} a message that does not exist is answered`,
      async (stage) => {
        stage.of(made);
        const carry = { messageId: stage.unique('assaymessage') };
        await stage.observeAnswer('player', operation, stage.said('player', operation, { carry }));
      },
    );
}
