// Checks what becomes of a party when its leader leaves or disbands it.
import { me } from '../../catalog/areas/me.ts';
import { party } from '../../catalog/areas/party.ts';
import { effects } from '../../catalog/clauses/flows.ts';
import { waitForCopies } from '../../engine/compare/noise.ts';
import type { Flow } from '../../engine/flow/flow.ts';
import { poll, pollAnswered } from '../../engine/flow/polling.ts';
import { answerLeaves, type Exchange, isRefusal, isSuccess, statusOf } from '../../engine/http/exchange.ts';
import { inParty, makeParty } from './make-party.ts';

const clauses = effects.party;

/** The status of a call that conflicts with the state that its caller is in. */
const conflict = 409;

/** Matches the place where an answer names the current leader, not the party's maker or a former leader. */
const ofLeader =
  /\/(?:party_?)?(?:leader|host|captain)(?:_?(?:player|user|member))?(?:_?id)?(?:\/[^/]*id)?$/i;
const leadsIn = (answer: Exchange, id: string): boolean =>
  answerLeaves(answer).some(({ pointer, value }) => String(value) === id && ofLeader.test(pointer));
/** Whether the answer has a place for the leader, and nobody stands there. */
const isHeadless = (answer: Exchange): boolean => leadsIn(answer, '') || leadsIn(answer, 'null');

/** The leader leaves: without disbanding, the others stay together; with it, nobody is in the party. */
export function disbanding(flow: Flow): void {
  const single = flow.scenario('leader');
  // Needs one player only, so it is also judged where no second player can join.
  const made = single.prepare('a party of one', async (context) => {
    const partyId = await makeParty(context, 'leader');
    await context.sees('leader', inParty(partyId, "the party's id"));
    return partyId;
  });

  const located = single.prepare('where the leader of a party is', (context) => {
    context.resultOf(made);
    return context.send('leader', me.location);
  });

  const left = made.step(
    'alone-leaves',
    [party.leave],
    clauses.called,
    'the only member of a party leaves it',
    async (context) => {
      await context.mustSucceed('leader', party.leave, { params: { disband: 'false' } });
    },
  );

  single.step(
    'alone-left',
    [party.details, party.leave],
    clauses.left,
    'the view of the only member no longer shows the party that they left',
    (context) => context.seesNot('leader', inParty(context.resultOf(left), 'the party')),
  );

  single.step(
    'left-location',
    [me.location, party.leave],
    clauses.left,
    'where a player is does not name the party that they left',
    async (context) => {
      const [partyId, before] = [context.resultOf(left), context.resultOf(located)];
      if (!isSuccess(before) || !context.mentions(before, partyId))
        context.notTriggered(`${me.location.id} does not name the party that one is in`);
      const { last, holds } = await pollAnswered(
        () => context.send('leader', me.location),
        (now) => !context.mentions(now, partyId),
      );
      context.expect(holds, 'no party, or another one', `the party that was left, ${partyId}`, last);
    },
  );

  const staying = flow.scenario('leader', 'friend');
  const led = staying.prepare('a party of two', async (context) => {
    const partyId = await makeParty(context, 'leader', 'friend');
    await context.eventually('friend', inParty(context.id('leader'), 'the leader'));
    return partyId;
  });

  const beforeLeaving = staying.prepare('the view of a member whose leader is there', (context) => {
    context.resultOf(led);
    return context.send('friend', party.details);
  });

  const gone = led.step(
    'leader-leaves',
    [party.leave],
    clauses.called,
    'the leader leaves without disbanding the party',
    async (context) => {
      context.addTeardown('friend', party.leave);
      await context.mustSucceed('leader', party.leave, { params: { disband: 'false' } });
    },
  );

  staying.step(
    'leader-left-own-view',
    [party.details, party.leave],
    clauses.left,
    'the view of the leader who left no longer shows the party',
    (context) => context.seesNot('leader', inParty(context.resultOf(gone), 'the party')),
  );

  gone.step(
    'leader-left-view',
    [party.details, party.leave],
    clauses.left,
    'the view of the member who stayed no longer lists the leader',
    (context) => context.seesNot('friend', inParty(context.id('leader'), 'the leader who left')),
  );

  staying.observe(
    'leader-left-party',
    [party.details, party.leave],
    'whether a party goes on for the others after its leader left without disbanding it',
    async (context) => {
      const goesOn = await context.eventually('friend', inParty(context.resultOf(gone), 'the party'));
      context.observe(goesOn ? 'the party goes on' : 'the party is over');
    },
  );

  gone.step(
    'leader-left-leader',
    [party.details, party.leave],
    clauses.led,
    'a party that goes on names another leader than the player who left',
    async (context) => {
      const before = context.resultOf(beforeLeaving);
      const id = context.id('leader');
      if (!leadsIn(before, id)) context.notTriggered(`no member of ${party.details.id} names the leader`);
      const { last } = await pollAnswered(
        () => context.send('friend', party.details),
        (answer) => !leadsIn(answer, id) && !isHeadless(answer),
      );
      context.expect(!leadsIn(last, id), 'another leader', 'the player who left', last);
      context.expect(!isHeadless(last), 'another leader', 'nobody in their place', last);
    },
  );

  const ending = flow.scenario('leader', 'friend');
  const ended = ending.prepare('a party of two', async (context) => {
    const partyId = await makeParty(context, 'leader', 'friend');
    await context.sees('friend', inParty(partyId, "the party's id"));
    return partyId;
  });

  const disbanded = ended.step(
    'leave-with-disband',
    [party.leave],
    clauses.called,
    'the leader leaves and disbands the party',
    async (context) => {
      await context.mustSucceed('leader', party.leave, { params: { disband: 'true' } });
    },
  );

  ending.step(
    'disbanded-own-view',
    [party.details, party.leave],
    clauses.ended,
    "the leader's view no longer shows the disbanded party",
    (context) => context.seesNot('leader', inParty(context.resultOf(disbanded), 'the disbanded party')),
  );

  const isOver = disbanded.step(
    'disbanded-view',
    [party.details, party.leave],
    clauses.ended,
    "the other member's view no longer shows the disbanded party",
    async (context, partyId) => {
      await context.seesNot('friend', inParty(partyId, 'the disbanded party'));
    },
  );

  isOver.step(
    'disbanded-creates',
    [party.create, party.leave],
    clauses.freed,
    'the other member of the disbanded party creates one of their own',
    async (context, partyId) => {
      // The body that the leader's party was made with, so that a refusal is about the player.
      const create = context.likeliestAsk('leader', party.create);
      const { holds, last } = await poll(
        () => context.send('friend', party.create, create),
        (answer) => statusOf(answer) !== conflict,
      );
      context.addTeardown('friend', party.leave);
      context.expect(
        holds,
        `${party.create.id} is accepted, since ${party.details.id} shows no party`,
        `${conflict}, as if the disbanded party ${partyId} went on`,
        last,
      );
    },
  );
}

/** A member leaves with disband, and the party goes on or ends. */
export function leavingWithDisband(flow: Flow): void {
  const { prepare, observe } = flow.scenario('leader', 'member', 'other');
  const made = prepare('a party of three', async (context) => {
    const partyId = await makeParty(context, 'leader', 'member', 'other');
    await context.sees('other', inParty(partyId, 'the party'));
    return partyId;
  });

  const refused = observe(
    'member-deletes',
    [party.delete],
    'how the server answers when a member who does not lead the party deletes it',
    (context) =>
      context.observeAnswer('member', party.delete, { params: { partyId: context.resultOf(made) } }),
  );

  // A server that asks for confirmation refuses the call once, so it is sent again.
  const refusedAgain = prepare('how the same call is answered again', async (context) => {
    const first = context.resultOf(refused);
    if (!isRefusal(first)) return first;
    return context.send('member', party.delete, { params: { partyId: context.resultOf(made) } });
  });

  const left = made.observe(
    'member-disbands',
    [party.leave, party.details],
    'whether a party ends when a member who does not lead it leaves with disband',
    async (context, partyId) => {
      const going = inParty(partyId, 'the party');
      if (
        !isSuccess(await context.send('other', party.details)) ||
        !(await context.eventually('other', going))
      )
        return context.notTriggered('the party was over before');
      const answer = await context.mustSucceed('member', party.leave, { params: { disband: 'true' } });
      // Mostly the party goes on: waits for replicas once, instead of polling for an end.
      await waitForCopies(context);
      const view = await context.send('other', party.details);
      const isOver =
        !context.shows('other', going, view) && (await context.eventually('other', going, 'gone'));
      context.observe(isOver ? 'it ends the party' : 'the party goes on', answer);
      return { isOver, answer };
    },
  );

  left.step(
    'member-disbands-kept',
    [party.leave, party.delete, party.details],
    clauses.kept,
    'a member whom the server refuses to end the party does not end it by leaving',
    async (context, { isOver, answer }) => {
      const status = statusOf(context.resultOf(refusedAgain));
      // A 409 may be about the party, which nobody may delete while people are in it.
      if (status !== 403)
        return context.notTriggered(`the server does not forbid a member to delete the party: ${status}`);
      context.expect(!isOver, 'that the party goes on for the others', 'nobody is in it any more', answer);
    },
  );
}
