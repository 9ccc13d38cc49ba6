// Checks invitations to a party: accepted, declined, and one that was never sent. Also here: the state of a member.
import { party } from '../../catalog/areas/party.ts';
import { effects } from '../../catalog/clauses/flows.ts';
import { waitForCopies } from '../../engine/compare/noise.ts';
import type { Flow } from '../../engine/flow/flow.ts';
import { heldBy, namedBeside } from '../../engine/flow/places.ts';
import { pollAnswered } from '../../engine/flow/polling.ts';
import { ownValue } from '../../engine/flow/setting-values.ts';
import type { StepContext } from '../../engine/flow/step-context.ts';
import { answerLeaves, type Exchange, isRefusal, isSuccess, statusOf } from '../../engine/http/exchange.ts';
import { Stop } from '../../engine/judgement.ts';
import { amongMembers, expectListedOnce, inParty, invitation, makeParty, withFriend } from './make-party.ts';
import { expectAnswered, whileOpen } from './open-requests.ts';

const clauses = effects.party;

export function inviting(flow: Flow): void {
  const { prepare, step, observe } = flow.scenario('leader', 'friend', 'other');
  const made = prepare('a party', (context) => makeParty(context, 'leader'));

  const uninvited = observe(
    'uninvited-accept',
    [party.acceptInvite],
    'how the server answers when a player accepts an invitation that nobody sent',
    async (context) => {
      const sent = invitation(context, context.resultOf(made), 'leader');
      const answer = await context.observeLikeliest('other', party.acceptInvite, sent);
      return { isRefused: isRefusal(answer), answer, view: await viewOfJoined(context, answer) };
    },
  );

  step(
    'uninvited-kept-out',
    [party.acceptInvite, [party.join]],
    clauses.keptOut,
    'a player whom nobody invited does not come into a party that is private, or that they may only ask to join',
    async (context) => {
      const { answer, view } = context.resultOf(uninvited);
      const isIn = view !== undefined && showsBesideLeader(context, 'other', view);
      const isPrivate = view !== undefined && says(view, /^(?:private|closed|invite_?only)$/i);
      const isKeptOut =
        isIn &&
        !isPrivate &&
        !says(view, /^(?:public|open)$/i) &&
        (await mayOnlyAsk(context, context.resultOf(made)));
      if (isIn && !isPrivate && !isKeptOut)
        context.notTriggered('the party does not say that it is private, nor keep out who asks to join');
      context.expect(
        !isIn,
        isPrivate ? 'no place in a private party' : 'no place without an invitation, as joining gives none',
        `${statusOf(answer)}, and the leader's view lists the player`,
        answer,
      );
    },
  );

  const invited = made.step(
    'invite',
    [party.invite],
    clauses.called,
    'the leader invites a friend',
    async (context, partyId) => {
      await context.mustSucceed('leader', party.invite, {
        params: { partyId },
        carry: { 'other.id': context.id('friend') },
      });
    },
  );

  const waiting = prepare("the leader's view while an invitation is open", (context) => {
    context.resultOf(invited);
    return whileOpen(context, context.resultOf(made));
  });

  const accepted = invited.step(
    'invite-accept',
    [party.acceptInvite, party.invite],
    clauses.joined,
    "a friend accepts an invitation, and the leader's view lists the new member",
    async (context, partyId) => {
      const member = amongMembers(context, 'friend', 'leader', "the friend's id");
      await context.sampleBefore('leader', member);
      await context
        .mustSucceed('friend', party.acceptInvite, invitation(context, partyId, 'leader'))
        .catch((thrown) => expectInvited(context, partyId, thrown, context.resultOf(uninvited).answer));
      await context.sees('leader', member);
    },
  );

  accepted.step(
    'invited-answered',
    [party.details, party.acceptInvite],
    clauses.answered,
    "the leader's view no longer lists an invitation that was accepted",
    (context) => {
      const partyId = context.resultOf(made);
      const carry = { 'other.id': context.id('other') };
      return expectAnswered(context, context.resultOf(waiting), {
        open: () => context.mustSucceed('leader', party.invite, { params: { partyId }, carry }),
        withdraw: () =>
          context.mustSucceed('other', party.rejectInvite, invitation(context, partyId, 'leader')),
      });
    },
  );

  prepare('an invitation that led to a membership', async (context) => {
    context.resultOf(accepted);
    // Where joining needs no invitation, membership does not show that the invitation worked.
    if (context.resultOf(uninvited).isRefused) context.confirmBody(party.invite);
  });

  const invitedView = step(
    'invited-view',
    [party.details, party.acceptInvite],
    clauses.joined,
    "the invited member's own view shows that party",
    (context) => context.sees('friend', inParty(context.resultOf(accepted), "the party's id")),
  );

  invitedView.step(
    'invited-once',
    [party.details, party.acceptInvite],
    clauses.once,
    'the party lists the invited player once',
    async (context, view) => expectListedOnce(context, view),
  );

  accepted.step(
    'invited-sees-leader',
    [party.details, party.acceptInvite],
    clauses.joined,
    "the invited member's view names the leader",
    (context) => context.sees('friend', inParty(context.id('leader'), "the leader's id")),
  );

  const member = prepare('a member of the party', (context) => withFriend(context, accepted, made));

  const state = member.step(
    'member-state-seen',
    [party.setPlayerState, party.details],
    clauses.changed,
    "the leader's view shows the state that a member sets",
    (context) =>
      context.sets('friend', party.setPlayerState, {
        params: { playerId: context.id('friend') },
        value: context.unique('assayready'),
        shownIn: (value) => ({ ...inParty(value, 'the state that was set'), by: 'leader' }),
      }),
  );

  step(
    'member-state-alone',
    [party.setPlayerState, party.details],
    clauses.apart,
    "the state that a member sets is not shown as the leader's",
    async (context) => {
      const value = ownValue(party.setPlayerState, context.resultOf(state));
      const view = await context.mustSucceed('leader', party.details);
      const [leader, friend] = [context.id('leader'), context.id('friend')];
      const isMembers = heldBy(view, friend, leader, value) === true;
      const isLeaders = heldBy(view, leader, friend, value) === true;
      if (!isMembers && !isLeaders)
        context.cannotTell('needs-state', `${party.details.id} does not show whose state it is`);
      context.expect(
        isMembers && !isLeaders,
        "the state with the member's entry alone",
        isMembers ? "it is with the leader's too" : "it is with the leader's instead",
        view,
      );
    },
  );

  member.observe(
    'others-state',
    [party.setPlayerState],
    'how the server answers when a member sets the state of another',
    (context) =>
      context.observeLikeliest('friend', party.setPlayerState, {
        params: { playerId: context.id('leader') },
        carry: { value: context.unique('assayready') },
        anyFixed: true,
      }),
  );

  const declined = made.step(
    'invite-reject',
    [party.rejectInvite, party.invite],
    clauses.called,
    'an invited player rejects the invitation',
    async (context, partyId) => {
      await context.mustSucceed('leader', party.invite, {
        params: { partyId },
        carry: { 'other.id': context.id('other') },
      });
      await context.sampleBefore('leader', amongMembers(context, 'other', 'leader', 'the invited player'));
      await context.sampleBefore('other', inParty(partyId, 'the party'));
      await context.mustSucceed('other', party.rejectInvite, invitation(context, partyId, 'leader'));
    },
  );

  const declinedView = member.step(
    'declined-view',
    [party.details, party.rejectInvite],
    clauses.keptOut,
    "the leader's view does not list the player who rejected the invitation",
    async (context) => {
      context.resultOf(declined);
      await context.seesNot(
        'leader',
        amongMembers(context, 'other', 'leader', 'the player who declined the invitation'),
      );
    },
  );

  member.step(
    'declined-own-view',
    [party.details, party.rejectInvite],
    clauses.keptOut,
    'the view of the player who rejected the invitation does not show the party',
    (context) =>
      context.seesNot(
        'other',
        inParty(context.resultOf(declined), 'the party whose invitation was declined'),
      ),
  );

  const acceptedAfter = observe(
    'declined-accept',
    [party.acceptInvite, party.rejectInvite],
    'how the server answers when a player accepts an invitation after rejecting it',
    async (context) => {
      const accept = context.likeliestAsk(
        'other',
        party.acceptInvite,
        invitation(context, context.resultOf(declined), 'leader'),
      );
      await waitForCopies(context);
      const answer = await context.observeAnswer('other', party.acceptInvite, accept);
      return { answer, view: await viewOfJoined(context, answer) };
    },
  );

  step(
    'declined-over',
    [party.acceptInvite, party.rejectInvite],
    clauses.keptOut,
    'an invitation that its player rejected lets them in no more',
    async (context) => {
      // A player who is already in the party needs no invitation.
      context.resultOf(declinedView);
      const { answer, view } = context.resultOf(acceptedAfter);
      if (!context.resultOf(uninvited).isRefused)
        context.notTriggered('the server lets in players whom nobody invited');
      context.expect(
        view === undefined || !showsBesideLeader(context, 'other', view),
        'no place in the party, as for a player whom nobody invited',
        `${statusOf(answer)}, and the leader's view lists the player`,
        answer,
      );
    },
  );
}

type Inviting = StepContext<'leader' | 'friend' | 'other'>;

/** The leader's view after the other player was let in; that player then leaves. Undefined where they were refused. */
async function viewOfJoined(context: Inviting, answer: Exchange): Promise<Exchange | undefined> {
  if (!isSuccess(answer)) return undefined;
  const view = await context.send('leader', party.details);
  await context.send('other', party.leave, { params: { disband: 'false' } });
  return view;
}

/**
 * Whether a player who was never in the party and asks to join is answered 403, or with a success that does not make
 * them a member. Takes the request or the membership back.
 */
async function mayOnlyAsk(context: Inviting, partyId: string): Promise<boolean> {
  if ((await context.bringIn('newcomer')) !== undefined) return false;
  const own = context as StepContext;
  const playerId = own.id('leader');
  const answer = await own.send('newcomer', party.join, { params: { playerId } });
  if (!isSuccess(answer)) return statusOf(answer) === 403 && (await own.routed(party.join)).served === true;
  const { holds: isIn, last } = await pollAnswered(
    () => own.send('leader', party.details),
    (view) => showsBesideLeader(own, 'newcomer', view),
  );
  if (isIn) await own.send('newcomer', party.leave, { params: { disband: 'false' } });
  else await own.send('newcomer', party.cancelJoin, { params: { partyId, friendId: playerId } });
  return !isIn && isSuccess(last);
}

/** Whether a view lists a player in the same place as the leader: a player who asks to join is listed elsewhere. */
const showsBesideLeader = <Role extends string>(
  { id, mentions: mentioned }: Pick<StepContext<Role | 'leader'>, 'id' | 'mentions'>,
  role: NoInfer<Role>,
  view: Exchange,
): boolean => mentioned(view, id('leader')) && namedBeside(id(role), [id('leader')], [view]);

/**
 * Whether the view of a party describes its privacy by this word; fields in lists are about its members. A party that is
 * not private need not be open: it may have to be asked.
 */
const says = (view: Exchange, word: RegExp): boolean =>
  answerLeaves(view)
    .filter(({ pointer }) => !/\/\d+\//.test(pointer))
    .some(({ name, value }) =>
      /^is_?private$/i.test(name)
        ? value === true && word.test('private')
        : /^(?:party_?)?(?:privacy(?:_?(?:state|level|mode))?|visibility|access|join_?policy)$/i.test(name) &&
          word.test(String(value)),
    );

/**
 * Expects that an acknowledged invitation makes a difference: a player who accepts it is not refused in the words that
 * refuse a player whom nobody invited.
 * @param thrown why the invitation was not accepted; thrown again where the refusal shows no more
 */
async function expectInvited(
  context: Inviting,
  partyId: string,
  thrown: unknown,
  uninvited: Exchange,
): Promise<void> {
  if (!(thrown instanceof Stop) || thrown.reason !== 'needs-state') throw thrown;
  const accept = context.likeliestAsk('friend', party.acceptInvite, invitation(context, partyId, 'leader'));
  const { last } = await pollAnswered(() => context.send('friend', party.acceptInvite, accept), isSuccess);
  const isAlike =
    statusOf(last) === statusOf(uninvited) && refusalText(context, last) === refusalText(context, uninvited);
  if (!isSuccess(last) && !isAlike) throw thrown;
  context.expect(
    !isAlike,
    `${party.acceptInvite.id} lets the invited player in`,
    `${statusOf(last)}, as for a player whom nobody invited`,
    last,
  );
}

/** What a refusal says, without what names players, times or the request. */
function refusalText(context: Inviting, refusal: Exchange): string {
  const players = ['friend', 'other'] as const;
  const masked = (text: string) =>
    players.reduce((masks, role) => masks.replaceAll(context.id(role), '…'), text);
  return answerLeaves(refusal)
    .filter(({ name }) => !/id$|time|date|stamp|trace|instance/i.test(name))
    .map(({ pointer, value }) => `${pointer} ${masked(String(value))}`)
    .join('\n');
}
