// Checks that two players who enter the queue are matched with one another, and that both learn of it.
import { areas } from '../../catalog/catalog.ts';
import { effects } from '../../catalog/clauses/flows.ts';
import type { Flow } from '../../engine/flow/flow.ts';
import { namedBeside } from '../../engine/flow/places.ts';
import { statusOf } from '../../engine/http/exchange.ts';
import {
  answeredTo,
  enter,
  expectNobodyWhoLeft,
  isMatched,
  lastReply,
  leave,
  type Meeting,
  meet,
  queueFactsOf,
} from './await-match.ts';
import { expectMatchBeside } from './beside.ts';
import { isAloneIn, isOnBothSides, listsWith } from './reply.ts';

const { match, queue } = areas;
const clauses = effects.queue;

/** Two players enter one queue; whether a match is made depends on the target. */
export function meeting(flow: Flow): void {
  const { step, observe } = flow.scenario('first', 'second');

  const entered = observe(
    'find',
    [queue.enter],
    'whether the queue matches two players who enter it',
    async (context) => {
      const meeting = await context.aloneInQueue(() =>
        meet(context, ['first', 'second'], context.unique('assayqueue')),
      );
      context.observe(inWords(meeting), meeting.replies[1].answer);
      return meeting;
    },
  );

  entered.observe(
    'match-size',
    [queue.enter, match.get],
    'how many players a match from the queue takes',
    async (context, { isMet, people, replies, why }) => {
      const { size } = await queueFactsOf(context);
      if (!isMet || size === undefined) return context.notTriggered(why);
      const [{ answer, matchId }] = replies;
      const details = matchId && (await context.send('first', match.get, { params: { matchId } }));
      const shown = [answer, ...(details ? [details] : [])];
      const fellows = people.slice(0, size).map((role) => context.id(role as 'first'));
      const named = fellows.filter((id) => namedBeside(id, fellows, shown)).length;
      const who = named === 0 ? 'names nobody' : named < size ? `names ${named} of them` : 'names them all';
      context.observe(`a match takes ${size} players, and ${who}`, details || answer);
    },
  );

  entered.step(
    'found-waiting',
    [queue.cancel, queue.enter],
    clauses.cancelled,
    'the queue matches two players who enter it with nobody who has left it',
    async (context, meeting) => {
      if (meeting.replies.every(({ matchId, names }) => matchId === undefined && !names))
        context.notTriggered(meeting.why);
      await context.aloneInQueue(() => expectNobodyWhoLeft(context, meeting));
    },
  );

  entered.step(
    'find-both',
    [queue.enter],
    clauses.mutual,
    'when one of two players gets a match, so does the other',
    async (context, { isMet, replies, why }) => {
      if (!isMet) context.notTriggered(why);
      for (const [nth, { names, matchId, answer }] of replies.slice(0, 2).entries()) {
        const who = nth === 0 ? 'the first' : 'the second';
        if (statusOf(answer) >= 300)
          context.cannotTell(
            'needs-state',
            `entering again, to read the match, is answered ${statusOf(answer)}`,
          );
        context.expect(
          names || matchId !== undefined,
          `${who} gets the match as well`,
          'nothing of it',
          answer,
        );
      }
    },
  );

  entered.step(
    'found-once',
    [queue.enter, match.get],
    clauses.once,
    'a player whom the queue matches is not matched with themselves',
    async (context, meeting) => {
      const { answersOfUnmatched: apart = [] } = await queueFactsOf(context);
      const shown = [...answeredTo(context, meeting), ...apart];
      if (shown.every(({ id, answer }) => listsWith(answer, id).length === 0))
        context.notTriggered('no answer lists the player in a match');
      const twice = shown.find(({ id, answer }) => isOnBothSides(answer, id))?.answer;
      context.expect(twice === undefined, 'a match with somebody else, or none', 'the player twice', twice);
    },
  );

  const one = entered.step(
    'find-one-match',
    [queue.enter],
    clauses.one,
    'both players get the id of one match',
    async (context, { isMet, replies, why }) => {
      const [first, second] = replies.map(({ matchId }) => matchId);
      if (!isMet) context.notTriggered(why);
      if (first === undefined || second === undefined)
        return context.cannotTell('unknown-resource', 'no answer named the id of the match');
      context.expect(first === second, 'one match', 'two', replies[1].answer);
      return first;
    },
  );

  entered.step(
    'found-together',
    [queue.enter, match.get],
    clauses.together,
    'two players whom the queue matches, and neither of them alone, are in one match',
    async (context, { replies, why }) => {
      const [one, other] = replies;
      const isApart =
        one.matchId !== undefined && other.matchId !== undefined && one.matchId !== other.matchId;
      if (!isApart) return context.notTriggered(why);
      const areAlone = ([one, other] as const).every(
        ({ details }, nth) => details && isAloneIn(details, context.id(nth === 0 ? 'first' : 'second')),
      );
      if (!areAlone) context.notTriggered('the matches do not list one player each');
      const reply = await context.aloneInQueue(async () => {
        const name = context.unique('assayqueue');
        const answer = await enter(context, 'first', name);
        const last = await lastReply(context, ['first', 'second'], name, {
          entered: answer,
          withinMs: aloneMs,
        });
        await leave(context, 'first', last.matchId);
        return last;
      });
      if (isMatched(reply)) context.notTriggered('a player who waits alone is given a match as well');
      context.expect(false, 'one match for both', 'a match for each, with nobody else in it', other.details);
    },
  );

  for (const role of ['first', 'second'] as const)
    step(
      `found-${role}-reads`,
      [match.get, queue.enter],
      clauses.one,
      `the ${role} of two matched players reads their match`,
      async (context) => {
        const params = { matchId: context.resultOf(one) };
        await context.sees(role, { operation: match.get, params, what: 'the match that the queue gave' });
      },
    );

  entered.step(
    'found-beside',
    [queue.enter],
    clauses.anew,
    'two players who enter are matched while two others play',
    expectMatchBeside,
  );

  entered.observe(
    'cancel-matched',
    [queue.cancel, queue.enter],
    'how the server answers when a matched player leaves the queue',
    async (context, { isMet, why }) => {
      if (!isMet) context.notTriggered(why);
      await context.observeAnswer('first', queue.cancel);
    },
  );
}

/** How long a player waits alone for a match, in ms: longer than a pair was given. */
const aloneMs = 4_000;

function inWords({ isMet, replies }: Meeting): string {
  if (isMet) return 'they find one another';
  const matched = replies.filter(({ matchId }) => matchId !== undefined).length;
  return matched === 0 ? 'they are told no match in time' : 'they are told matches without one another';
}
