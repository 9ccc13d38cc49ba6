// Checks the list of messages in its four forms.

import { areas } from '../../catalog/catalog.ts';
import { effects } from '../../catalog/clauses/flows.ts';
import type { Operation } from '../../catalog/operation.ts';
import { waitForCopies } from '../../engine/compare/noise.ts';
import type { Flow } from '../../engine/flow/flow.ts';
import { pollAnswered } from '../../engine/flow/polling.ts';
import type { StepContext } from '../../engine/flow/step-context.ts';
import { ignoreStop, requireAnswer } from '../../engine/flow/why-refused.ts';
import { answerLeaves, type Exchange, isSuccess, statusOf } from '../../engine/http/exchange.ts';
import { isObject } from '../../engine/values/json-walk.ts';
import { makeParty } from '../party/make-party.ts';
import { entriesAt, findList, type ListPlace, type Message, messagesAt } from './list-place.ts';
import { expectPages, nextPages } from './pages.ts';
import { expectUnmarked } from './read-marks.ts';

const { messages, party, players } = areas;

/** A player's list of messages. */
export interface Inbox {
  readonly place: ListPlace;
  readonly found: readonly Message[];
}

/** Ids of the messages that have changed or are gone. */
export function changedIn(
  was: readonly Message[],
  answer: Exchange,
  { place }: Inbox,
): readonly Message['id'][] {
  const now = textsOf(messagesAt(answer, place) ?? []);
  return was.filter(({ id, text }) => now.get(id) !== text).map(({ id }) => id);
}

/** Counts of unread messages beside the list, by JSON Pointer. */
export function unreadIn(answer: Exchange): ReadonlyMap<string, number> {
  return new Map(
    answerLeaves(answer).flatMap(({ pointer, name, value }) =>
      typeof value === 'number' && /unread|unseen/i.test(name) && !/\/\d+\//.test(pointer)
        ? [[pointer, value]]
        : [],
    ),
  );
}

/** Reads a player's list of messages; ends the step where it shows fewer than `atLeast`. */
export async function inboxOf<Role extends string>(
  context: StepContext<Role>,
  role: NoInfer<Role>,
  atLeast = 1,
): Promise<Inbox> {
  const [form, params] = await servedForm(context);
  const answer = await context.mustSucceed(role, form, { params });
  // Where the profile or an answer names a message's identifier, it leads to the list.
  const id = await context.identifier(answer, form, 'messageId').catch(ignoreStop);
  const place = (id === undefined ? undefined : findList(answer, id)) ?? findList(answer);
  const found = place && messagesAt(answer, place);
  if (place === undefined || found === undefined)
    return context.cannotTell('needs-state', 'the list shows no messages of this player');
  if (found.length < atLeast)
    return context.cannotTell('needs-state', `the list shows fewer than ${atLeast} messages of this player`);
  return { place, found };
}

const inbox = { filter: 'inbox', language: 'en' };
/** The operations that list messages, with the parameters that each needs to show all of them. */
const forms: readonly (readonly [Operation, Readonly<Record<string, string>>])[] = [
  [messages.list, {}],
  [messages.listFiltered, inbox],
  [messages.listInbox, { ...inbox, limit: '50' }],
  [messages.listLimited, { limit: '50' }],
];

/** The first of these operations that the target does not lack; the plain one where it lacks all. */
async function servedForm({ routed }: Pick<StepContext, 'routed'>) {
  for (const form of forms) if ((await routed(form[0])).served !== false) return form;
  return forms[0] as (typeof forms)[number];
}

/**
 * Reads the player's list. Where it shows fewer than two messages, the sender first sends a friend request, then a
 * party invitation, since a server may send messages about them.
 */
export async function inboxOfTwo(context: StepContext<'player' | 'sender'>): Promise<Inbox> {
  const carry = { 'other.id': context.id('player') };
  const causes = [
    async () => {
      await context.mustSucceed('sender', players.addFriend, { carry });
      context.addTeardown('sender', players.removeFriend, { carry });
    },
    async () => {
      const partyId = await makeParty(context, 'sender');
      await context.mustSucceed('sender', party.invite, { params: { partyId }, carry });
    },
  ];
  const now = () => inboxOf(context, 'player', 2).catch(ignoreStop);
  let inbox = await now();
  for (const cause of causes) {
    if (inbox !== undefined) break;
    await cause().catch(ignoreStop);
    await waitForCopies(context);
    inbox = await now();
  }
  return inbox ?? inboxOf(context, 'player');
}

/** The messages that a form of the player's list shows. */
async function listed(
  context: StepContext<'player'>,
  { place }: Inbox,
  operation: Operation,
  params: Readonly<Record<string, string>>,
): Promise<{ readonly messages: readonly Message[]; readonly answer: Exchange }> {
  const answer = await context.mustSucceed('player', operation, { params });
  const found = messagesAt(answer, place);
  if (found === undefined)
    return context.cannotTell('unknown-resource', `${operation.id} has no list where the plain form has it`);
  return { messages: found, answer };
}

export const idsOf = (messages: readonly Message[]) => messages.map(({ id }) => String(id));

/** The ids of the messages that an answer lists in that place. */
export const idsAt = (answer: Exchange, place: ListPlace) => idsOf(messagesAt(answer, place) ?? []);

/** What each message says, by its id. */
export const textsOf = (messages: readonly Message[]): ReadonlyMap<Message['id'], string> =>
  new Map(messages.map(({ id, text }) => [id, text]));

/** The texts that the entries of a list hold in a field; empty where an entry holds no text there. */
function boxesIn(answer: Exchange, { list }: ListPlace, member: string): string[] {
  const entries = entriesAt(answer, list) ?? [];
  const values = entries.map((entry) => (isObject(entry) ? entry[member] : undefined));
  return values.every((value) => typeof value === 'string') ? values : [];
}

/** The field that says of messages that they are in the inbox; undefined where no field does, or several do. */
function boxMember(answer: Exchange, place: ListPlace): string | undefined {
  const [first] = entriesAt(answer, place.list) ?? [];
  const [member, ...more] = (isObject(first) ? Object.keys(first) : []).filter((name) =>
    boxesIn(answer, place, name).some((box) => box.toLowerCase() === inbox.filter),
  );
  return more.length === 0 ? member : undefined;
}

const kindName = /^(type|kind|category|folder|box|channel|group|tag)$/i;
/** Most kinds of messages that are tried as filters, besides the documented one. */
const mostKinds = 4;

/**
 * A filter that shows some messages but not the first of the plain list: the documented one, or a kind that a message
 * names. Ends the step where there is none.
 */
async function filterOfLater(context: StepContext<'player'>, list: Inbox): Promise<string> {
  const [first] = list.found;
  const kinds = answerLeaves(await context.mustSucceed('player', messages.list)).flatMap(({ name, value }) =>
    kindName.test(name) && typeof value === 'string' && value.length < 32 ? [value] : [],
  );
  for (const filter of [inbox.filter, ...[...new Set(kinds)].slice(0, mostKinds)]) {
    const answer = await context.send('player', messages.listFiltered, { params: { ...inbox, filter } });
    const few = isSuccess(answer) ? idsAt(answer, list.place) : [];
    const all = new Set(idsOf(list.found));
    if (few.length > 0 && few.every((id) => all.has(id)) && !few.includes(String(first?.id))) return filter;
  }
  return context.notTriggered('no filter leaves some messages, and not the first of all');
}

const clauses = effects.messages;

export function listing(flow: Flow): void {
  const { prepare, step, observe } = flow.scenario('player', 'sender');

  const first = step('list', [messages.list], clauses.called, 'a player lists their messages', (context) =>
    context.mustSucceed('player', messages.list),
  );

  const plain = prepare('a list of messages', inboxOfTwo);

  first.step(
    'list-unmarked',
    [messages.list],
    clauses.unmarked,
    'listing messages marks none of them as read',
    async (context, before) => {
      const after = await context.send('player', messages.list);
      expectUnmarked(context, before, after);
    },
  );

  step(
    'list-filtered',
    [messages.listFiltered],
    clauses.called,
    'a player lists the messages of the inbox',
    (context) => context.mustSucceed('player', messages.listFiltered, { params: inbox }),
  );

  plain.step(
    'limit-one',
    [messages.listLimited, messages.list],
    clauses.limited,
    'a list with a limit of 1 has one message at most',
    async (context, { found, ...rest }) => {
      if (found.length < 2) context.cannotTell('needs-state', 'the player has fewer than two messages');
      const few = await listed(context, { found, ...rest }, messages.listLimited, { limit: '1' });
      const count = `${few.messages.length} messages`;
      context.expect(few.messages.length <= 1, 'one message at most', count, few.answer);
    },
  );

  plain.step(
    'limit-inbox',
    [messages.listInbox, messages.listFiltered],
    clauses.limited,
    'the inbox with a limit of 1 has one message at most',
    async (context, list) => {
      const all = await listed(context, list, messages.listFiltered, inbox);
      if (all.messages.length < 2) context.cannotTell('needs-state', 'the inbox has fewer than two messages');
      const few = await listed(context, list, messages.listInbox, { ...inbox, limit: '1' });
      const count = `${few.messages.length} messages`;
      context.expect(few.messages.length <= 1, 'one message at most', count, few.answer);
    },
  );

  plain.step(
    'limit-after-filter',
    [messages.listInbox, messages.listFiltered],
    clauses.filled,
    'a list with a filter and a limit of 1 has a message, where the filter leaves one that is not the first of all',
    async (context, list) => {
      const filter = await filterOfLater(context, list);
      const { holds, last } = await pollAnswered(
        () => context.mustSucceed('player', messages.listInbox, { params: { ...inbox, filter, limit: '1' } }),
        (few) => idsAt(few, list.place).length > 0 || nextPages(few, messages.listInbox).length > 0,
      );
      const { messages: left } = await listed(context, list, messages.listFiltered, { ...inbox, filter });
      if (left.length === 0)
        context.cannotTell('unstable-answers', 'the filtered list changes while it is read');
      context.expect(holds, `the first of the ${left.length} messages of that filter`, 'no message', last);
    },
  );

  plain.step(
    'pages',
    [messages.listLimited, messages.list],
    clauses.paged,
    'the pages of a list hold each message once',
    (context, { place, found }) =>
      expectPages(context, {
        operation: messages.listLimited,
        askFor: (limit) => ({ params: { limit: String(limit) } }),
        limit: found.length > 3 ? 2 : 1,
        entries: (answer) => idsAt(answer, place),
        all: async () => idsAt(await context.mustSucceed('player', messages.list), place),
        what: 'message',
      }),
  );

  plain.observe(
    'forms-agree',
    [messages.listFiltered, messages.listInbox],
    'whether the inbox is the same with and without language and limit',
    async (context, list) => {
      const filtered = await listed(context, list, messages.listFiltered, inbox);
      const full = await listed(context, list, messages.listInbox, { ...inbox, limit: '50' });
      const inOneOnly = new Set(idsOf(filtered.messages)).symmetricDifference(new Set(idsOf(full.messages)));
      context.observe(inOneOnly.size === 0 ? 'the same messages' : 'other messages');
    },
  );

  plain.observe(
    'inbox-filters',
    [messages.listFiltered, messages.list],
    'whether the filter of the inbox leaves messages out',
    async (context, list) => {
      const filtered = await listed(context, list, messages.listFiltered, inbox);
      const [all, few] = [new Set(idsOf(list.found)), new Set(idsOf(filtered.messages))];
      const some = few.size < all.size ? 'it leaves some out' : 'it leaves none out';
      context.observe(few.isSubsetOf(all) ? some : 'it shows others', filtered.answer);
    },
  );

  plain.step(
    'inbox-only',
    [messages.listFiltered, messages.list],
    clauses.filtered,
    'the inbox leaves out messages of which the list says that they are elsewhere',
    async (context, { found, place }) => {
      const { messages: few, answer } = await listed(context, { found, place }, messages.listFiltered, inbox);
      const member = boxMember(answer, place);
      if (member === undefined) return context.notTriggered('no member of a message says "inbox"');
      const other = boxesIn(answer, place, member).find((box) => box.toLowerCase() !== inbox.filter);
      // A filter that leaves some messages out works, whatever the server means by it.
      if (other !== undefined && few.length < found.length)
        return context.notTriggered(`the inbox shows some messages of ${other}, and not all`);
      context.expect(
        other === undefined,
        `messages whose ${member} is inbox`,
        `all messages, and one whose ${member} is ${other}`,
        answer,
      );
    },
  );

  plain.observe(
    'other-language',
    [messages.listInbox],
    'what another language than en changes in the inbox',
    async (context, list) => {
      const full = { ...inbox, limit: '50' };
      const inOther = { ...full, language: 'de' };
      const other = requireAnswer(await context.send('player', messages.listInbox, { params: inOther }));
      if (!isSuccess(other)) return context.observe(`it is answered ${statusOf(other)}`, other);
      const [here, there] = await Promise.all(
        [full, inOther].map((params) => listed(context, list, messages.listInbox, params)),
      );
      const again = await listed(context, list, messages.listInbox, full);
      const texts = (each: typeof again | undefined) =>
        each?.messages
          .map(({ text }) => text)
          .toSorted()
          .join();
      const ids = (each: typeof again | undefined) =>
        idsOf(each?.messages ?? [])
          .toSorted()
          .join();
      // Texts that change by themselves show no language.
      const isWritten = texts(here) === texts(again) && texts(here) !== texts(there);
      const same = isWritten ? 'the same messages, written otherwise' : 'the same messages';
      context.observe(ids(here) === ids(there) ? same : 'other messages', other);
    },
  );

  observe('limit-zero', [messages.listLimited], 'how the server answers a limit of 0', (context) =>
    context.observeAnswer('player', messages.listLimited, { params: { limit: '0' } }),
  );
}
