// Checks that what a message brings is given once, however often the message is claimed.
import { areas } from '../../catalog/catalog.ts';
import { effects } from '../../catalog/clauses/flows.ts';
import { belongings } from '../../engine/attack/figures.ts';
import { waitForCopies } from '../../engine/compare/noise.ts';
import type { Flow } from '../../engine/flow/flow.ts';
import type { StepContext } from '../../engine/flow/step-context.ts';
import { ignoreStop } from '../../engine/flow/why-refused.ts';
import { type Exchange, isSuccess, statusInWords } from '../../engine/http/exchange.ts';
import {
  amountsIn,
  expectArrival,
  inWords,
  type Snapshots,
  shownNow,
  snapshotOf,
  snapshotsOf,
} from '../store/effects.ts';
import { inboxOf } from './inbox.ts';
import { type ListPlace, type Message, messagesAt } from './list-place.ts';

const { general, messages } = areas;

const mostTried = 5;
/** Further messages that are tried for one that pays: a second gift shows in a balance, not always in belongings. */
const mostBeside = 3;

interface Claimed {
  readonly id: string;
  readonly carry: { readonly messageId: Message['id'] };
  readonly place: ListPlace;
  /** The messages as they were before any was claimed. */
  readonly found: readonly Message[];
  readonly before: Snapshots;
  readonly answer: Exchange;
  /** The reads that the claim changed. */
  readonly given?: Snapshots;
}

type Entries = ReadonlyMap<string, string>;

async function entriesIn(context: StepContext<'player'>, place: ListPlace): Promise<Entries> {
  const answer = await context.mustSucceed('player', messages.list);
  return new Map((messagesAt(answer, place) ?? []).map((one) => [String(one.id), one.text]));
}

/** Whether only the named one of all messages has changed, so that the target understood the body. */
function isAlone(id: string, found: readonly Message[], now: Entries): boolean {
  const changed = found.filter((one) => now.get(String(one.id)) !== one.text);
  return found.length > 1 && changed.length === 1 && String(changed[0]?.id) === id;
}

/** A message that brings something is claimed twice. */
export function claimingTwice(flow: Flow): void {
  const { prepare } = flow.scenario('player');
  // A list of messages may say when one was claimed last.
  const reads = [general.currencies, ...belongings].filter(({ area }) => area !== 'messages');

  const tried = prepare('messages that were claimed', async (context): Promise<Claimed> => {
    const { found, place } = await inboxOf(context, 'player');
    let last: Claimed | undefined;
    let owned: Claimed | undefined;
    for (const [nth, { id }] of found.slice(0, mostTried).entries()) {
      if (owned && nth > mostBeside) break;
      const carry = { messageId: id };
      const before = await snapshotsOf(context, 'player', reads);
      const answer = await context
        .mustSucceed('player', messages.claim, { carry, anyFixed: true, mayRefuse: 'claiming a message' })
        .catch(ignoreStop);
      if (answer === undefined) continue;
      await waitForCopies(context);
      const given = await shownNow(before);
      const changed = [...given].filter(([read, is]) => {
        const was = before.get(read);
        return was !== undefined && context.snapshotsDiffer(was, is);
      });
      const claimed = { id: String(id), carry, place, found, before, answer };
      if (changed.some(([read]) => read === general.currencies))
        return { ...claimed, given: new Map(changed) };
      if (changed.length > 0) owned ??= { ...claimed, given: new Map(changed) };
      const wallet = before.get(general.currencies)?.exchange;
      if (wallet && amountsIn(answer, wallet).length > 0) return claimed;
      last = claimed;
    }
    // Other messages were claimed since, so the reads are made again.
    if (owned?.given) return { ...owned, given: await shownNow(owned.given) };
    return last ?? context.cannotTell('needs-state', 'there is no message to claim');
  });

  tried.step(
    'claim-arrives',
    [messages.claim, reads],
    effects.store.amount,
    'what the answer to a claim names in a currency of the wallet arrives',
    async (context, claimed) => {
      if (isAlone(claimed.id, claimed.found, await entriesIn(context, claimed.place)))
        context.confirmBody(messages.claim);
      await expectArrival(context, claimed.before, claimed.answer);
      if (claimed.given) return context.note(`the claim changed ${inWords(claimed.given)}`);
      context.cannotTell('needs-state', 'no answer to a claim names an amount in a currency of the wallet');
    },
  );

  const made = prepare('a message that brings something', async (context) => {
    const claimed = context.resultOf(tried);
    return claimed.given
      ? { ...claimed, given: claimed.given }
      : context.cannotTell('needs-state', 'no message that was claimed changes the wallet or belongings');
  });

  const once = made.step(
    'claim-once',
    [messages.claim, [messages.list, ...reads]],
    effects.progression.once,
    'a second claim of a message does not change the wallet or the belongings',
    async (context, { id, carry, place, found, given }) => {
      const before = await entriesIn(context, place);
      if (isAlone(id, found, before)) context.confirmBody(messages.claim);
      await claimAgain(context, { id, carry, place, given }, before);
      context.note(`the first claim changed ${inWords(given)}`);
    },
  );

  once.step(
    'claim-once-unread',
    [messages.claim, messages.markAs, [messages.list, ...reads]],
    effects.progression.once,
    'a claimed message that is marked as unread brings nothing once more',
    async (context) => {
      const claimed = context.resultOf(made);
      const before = await entriesIn(context, claimed.place);
      const ask = context.likeliestAsk('player', messages.markAs, { carry: claimed.carry, anyFixed: true });
      const body = typeof ask.body === 'string' ? unreadInstead(ask.body) : undefined;
      if (body === undefined)
        return context.notTriggered(`no body of ${messages.markAs.id} has a word for read`);
      const marked = await context.send('player', messages.markAs, { ...ask, body });
      if (!isSuccess(marked)) return context.notTriggered(`marking is answered ${statusInWords(marked)}`);
      await claimAgain(context, claimed, before);
    },
  );
}

/** The body with `unread` for `read`, in the same letter case; undefined where it has no such word. */
function unreadInstead(body: string): string | undefined {
  const unread = (word: string) =>
    word === word.toUpperCase() ? 'UNREAD' : word.startsWith('R') ? 'Unread' : 'unread';
  const made = body.replaceAll(/(?<=")read(?="\s*[,}\]])/gi, unread);
  return made === body ? undefined : made;
}

/** Claims the message once more, and expects that its reads stay as they were after the first claim. */
async function claimAgain(
  context: StepContext<'player'>,
  { id, carry, place, given }: Pick<Claimed, 'id' | 'carry' | 'place'> & { readonly given: Snapshots },
  before: Entries,
): Promise<void> {
  await context.sendLikeliest('player', messages.claim, { carry, anyFixed: true });
  const after = await shownNow(given);
  const now = await entriesIn(context, place);
  // A guessed body may have claimed the next message.
  if ([...before].some(([one, text]) => one !== id && now.get(one) !== text))
    context.cannotTell('needs-body', 'the second claim changed another message');
  for (const [read, first] of given)
    await context.expectUnchanged(
      first,
      `${read.id} as it was after the first claim`,
      snapshotOf(context, after, read),
    );
}
