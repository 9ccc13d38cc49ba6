// Checks that a call on two messages has its effect on both, and on no other message.
import { messages } from '../../catalog/areas/messages.ts';
import { effects } from '../../catalog/clauses/flows.ts';
import { waitForCopies } from '../../engine/compare/noise.ts';
import type { Flow } from '../../engine/flow/flow.ts';
import { poll, pollAnswered } from '../../engine/flow/polling.ts';
import type { StepContext } from '../../engine/flow/step-context.ts';
import { type DoneForTwo, doneForTwo, expectBoth } from '../../engine/flow/two-at-once.ts';
import { ignoreStop, requireAnswer } from '../../engine/flow/why-refused.ts';
import { type Exchange, isSuccess, statusOf } from '../../engine/http/exchange.ts';
import { Stop } from '../../engine/judgement.ts';
import { refusesBody } from '../../engine/players/bodies.ts';
import { noSuchId } from '../../engine/values/nonexistent.ts';
import { changedIn, type Inbox, idsAt, idsOf, inboxOf, inboxOfTwo, textsOf } from './inbox.ts';
import { type Message, messagesAt } from './list-place.ts';

const clauses = effects.messages;

type Role = 'player' | 'sender';
type People = StepContext<Role>;

/** The messages that a player's list shows now. */
async function now(context: People, { place }: Inbox): Promise<readonly Message[]> {
  const answer = requireAnswer(await context.send('player', messages.list));
  return messagesAt(answer, place) ?? [];
}

const isNamed = (id: Message['id']) => (message: Message) => message.id === id;

/** Calls an operation for two messages at once; `isDone` says of each whether it has changed as it should. */
async function forTwoOf(
  context: People,
  { place }: Inbox,
  operation: typeof messages.claim | typeof messages.markAs | typeof messages.clear,
  [first, second]: readonly Message[],
  isDone: (was: Message, is: Message | undefined) => boolean,
  role: Role = 'player',
): Promise<DoneForTwo> {
  if (first === undefined || second === undefined)
    return context.cannotTell('needs-state', 'the player has fewer than two messages for this');
  const two = [first, second] as const;
  return doneForTwo(context, role, {
    operation,
    name: 'messageId',
    ids: [first.id, second.id],
    async has(nth) {
      const is = (answer: Exchange) => messagesAt(answer, place)?.find(isNamed(two[nth].id));
      const { holds } = await poll(
        () => context.send(role, messages.list),
        (answer) => messagesAt(answer, place) !== undefined && isDone(two[nth], is(answer)),
      );
      return holds;
    },
    alone: (nth) =>
      context
        .mustSucceed(role, operation, {
          carry: { messageId: two[nth].id },
          mayRefuse: `${operation.id} for one`,
        })
        .catch(ignoreStop),
  });
}

const isOther = (was: Message, is: Message | undefined) => is?.text !== was.text;
const isGone = (_: Message, is: Message | undefined) => is === undefined;

/** Most pairs of messages that are tried, since some messages hold nothing to claim. */
const mostPairs = 3;

/** One call names two messages: to claim, to mark, to clear. */
export function several(flow: Flow): void {
  const { prepare, step } = flow.scenario('player', 'sender');
  const made = prepare('a list of messages', inboxOfTwo);

  const claimed = prepare('one call claims two messages', async (context) => {
    const list = context.resultOf(made);
    const answer = await context.send('player', messages.listFiltered, { params: { filter: 'inbox' } });
    const inbox = isSuccess(answer) ? (messagesAt(answer, list.place) ?? []) : [];
    const some = inbox.length > 1 ? inbox : list.found;
    let done: DoneForTwo | undefined;
    for (let at = 0; at < Math.min(mostPairs, some.length - 1); at += 1) {
      done = await forTwoOf(context, list, messages.claim, some.slice(at, at + 2), isOther);
      const isRefused = done.answer instanceof Stop && done.answer.reason === 'needs-state';
      if (!isRefused) break;
    }
    return done ?? context.cannotTell('needs-state', 'there are no two messages to claim');
  });

  step(
    'claim-two',
    [messages.list, messages.claim],
    clauses.called,
    'two messages that one call claims are both claimed',
    async (context) => expectBoth(context, context.resultOf(claimed), 'are changed, or gone'),
  );

  const marked = prepare('one call marks two messages', async (context) => {
    const list = context.resultOf(made);
    const was = textsOf(list.found);
    const untouched = (await now(context, list)).filter(({ id, text }) => was.get(id) === text);
    if (untouched.length > 1) return forTwoOf(context, list, messages.markAs, untouched.slice(-2), isOther);
    // Claiming may mark messages as well: where fewer than two are untouched, marks two of another player.
    const others = await inboxOf(context, 'sender', 2).catch(ignoreStop);
    const [from, two, role] = others
      ? ([others, others.found.slice(-2), 'sender'] as const)
      : ([list, untouched, 'player'] as const);
    return forTwoOf(context, from, messages.markAs, two, isOther, role);
  });

  step(
    'mark-two',
    [messages.list, messages.markAs],
    clauses.marked,
    'two messages that one call marks are both marked',
    async (context) => expectBoth(context, context.resultOf(marked), 'are changed'),
  );

  const cleared = prepare('one call clears two messages', async (context) => {
    const list = context.resultOf(made);
    const before = await now(context, list);
    return { before, done: await forTwoOf(context, list, messages.clear, before.slice(-2), isGone) };
  });

  step(
    'clear-two',
    [messages.list, messages.clear],
    clauses.cleared,
    'two messages that one call clears are both gone from the list',
    async (context) => expectBoth(context, context.resultOf(cleared).done, 'are gone from the list'),
  );

  cleared.step(
    'clear-named',
    [messages.list, messages.clear],
    clauses.spared,
    'a call that clears two messages leaves the others',
    async (context, { before, done }) => {
      if (done.answer instanceof Stop) throw done.answer;
      if (!done.had[0] || !done.had[1])
        context.cannotTell('needs-state', 'not both of the messages that were named are gone');
      const spared = idsOf(before.slice(0, -2));
      const stay = new Set(idsOf(await now(context, context.resultOf(made))));
      if (spared.some((id) => stay.has(id))) return;
      if (spared.length === 0) context.cannotTell('needs-state', 'the list showed no other message');
      if (!(await readsNames(context)))
        context.notTriggered(`${messages.clear.id} clears the whole list, whatever the body names`);
      context.confirmBody(messages.clear);
      context.expect(
        false,
        `the ${spared.length} messages that ${messages.clear.id} does not name`,
        'an empty list, though the call looks at what it names',
        done.answer,
      );
    },
  );
}

/** One call names one message to mark: the others stay as they were. */
export function markingOne(flow: Flow): void {
  const { prepare, step } = flow.scenario('player', 'sender');

  const marked = prepare('one call marks one message', async (context) => {
    const list = await inboxOfTwo(context);
    const before = await now(context, list);
    const message = before.at(-1) ?? context.cannotTell('needs-state', 'there is no message to mark');
    const carry = { messageId: message.id };
    await context.mustSucceed('player', messages.markAs, { carry, anyFixed: true });
    const { last } = await pollAnswered(
      () => context.send('player', messages.list),
      (answer) => changedIn(before, answer, list).includes(message.id),
    );
    return { list, before, message, last };
  });

  step(
    'mark-one',
    [messages.list, messages.markAs],
    clauses.marked,
    'a call that marks one message leaves the others as they were',
    async (context) => {
      const { list, before, message, last } = context.resultOf(marked);
      const changed = changedIn(before, last, list);
      if (!changed.includes(message.id))
        context.cannotTell('needs-state', 'marking a message changes nothing in the list');
      if (before.length < 2) context.cannotTell('needs-state', 'the list showed no other message');
      const others = changed.filter((id) => id !== message.id);
      if (others.length === 0) return;
      const onlySome = whyPartialMarkIsRight(before, changed, last, list);
      if (onlySome !== undefined) return context.observe(onlySome, last);
      const whole = await whyOthersMayChange(context);
      if (whole !== undefined) return context.observe(whole, last);
      context.confirmBody(messages.markAs);
      const seen = `${others.length} others are changed too, though naming no message that exists changes none`;
      context.expect(false, `of ${before.length} messages ${message.id} alone is changed`, seen, last);
    },
  );
}

/**
 * Why a call may rightly mark other messages, such as all up to the named one; undefined where the list kept its order
 * and all of its messages changed.
 */
function whyPartialMarkIsRight(
  before: readonly Message[],
  changed: readonly Message['id'][],
  after: Exchange,
  { place }: Inbox,
) {
  const was = idsOf(before);
  const is = idsAt(after, place).filter((id) => was.includes(id));
  if (was.join() !== is.join()) return 'it changes other messages of a list in no order';
  return changed.length < was.length ? 'it changes some of the other messages' : undefined;
}

/** What other than a mistake makes other messages change; undefined where the sender's inbox shows no such cause. */
async function whyOthersMayChange(context: People): Promise<string | undefined> {
  const list = await inboxOf(context, 'sender', 2);
  const before = list.found;
  const read = async () => {
    const answer = requireAnswer(await context.send('sender', messages.list));
    return { answer, changed: changedIn(before, answer, list) };
  };
  const mark = async (messageId: Message['id']) => {
    requireAnswer(await context.sendLikeliest('sender', messages.markAs, { carry: { messageId } }));
    await waitForCopies(context);
    return read();
  };
  if ((await read()).changed.length > 0) return 'messages change by themselves';
  if ((await mark(noneOf(context, before))).changed.length > 0)
    return 'it changes all messages, whatever it names';
  // Names the other end of the list: a call that marks all messages up to one then changes this one alone.
  const [first] = before;
  if (first === undefined) return 'it changes other messages';
  const { answer, changed } = await mark(first.id);
  return changed.length < 2
    ? 'it changes other messages where it names the last one, and none where it names the first'
    : whyPartialMarkIsRight(before, changed, answer, list);
}

/** An identifier that no message has, in the form of the messages' own ones. */
function noneOf(context: People, found: readonly Message[]): Message['id'] {
  const ids = new Set(idsOf(found));
  const nobody = [...ids].map(noSuchId).find((id) => !ids.has(id));
  if (nobody === undefined) return context.unique('assaymessage');
  return typeof found[0]?.id === 'number' ? Number(nobody) : nobody;
}

const refusesWhatItNames: ReadonlySet<number> = new Set([400, 404, 409, 410, 422]);

/**
 * Whether clearing reads what the body names: naming a message that does not exist leaves the others, or a body without
 * a name is refused.
 */
async function readsNames(context: People): Promise<boolean> {
  const { place, found } = await inboxOf(context, 'sender');
  const ids = new Set(idsOf(found));
  const carry = { messageId: noneOf(context, found) };
  const ask = context.likeliestAsk('sender', messages.clear, { carry });
  const answer = requireAnswer(await context.send('sender', messages.clear, ask));
  const status = statusOf(answer);
  if (!isSuccess(answer) && !refusesWhatItNames.has(status))
    context.cannotTell('needs-state', `naming a message that does not exist is answered ${status}`);
  const { holds } = await poll(
    () => context.send('sender', messages.list),
    (answer) => idsAt(answer, place).every((id) => !ids.has(id)),
  );
  if (!holds) return true;
  return refusesBody(requireAnswer(await context.send('sender', messages.clear, { ...ask, body: '{}' })));
}
