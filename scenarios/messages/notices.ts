// Checks that a message about a request or an invitation, where the target sends one, is in the right inbox.
import { areas } from '../../catalog/catalog.ts';
import { effects } from '../../catalog/clauses/flows.ts';
import type { Operation } from '../../catalog/operation.ts';
import type { Flow } from '../../engine/flow/flow.ts';
import type { Snapshot } from '../../engine/flow/snapshot.ts';
import type { StepContext } from '../../engine/flow/step-context.ts';
import { makeParty } from '../party/make-party.ts';

const { messages, party, players } = areas;

type People = StepContext<'sender' | 'receiver' | 'idle'>;
const roles = ['sender', 'receiver', 'idle'] as const;

/** The inboxes of the three before a call. */
const inboxes = (context: People): Promise<readonly Snapshot[]> =>
  Promise.all(roles.map((role) => context.snapshot(role, messages.list)));

async function expectDelivered(
  context: People,
  before: readonly Snapshot[],
  cause: Operation,
  /** Ids of players and things that a message about this call may name. */
  about: readonly (string | number)[],
): Promise<void> {
  const after = await Promise.all(before.map((inbox) => context.lastingChange(inbox)));
  const [sender, receiver, idle] = after;
  if (receiver !== undefined) return;
  if (sender === undefined) context.notTriggered(`${cause.id} sends no message`);
  if (idle !== undefined)
    context.cannotTell('needs-state', 'the inbox of a player with whom nothing happened changes as well');
  // Something else may have come into that inbox meanwhile.
  const [was] = before;
  const isNew = (name: string) =>
    was !== undefined && !context.mentions(was.exchange, name) && context.mentions(sender.exchange, name);
  if (!about.some((name) => isNew(String(name))))
    context.cannotTell('needs-state', 'what came into the inbox of the caller does not say what it is about');
  // The message shows that the call was understood.
  context.confirmBody(cause);
  context.expect(
    false,
    `what ${cause.id} sends is in the inbox of the player whom it names`,
    'a message in the inbox of the player who called it, and none in the other',
    sender.exchange,
  );
}

/** Checks a friend request and an invitation: their message is shown to the player who is asked or invited. */
export function notices(flow: Flow): void {
  const { prepare, step } = flow.scenario('sender', 'receiver', 'idle');

  const asked = prepare('a request', async (context) => {
    const before = await inboxes(context);
    const carry = { 'other.id': context.id('receiver') };
    await context.mustSucceed('sender', players.addFriend, { carry });
    context.addTeardown('sender', players.removeFriend, { carry });
    return before;
  });

  step(
    'request-notice',
    [players.addFriend, messages.list],
    effects.messages.addressed,
    'the message about a friend request goes to the player who is asked',
    async (context) =>
      expectDelivered(context, context.resultOf(asked), players.addFriend, [context.id('receiver')]),
  );

  const invited = prepare('an invitation', async (context) => {
    const partyId = await makeParty(context, 'sender');
    const before = await inboxes(context);
    const carry = { 'other.id': context.id('receiver') };
    await context.mustSucceed('sender', party.invite, { params: { partyId }, carry });
    return { before, partyId };
  });

  invited.step(
    'invitation-notice',
    [party.invite, messages.list],
    effects.messages.addressed,
    'the message about an invitation goes to the player who is invited',
    (context, { before, partyId }) =>
      expectDelivered(context, before, party.invite, [context.id('receiver'), partyId]),
  );
}
