import { areas } from '../../fixtures/catalog/catalog.ts';
import { effects } from '../../fixtures/catalog/clauses/effects/effects.ts';
import { open } from '../../fixtures/catalog/clauses/open.ts';
import type { Flow } from '../../fixtures/check/flow/flow.ts';
import { idsOf, inboxOf, listed } from './inbox.ts';

const { messages } = areas;
const clauses = effects.messages;
const anyState = open['open.flows'];
const inbox = { filter: 'inbox', language: 'en' };

/** The list in its four forms. */
export function listing(flow: Flow): void {
  const { prepare, step } = flow.scene('player');

  step('list', [messages.list], clauses.called, "a player's messages can be listed", async (stage) => {
    await stage.done('player', messages.list);
  });

  const plain = prepare('a list of messages', (stage) => inboxOf(stage, 'player'));

  step(
    'list-filtered',
    [messages.listFiltered],
    clauses.called,
    'the messages of the inbox can be listed',
    async (stage) => {
      await stage.done('player', messages.listFiltered, { params: inbox });
    },
  );

  step(
    'limit-one',
    [messages.listLimited, messages.list],
    clauses.limited,
    'with a limit of 1 there is one message at most',
    async (stage) => {
      const { found, ...rest } = stage.of(plain);
      if (found.length < 2) stage.cannotTell('needs-state', 'the player has fewer than two messages');
      const few = await listed(stage, 'player', { found, ...rest }, messages.listLimited, { limit: '1' });
      const told = `${few.messages.length} messages`;
      stage.expect(few.messages.length <= 1, 'one message at most', told, few.answer);
    },
  );

  step(
    'limit-inbox',
    [messages.listInbox, messages.listFiltered],
    clauses.limited,
    'with a limit of 1 the inbox has one message at most',
    async (stage) => {
      const list = stage.of(plain);
      const all = await listed(stage, 'player', list, messages.listFiltered, inbox);
      if (all.messages.length < 2) stage.cannotTell('needs-state', 'the inbox has fewer than two messages');
      const few = await listed(stage, 'player', list, messages.listInbox, { ...inbox, limit: '1' });
      const told = `${few.messages.length} messages`;
      stage.expect(few.messages.length <= 1, 'one message at most', told, few.answer);
    },
  );

  step(
    'forms-agree',
    [messages.listFiltered, messages.listInbox],
    anyState,
    'whether the inbox is the same with and without language and limit',
    async (stage) => {
      const list = stage.of(plain);
      const filtered = await listed(stage, 'player', list, messages.listFiltered, inbox);
      const full = await listed(stage, 'player', list, messages.listInbox, { ...inbox, limit: '50' });
      const same = new Set(idsOf(filtered.messages)).symmetricDifference(new Set(idsOf(full.messages)));
      stage.observe(same.size === 0 ? 'the same messages' : 'other messages');
    },
  );

  step('limit-zero', [messages.listLimited], anyState, 'what a limit of 0 is answered', async (stage) => {
    await stage.observeAnswer('player', messages.listLimited, { params: { limit: '0' } });
  });
}
