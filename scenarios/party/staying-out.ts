// Checks that players stay out of a party: removed ones who use their invitation again, banned ones who have its key or
// return once it has changed, and blocked ones, who may neither join the blocker's party nor invite the blocker.
import { areas } from '../../catalog/catalog.ts';
import { effects } from '../../catalog/clauses/flows.ts';
import type { Flow } from '../../engine/flow/flow.ts';
import type { StepContext } from '../../engine/flow/step-context.ts';
import { type Exchange, isRefusal, isSuccess, statusOf } from '../../engine/http/exchange.ts';
import { block } from '../friends/blocking.ts';
import { amongMembers, asksToJoin, findsUpdate, invitation, keySeenBy, makeParty } from './make-party.ts';

const { party, players } = areas;
const clauses = effects.party;

/** The other player takes back their request to join, or leaves the party that let them in at once. */
async function leaves(context: StepContext<'leader' | 'banned' | 'other'>, partyId: string): Promise<void> {
  await context.send('other', party.cancelJoin, { params: { partyId, friendId: context.id('leader') } });
  await context.send('other', party.leave, { params: { disband: 'false' } });
}

/** Whether a player has become a member; if so, they leave again. */
async function comesIn<Role extends string>(
  context: StepContext<Role>,
  role: NoInfer<Role>,
  leader: NoInfer<Role>,
): Promise<boolean> {
  const isIn = await context.eventually(leader, amongMembers(context, role, leader, `the ${role}`));
  if (isIn) await context.send(role, party.leave, { params: { disband: 'false' } });
  return isIn;
}

/** Expects that the answer brought nobody into the party. */
async function expectKeptOut<Role extends string>(
  context: StepContext<Role>,
  answer: Exchange,
  {
    role,
    leader,
    why,
  }: { readonly role: NoInfer<Role>; readonly leader: NoInfer<Role>; readonly why: string },
): Promise<void> {
  const isIn = isSuccess(answer) && (await comesIn(context, role, leader));
  context.expect(
    !isIn,
    `no place in the party, ${why}`,
    `${statusOf(answer)}, and the leader's view lists the player`,
    answer,
  );
}

/** An invitation that was accepted, and whose player was removed afterwards. */
export function usedInvitation(flow: Flow): void {
  const { prepare } = flow.scenario('leader', 'friend', 'other');
  const made = prepare('a party', (context) => makeParty(context, 'leader'));

  const removed = prepare('a removed player who had come by an invitation', async (context) => {
    const partyId = context.resultOf(made);
    const uninvited = await context.sendLikeliest(
      'other',
      party.acceptInvite,
      invitation(context, partyId, 'leader'),
    );
    if (!isRefusal(uninvited)) context.notTriggered('the server lets in players whom nobody invited');
    const carry = { 'other.id': context.id('friend') };
    await context.mustSucceed('leader', party.invite, { params: { partyId }, carry });
    await context.mustSucceed('friend', party.acceptInvite, invitation(context, partyId, 'leader'));
    const member = amongMembers(context, 'friend', 'leader', 'the friend');
    await context.sees('leader', member);
    context.confirmBody(party.invite);
    await context.mustSucceed('leader', party.removePlayer, {
      params: { partyId, playerId: context.id('friend'), ban: 'false', disband: 'false' },
    });
    await context.seesNot('leader', member);
    return partyId;
  });

  removed.step(
    'invitation-used',
    [party.acceptInvite, party.removePlayer],
    clauses.usedUp,
    'a removed player does not come back by the invitation that let them in before',
    async (context, partyId) => {
      const ask = invitation(context, partyId, 'leader');
      const answer = await context.sendLikeliest('friend', party.acceptInvite, ask);
      await expectKeptOut(context, answer, {
        role: 'friend',
        leader: 'leader',
        why: 'as for a player whom nobody invited',
      });
    },
  );
}

/** A ban, where it keeps a player from asking to join as others do. */
export function banned(flow: Flow): void {
  const { prepare } = flow.scenario('leader', 'banned', 'other');
  const made = prepare('a party of two', (context) => makeParty(context, 'leader', 'banned'));

  const kept = prepare('a ban that keeps its player out', async (context) => {
    const partyId = context.resultOf(made);
    const key = await keySeenBy(context, 'banned');
    await context.mustSucceed('leader', party.removePlayer, {
      params: { partyId, playerId: context.id('banned'), ban: 'true', disband: 'false' },
    });
    await context.seesNot('leader', amongMembers(context, 'banned', 'leader', 'the banned player'));
    // Where a party is private, others may come in with its key alone.
    for (const known of key === undefined ? [undefined] : [undefined, key]) {
      const other = await asksToJoin(context, 'other', 'leader', known);
      // A leader may be asked by one player at a time.
      if (isSuccess(other)) await leaves(context, partyId);
      const asked = await asksToJoin(context, 'banned', 'leader', known);
      if (isRefusal(asked) && isSuccess(other)) return { partyId, key, known, refused: statusOf(asked) };
    }
    return context.notTriggered('a banned player may ask to join just as others may');
  });

  const asBefore = (refused: number) => `as when they asked before, which was answered ${refused}`;

  kept.step(
    'banned-with-key',
    [party.join, party.removePlayer],
    clauses.staysBanned,
    'a banned player does not come back with the key that they know',
    async (context, { key, refused }) => {
      if (key === undefined) return context.notTriggered('the view of a member shows no autoJoinKey');
      const answer = await asksToJoin(context, 'banned', 'leader', key);
      await expectKeptOut(context, answer, { role: 'banned', leader: 'leader', why: asBefore(refused) });
    },
  );

  kept.step(
    'banned-after-update',
    [party.update, party.join, party.removePlayer],
    clauses.staysBanned,
    'a banned player stays banned when the leader changes the party',
    async (context, { partyId, known, refused }) => {
      const value = context.unique('assayparty');
      // The target need not understand the body: no update is about a ban.
      const ask = { params: { partyId }, carry: { value }, anyFixed: true } as const;
      const updated = await context.sendLikeliest('leader', party.update, ask);
      const isUpdated =
        isSuccess(updated) || (await findsUpdate(context, 'leader', partyId, updated)) !== undefined;
      if (!isUpdated) context.notTriggered(`the leader's update is answered ${statusOf(updated)}`);
      const answer = await asksToJoin(context, 'banned', 'leader', known);
      context.expect(
        !isSuccess(answer),
        `a refusal, ${asBefore(refused)}`,
        `${statusOf(answer)}, once the party was changed`,
        answer,
      );
    },
  );
}

/** A block, where it keeps a player from adding the player who blocked them as a friend. */
export function blocked(flow: Flow): void {
  const { prepare } = flow.scenario('player', 'guest', 'outsider');
  const made = prepare('a party', (context) => makeParty(context, 'player'));
  const invited = prepare('an invitation before the block', async (context) => {
    const partyId = context.resultOf(made);
    const carry = { 'other.id': context.id('guest') };
    await context.mustSucceed('player', party.invite, { params: { partyId }, carry });
  });

  const enforced = prepare('a block that keeps its player away', async (context) => {
    const partyId = context.resultOf(made);
    await block(context, 'guest');
    const carry = { 'other.id': context.id('player') };
    const [add, addOther] = [
      await context.sendLikeliest('guest', players.addFriend, { carry }),
      await context.sendLikeliest('outsider', players.addFriend, { carry }),
    ];
    for (const [role, answer] of [
      ['guest', add],
      ['outsider', addOther],
    ] as const)
      if (isSuccess(answer)) context.addTeardown(role, players.removeFriend, { carry });
    if (!isRefusal(add) || !isSuccess(addOther))
      context.notTriggered('a block keeps nobody from adding who blocked them');
    return partyId;
  });

  const byBlock = { role: 'guest', leader: 'player', why: 'as the leader blocked them' } as const;

  enforced.observe(
    'blocked-invited',
    [party.acceptInvite, players.block],
    'whether an invitation still lets a player in once the leader blocked them',
    async (context, partyId) => {
      context.resultOf(invited);
      const ask = invitation(context, partyId, 'player');
      const answer = await context.sendLikeliest('guest', party.acceptInvite, ask);
      const isIn = isSuccess(answer) && (await comesIn(context, 'guest', 'player'));
      context.observe(isIn ? 'it does' : 'it does not', answer);
    },
  );

  enforced.step(
    'blocked-asks',
    [party.join, players.block],
    clauses.blockedOut,
    'a player does not join the party of who blocked them without being accepted',
    async (context) => {
      await expectKeptOut(context, await asksToJoin(context, 'guest', 'player'), byBlock);
    },
  );

  enforced.step(
    'blocked-invites',
    [party.invite, players.block],
    clauses.blockedOut,
    'a player whom somebody blocked does not get them into a party by an invitation',
    async (context) => {
      const partyId = await makeParty(context, 'guest');
      const carry = { 'other.id': context.id('player') };
      const sent = await context.sendLikeliest('guest', party.invite, { params: { partyId }, carry });
      if (!isSuccess(sent)) return;
      await context.send('player', party.leave, { params: { disband: 'true' } });
      const ask = invitation(context, partyId, 'guest');
      const answer = await context.sendLikeliest('player', party.acceptInvite, ask);
      if (!isSuccess(answer)) return;
      const isIn = await context.eventually('guest', amongMembers(context, 'player', 'guest', 'the player'));
      if (isIn) context.confirmBody(party.invite);
      context.expect(
        !isIn,
        'no invitation to somebody who blocked its sender, as no request for friendship',
        `${statusOf(sent)}, and the invitation leads into the party`,
        sent,
      );
    },
  );
}
