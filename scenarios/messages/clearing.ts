import { areas } from '../../fixtures/catalog/catalog.ts';
import { effects } from '../../fixtures/catalog/clauses/effects/effects.ts';
import { open } from '../../fixtures/catalog/clauses/open.ts';
import type { Flow } from '../../fixtures/check/flow/flow.ts';
import { poll } from '../../fixtures/check/flow/polling.ts';
import { silenced } from '../../fixtures/check/flow/refusal.ts';
import type { Stage } from '../../fixtures/check/flow/stage.ts';
import { Stop } from '../../fixtures/check/flow/stop.ts';
import type { Exchange } from '../../fixtures/client/exchange.ts';
import { type Message, messagesAt, type Place } from './find-list.ts';
import { idsOf, inboxOf } from './inbox.ts';

const { messages } = areas;
const clauses = effects.messages;
const anyState = open['open.flows'];

/** The list cleared: what it held is gone, and what others have is not. */
export function clearing(flow: Flow): void {
  const { prepare, step } = flow.scene('player', 'other');
  const made = prepare('two lists of messages', async (stage) => {
    const others = await inboxOf(stage, 'other').catch(() => undefined);
    return { own: await inboxOf(stage, 'player'), others };
  });

  const cleared = step(
    'clear',
    [messages.clear],
    clauses.called,
    'a player clears the list',
    async (stage) => {
      const { own } = stage.of(made);
      const [first] = own.found;
      try {
        await stage.done('player', messages.clear, { mayRefuse: 'clearing without saying what' });
      } catch (error) {
        const needsBody = error instanceof Stop && toldReason(error) === 'needs-body';
        if (!needsBody || first === undefined) throw error;
        await stage.done('player', messages.clear, { carry: { messageId: first.id }, anyFixed: true });
      }
      return own;
    },
  );

  const empty = step(
    'cleared-list',
    [messages.list, messages.clear],
    clauses.cleared,
    'the list no longer holds what it held',
    async (stage) => {
      const { place, found } = stage.of(cleared);
      const before = new Set(idsOf(found));
      const left = (exchange: Exchange) =>
        idsOf(messagesAt(exchange, place) ?? []).filter((id) => before.has(id)).length;
      // Unread ones, or those that hold something to claim, may honestly stay: some must be gone.
      const { last } = await poll(
        () => stage.put('player', messages.list),
        (exchange) => left(exchange) === 0,
      );
      silenced(last);
      const stays = left(last);
      if (stays === before.size && (await isMarked(stage, place, found, last)))
        stage.cannotTell(
          'unknown-resource',
          `${messages.list.id} still lists what was cleared, and says something else of it: whether that means gone, no document says`,
        );
      const expected = `${messages.list.id} no longer shows the ${before.size} messages it showed`;
      stage.expect(stays < before.size, expected, 'it still shows all of them', last);
      if (stays > 0) stage.note(`${stays} of ${before.size} stay`);
      return { place, gone: stays === 0 ? before : new Set<string>() };
    },
  );

  step(
    'cleared-inbox',
    [messages.listInbox, messages.clear],
    clauses.cleared,
    'the inbox no longer holds what the list held',
    async (stage) => {
      const { place, gone } = stage.of(empty);
      if (gone.size === 0) stage.cannotTell('needs-state', 'not all of the list was cleared');
      const params = { language: 'en', limit: '50' };
      const { holds, last } = await poll(
        () => stage.put('player', messages.listInbox, { params }),
        (exchange) => !idsOf(messagesAt(exchange, place) ?? []).some((id) => gone.has(id)),
      );
      silenced(last);
      stage.expect(holds, `${messages.listInbox.id} no longer shows what was cleared`, 'it still does', last);
    },
  );

  step(
    'others-stay',
    [messages.clear, messages.list],
    clauses.own,
    "another player's messages stay when one clears the list",
    async (stage) => {
      stage.of(empty);
      const { others } = stage.of(made);
      if (others === undefined)
        return stage.cannotTell('needs-state', 'the list shows no messages of the other player');
      const view = await stage.done('other', messages.list);
      const stay = new Set(idsOf(messagesAt(view, others.place) ?? []));
      const lost = idsOf(others.found).filter((id) => !stay.has(id));
      const told = `${lost.length} of ${others.found.length} are gone`;
      stage.expect(lost.length === 0, "all of the other player's messages", told, view);
    },
  );

  step(
    'clear-again',
    [messages.clear],
    anyState,
    'what clearing an empty list is answered',
    async (stage) => {
      stage.of(empty);
      await stage.observeAnswer('player', messages.clear);
    },
  );

  step(
    'claim-cleared',
    [messages.claim, messages.clear],
    anyState,
    'what claiming a message that was cleared is answered',
    async (stage) => {
      const [id] = stage.of(empty).gone;
      if (id === undefined) return stage.cannotTell('needs-state', 'not all of the list was cleared');
      const said = stage.said('player', messages.claim, { carry: { messageId: id } });
      await stage.observeAnswer('player', messages.claim, said);
    },
  );
}

/** Do all entries say, lastingly, something else than before? */
async function isMarked(
  stage: Stage<'player'>,
  place: Place,
  found: readonly Message[],
  last: Exchange,
): Promise<boolean> {
  const again = await stage.put('player', messages.list);
  const [now, later] = [last, again].map((answer) => textsOf(messagesAt(answer, place) ?? []));
  return found.every(({ id, text }) => now?.get(id) !== text && now?.get(id) === later?.get(id));
}

const textsOf = (all: readonly Message[]) => new Map(all.map(({ id, text }) => [id, text]));

const toldReason = ({ judgement }: Stop) =>
  judgement.kind === 'inconclusive' ? judgement.reason : undefined;
