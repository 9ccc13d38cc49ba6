import { areas } from '../../fixtures/catalog/catalog.ts';
import { effects } from '../../fixtures/catalog/clauses/effects/effects.ts';
import { open } from '../../fixtures/catalog/clauses/open.ts';
import type { Flow } from '../../fixtures/check/flow/flow.ts';
import { poll } from '../../fixtures/check/flow/polling.ts';
import { silenced } from '../../fixtures/check/flow/refusal.ts';
import type { Stage } from '../../fixtures/check/flow/stage.ts';
import { Stop } from '../../fixtures/check/flow/stop.ts';
import type { Exchange } from '../../fixtures/client/exchange.ts';
import { type Message, messagesAt } from './find-list.ts';
import { type Inbox, inboxOf, listed } from './inbox.ts';

const { messages } = areas;
const clauses = effects.messages;
const anyState = open['open.flows'];
const mostTried = 5;
/** Either way is no fault, so it is waited for less long than what has to show. */
const showsWithinMs = 600;

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
      const first = stage.of(marked);
      const list = stage.of(made);
      const others = list.found.toReversed().filter(({ id }) => id !== first.id);
      // One that was read already shows nothing: the next may be unread.
      for (const [nth, message] of [first, ...others].slice(0, mostTried).entries()) {
        if (nth > 0) {
          const carry = { messageId: message.id };
          const ask = stage.said('player', messages.markAs, { carry });
          await stage.wasDone(messages.markAs, await stage.put('player', messages.markAs, ask));
        }
        const shown = await becomesOf(stage, list, message);
        if (shown !== undefined) return stage.observe(shown);
      }
      stage.observe('it is as before');
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

/** What becomes of a message in the list; undefined where it stays as it is, or changes as those do that nobody touched. */
async function becomesOf(stage: Stage<'player'>, { place, found }: Inbox, { id, text }: Message) {
  const was = new Map(found.map((message) => [message.id, message.text]));
  const told = (exchange: Exchange) => {
    const now = messagesAt(exchange, place);
    if (now === undefined) return undefined;
    const entry = now.find((message) => message.id === id);
    if (entry === undefined) return 'it is gone';
    const others = now.filter((message) => message.id !== id);
    const isClock = others.length > 0 && others.every((message) => message.text !== was.get(message.id));
    return entry.text === text || isClock ? undefined : 'it is changed';
  };
  const { last } = await poll(
    () => stage.put('player', messages.list),
    (exchange) => told(exchange) !== undefined,
    showsWithinMs,
  );
  silenced(last);
  return told(last);
}
