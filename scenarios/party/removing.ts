// Checks that removed members are out of a party, and what becomes of the others.
import { party } from '../../catalog/areas/party.ts';
import { effects } from '../../catalog/clauses/flows.ts';
import { sameOutline } from '../../engine/compare/content.ts';
import type { Flow } from '../../engine/flow/flow.ts';
import { heldBy } from '../../engine/flow/places.ts';
import { pollAnswered } from '../../engine/flow/polling.ts';
import type { StepContext } from '../../engine/flow/step-context.ts';
import { requireAnswer } from '../../engine/flow/why-refused.ts';
import { type Exchange, isRefusal, isSuccess, statusOf } from '../../engine/http/exchange.ts';
import { Stop, violation } from '../../engine/judgement.ts';
import {
  amongMembers,
  asksToJoin,
  askToJoin,
  findsUpdate,
  inParty,
  isForbidden,
  keySeenBy,
  makeParty,
} from './make-party.ts';

const clauses = effects.party;

/** Removal, without a ban and with one. */
export function removing(flow: Flow): void {
  const { prepare, step } = flow.scenario('leader', 'member', 'banned');
  const made = prepare('a party of three', (context) => makeParty(context, 'leader', 'member', 'banned'));

  const known = prepare('the key that a member sees', (context) => keySeenBy(context, 'banned'));

  const removed = made.step(
    'remove',
    [party.removePlayer],
    clauses.called,
    'the leader removes a member',
    async (context, partyId) => {
      const params = { partyId, playerId: context.id('member') };
      await context.mustSucceed('leader', party.removePlayer, { params });
    },
  );

  const isOut = removed.step(
    'removed-view',
    [party.details, party.removePlayer],
    clauses.left,
    "the leader's view no longer lists the removed member",
    (context) => context.seesNot('leader', amongMembers(context, 'member', 'leader', 'the removed member')),
  );

  step(
    'removed-own-view',
    [party.details, party.removePlayer],
    clauses.left,
    "the removed member's own view no longer shows the party",
    (context) => context.seesNot('member', inParty(context.resultOf(removed), 'the party')),
  );

  removed.step(
    'removed-others-stay',
    [party.details, party.removePlayer],
    clauses.joined,
    "the leader's view still lists the member who was not removed",
    (context) =>
      context.stillSees(
        'leader',
        amongMembers(context, 'banned', 'leader', 'the member who was not removed'),
      ),
  );

  removed.observe(
    'removed-joins',
    [party.join, party.removePlayer],
    'how the server answers when a removed member asks to join again',
    (context) => context.observeAnswer('member', party.join, { params: { playerId: context.id('leader') } }),
  );

  const banned = made.step(
    'remove-with-ban',
    [party.removePlayer],
    clauses.called,
    'the leader removes and bans a member',
    async (context, partyId) => {
      const params = { partyId, playerId: context.id('banned'), ban: 'true' };
      await context.mustSucceed('leader', party.removePlayer, { params });
    },
  );

  const isBannedOut = banned.step(
    'banned-view',
    [party.details, party.removePlayer],
    clauses.left,
    "the leader's view no longer lists the banned member",
    (context) => context.seesNot('leader', amongMembers(context, 'banned', 'leader', 'the banned member')),
  );

  banned.observe(
    'banned-joins',
    [party.join, party.removePlayer],
    'how the server answers when a banned member asks to join',
    (context) => context.observeAnswer('banned', party.join, { params: { playerId: context.id('leader') } }),
  );

  const back = isOut.observe(
    'removed-returns',
    [party.join, party.acceptJoin, party.removePlayer],
    'whether a removed member comes back when they ask to join and the leader accepts',
    async (context) => {
      const way = await wayBack(
        context,
        { partyId: context.resultOf(made), key: context.resultOf(known) },
        'member',
      );
      context.observe(way.isBack ? 'they are back' : 'they are not back', way.asked);
      return way;
    },
  );

  isBannedOut.step(
    'banned-returns',
    [party.removePlayer, party.join, party.acceptJoin],
    clauses.banned,
    'a banned member does not come back just as one does who was only removed',
    async (context) => {
      const unbanned = context.resultOf(back);
      if (!unbanned.isBack) context.cannotTell('needs-state', 'no removed member comes back');
      const way = await wayBack(
        context,
        { partyId: context.resultOf(made), key: context.resultOf(known) },
        'banned',
      );
      if (!way.isBack) return;
      // How a ban shows is open. An answer unlike that to an unbanned player shows it, and the leader may lift it.
      if (!isSameWay(way, unbanned)) return context.note('they are back, and were answered otherwise');
      // No clause says what a ban does, so the level stays `inferred`, whatever the profile says of the calls.
      throw new Stop({
        ...violation(
          'that a ban makes some difference to who asks to join again',
          'they are answered as without it, and are back',
          way.asked,
        ),
        level: 'inferred',
      });
    },
  );

  // Uses its own party, since a target may do what the member asks.
  const pair = flow.scenario('leader', 'member', 'guest');
  const led = pair.prepare('a party of two', async (context) => {
    const partyId = await makeParty(context, 'leader', 'member');
    context.addTeardown('member', party.leave);
    return partyId;
  });

  const updates = pair.observe(
    'member-updates',
    [party.update],
    'how the server answers when a member who does not lead the party writes to it',
    async (context) => {
      const params = { partyId: context.resultOf(led) };
      const write = async (value: string) => {
        const ask = { params, carry: { value }, anyFixed: true } as const;
        return { value, answer: await context.observeLikeliest('member', party.update, ask) };
      };
      const first = await write(context.unique('assayparty'));
      const other = await findsUpdate(context, 'leader', params.partyId, first.answer);
      return other === undefined ? first : write(other);
    },
  );

  // The call may end the party, so it is sent only where the answer to the write does not show what members may do.
  const deletes = pair.prepare('how a member who deletes the party is answered', (context) =>
    isForbidden(context.resultOf(updates).answer)
      ? Promise.resolve(undefined)
      : context.send('member', party.delete, { params: { partyId: context.resultOf(led) } }),
  );

  // The document leaves open what members may do; a server that forbids them what their leader may is held to that.
  const kept = pair.prepare('a server that keeps members from what their leader does', async (context) => {
    const { answer } = context.resultOf(updates);
    const isKept = isForbidden(answer) || (isRefusal(answer) && isForbidden(context.resultOf(deletes)));
    if (!isKept) context.notTriggered('members are not forbidden to write to the party, or to delete it');
  });

  kept.step(
    'leader-state-kept',
    [party.setPlayerState, party.details],
    clauses.apart,
    'a plain member, who may not change the party, does not set the state of the leader',
    async (context) => {
      const setting = (role: 'leader' | 'member', value: string) => ({
        params: { playerId: context.id(role) },
        carry: { value },
      });
      // The member sets their own state first, to find a body that has an effect.
      const own = context.unique('assayready');
      const until = inParty(own, 'the state that was set');
      await context.mustSucceed('member', party.setPlayerState, { ...setting('member', own), until });
      const value = context.unique('assayready');
      const set = await context.sendLikeliest('member', party.setPlayerState, setting('leader', value));
      if (!isSuccess(requireAnswer(set))) return;
      const { last, holds } = await pollAnswered(
        () => context.send('leader', party.details),
        (view) => heldBy(view, context.id('leader'), context.id('member'), value) === true,
      );
      context.expect(!holds, "no state but the leader's own with the leader", "the member's", last);
    },
  );

  const removes = pair.observe(
    'member-removes',
    [party.removePlayer],
    'how the server answers when a member removes the leader',
    (context) =>
      context.observeAnswer('member', party.removePlayer, {
        params: { partyId: context.resultOf(led), playerId: context.id('leader') },
      }),
  );

  kept.step(
    'leader-kept',
    [party.removePlayer, party.details],
    clauses.ledBy,
    'a plain member, who may not change the party, does not remove the leader from it',
    async (context) => {
      const answer = context.resultOf(removes);
      if (!isSuccess(answer)) return;
      const isOut = await context.eventually('leader', inParty(context.resultOf(led), 'the party'), 'gone');
      const status = statusOf(answer);
      context.expect(
        !isOut,
        'a leader who stays in the party',
        `${status}, and the leader is out of it`,
        answer,
      );
    },
  );

  // Judges a server that forbids members three calls (removal, deletion, the state of others) and accepts their update.
  removes.step(
    'member-update-kept',
    [party.update, party.details],
    clauses.ledBy,
    'a plain member, who may neither remove the leader nor delete the party, does not change it',
    async (context, removal) => {
      const { answer, value } = context.resultOf(updates);
      if (!isSuccess(answer)) return;
      const state = context.likeliestAsk('member', party.setPlayerState, {
        params: { playerId: context.id('leader') },
        carry: { value: context.unique('assayready') },
        anyFixed: true,
      });
      const isKept =
        isForbidden(removal) &&
        isForbidden(context.resultOf(deletes)) &&
        // A target may not understand the body before it looks at who sends it.
        isRefusal(await context.send('member', party.setPlayerState, state));
      if (!isKept)
        context.notTriggered(
          'members are not forbidden all else: removal, deletion, and the state of others',
        );
      const shows = await context.eventually('leader', inParty(value, 'what the member wrote'));
      context.expect(!shows, 'a party as its leader made it', 'what the member wrote is in it', answer);
    },
  );

  removes.step(
    'member-accept-kept',
    [party.acceptJoin, party.join, party.details],
    clauses.ledBy,
    'a plain member, who may not remove the leader nor change or delete the party, lets nobody into it',
    async (context, removal) => {
      const isKept = isForbidden(context.resultOf(updates).answer) || isForbidden(context.resultOf(deletes));
      if (!isForbidden(removal) || !isKept)
        context.notTriggered(
          'members are not forbidden to change or delete the party, and to remove its leader',
        );
      context.addTeardown('guest', party.leave);
      await askToJoin(context, 'guest', 'leader');
      const guest = amongMembers(context, 'guest', 'leader', 'the guest');
      if (context.shows('leader', guest, await context.send('leader', party.details)))
        context.notTriggered('who asks to join is in the party, or listed in it, at once');
      const params = { partyId: context.resultOf(led), playerId: context.id('guest') };
      const answer = requireAnswer(await context.send('member', party.acceptJoin, { params }));
      if (!isSuccess(answer)) return;
      const isIn = await context.eventually('leader', guest);
      context.expect(
        !isIn,
        'nobody whom the leader did not let in',
        `${statusOf(answer)}, and they are in`,
        answer,
      );
    },
  );
}

interface WayBack {
  readonly asked: Exchange;
  readonly accepted: Exchange;
  readonly isBack: boolean;
}

/** A removed player asks to join, and the leader accepts. @param key the party's key, where its members see one */
async function wayBack(
  context: StepContext<'leader' | 'member' | 'banned'>,
  { partyId, key }: { readonly partyId: string; readonly key: string | undefined },
  role: 'member' | 'banned',
): Promise<WayBack> {
  const params = { partyId, playerId: context.id(role) };
  let asked = await context.send(role, party.join, { params: { playerId: context.id('leader') } });
  // A private party may be joined only with its key.
  if (isRefusal(asked) && key !== undefined) asked = await asksToJoin(context, role, 'leader', key);
  const accepted = await context.send('leader', party.acceptJoin, { params });
  requireAnswer(asked);
  requireAnswer(accepted);
  const member = amongMembers(context, role, 'leader', `the ${role}`);
  const mayCome = isSuccess(asked) || isSuccess(accepted);
  const isBack = mayCome
    ? await context.eventually('leader', member)
    : context.shows('leader', member, await context.send('leader', party.details));
  return { asked, accepted, isBack };
}

const isSameWay = (one: WayBack, other: WayBack) =>
  statusOf(one.asked) === statusOf(other.asked) &&
  sameOutline(one.asked, other.asked) &&
  statusOf(one.accepted) === statusOf(other.accepted);

/** Removal with `disband` and without a ban: the member is out; what becomes of the party is open. */
export function removingWithDisband(flow: Flow): void {
  const { prepare, step, observe } = flow.scenario('leader', 'member', 'other');
  const made = prepare('a party of three', async (context) => {
    const partyId = await makeParty(context, 'leader', 'member', 'other');
    await context.sees('member', inParty(partyId, 'the party'));
    return partyId;
  });

  const removed = made.step(
    'remove-with-disband',
    [party.removePlayer],
    clauses.called,
    'the leader removes a member and disbands',
    async (context, partyId) => {
      const params = { partyId, playerId: context.id('member'), disband: 'true' };
      await context.mustSucceed('leader', party.removePlayer, { params });
    },
  );

  step(
    'disband-removed-view',
    [party.details, party.removePlayer],
    clauses.left,
    'the own view of a member who was removed with disband no longer shows the party',
    (context) => context.seesNot('member', inParty(context.resultOf(removed), 'the party')),
  );

  observe(
    'disband-ends',
    [party.details, party.removePlayer],
    'whether removing a member with disband ends the party',
    async (context) => {
      const view = inParty(context.resultOf(removed), 'the party');
      const isOver = await context.eventually('leader', view, 'gone');
      context.observe(isOver ? 'it ends the party' : 'the party goes on');
    },
  );
}
