// Checks how a party enters the queue, and which of its members are matched.
import { areas } from '../../catalog/catalog.ts';
import { effects } from '../../catalog/clauses/flows.ts';
import type { Flow } from '../../engine/flow/flow.ts';
import { namedBeside } from '../../engine/flow/places.ts';
import type { StepContext } from '../../engine/flow/step-context.ts';
import { requireAnswer } from '../../engine/flow/why-refused.ts';
import { type Exchange, isSuccess, statusInWords, statusOf } from '../../engine/http/exchange.ts';
import { amongMembers, isForbidden, makeParty } from '../party/make-party.ts';
import {
  enter,
  fillUp,
  isMatched,
  lastReply,
  leave,
  matchIn,
  meet,
  type QueueReply,
  queueFactsOf,
} from './await-match.ts';

const { match, party, queue } = areas;
const operations = [queue.enter, party.create] as const;

/** The leader of a party enters the queue. */
export function partyEnters(flow: Flow): void {
  const { prepare, observe } = flow.scenario('leader', 'member', 'other');
  const made = prepare('a party of two', (context) => makeParty(context, 'leader', 'member'));

  const entered = observe(
    'enter-party',
    operations,
    'how the server answers when the leader of a party enters the queue',
    // Finding the members is part of the same step, since no other player may enter in between.
    (context) =>
      context.aloneInQueue(async () => {
        const partyId = context.resultOf(made);
        const name = context.unique('assayqueue');
        context.addTeardown('leader', queue.cancel);
        context.addTeardown('member', queue.cancel);
        const asParty = { offer: { value: name, partyId } };
        const leaders = await context.observeLikeliest('leader', queue.enter, asParty);
        const members = await context.sendLikeliest('member', queue.enter, { offer: { value: name } });
        const { replies } = await meet(context, ['other', 'leader'], name);
        const [{ matchId }] = replies;
        const details = matchId && (await context.send('other', match.get, { params: { matchId } }));
        // A player who waits longer than this step could be matched in another one.
        await context.send('member', queue.cancel);
        context.observe(statusInWords(leaders), leaders);
        return { members, replies, details };
      }),
  );

  entered.observe(
    'enter-member',
    operations,
    'how the server answers when a member enters the queue after the leader',
    async (context, { members }) => {
      requireAnswer(members);
      context.observe(statusInWords(members), members);
    },
  );

  entered.observe(
    'find-party',
    operations,
    'which members of a party are matched with a player in the queue',
    async (context, { replies, details }) => {
      const { answer } = replies[0];
      const isIn = (role: 'leader' | 'member') =>
        namedBeside(context.id(role), [context.id('other')], [answer, details || answer]);
      const who = (['leader', 'member'] as const).filter(isIn).join(' and ');
      context.observe(`matched: ${who || 'nobody'}`, details || answer);
    },
  );
}

type Two = StepContext<'leader' | 'member' | 'other'>;

/** Which members of a party of two were matched. */
interface PartyMatch {
  readonly matchId: string;
  /** The last answer about the match, whomever it names. */
  readonly answer: Exchange;
  readonly matched: readonly ('leader' | 'member')[];
  /** The match as the member reads it, where it names them. */
  readonly members: Exchange | undefined;
  /** Whether the match was there as soon as the leader had entered. */
  readonly isAtOnce: boolean;
}

/**
 * The leader of a party of two enters the queue, the member does not, and others enter until a match is made.
 * @param meanwhile what happens once the leader has entered
 */
async function matchParty(
  context: Two,
  partyId: string,
  meanwhile: () => Promise<unknown> = async () => undefined,
): Promise<PartyMatch> {
  const value = context.unique('assayqueue');
  const { size = 2 } = await queueFactsOf(context);
  const offer = { value, partyId };
  const entered = await context.mustSucceed('leader', queue.enter, { offer, mayRefuse: 'a party' });
  for (const role of ['leader', 'member'] as const) context.addTeardown(role, queue.cancel);
  const isAtOnce = (await matchIn(context, entered)) !== undefined;
  await meanwhile();
  const leads = await lastReply(context, ['leader', 'member'], value, { entered, withinMs: 0 });
  // Where a match takes two players, the two of the party may be matched with one another.
  const isAlone = leads.matchId === undefined;
  const { last, others } = isAlone
    ? await matchWithOthers(context, value, size)
    : { last: leads, others: [] };
  const by = isAlone ? 'other' : 'leader';
  const { matchId = '', answer } = last;
  const details = matchId === '' ? undefined : await context.send(by, match.get, { params: { matchId } });
  const fellows = [context.id(by)];
  const isIn = (role: 'leader' | 'member') =>
    isMatched(last) && (role === by || namedBeside(context.id(role), fellows, [answer, details || answer]));
  const matched = (['leader', 'member'] as const).filter(isIn);
  // Another player reads the match, so it exists.
  const members =
    details && isSuccess(details) && isIn('member')
      ? await context.send('member', match.get, { params: { matchId } })
      : undefined;
  for (const role of ['leader', 'member', ...others])
    await leave(context, role as 'other', matchId || undefined);
  // Further players whom nobody was matched with still wait.
  if (others.length > 1) for (const role of others) await context.send(role as 'other', queue.cancel);
  return { matchId, answer: details || answer, matched, members, isAtOnce };
}

/** The leader of a party of two enters the queue, and the member does not. */
export function partyMatchedByLeader(flow: Flow): void {
  const { prepare, observe } = flow.scenario('leader', 'member', 'other');
  const made = prepare('a party of two', (context) => makeParty(context, 'leader', 'member'));

  const matched = observe(
    'party-of-two',
    operations,
    'which members of a party of two are matched when only its leader enters the queue',
    async (context) => {
      const found = await context.aloneInQueue(() => matchParty(context, context.resultOf(made)));
      context.observe(`matched: ${found.matched.join(' and ') || 'nobody'}`, found.answer);
      return found;
    },
  );

  matched.step(
    'party-of-two-reads',
    [match.get, queue.enter],
    effects.match.made,
    'a member of a party who is named in the match that its leader got reads that match',
    async (context, { matchId, members }) => {
      if (!members)
        return context.notTriggered('no match named a member of the party who had not entered the queue');
      requireAnswer(members);
      context.expect(
        isSuccess(members) && context.mentions(members, matchId),
        'the match that names the member',
        `${statusOf(members)}`,
        members,
      );
    },
  );

  matched.step(
    'party-taken',
    operations,
    effects.queue.partyTaken,
    'a member of a party who may not enter the queue themselves is matched with the leader',
    async (context, before) => {
      if (!before.matched.includes('leader')) return context.notTriggered('the leader was not matched');
      if (before.matched.includes('member')) return;
      // The leader is out of the queue and of the match, so a refusal is about the party.
      const own = await context.aloneInQueue(async () => {
        const offer = { value: context.unique('assayqueue') };
        const answer = await context.sendLikeliest('member', queue.enter, { offer });
        await leave(context, 'member', await matchIn(context, answer));
        await context.send('member', queue.cancel);
        return answer;
      });
      context.expect(
        !isForbidden(own),
        'both in the match, or a member who may enter',
        `the leader alone was matched, and the member is answered ${statusInWords(own)}`,
        before.answer,
      );
    },
  );

  matched.step(
    'party-left',
    [queue.enter, party.leave],
    effects.queue.partyLeft,
    'a member who leaves the party while it waits in the queue is not matched with it',
    async (context, before) => {
      if (before.matched.length < 2)
        return context.notTriggered('the member of a party was not matched with its leader');
      const partyId = context.resultOf(made);
      await context.stillSees('leader', amongMembers(context, 'member', 'leader', 'the member'));
      const { matched, answer, isAtOnce } = await context.aloneInQueue(() =>
        matchParty(context, partyId, async () => {
          await context.send('member', party.leave, { params: { disband: 'false' } });
          const member = amongMembers(context, 'member', 'leader', 'the member');
          if (!(await context.eventually('leader', member, 'gone')))
            context.notTriggered('the member does not leave the party');
        }),
      );
      if (isAtOnce) return context.notTriggered('a party of two is matched as soon as it enters');
      context.expect(
        !matched.includes('member'),
        'a match without the member, or none',
        `one of the ${matched.join(' and the ')}`,
        answer,
      );
    },
  );
}

/** Lets further players enter until they and the leader are enough for a match, with the member or without. */
async function matchWithOthers(
  context: Two,
  queueName: string,
  size: number,
): Promise<{ readonly last: QueueReply; readonly others: readonly string[] }> {
  const others = ['other'];
  const entered = await enter(context, 'other', queueName);
  const add = async (role: string) => void (await enter(context, role as 'other', queueName));
  const found = () => lastReply(context, ['other', 'leader'], queueName, { entered });
  // It is not known whether the member counts for the match: tries first as if they do.
  await fillUp(context, others, size - 3, add);
  let last = await found();
  if (size > 2 && !isMatched(last)) {
    await fillUp(context, others, 1, add);
    last = await found();
  }
  return { last, others };
}
