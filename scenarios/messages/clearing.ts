// Checks that clearing empties a player's list and nobody else's.
import { areas } from '../../catalog/catalog.ts';
import { effects } from '../../catalog/clauses/flows.ts';
import type { Flow } from '../../engine/flow/flow.ts';
import { pollAnswered } from '../../engine/flow/polling.ts';
import type { StepContext } from '../../engine/flow/step-context.ts';
import { ignoreStop } from '../../engine/flow/why-refused.ts';
import { type Exchange, jsonValue } from '../../engine/http/exchange.ts';
import { Stop } from '../../engine/judgement.ts';
import { isObject } from '../../engine/values/json-walk.ts';
import { idsAt, idsOf, inboxOf, textsOf } from './inbox.ts';
import { entryAt, type ListPlace, type Message, messagesAt } from './list-place.ts';
import { wasRead } from './read-marks.ts';

const { auth, messages } = areas;
const clauses = effects.messages;

/** Clears the list: the player's messages are gone, other players' are not. */
export function clearing(flow: Flow): void {
  const { prepare, observe } = flow.scenario('player', 'other');
  const made = prepare('two lists of messages', async (context) => {
    const others = await inboxOf(context, 'other').catch(ignoreStop);
    return { own: await inboxOf(context, 'player'), others };
  });

  const cleared = made.step(
    'clear',
    [messages.clear],
    clauses.called,
    'a player clears the list of messages',
    async (context, { own }) => {
      const [first] = own.found;
      const clearNamed = async () => {
        if (first) await context.mustSucceed('player', messages.clear, named(first));
        return { ...own, isNamed: true };
      };
      try {
        const answer = await clear(context);
        // A call without a body names no message, and some targets then clear none.
        return saysNone(answer) ? await clearNamed() : { ...own, isNamed: false };
      } catch (error) {
        const needsBody = error instanceof Stop && error.reason === 'needs-body';
        if (!needsBody || first === undefined) throw error;
        return clearNamed();
      }
    },
  );

  const empty = cleared.step(
    'cleared-list',
    [messages.list, messages.clear],
    clauses.cleared,
    'the list no longer shows the messages it showed before',
    async (context, { place, found, isNamed }) => {
      const before = new Set(idsOf(found));
      const left = (exchange: Exchange) => idsAt(exchange, place).filter((id) => before.has(id)).length;
      const listed = () =>
        pollAnswered(
          () => context.send('player', messages.list),
          (exchange) => left(exchange) === 0,
        );
      // Unread messages and those with something to claim may stay, so only some must be gone.
      let { last } = await listed();
      let toClear = found;
      const read =
        !isNamed && left(last) === before.size ? await becomesRead(context, place, last) : undefined;
      if (read) {
        toClear = [read];
        await clear(context);
        ({ last } = await listed());
      }
      const stays = left(last);
      if (stays === before.size && (await isMarked(context, place, toClear, last)))
        context.cannotTell(
          'unknown-resource',
          `${messages.list.id} still lists the cleared messages but changed them, and the document does not say whether that means cleared`,
        );
      const expected = `${messages.list.id} no longer shows the ${before.size} messages it showed`;
      context.expect(stays < before.size, expected, `it still shows all ${stays} of them`, last);
      if (stays > 0) context.note(`${stays} of ${before.size} stay`);
      const cleared = before.difference(new Set(idsAt(last, place)));
      // A call that names no message may take some out of this list alone: those that were read.
      return { place, gone: stays === 0 || isNamed ? cleared : new Set<string>(), cleared };
    },
  );

  empty.step(
    'cleared-after-sign-in',
    [auth.login, messages.list, messages.clear],
    effects.login.same,
    'messages that were cleared are not there again once the player signs in again',
    async (context, { place, cleared }) => {
      if (!(await context.signInAgain('player')))
        context.cannotTell('needs-state', 'the token signs in only once');
      const back = (list: Exchange) => idsAt(list, place).filter((id) => cleared.has(id)).length;
      const { last } = await pollAnswered(
        () => context.send('player (session 2)', messages.list),
        (list) => back(list) === 0,
      );
      const expected = `${messages.list.id} shows none of the ${cleared.size} messages that were cleared`;
      context.expect(back(last) === 0, expected, `${back(last)} of them`, last);
    },
  );

  empty.step(
    'cleared-inbox',
    [messages.listInbox, messages.clear],
    clauses.cleared,
    'the inbox no longer shows the messages that were cleared',
    async (context, { place, gone }) => {
      if (gone.size === 0) context.cannotTell('needs-state', 'not all of the list was cleared');
      const params = { language: 'en', limit: '50' };
      const stillIn = (exchange: Exchange) => idsAt(exchange, place).filter((id) => gone.has(id));
      const { last } = await pollAnswered(
        () => context.send('player', messages.listInbox, { params }),
        (exchange) => stillIn(exchange).length === 0,
      );
      const [first, ...more] = stillIn(last);
      context.expect(
        first === undefined,
        `${messages.listInbox.id} no longer shows the ${gone.size} messages that were cleared`,
        `it still shows ${first} and ${more.length} more of them`,
        last,
      );
    },
  );

  empty.step(
    'others-stay',
    [messages.clear, messages.list],
    clauses.own,
    "another player's messages stay when a player clears the list",
    async (context) => {
      const { others } = context.resultOf(made);
      if (others === undefined)
        return context.cannotTell('needs-state', 'the list shows no messages of the other player');
      const view = await context.mustSucceed('other', messages.list);
      const stay = new Set(idsAt(view, others.place));
      const lost = idsOf(others.found).filter((id) => !stay.has(id));
      const loss = `${lost.length} of ${others.found.length} are gone`;
      context.expect(lost.length === 0, "all of the other player's messages", loss, view);
    },
  );

  empty.observe(
    'clear-again',
    [messages.clear],
    'how the server answers when a player clears an empty list',
    (context) => context.observeAnswer('player', messages.clear),
  );

  observe(
    'claim-cleared',
    [messages.claim, messages.clear],
    'how the server answers when a player claims a cleared message',
    async (context) => {
      const [id] = context.resultOf(empty).gone;
      if (id === undefined) return context.cannotTell('needs-state', 'not all of the list was cleared');
      await context.observeAnswer('player', messages.claim, { carry: { messageId: id } });
    },
  );
}

const named = ({ id }: Message) => ({ carry: { messageId: id }, anyFixed: true }) as const;

const ofCleared = /^(?:deleted|removed|cleared|affected)(?:_?(?:count|messages|ids|rows))?$/i;

/** Whether the answer counts, or lists, what was cleared, and that is nothing. */
const saysNone = (answer: Exchange): boolean =>
  membersWithin(jsonValue(answer)).some(
    ([name, value]) => ofCleared.test(name) && (value === 0 || (Array.isArray(value) && value.length === 0)),
  );

/** The members of an object, and of the objects that it holds, as an envelope does. */
const membersWithin = (root: unknown): readonly (readonly [string, unknown])[] =>
  isObject(root)
    ? Object.entries(root).flatMap(([name, value]) => [
        [name, value] as const,
        ...(isObject(value) ? Object.entries(value) : []),
      ])
    : [];

const clear = (context: StepContext<'player'>) =>
  context.mustSucceed('player', messages.clear, { mayRefuse: 'clearing without naming messages' });

/** Names of fields with something to claim: a clearing call that names no message may keep messages that have them. */
const holdsGift = /attachment|reward|gift|claim|grant|currenc|item/i;

/**
 * Where all messages are unread, marks one as read: a clearing call that names no message may keep unread ones.
 * @returns that message, as it stands in the list; undefined where some were read before, or the list does not say
 * @throws Stop where no message that has nothing to claim becomes read
 */
async function becomesRead(
  context: StepContext<'player'>,
  place: ListPlace,
  list: Exchange,
): Promise<Message | undefined> {
  const kept = messagesAt(list, place) ?? [];
  const isRead = (answer: Exchange, { id }: Message) => wasRead(entryAt(answer, place, id));
  if (kept.length === 0 || !kept.every((message) => isRead(list, message) === false)) return undefined;
  const isPlain = ({ id }: Message) =>
    Object.entries(entryAt(list, place, id)).every(
      ([name, value]) => !holdsGift.test(name) || !value || (Array.isArray(value) && value.length === 0),
    );
  const [first] = kept.filter(isPlain);
  const marked = first && (await markAsRead(context, first).catch(ignoreStop));
  if (!first || !marked)
    return context.cannotTell(
      'needs-state',
      'all messages are unread, and a call that names none may keep what is unread or can be claimed',
    );
  const { holds, last } = await pollAnswered(
    () => context.send('player', messages.list),
    (answer) => isRead(answer, first) === true,
  );
  if (!holds) context.cannotTell('needs-state', 'all messages are unread, and none of them becomes read');
  context.confirmBody(messages.markAs);
  return messagesAt(last, place)?.find(({ id }) => id === first.id);
}

const markAsRead = (context: StepContext<'player'>, message: Message) =>
  context.mustSucceed('player', messages.markAs, named(message));

/** Returns whether these entries have all changed, and stay changed. */
async function isMarked(
  context: StepContext<'player'>,
  place: ListPlace,
  found: readonly Message[],
  last: Exchange,
): Promise<boolean> {
  const again = await context.send('player', messages.list);
  const [now, later] = [last, again].map((answer) => textsOf(messagesAt(answer, place) ?? []));
  return found.every(({ id, text }) => now?.get(id) !== text && now?.get(id) === later?.get(id));
}
