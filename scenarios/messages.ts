// The flow `messages`: listing, claiming, marking and clearing. Here: claiming and marking. `messages/`: `inbox.ts`
// lists messages; `clearing.ts` clears them; `claiming.ts` claims twice; `several.ts` changes two messages, or one of
// two; `notices.ts` follows requests and invitations into the inbox; `pages.ts` reads pages.

import { messages } from '../catalog/areas/messages.ts';
import { effects } from '../catalog/clauses/flows.ts';
import { expectAnyAgreement } from '../engine/flow/agreement.ts';
import { type Flow, flowSuite } from '../engine/flow/flow.ts';
import { placesOf } from '../engine/flow/places.ts';
import { poll, pollAnswered } from '../engine/flow/polling.ts';
import type { StepContext } from '../engine/flow/step-context.ts';
import { requireAnswer } from '../engine/flow/why-refused.ts';
import { type Exchange, isSuccess, jsonValue, sentJson } from '../engine/http/exchange.ts';
import { Stop } from '../engine/judgement.ts';
import { refusesBody } from '../engine/players/bodies.ts';
import { isNested, isObject, parsedJson } from '../engine/values/json-walk.ts';
import { claimingTwice } from './messages/claiming.ts';
import { clearing } from './messages/clearing.ts';
import { changedIn, type Inbox, inboxOfTwo, listing, textsOf, unreadIn } from './messages/inbox.ts';
import { entryAt, type ListPlace, type Message, messagesAt } from './messages/list-place.ts';
import { notices } from './messages/notices.ts';
import { expectFilteredByMark } from './messages/read-marks.ts';
import { markingOne, several } from './messages/several.ts';

const clauses = effects.messages;

const mostTried = 5;
/** Neither result is a fault, so this wait is shorter than that for a required effect. */
const showsWithinMs = 600;

/** Claims and marks messages. The document leaves open which of them can be claimed, and how a mark shows. */
function taking(flow: Flow): void {
  const { prepare, observe } = flow.scenario('player', 'sender');
  const made = prepare('a list of messages', inboxOfTwo);

  const claimed = made.step(
    'claim',
    [messages.claim],
    clauses.called,
    'a player claims a message',
    async (context, { found }) => {
      let refused: Stop | undefined;
      for (const message of found.slice(0, mostTried)) {
        try {
          const ask = {
            carry: { messageId: message.id },
            anyFixed: true,
            mayRefuse: 'claiming a message',
          } as const;
          await context.mustSucceed('player', messages.claim, ask);
          return message;
        } catch (error) {
          // The message may hold nothing to claim, so the next one is tried.
          if (!(error instanceof Stop) || error.judgement.kind !== 'inconclusive') throw error;
          refused = error;
        }
      }
      throw refused ?? context.cannotTell('needs-state', 'there is no message to claim');
    },
  );

  observe(
    'claim-again',
    [messages.claim],
    'how the server answers when a player claims a message again',
    async (context) =>
      context.observeAnswer('player', messages.claim, {
        carry: { messageId: context.resultOf(claimed).id },
        anyFixed: true,
      }),
  );

  claimed.observe(
    'claimed-listed',
    [messages.list, messages.claim],
    'what happens to a claimed message in the list',
    async (context, message) =>
      context.observe((await changeOf(context, context.resultOf(made), message)) ?? 'it is as before'),
  );

  const marked = made.step(
    'mark',
    [messages.markAs],
    clauses.called,
    'a player marks a message as read',
    async (context, { found }) => {
      // A claimed message may count as read, so that another one shows a mark better.
      const message = found.findLast(({ id }) => id !== context.resultIfPassed(claimed)?.id) ?? found.at(-1);
      if (message === undefined) return context.cannotTell('needs-state', 'there is no message to mark');
      const before = await context.send('player', messages.list);
      const carry = { messageId: message.id };
      const answer = await context.mustSucceed('player', messages.markAs, { carry, anyFixed: true });
      return { message, before, answer };
    },
  );

  marked.step(
    'marked-alone',
    [messages.list, messages.markAs],
    clauses.marked,
    'marking a message changes that message, and no other one in its place',
    async (context, { message, before, answer: said }) => {
      const was = messagesAt(before, context.resultOf(made).place) ?? [];
      const changes = (answer: Exchange) => changedIn(was, answer, context.resultOf(made));
      const untilMarked = (withinMs?: number) =>
        poll(
          () => context.send('player', messages.list),
          (answer) => changes(answer).includes(message.id),
          withinMs,
        );
      const atOnce = await untilMarked(showsWithinMs);
      const isOther = !atOnce.holds && changes(atOnce.last).length > 0;
      // A lagging replica may show a state from before an earlier call, so a change of another message must last.
      const { last } = isOther ? await untilMarked() : atOnce;
      requireAnswer(last);
      const changed = changes(last);
      if (changed.length === 0) {
        const answered = { answer: said, before, call: messages.markAs };
        await expectAnyAgreement(context, 'player', answered, { operation: messages.list });
        await expectMarkShown(context, context.resultOf(made).place, message);
        expectStatedMark(context, context.resultOf(made).place, String(message.id), said, last);
        context.cannotTell('needs-state', 'marking a message changes nothing in the list');
      }
      context.expect(
        changed.includes(message.id),
        `${messages.list.id} shows ${message.id} marked`,
        `it is as before, and ${changed[0]} is changed`,
        last,
      );
    },
  );

  marked.step(
    'marked-count',
    [messages.list, messages.markAs],
    clauses.marked,
    'a count of unread messages changes with the message that is marked',
    async (context, { message, before }) => {
      const was = messagesAt(before, context.resultOf(made).place) ?? [];
      const counts = unreadIn(before);
      if (counts.size === 0)
        context.cannotTell('needs-state', `${messages.list.id} shows no count of unread messages`);
      const isMarked = (answer: Exchange) =>
        changedIn(was, answer, context.resultOf(made)).includes(message.id);
      const isCounted = (answer: Exchange) => {
        const now = unreadIn(answer);
        return [...counts].some(([place, count]) => now.get(place) !== count);
      };
      const { last } = await pollAnswered(
        () => context.send('player', messages.list),
        (answer) => isMarked(answer) && isCounted(answer),
      );
      if (!isMarked(last))
        context.cannotTell('needs-state', 'the message was marked before, or shows no mark');
      // Only the message that the body names has changed, so the target understood the body.
      const isAlone = was.length > 1 && changedIn(was, last, context.resultOf(made)).length === 1;
      if (isAlone) context.confirmBody(messages.markAs);
      context.expect(isCounted(last), 'another count of unread messages', 'the count from before', last);
    },
  );

  marked.observe(
    'marked-listed',
    [messages.list, messages.markAs],
    'what happens to a message in the list after it is marked as read',
    async (context, { message: first }) => {
      const list = context.resultOf(made);
      const others = list.found.toReversed().filter(({ id }) => id !== first.id);
      // A message that was read before shows no change, so the next one is tried.
      for (const [nth, message] of [first, ...others].slice(0, mostTried).entries()) {
        if (nth > 0) {
          const carry = { messageId: message.id };
          const answer = await context.sendLikeliest('player', messages.markAs, { carry });
          await context.expectAccepted(messages.markAs, answer);
        }
        const shown = await changeOf(context, list, message);
        if (shown !== undefined) return context.observe(shown);
      }
      context.observe('it is as before');
    },
  );

  marked.step(
    'filtered-by-mark',
    [messages.listFiltered, messages.markAs],
    clauses.byMark,
    'the filter for unread messages leaves out what was read, and that for read ones what was not',
    (context) => expectFilteredByMark(context, context.resultOf(made).place),
  );

  for (const [name, operation, doing] of [
    ['claim-unknown', messages.claim, 'claiming'],
    ['mark-unknown', messages.markAs, 'marking'],
  ] as const)
    made.observe(
      name,
      [operation],
      `how the server answers ${doing} a message that does not exist`,
      (context) =>
        context.observeAnswer('player', operation, { carry: { messageId: context.unique('assaymessage') } }),
    );
}

/**
 * Where a mark changed nothing, expects that the message shows no other value in a field of the body. Judges only a
 * field that the call demands, and where it accepts the shown value but no made-up word: both then mean the same.
 */
async function expectMarkShown(
  context: StepContext<'player' | 'sender'>,
  place: ListPlace,
  { id }: Message,
): Promise<void> {
  const ask = context.likeliestAsk('player', messages.markAs, { carry: { messageId: id } });
  const sent = typeof ask.body === 'string' ? parsedJson(ask.body) : undefined;
  if (!isObject(sent)) return;
  const { last } = await pollAnswered(
    () => context.send('player', messages.list),
    (answer) => Object.entries(sent).some(([name, value]) => entryAt(answer, place, id)[name] === value),
  );
  const entry = entryAt(last, place, id);
  for (const [name, value] of Object.entries(sent)) {
    if (isNested(value) || entry[name] === value || typeof entry[name] !== typeof value) continue;
    const markedWith = async (other: unknown) =>
      requireAnswer(
        await context.send('player', messages.markAs, {
          ...ask,
          body: JSON.stringify({ ...sent, [name]: other }),
        }),
      );
    const isDemanded =
      refusesBody(await markedWith(undefined)) && refusesBody(await markedWith(context.unique('assay')));
    if (!isDemanded || !isSuccess(await markedWith(entry[name]))) continue;
    context.confirmBody(messages.markAs);
    const shown = `${name} ${entry[name]}`;
    context.expect(false, `${messages.list.id} shows ${id} with ${name} ${value}`, shown, last);
  }
}

/** Names of the fields in which an answer lists what a call has changed. */
const listsChanged = /^(updated|marked|changed|modified|affected|succeeded|success(es|ful)?)$/i;
const readFlag = /^(is_?)?(un)?(read|seen|new)$/i;

/**
 * Expects that the list shows what the answer says of the message: that it was changed, or another word or boolean in a
 * field that its list entry has as well. An answer that only repeats the body says nothing.
 */
function expectStatedMark(
  context: StepContext<'player' | 'sender'>,
  place: ListPlace,
  id: string,
  said: Exchange,
  last: Exchange,
): void {
  const entry = entryAt(last, place, id);
  const stated = staleFlagIn(said, id, entry) ?? memberStatedIn(said, id, entry);
  if (stated === undefined) return;
  context.confirmBody(messages.markAs);
  const expected = `${messages.list.id} shows ${id} marked, as the answer of ${messages.markAs.id} says`;
  context.expect(false, expected, `${stated} ${entry[stated]}, as before the call`, last);
}

/** The flag by which the list still shows a message as unread that the answer lists as changed. */
function staleFlagIn(said: Exchange, id: string, entry: Readonly<Record<string, unknown>>) {
  const isListed = [...placesOf(said, id).keys()].some((path) =>
    path.split('/').some((name) => listsChanged.test(name)),
  );
  const [name, value] =
    Object.entries(entry).find(([name, value]) => readFlag.test(name) && typeof value === 'boolean') ?? [];
  // A flag that says read may have been set before.
  return isListed && name !== undefined && value === /^(is_?)?(un|new)/i.test(name) ? name : undefined;
}

const wordOfReading = /^(un_?)?(read|seen|opened)$/i;

/**
 * The field in which the answer contradicts the list entry: in the answer's own entry for the message, or at the top
 * level where both values are words of reading, since any other word there may be the outcome of the call.
 */
function memberStatedIn(said: Exchange, id: string, entry: Readonly<Record<string, unknown>>) {
  const sent = sentJson(said);
  const answer = jsonValue(said);
  const whole = isObject(answer) ? answer : {};
  const isWord = (word: unknown) => typeof word === 'string' && wordOfReading.test(word);
  const isSent = (name: string) => isObject(sent) && name in sent;
  const ofAll = Object.keys(whole).find(
    (name) =>
      isWord(whole[name]) &&
      isWord(entry[name]) &&
      `${whole[name]}`.toLowerCase() !== `${entry[name]}`.toLowerCase() &&
      !isSent(name),
  );
  if (ofAll !== undefined) return ofAll;
  for (const { entry: own } of placesOf(said, id).values()) {
    if (own === undefined || (isObject(sent) && Object.values(sent).includes(id))) continue;
    const [name] =
      Object.entries(own).find(
        ([name, value]) =>
          ['string', 'boolean'].includes(typeof value) &&
          typeof entry[name] === typeof value &&
          entry[name] !== value &&
          /read|seen|status|state|flag/i.test(name),
      ) ?? [];
    if (name !== undefined) return name;
  }
  return undefined;
}

/** Reports how a message changes in the list; undefined where it stays, or changes as untouched messages do. */
async function changeOf(context: StepContext<'player'>, { place, found }: Inbox, { id, text }: Message) {
  const was = textsOf(found);
  const change = (exchange: Exchange) => {
    const now = messagesAt(exchange, place);
    if (now === undefined) return undefined;
    const entry = now.find((message) => message.id === id);
    if (entry === undefined) return 'it is gone';
    const others = now.filter((message) => message.id !== id);
    const isClock = others.length > 0 && others.every((message) => message.text !== was.get(message.id));
    return entry.text === text || isClock ? undefined : 'it is changed';
  };
  const { last } = await pollAnswered(
    () => context.send('player', messages.list),
    (exchange) => change(exchange) !== undefined,
    showsWithinMs,
  );
  return change(last);
}

export default flowSuite('messages', [
  listing,
  taking,
  claimingTwice,
  clearing,
  several,
  markingOne,
  notices,
]);
