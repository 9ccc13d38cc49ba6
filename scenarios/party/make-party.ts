// Steps that several party scenarios share: make a party, read it, and admit a player.
import { party } from '../../catalog/areas/party.ts';
import type { Operation } from '../../catalog/operation.ts';
import type { Step } from '../../engine/flow/flow.ts';
import { placesOf } from '../../engine/flow/places.ts';
import { valuesIn } from '../../engine/flow/snapshot.ts';
import type { BodyAsk, StepContext } from '../../engine/flow/step-context.ts';
import type { View } from '../../engine/flow/views.ts';
import { ignoreStop, ignoreUnlessViolation, requireAnswer } from '../../engine/flow/why-refused.ts';
import { type Exchange, isRefusal, isSuccess, statusOf, text } from '../../engine/http/exchange.ts';
import { Stop } from '../../engine/judgement.ts';
import { is2xx } from '../../engine/values/status.ts';
import { befriend } from '../friends/make-friends.ts';

const { autoJoinKey: _, ...queryWithoutKey } = party.get.query;
/** `party.get` without the key in its query. */
export const getWithoutKey = { ...party.get, query: queryWithoutKey };

/** Makes a party that is deleted again when the run is over, and lets others in, one after another. */
export async function makeParty<Role extends string>(
  context: StepContext<Role>,
  leader: NoInfer<Role>,
  ...joiners: readonly NoInfer<Role>[]
): Promise<string> {
  const { partyId } = await createParty(context, leader);
  for (const joiner of joiners) await letIn(context, partyId, [leader, joiner]);
  return partyId;
}

/** Makes a party that is deleted again when the run is over. */
export async function createParty<Role extends string>(
  context: StepContext<Role>,
  leader: NoInfer<Role>,
  choice = 0,
): Promise<Created> {
  const made = await created(context, leader, choice);
  await shown(context, leader, made.partyId);
  return made;
}

/**
 * Makes a party that lets nobody in before their request is accepted. Where the usual kind of party does, tries the
 * further kinds that the target names, and returns the first that does not, or the last.
 * @param asker tries to join, and takes the request back
 */
export async function makeAskingParty<Role extends string>(
  context: StepContext<Role | 'leader'>,
  asker: NoInfer<Role>,
): Promise<string> {
  let partyId = await makeParty(context, 'leader');
  const kinds = Math.max(0, ...context.forms(party.create).map(({ others = [] }) => others.length));
  for (let choice = 1; choice <= kinds; choice += 1) {
    await context.send(asker, party.join, { params: { playerId: context.id('leader') } });
    const view = await context.send('leader', party.details);
    if (!context.shows('leader', amongMembers(context, asker, 'leader', 'who asked'), view)) {
      await context.send(asker, party.cancelJoin, { params: { partyId, friendId: context.id('leader') } });
      return partyId;
    }
    await context.send(asker, party.leave, { params: { disband: 'false' } });
    await context.send('leader', party.delete, { params: { partyId } });
    partyId = (await createParty(context, 'leader', choice)).partyId;
  }
  return partyId;
}

const aboutFriends = /friend/i;

/** Asks the leader's party to let a player in. Where the refusal speaks of friends, makes the two friends first. */
export async function askToJoin<Role extends string>(
  context: StepContext<Role>,
  role: NoInfer<Role>,
  leader: NoInfer<Role>,
): Promise<Exchange> {
  const ask = { params: { playerId: context.id(leader) } };
  try {
    return await context.mustSucceed(role, party.join, ask);
  } catch (error) {
    ignoreUnlessViolation(error);
    const { judgement } = error as Stop;
    const refusal = judgement.kind === 'inconclusive' ? judgement.evidence : undefined;
    if (!refusal?.response || !isRefusal(refusal) || !aboutFriends.test(text(refusal.response))) throw error;
    await befriend(context, role, leader).catch(ignoreStop);
    return context.mustSucceed(role, party.join, ask);
  }
}

/** The same for attacks, which make many parties: waits only for the first one to show, unless replicas lag. */
export async function makeOneOfMany(context: StepContext, leader: string): Promise<string> {
  const { partyId } = await created(context, leader);
  await context.shared('a party is shown', () => shown(context, leader, partyId));
  if (context.lagMs() > 0) await shown(context, leader, partyId);
  return partyId;
}

interface Created {
  readonly partyId: string;
  readonly answer: Exchange;
}

/** @param choice index of the value, such as `public` or `private`, among those that a refusal listed */
async function created<Role extends string>(
  context: StepContext<Role>,
  leader: NoInfer<Role>,
  choice = 0,
): Promise<Created> {
  const answer = await context.mustSucceed(leader, party.create, { choice });
  const partyId = await idIn(context, leader, answer);
  context.addTeardown(leader, party.delete, { params: { partyId } }, party.leave);
  return { partyId, answer };
}

/** Waits until the leader's view shows the party, to learn where it stands; other steps judge whether it has to. */
const shown = <Role extends string>(
  context: StepContext<Role>,
  leader: NoInfer<Role>,
  partyId: string,
): Promise<unknown> => context.eventually(leader, inParty(partyId, 'the party')).catch(ignoreStop);

/** The id of a new party: from the answer that made it, or else from its leader's view. */
async function idIn<Role extends string>(
  context: StepContext<Role>,
  leader: NoInfer<Role>,
  created: Exchange,
): Promise<string> {
  try {
    return await context.identifier(created, party.create, 'partyId');
  } catch (error) {
    ignoreStop(error);
    const view = await context.send(leader, party.details);
    return context.identifier(view, party.details, 'partyId').catch((other) => {
      ignoreStop(other);
      throw error;
    });
  }
}

/** The party whose invitation is accepted or declined and, where the body has a place for it, the sender. */
export const invitation = <Role extends string>(
  { id }: Pick<StepContext<Role>, 'id'>,
  partyId: string,
  sender: NoInfer<Role>,
): BodyAsk => ({ params: { partyId }, offer: { 'other.id': id(sender) } });

/** The key of the party that a player is in, where their view shows one. */
export async function keySeenBy<Role extends string>(
  context: StepContext<Role>,
  role: NoInfer<Role>,
): Promise<string | undefined> {
  const view = await context.send(role, party.details);
  return (await context.identifier(view, party.details, 'autoJoinKey').catch(ignoreStop)) ?? undefined;
}

/**
 * Finds a body for `party.update` where one was refused: the leader tries bodies until the party shows what they wrote.
 * What a target answers to a body that it does not know tells nothing of who may write.
 * @returns a value that somebody else may write then: one of their own, or one that the refusal allows; undefined where
 * no body was found
 */
export async function findsUpdate<Role extends string>(
  context: StepContext<Role>,
  leader: NoInfer<Role>,
  partyId: string,
  refused: Exchange,
): Promise<string | undefined> {
  if (!isRefusal(refused) || isForbidden(refused)) return undefined;
  try {
    const shownIn = (value: string) => inParty(value, 'what the leader wrote');
    const value = context.unique('assayparty');
    const kept = await context.sets(leader, party.update, { params: { partyId }, value, shownIn });
    if (kept.isOwn) return context.unique('assayparty');
    const view = await context.send(leader, party.details);
    return kept.choices?.find((choice) => !context.mentions(view, choice));
  } catch (error) {
    ignoreStop(error);
    return undefined;
  }
}

/** A player asks to join a leader's party. @param key lets its holder in at once, where the target takes it */
export const asksToJoin = <Role extends string>(
  context: StepContext<Role>,
  role: NoInfer<Role>,
  leader: NoInfer<Role>,
  key?: string,
): Promise<Exchange> =>
  context.sendLikeliest(role, party.join, {
    params: { playerId: context.id(leader) },
    ...(key !== undefined && { carry: { autoJoinKey: key }, anyFixed: true }),
  });

/** Whether the answer is 403: the caller may not do that, whatever state the party is in. */
export const isForbidden = (answer: Exchange | undefined): boolean =>
  answer !== undefined && statusOf(answer) === 403;

/** The view of the reader's own party that has to show a value. */
export const inParty = (value: string, what: string): View => ({ operation: party.details, value, what });

/** The view of the reader's own party that has to list a member in the same place as a fellow member. */
export const amongMembers = <Role extends string>(
  { id }: Pick<StepContext<Role>, 'id'>,
  member: NoInfer<Role>,
  fellow: NoInfer<Role>,
  what: string,
): View => ({ ...inParty(id(member), what), fellow: id(fellow) });

/** Expects that the list of members names the friend once, as it names the leader. */
export function expectListedOnce(context: StepContext<'leader' | 'friend'>, view: Exchange): void {
  const leaders = placesOf(view, context.id('leader'));
  const isOneList = (path: string) => path.split('/').filter((part) => part === '#').length === 1;
  const lists = [...placesOf(view, context.id('friend'))].filter(
    ([path]) => isOneList(path) && leaders.get(path)?.times === 1,
  );
  if (lists.length === 0) context.notTriggered(`no list of ${party.details.id} names both members`);
  const twice = lists.find(([, { times }]) => times > 1);
  context.expect(!twice, 'one entry', `${twice?.[1].times} entries at ${twice?.[0]}`, view);
}

type LeaderAndJoiner<Role> = readonly [leader: NoInfer<Role>, joiner: NoInfer<Role>];

/** A player asks to join, and is admitted; where that is not possible, the leader invites them. */
export async function letIn<Role extends string>(
  context: StepContext<Role>,
  partyId: string,
  people: LeaderAndJoiner<Role>,
): Promise<void> {
  const [leader, joiner] = people;
  try {
    await context.mustSucceed(joiner, party.join, { params: { playerId: context.id(leader) } });
    return await admit(context, partyId, people);
  } catch (error) {
    if (!(error instanceof Stop) || error.judgement.kind !== 'inconclusive') throw error;
    await invite(context, partyId, people).catch((other) => {
      ignoreStop(other);
      throw error;
    });
  }
}

/** The party with the friend whom an earlier step let in; where that could not be judged, lets them in another way. */
export async function withFriend(
  context: StepContext<'leader' | 'friend'>,
  entered: Step<string>,
  made: Step<string>,
): Promise<string> {
  try {
    return context.resultOf(entered);
  } catch (why) {
    ignoreUnlessViolation(why);
    const partyId = context.resultOf(made);
    await letIn(context, partyId, ['leader', 'friend']).catch((error) => {
      ignoreStop(error);
      throw why;
    });
    return partyId;
  }
}

async function invite<Role extends string>(
  context: StepContext<Role>,
  partyId: string,
  [leader, joiner]: LeaderAndJoiner<Role>,
): Promise<void> {
  const member = amongMembers(context, joiner, leader, `the ${joiner}`);
  await context.sampleBefore(leader, member);
  const carry = { 'other.id': context.id(joiner) };
  await context.mustSucceed(leader, party.invite, { params: { partyId }, carry });
  await context.mustSucceed(joiner, party.acceptInvite, { params: { partyId } });
  await context.sees(leader, member);
}

/** Admits a player who has asked to join; a target may have admitted them at once. */
export async function admit<Role extends string>(
  context: StepContext<Role>,
  partyId: string,
  [leader, joiner]: LeaderAndJoiner<Role>,
): Promise<void> {
  const member = amongMembers(context, joiner, leader, `the ${joiner}`);
  await context.sampleBefore(leader, member);
  const accepted = await context.send(leader, party.acceptJoin, {
    params: { partyId, playerId: context.id(joiner) },
  });
  const status = statusOf(accepted);
  if (is2xx(status)) await context.sees(leader, member);
  else if (await context.eventually(leader, member))
    context.note(`joined at once: accepting is answered ${status}`);
  else await context.expectAccepted(party.acceptJoin, accepted);
}

type Shown = 'as much' | 'less' | 'more' | 'something else';

/** The places of an answer that hold a value. */
export const filledPlaces = (answer: Exchange): ReadonlySet<string> => new Set(valuesIn(answer).keys());

/** Compares what two answers show, by the places that hold a value: the values themselves may change. */
export function shownBeside(exchange: Exchange, other: Exchange): Shown {
  const [places, others] = [filledPlaces(exchange), filledPlaces(other)];
  if (places.isSubsetOf(others)) return places.size === others.size ? 'as much' : 'less';
  return places.isSupersetOf(others) ? 'more' : 'something else';
}

/** Records what a party shows with includeState false and without it, compared with true; returns the latter answer. */
export async function stateIncluded(
  context: StepContext<'leader'>,
  operation: typeof party.get | typeof party.details,
  params: Readonly<Record<string, string>> = {},
): Promise<Exchange> {
  const { includeState: __, ...query } = operation.query;
  const reads = async (each: Operation, more: Readonly<Record<string, string>> = {}) =>
    requireAnswer(await context.send('leader', each, { params: { ...params, ...more } }));
  const with_ = await context.mustSucceed('leader', operation, { params });
  const without = await reads(operation, { includeState: 'false' });
  const silent = await reads({ ...operation, query });
  const describe = (exchange: Exchange) =>
    isSuccess(exchange) ? `shows ${shownBeside(exchange, with_)}` : `is answered ${statusOf(exchange)}`;
  context.observe(`false ${describe(without)}, left out ${describe(silent)}`, without);
  return with_;
}
