// The flow `party`: creating, inviting, joining, removing, leaving, disbanding, and its limits.
// Here: creating, reading, updating and deleting. `party/` holds the other steps: `joining-and-leaving.ts` (requests to
// join), `inviting.ts`, `two-requests.ts` (one of two requests to join is accepted, or rejected), `removing.ts`,
// `disbanding.ts`, `limits.ts` and `staying-out.ts` (who may not come back). The other files there help them.
import { party } from '../catalog/areas/party.ts';
import { ofOthers } from '../catalog/clauses/clause.ts';
import { clauseById } from '../catalog/clauses/clauses.ts';
import { effects } from '../catalog/clauses/flows.ts';
import { type Flow, flowSuite } from '../engine/flow/flow.ts';
import { pollAnswered } from '../engine/flow/polling.ts';
import { placesThatDiffer } from '../engine/flow/snapshot.ts';
import { ignoreStop, requireAnswer } from '../engine/flow/why-refused.ts';
import { type Exchange, isSuccess, statusOf } from '../engine/http/exchange.ts';
import { disbanding, leavingWithDisband } from './party/disbanding.ts';
import { inviting } from './party/inviting.ts';
import { changingParties, joining } from './party/joining-and-leaving.ts';
import { limits } from './party/limits.ts';
import { expectLocation } from './party/location.ts';
import { createParty, filledPlaces, getWithoutKey, inParty, stateIncluded } from './party/make-party.ts';
import { removing, removingWithDisband } from './party/removing.ts';
import { expectStaleRefused } from './party/stale-update.ts';
import { banned, blocked, usedInvitation } from './party/staying-out.ts';
import { accepting, rejecting } from './party/two-requests.ts';

const clauses = effects.party;

/** A party from its creation to its end, and what an outsider sees of it. */
function leading(flow: Flow): void {
  const { step, observe } = flow.scenario('leader', 'outsider');

  const created = step('create', [party.create], clauses.called, 'a player creates a party', (context) =>
    createParty(context, 'leader'),
  );

  const seen = created.step(
    'details',
    [party.details, party.create],
    clauses.made,
    "the leader's view shows the party that was created",
    async (context, { partyId }) => {
      await context.sees('leader', inParty(partyId, "the party's id"));
      return partyId;
    },
  );

  const read = created.step(
    'read',
    [party.get, party.create],
    clauses.made,
    'the leader reads the party by its id',
    async (context, { partyId }) => {
      const view = { operation: party.get, params: { partyId }, value: partyId, what: "the party's id" };
      const answer = await context.sees('leader', view);
      return { partyId, answer };
    },
  );

  read.step(
    'create-location',
    [party.create],
    clauseById('rfc9110.location'),
    'the Location of the answer to a new party leads to that party',
    (context, { partyId, answer }) => {
      context.watchesCallsOf('party');
      return expectLocation(context, context.resultOf(created).answer, { partyId, read: answer });
    },
  );

  seen.step(
    'leader-in-view',
    [party.details, party.create],
    clauses.made,
    'the view of the party names its leader',
    (context) => context.sees('leader', inParty(context.id('leader'), "the leader's id")),
  );

  step(
    'stranger-view',
    [party.details],
    ofOthers(clauses.keptOut, 'mixed up'),
    "an outsider's own view does not show the leader's party",
    (context) =>
      context.seesNot('outsider', {
        ...inParty(context.resultOf(seen), "the leader's party"),
        outsider: true,
      }),
  );

  read.observe(
    'stranger-read',
    [party.get],
    'what an outsider sees of a party, without and with its key',
    async (context, { partyId, answer }) => {
      const reads = async (operation: typeof getWithoutKey, key?: string) => {
        const params = { partyId, ...(key !== undefined && { autoJoinKey: key }) };
        return requireAnswer(await context.send('outsider', operation, { params }));
      };
      const without = await reads(getWithoutKey);
      const wrong = await reads(party.get, context.unique('nokey'));
      const key = await context.identifier(answer, party.get, 'autoJoinKey').catch(ignoreStop);
      const right = key === undefined ? undefined : await reads(party.get, key);
      const showsAll = right && showsAsMuch(without, right, answer);
      if (showsAll !== undefined || !isSuccess(without))
        context.noteOutsider(party.get, showsAll === true, without);
      const describeReply = (exchange: Exchange) =>
        `${statusOf(exchange)}${right ? share(exchange, right, answer) : ''}`;
      context.observe(
        `without the key ${describeReply(without)}, with a wrong one ${describeReply(wrong)}, ${right ? `with it ${statusOf(right)}` : 'and no key was told'}`,
        right ?? without,
      );
    },
  );

  const word = 'assayparty';
  const updated = created.step(
    'update',
    [party.update, party.get],
    clauses.changed,
    'the party shows what the leader writes to it',
    (context, { partyId }) =>
      context.sets('leader', party.update, {
        params: { partyId },
        value: context.unique(word),
        shownIn: (value) => inParty(value, 'what was written'),
      }),
  );

  updated.step(
    'update-stale',
    [party.update, party.get],
    clauseById('rfc9110.if-match'),
    'a write on the condition of another ETag than that of the party is refused',
    (context, kept) => expectStaleRefused(context, context.resultOf(created).partyId, kept),
  );

  const stateSet = created.step(
    'player-state',
    [party.setPlayerState, party.details],
    clauses.changed,
    'the party shows the state that a member sets',
    (context) =>
      context.sets('leader', party.setPlayerState, {
        params: { playerId: context.id('leader') },
        value: context.unique(word),
        shownIn: (value) => inParty(value, 'the state that was set'),
      }),
  );

  stateSet.step(
    'state-left-out',
    [[party.details, party.get], party.setPlayerState],
    clauses.unasked,
    'a party that is read with includeState=false does not show the state of a member',
    async (context, { value }) => {
      let looked = 0;
      for (const [operation, params] of [
        [party.details, {}],
        [party.get, { partyId: context.resultOf(read).partyId }],
      ] as const) {
        const asked = (includeState: string) =>
          context.send('leader', operation, { params: { ...params, includeState } });
        // A target that shows the state for a meaningless value ignores includeState, which is its own choice.
        const unread = await asked('assay');
        if (isSuccess(unread) && context.mentions(unread, value)) continue;
        const included = await asked('true');
        const left = await asked('false');
        if (!isSuccess(left) || !context.mentions(included, value)) continue;
        looked += 1;
        context.expect(
          !context.mentions(left, value),
          `${operation.id} without the state "${value}"`,
          'it shows it, as with includeState=true',
          left,
        );
      }
      if (looked === 0) context.notTriggered('no read looks at includeState and shows the state with true');
    },
  );

  const ownView = created.observe(
    'include-state',
    [party.details],
    'what includeState changes in the view of the party one is in',
    (context) => stateIncluded(context, party.details),
  );

  const byId = observe(
    'include-state-by-id',
    [party.get],
    'what includeState changes where the leader reads the party by its id',
    (context) => stateIncluded(context, party.get, { partyId: context.resultOf(read).partyId }),
  );

  stateSet.step(
    'state-by-id',
    [party.get, party.setPlayerState],
    clauses.changed,
    'a party that is read by its id shows the state of a member, as the view of their own party does',
    async (context, { value }) => {
      if (!context.mentions(context.resultOf(ownView), value))
        context.notTriggered(`${party.details.id} shows another state by now`);
      const asked = `the state with includeState=true, "${value}", as in ${party.details.id}`;
      // One of two machines may lag behind the one that answered before.
      const params = { partyId: context.resultOf(read).partyId };
      const first = context.resultOf(byId);
      const { holds, last } = context.mentions(first, value)
        ? { holds: true, last: first }
        : await pollAnswered(
            () => context.send('leader', party.get, { params }),
            (answer) => context.mentions(answer, value),
          );
      context.expect(holds, asked, 'nothing of it', last);
    },
  );

  const ended = created.step(
    'delete',
    [party.delete],
    clauses.called,
    'the leader deletes the party',
    async (context, { partyId }) => {
      const before = await context.send('leader', party.get, { params: { partyId } });
      await context.mustSucceed('leader', party.delete, { params: { partyId } });
      return { partyId, before };
    },
  );

  step(
    'deleted-details',
    [party.details, party.delete],
    clauses.ended,
    "the leader's view no longer shows the party that was deleted",
    (context) =>
      context.seesNot('leader', inParty(context.resultOf(ended).partyId, 'the party that was deleted')),
  );

  observe(
    'deleted-read',
    [party.get, party.delete],
    'how the server answers when the leader reads a deleted party',
    (context) =>
      context.observeAnswer('leader', party.get, { params: { partyId: context.resultOf(ended).partyId } }),
  );

  ended.step(
    'deleted-kept',
    [party.get, party.delete],
    clauses.gone,
    'reading a deleted party by its id does not give the same answer as before',
    async (context, { partyId, before }) => {
      if (!isSuccess(before)) context.cannotTell('needs-state', 'the party could not be read before');
      const { last, holds } = await pollAnswered(
        () => context.send('leader', party.get, { params: { partyId } }),
        (read) => !isSuccess(read) || placesThatDiffer(read, before).size > 0,
      );
      context.expect(holds, 'a refusal, or another answer than before', 'the same as before', last);
    },
  );

  ended.observe(
    'deleted-join',
    [party.join, party.delete],
    'how the server answers when a player asks to join a deleted party',
    (context) =>
      context.observeAnswer('outsider', party.join, { params: { playerId: context.id('leader') } }),
  );
}

/**
 * Says in words whether an answer shows as much as the view with the key; empty where that cannot be compared.
 * @param leader the leader's view: only places that it has in common with the view with the key count
 */
function share(exchange: Exchange, withKey: Exchange, leader: Exchange): string {
  const showsAll = showsAsMuch(exchange, withKey, leader);
  return showsAll === undefined ? '' : showsAll ? ' (shows as much)' : ' (shows less)';
}

/** Whether an answer shows all that both other views do; undefined where it was refused or they share nothing. */
function showsAsMuch(exchange: Exchange, withKey: Exchange, leader: Exchange): boolean | undefined {
  const shown = filledPlaces(withKey).intersection(filledPlaces(leader));
  if (shown.size === 0 || !isSuccess(exchange) || !isSuccess(withKey)) return undefined;
  return shown.isSubsetOf(filledPlaces(exchange));
}

export default flowSuite('party', [
  leading,
  inviting,
  joining,
  accepting,
  rejecting,
  removing,
  disbanding,
  leavingWithDisband,
  limits,
  removingWithDisband,
  usedInvitation,
  banned,
  blocked,
  changingParties,
]);
