import { areas } from '../../fixtures/catalog/catalog.ts';
import type { Operation } from '../../fixtures/catalog/operation.ts';
import type { Stage } from '../../fixtures/check/flow/stage.ts';
import type { Exchange } from '../../fixtures/client/exchange.ts';
import { findList, type Message, messagesAt, type Place } from './find-list.ts';

const { messages } = areas;

/** What a player's plain list shows. */
export interface Inbox {
  readonly place: Place;
  readonly found: readonly Message[];
}

/** The list of a player, which must hold so many messages for what follows. */
export async function inboxOf<Role extends string>(
  stage: Stage<Role>,
  role: NoInfer<Role>,
  atLeast = 1,
): Promise<Inbox> {
  const answer = await stage.done(role, messages.list);
  // Where the profile says, or an answer names it outright, its identifier leads to the list.
  const id = await stage.identifier(answer, messages.list, 'messageId').catch(() => undefined);
  const place = (id === undefined ? undefined : findList(answer, id)) ?? findList(answer);
  const found = place && messagesAt(answer, place);
  if (place === undefined || found === undefined)
    return stage.cannotTell('needs-state', 'the list shows no messages of this player');
  if (found.length < atLeast)
    return stage.cannotTell('needs-state', `the list shows fewer than ${atLeast} messages of this player`);
  return { place, found };
}

/** The messages that a form of the list shows. */
export async function listed<Role extends string>(
  stage: Stage<Role>,
  role: NoInfer<Role>,
  { place }: Inbox,
  operation: Operation,
  params: Readonly<Record<string, string>> = {},
): Promise<{ readonly messages: readonly Message[]; readonly answer: Exchange }> {
  const answer = await stage.done(role, operation, { params });
  const found = messagesAt(answer, place);
  if (found === undefined)
    return stage.cannotTell('unknown-resource', `${operation.id} has no list where the plain form has it`);
  return { messages: found, answer };
}

export const idsOf = (messages: readonly Message[]) => messages.map(({ id }) => String(id));
