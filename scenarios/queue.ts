// The flow `queue`: waiting, leaving, and players who meet. Here: waiting, leaving and signing out. `queue/`:
// `meeting.ts` checks two players who enter, `staying.ts` players who stay, `beside.ts` players who enter while others
// play, `party.ts` parties that enter; `await-match.ts` holds steps that scenarios share, and `reply.ts` reads what the
// queue answers.
import { areas } from '../catalog/catalog.ts';
import { effects } from '../catalog/clauses/flows.ts';
import { type Flow, flowSuite } from '../engine/flow/flow.ts';
import type { StepContext } from '../engine/flow/step-context.ts';
import { ignoreStop, requireAnswer } from '../engine/flow/why-refused.ts';
import { type Exchange, isRefusal, isSuccess, statusInWords, statusOf } from '../engine/http/exchange.ts';
import {
  answeredTo,
  type Entrants,
  enter,
  expectNobodyWhoLeft,
  isMatched,
  lastReply,
  leave,
  type Meeting,
  matchedSoonMs,
  matchIn,
  meet,
  queueFactsOf,
} from './queue/await-match.ts';
import { meeting } from './queue/meeting.ts';
import { partyEnters, partyMatchedByLeader } from './queue/party.ts';
import { isAloneIn, isOnBothSides, listsWith, placeIn, ticketsIn, waitingSince } from './queue/reply.ts';
import { staying } from './queue/staying.ts';

const { match, me, queue } = areas;
const clauses = effects.queue;

/** One player waits, goes away, and comes back. */
function waiting(flow: Flow): void {
  const { step, observe } = flow.scenario('player', 'other');

  const token = step(
    'token',
    [queue.issueToken],
    clauses.called,
    'a player gets a token for the queue',
    (context) => context.mustSucceed('player', queue.issueToken),
  );

  observe('token-other', [queue.issueToken], 'whether two players get one token or two', async (context) => {
    const tokenIn = (answer: Exchange) =>
      context.identifier(answer, queue.issueToken, 'queueToken').catch(ignoreStop);
    const own = context.resultOf(token);
    const others = await context.mustSucceed('other', queue.issueToken);
    const [first, second] = [await tokenIn(own), await tokenIn(others)];
    if (first === undefined || second === undefined) context.observe('no token is told', others);
    else context.observe(first === second ? 'one token for both' : 'a token each', others);
  });

  const unqueued = observe(
    'cancel-unqueued',
    [queue.cancel],
    'how the server answers when a player leaves the queue without having entered',
    (context) => context.observeAnswer('other', queue.cancel),
  );

  /** Enters, enters again, leaves, leaves again and comes back: further steps judge these calls. */
  const visit = step(
    'enter',
    [queue.enter],
    clauses.called,
    'a player enters the queue',
    // All in one step, since no other player may enter between its calls.
    (context) =>
      context.aloneInQueue(async () => {
        const name = context.unique('assayqueue');
        context.addTeardown('player', queue.cancel);
        const entered = await context.mustSucceed('player', queue.enter, { offer: { value: name } });
        const ask = context.likeliestAsk('player', queue.enter, { offer: { value: name } });
        const again = await context.send('player', queue.enter, ask);
        const found = await matchIn(context, again);
        const left = await context.send('player', queue.cancel);
        const leftAgain = await context.send('player', queue.cancel);
        // The pause makes the moments of entering differ.
        if (waitingSince(entered) !== undefined) await context.pause(20);
        const back = await context.send('player', queue.enter, ask);
        await leave(context, 'player', await matchIn(context, back));
        return { entered, again, isFound: found !== undefined, left, leftAgain, back };
      }),
  );

  const cancelled = visit.step(
    'cancel',
    [queue.cancel],
    clauses.called,
    'a player leaves the queue',
    async (context, { isFound, left }) => {
      if (isFound) context.notTriggered('a match with somebody else was found before');
      await context.expectAccepted(queue.cancel, left);
    },
  );

  visit.step(
    'matched-once',
    [queue.enter],
    clauses.once,
    'a player who enters the queue is not matched with themselves',
    async (context, { entered, again, isFound, back }) => {
      const id = context.id('player');
      const answers = [entered, again, back];
      const [twice] = answers.filter((answer) => isOnBothSides(answer, id));
      context.expect(twice === undefined, 'a match with somebody else, or none', 'the player twice', twice);
      // A second entry gave a match of one while nobody else queued: compares it with the match of two players.
      if (isFound && isAloneIn(again, id) && (await matchIn(context, entered)) === undefined) {
        const found = await context.aloneInQueue(async () => {
          const name = context.unique('assayqueue');
          const first = await enter(context, 'player', name);
          const second = await enter(context, 'other', name);
          for (const [role, answer] of [
            ['player', first],
            ['other', second],
          ] as const)
            await leave(context, role, await matchIn(context, answer));
          return second;
        });
        const areTwo = listsWith(found, context.id('other')).some(({ length }) => length > 1);
        const expected = 'a match with somebody else, as two who enter get, or none';
        context.expect(!areTwo, expected, 'a match that the player is alone in', again);
      }
      if (answers.every((answer) => listsWith(answer, id).length === 0))
        context.notTriggered('no answer lists the player in a match');
    },
  );

  const later = [
    ['enter-again', queue.enter, 'again', 'how the server answers when a player enters the queue again'],
    [
      'cancel-again',
      queue.cancel,
      'leftAgain',
      'how the server answers when a player leaves the queue again',
    ],
    [
      'enter-after-cancel',
      queue.enter,
      'back',
      'how the server answers when a player enters the queue after leaving it',
    ],
  ] as const;
  for (const [name, operation, call, title] of later)
    visit.observe(name, [operation], title, async (context, { [call]: answer }) => {
      requireAnswer(answer);
      context.observe(statusInWords(answer), answer);
    });

  visit.step(
    'cancel-once',
    [queue.cancel, queue.enter],
    clauses.leaves,
    'a player who left the queue does not leave it once more, nor come back to the ticket from before',
    async (context, { entered, isFound, left, leftAgain, back }) => {
      if (isFound) context.notTriggered('a match with somebody else was found before');
      const never = context.resultOf(unqueued);
      if (!isRefusal(never) || !isSuccess(left))
        context.notTriggered('a player who never entered may leave the queue, too');
      const [before, after] = [ticketsIn(entered), ticketsIn(back)];
      if (before.length === 0) context.notTriggered('no answer states a ticket');
      const isSame = before.join() === after.join();
      context.expect(
        !isSuccess(leftAgain) || !isSame,
        `${statusOf(never)}, as for a player who never entered, or another ticket afterwards`,
        `${statusOf(leftAgain)}, and the ticket from before`,
        leftAgain,
      );
    },
  );

  visit.step(
    'wait-anew',
    [queue.enter, queue.cancel],
    clauses.leaves,
    'a player who left the queue and comes back waits from then on',
    async (context, { entered, again, isFound, back }) => {
      const [before, meanwhile, after] = [entered, again, back].map(waitingSince);
      if (isFound || before === undefined || before !== meanwhile || after === undefined)
        return context.notTriggered('no answer says since when the player waits');
      context.resultOf(cancelled);
      const seen = `since ${new Date(after).toISOString()}, as before they left`;
      context.expect(after !== before, 'a wait that begins with coming back', seen, back);
    },
  );

  visit.observe(
    'ticket-again',
    [queue.enter],
    'whether a player who enters the queue again while waiting keeps their ticket',
    async (context, { entered, again, isFound }) => {
      if (isFound) context.notTriggered('a match with somebody else was found');
      const [before, after] = [ticketsIn(entered), ticketsIn(again)];
      if (before.length === 0 || after.length === 0) context.observe('no ticket is told', again);
      else context.observe(before.join() === after.join() ? 'the same ticket' : 'another ticket', again);
    },
  );

  visit.observe(
    'place-again',
    [queue.enter, queue.cancel],
    'which place a player gets who comes back into a queue that nobody else entered',
    async (context, { entered, isFound, back }) => {
      if (isFound) context.notTriggered('a match with somebody else was found');
      const [before, after] = [placeIn(entered), placeIn(back)];
      if (before === undefined || after === undefined) context.observe('no place is told', back);
      // Players ahead may have left meanwhile, and no player of this run has entered.
      else context.observe(after > before ? 'a later place' : 'no later place', back);
    },
  );
}

/** One leaves the queue before two others enter it. */
function leaving(flow: Flow): void {
  const { prepare } = flow.scenario('gone', 'other', 'first', 'second');
  const met = prepare('two players who enter a queue that another has left', (context) =>
    context.aloneInQueue(async () => {
      const meetings: Meeting[] = [];
      let matchedAlone: Entrants | undefined;
      const leaveAndMeet = async (role: 'gone' | 'other') => {
        const name = context.unique('assayqueue');
        const entered = await enter(context, role, name);
        const left = requireAnswer(await context.send(role, queue.cancel));
        if (statusOf(left) < 300)
          return void meetings.push(await meet(context, ['first', 'second'], name, { thenLeave: true }));
        // Nobody else waits: a player who is matched before they can leave has met a player who left earlier.
        const reply = await lastReply(context, [role, 'first'], name, { entered, withinMs: 0 });
        if (!isMatched(reply))
          context.cannotTell('needs-state', `leaving the queue is answered ${statusOf(left)}`);
        const { matchId } = reply;
        const details = matchId && (await context.send(role, match.get, { params: { matchId } }));
        matchedAlone = { people: [role], replies: [{ ...reply, ...(details && { details }) }] };
        await leave(context, role, matchId);
      };
      await leaveAndMeet('gone');
      // If the queue keeps the entry of a player who left, it may have matched that of `gone` with one kept from before.
      // The entry of a second player who leaves is then matched with whoever enters next.
      if (meetings[0]?.isMet) await leaveAndMeet('other').catch(ignoreStop);
      return { meetings, matchedAlone };
    }),
  );

  met.step(
    'found-anew',
    [queue.enter],
    clauses.anew,
    'as many players as were matched before are matched again',
    async (context, { meetings }) => {
      const facts = await queueFactsOf(context);
      const { size } = facts;
      const [last] = meetings.slice(-1);
      if (size === undefined || last === undefined)
        return context.notTriggered(last?.why ?? 'nobody entered');
      if (last.replies.some(isMatched)) return;
      // Players who quit a match may have to wait. These two quit none, and wait longer than any answer stated.
      const meetAnew = (players: number) =>
        context.aloneInQueue(() =>
          meet(context, ['gone', 'other'], context.unique('assayqueue'), { waitsLonger: true, players }),
        );
      const { replies } = await meetAnew(size);
      // The last player of the first match may have learnt of it too late to be counted.
      if (!replies.some(isMatched) && (await meetAnew(size + 1)).replies.some(isMatched)) {
        facts.size = size + 1;
        return context.notTriggered(`a match takes ${size + 1} players, and not ${size}`);
      }
      context.expect(
        replies.some(isMatched),
        `a match, as ${size} players got before`,
        `none for the next ${replies.length}`,
        replies[1].answer,
      );
    },
  );

  met.step(
    'cancelled-not-matched',
    [queue.cancel, queue.enter],
    effects.queue.cancelled,
    'the queue does not match a player who left with players who enter later',
    async (context, { meetings, matchedAlone }) => {
      for (const meeting of [...meetings, ...(matchedAlone ? [matchedAlone] : [])])
        await expectNobodyWhoLeft(context, meeting);
      if (!meetings.some(({ isMet }) => isMet))
        context.notTriggered(meetings[0]?.why ?? 'the queue matched nobody');
    },
  );
}

/** After this, in ms, a sign-out has had its effect. */
const signedOutForMs = 2_000;

/** A player signs out while they wait, and two others enter. */
function signingOut(flow: Flow): void {
  const { step } = flow.scenario('gone', 'first', 'second');
  step(
    'signed-out',
    [me.logout, queue.enter],
    clauses.signedOut,
    'the queue does not match a player who has signed out with players who enter later',
    (context) =>
      context.aloneInQueue(async () => {
        const { size, whySizeUnknown } = await queueFactsOf(context);
        if (size !== 2) return context.notTriggered(whySizeUnknown ?? 'a match does not take two players');
        if (context.playedBefore()) return context.notTriggered('the player may have another session');
        if ((await matchWithSignedOut(context, 0)) === undefined) return;
        // A sign-out may take effect a moment later.
        const found = await matchWithSignedOut(context, signedOutForMs);
        context.expect(
          found === undefined,
          'no match with the player who signed out',
          'a match with them',
          found,
        );
      }),
  );
}

/** The answer that matches somebody with a player who signed out so long ago, in ms; undefined where none does. */
async function matchWithSignedOut(
  context: StepContext<'gone' | 'first' | 'second'>,
  agoMs: number,
): Promise<Exchange | undefined> {
  const [name, gone] = [context.unique('assayqueue'), context.id('gone')];
  await enter(context, 'gone', name);
  if (!isSuccess(await context.send('gone', me.logout)))
    return context.notTriggered('the player cannot sign out');
  if (agoMs > 0) await context.pause(agoMs);
  // One enters alone first: of two, the second would wait in vain where the first is matched with `gone`.
  const entered = await enter(context, 'first', name);
  const reply = await lastReply(context, ['first', 'gone'], name, { entered, withinMs: matchedSoonMs });
  // The queue may tell the id of a match alone, and the match who plays.
  const { matchId } = reply;
  const details =
    matchId && !reply.names ? await context.send('first', match.get, { params: { matchId } }) : reply.answer;
  await leave(context, 'first', matchId);
  if (reply.names || (matchId && context.mentions(details, gone))) {
    // Who signs in again may still be in that match, and then waits for no other one.
    await leave(context, 'gone', matchId);
    return details;
  }
  const meeting = await meet(context, ['first', 'second'], name, { thenLeave: true });
  if (!meeting.replies.some(isMatched)) return context.notTriggered(meeting.why);
  return answeredTo(context, meeting).find(({ answer }) => context.mentions(answer, gone))?.answer;
}

export default flowSuite('queue', [
  waiting,
  meeting,
  leaving,
  staying,
  partyEnters,
  partyMatchedByLeader,
  signingOut,
]);
