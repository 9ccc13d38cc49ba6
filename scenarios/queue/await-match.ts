// Steps that scenarios of the queue share: enter it, wait for a match, and leave again.
import { areas } from '../../catalog/catalog.ts';
import { isLong, namedBeside } from '../../engine/flow/places.ts';
import { poll } from '../../engine/flow/polling.ts';
import type { BodyAsk, StepContext } from '../../engine/flow/step-context.ts';
import { ignoreStop, requireAnswer } from '../../engine/flow/why-refused.ts';
import { answerLeaves, type Exchange, isSuccess, statusOf } from '../../engine/http/exchange.ts';
import { otherSide } from '../../engine/players/mended-bodies.ts';
import { mostIn, saysWaiting, statedWaitMs } from './reply.ts';

const { match, queue } = areas;

/**
 * Enters the queue. A target that accepts any queue name gets one in which no other player waits. Where the answer
 * still names a match that the player quit, enters a second time.
 */
export async function enter<Role extends string>(
  context: StepContext<Role>,
  role: NoInfer<Role>,
  name: string,
): Promise<Exchange> {
  const mayRefuse = 'entering the queue once more';
  const entry = await entryOf(context, role, name);
  const asked = () => context.mustSucceed(role, queue.enter, { ...entry, mayRefuse });
  const answer = await asked();
  context.addTeardown(role, queue.cancel);
  const told = await matchIn(context, answer);
  return told !== undefined && (await queueFactsOf(context)).quit.has(told) ? asked() : answer;
}

/** What a role sends to enter. Where a match takes two kinds of players, half of the roles enter as the second kind. */
async function entryOf<Role extends string>(
  context: StepContext<Role>,
  role: NoInfer<Role>,
  name: string,
): Promise<Pick<BodyAsk, 'offer' | 'choice' | 'body'>> {
  const { needsTwoKinds: areOfKinds, bodiesByKind: sides } = await queueFactsOf(context);
  if (sides) return { body: JSON.stringify(sides[rolesOfSecondKind.has(role) ? 1 : 0]) };
  return { offer: { value: name }, ...(areOfKinds && rolesOfSecondKind.has(role) && { choice: 1 }) };
}

/** Leaves the queue, or quits the match that was found. */
export async function leave<Role extends string>(
  context: StepContext<Role>,
  role: NoInfer<Role>,
  matchId: string | undefined,
): Promise<void> {
  if (matchId === undefined) await context.send(role, queue.cancel);
  else {
    await context.send(role, match.quit, { params: { matchId } });
    (await queueFactsOf(context)).quit.add(matchId);
  }
}

/** The last answer to a player who entered. */
export interface QueueReply {
  readonly answer: Exchange;
  /** The id of the match to play, where the answer names one. */
  readonly matchId: string | undefined;
  /** Whether the answer names the other player. */
  readonly names: boolean;
  /** The answer of `match.get`, read only for players who then left the match. */
  readonly details?: Exchange;
}

/** The roles that entered, and the last answer to each of them, in the same order. */
export interface Entrants {
  readonly people: readonly [string, ...string[]];
  readonly replies: readonly [QueueReply, ...QueueReply[]];
}

export interface Meeting extends Entrants {
  /** Whether the answers to the two name one match, or one names the other player. */
  readonly isMet: boolean;
  /** Why they did not meet, in words. */
  readonly why: string;
  /** The two players who are to meet come first. */
  readonly people: readonly [string, string, ...string[]];
  readonly replies: readonly [QueueReply, QueueReply, ...QueueReply[]];
}

type Two<Role extends string> = readonly [NoInfer<Role>, NoInfer<Role>];

/** What the queue, or the match that it named, answered to the player of this id. */
export interface Answered {
  readonly id: string;
  readonly answer: Exchange;
}

export const answeredTo = <Role extends string>(
  { id }: Pick<StepContext<Role>, 'id'>,
  { people, replies }: Entrants,
): readonly Answered[] =>
  replies.flatMap(({ answer, details }, nth) =>
    [answer, ...(details ? [details] : [])].map((each) => ({ id: id(people[nth] as Role), answer: each })),
  );

/** What a run has found out about the queue. */
interface QueueFacts {
  /** How many players a match takes. */
  size?: number;
  /** How many players had entered when a match was made. May exceed `size`: players of one kind may be left over. */
  entered?: number;
  /** Why `size` stays unknown, although further players have entered. */
  whySizeUnknown?: string;
  /** Players of one kind are not matched with one another; those of two kinds are, such as `killer` and `survivor`. */
  needsTwoKinds?: true;
  /** The bodies to enter with as either kind, where an answer names a kind that the accepted entry did not state. */
  bodiesByKind?: readonly [object, object];
  /** The answers to players who entered as one kind and did not meet. */
  answersOfUnmatched?: readonly Answered[];
  /** Matches that players of this run quit. */
  readonly quit: Set<string>;
}

export const queueFactsOf = ({ shared }: Pick<StepContext, 'shared'>): Promise<QueueFacts> =>
  shared('how many players a match takes', async (): Promise<QueueFacts> => ({ quit: new Set() }));

/** Whether it is still to be found out how many players a match takes. */
export const isSizeUntried = ({ size, whySizeUnknown }: QueueFacts): boolean =>
  size === undefined && whySizeUnknown === undefined;

/** Roles of the players who fill a match. */
const further = Array.from({ length: 10 }, (_, at) => `player ${at + 3}`);
/** The roles, of all scenarios, that enter as the second kind of player: half of them. */
const rolesOfSecondKind = new Set([
  'second',
  'other',
  'member',
  'last',
  ...further.filter((_, at) => at % 2 === 1),
]);
/** Most players who enter, unless an answer of the queue names a larger number. */
const mostPlayers = 8;
/** For how long a match is awaited after one more player has entered, in ms. */
export const matchedSoonMs = 300;
/**
 * How long further players keep entering, and how long a meeting that `waitsLonger` waits for a match, in ms. Otherwise the wait is what
 * the queue states (reply.ts), or that of any view (`pollTimeoutMs` in engine/flow/polling.ts).
 */
const longestMs = 12_000;
/** How long the further players poll once the answers to the first two name a match, in ms. */
const othersNamedWithinMs = 2_500;

interface MeetOptions {
  /** Both read the match, and leave it or the queue. */
  readonly thenLeave?: boolean;
  /** A match is waited for longer. */
  readonly waitsLonger?: boolean;
  /** How many players enter, in place of the number that an earlier match had. */
  readonly players?: number;
}

/**
 * Two players enter and poll for a bounded time until both replies name a match. Where a match takes more players,
 * further ones enter too: as many as an earlier match needed, or else one by one. Without a match all leave again.
 */
export async function meet<Role extends string>(
  context: StepContext<Role>,
  two: Two<Role>,
  name: string,
  options: MeetOptions = {},
): Promise<Meeting> {
  const facts = await queueFactsOf(context);
  const isUnknown = isSizeUntried(facts);
  const alike = await meetAlike(context, two, name, options);
  const forms = context.forms(queue.enter);
  const mayBeOfKinds = forms.some(({ others = [] }) => others.length > 0);
  const isGuess = forms.every(({ from }) => from === 'guess');
  const sides = isGuess && !mayBeOfKinds ? sidesIn(alike.replies[0].answer) : undefined;
  if (alike.isMet || !isUnknown || !(mayBeOfKinds || sides)) return alike;
  const { whySizeUnknown } = facts;
  facts.answersOfUnmatched = answeredTo(context, alike);
  facts.needsTwoKinds = true;
  if (sides) facts.bodiesByKind = sides;
  delete facts.whySizeUnknown;
  const ofKinds = await meetAlike(context, two, context.unique('assayqueue'), options);
  if (ofKinds.isMet || ofKinds.replies.some(isMatched)) return ofKinds;
  delete facts.needsTwoKinds;
  delete facts.bodiesByKind;
  if (whySizeUnknown !== undefined) facts.whySizeUnknown = whySizeUnknown;
  return alike;
}

/** The bodies with which players enter on the side that an answer names, and on the other one. */
function sidesIn(answer: Exchange): readonly [object, object] | undefined {
  for (const { name, value } of answerLeaves(answer)) {
    const other = typeof value === 'string' ? otherSide(name, value) : undefined;
    if (other !== undefined) return [{ [name]: value }, { [name]: other }];
  }
  return undefined;
}

async function meetAlike<Role extends string>(
  context: StepContext<Role>,
  two: Two<Role>,
  name: string,
  { thenLeave = false, waitsLonger = false, players }: MeetOptions,
): Promise<Meeting> {
  const facts = await queueFactsOf(context);
  const isUnknown = isSizeUntried(facts);
  const group = createGroup(context, two, name, { facts, isPatient: waitsLonger });
  const { people } = group;
  for (const role of two) await group.add(role);
  const enough = (facts.needsTwoKinds && facts.entered) || players || facts.size || 2;
  let why = await fillUp(context, people, enough - 2, group.add);
  let ofTwo = await group.pollFirstTwo();
  if (isUnknown && !ofTwo.some(isMatched)) {
    why = await fillUntilMatched(context, group);
    if (people.length > 2) ofTwo = await group.pollFirstTwo();
  }
  // The size of a match is the number of players whose answers name it; some answers do so later than the first two's.
  const namedWithinMs = isUnknown && ofTwo.some(isMatched) ? othersNamedWithinMs : 0;
  const others = await group.pollAs(people.slice(2), namedWithinMs);
  const last = [...ofTwo, ...others];
  const [first, second] = ofTwo;
  const isOne = first.matchId !== undefined && first.matchId === second.matchId;
  const isMet = isOne || first.names || second.names || (await isOneNamed(context, two, ofTwo));
  if (isUnknown && isMet) {
    facts.size = 2 + others.filter(({ matchId }) => !isOne || matchId === first.matchId).length;
    facts.entered = people.length;
  }
  const inWords = last.some(isMatched)
    ? 'the queue matched players without one another'
    : `the queue did not match the ${people.length} players who entered it`;
  const because = `${inWords}${why === undefined ? '' : `, and no other one does: ${why}`}`;
  // Where a further player could not be had (`why`), a later meeting may have enough players.
  if (isUnknown && !isMet && why === undefined) facts.whySizeUnknown = because;
  const replies: QueueReply[] = [];
  for (const [nth, reply] of last.entries()) {
    const role = people[nth] as Role;
    const { matchId } = reply;
    if (isMet && matchId !== undefined) context.addTeardown(role, match.quit, { params: { matchId } });
    const plays = isMet && !thenLeave && isMatched(reply);
    replies.push(plays ? reply : await readAndLeave(context, role, reply));
  }
  return {
    isMet,
    why: facts.whySizeUnknown ?? because,
    people,
    replies: replies as [QueueReply, QueueReply],
  };
}

/** Players who enter one queue and poll until it gives them a match. The two who are to meet come first. */
interface Group<Role> {
  readonly people: [Role, Role, ...Role[]];
  readonly add: (role: Role) => Promise<void>;
  /** Polls as each of these players, apart from those who already have a match. */
  readonly pollAs: (roles: readonly Role[], withinMs?: number) => Promise<QueueReply[]>;
  readonly pollFirstTwo: () => Promise<readonly [QueueReply, QueueReply]>;
  /** The answer to each player's entry. */
  readonly entered: ReadonlyMap<Role, Exchange>;
}

/** @param isPatient whether a match is awaited for longer */
function createGroup<Role extends string>(
  context: StepContext<Role>,
  [first, second]: Two<Role>,
  name: string,
  { facts, isPatient }: { readonly facts: QueueFacts; readonly isPatient: boolean },
): Group<Role> {
  const people: [Role, Role, ...Role[]] = [first, second];
  const entered = new Map<Role, Exchange>();
  // A target may name a match only once, and take a further entry for a new one: a player with a match polls no more.
  const matched = new Map<Role, QueueReply>();
  const askOne = async (role: Role, withinMs?: number): Promise<QueueReply> => {
    const known = matched.get(role);
    if (known) return known;
    const answer = entered.get(role) as Exchange;
    const statedMs = facts.whySizeUnknown === undefined ? statedWaitMs(answer) : undefined;
    const last = await lastReply(context, [role, role === first ? second : first], name, {
      entered: answer,
      withinMs: isPatient ? longestMs : (withinMs ?? statedMs),
    });
    if (isMatched(last)) matched.set(role, last);
    return last;
  };
  const pollAs: Group<Role>['pollAs'] = (roles, withinMs) =>
    Promise.all(roles.map((role) => askOne(role, withinMs)));
  return {
    people,
    add: async (role) => void entered.set(role, await enter(context, role, name)),
    pollAs,
    async pollFirstTwo() {
      // A target may drop players who stop polling, so a patient group polls as all of them.
      const asking = isPatient ? [...people] : [first, second];
      const replies = (await pollAs(asking)) as [QueueReply, QueueReply];
      // One player may get the match just when the other has stopped polling.
      const areAlike = isMatched(replies[0]) === isMatched(replies[1]);
      const [one, other] = areAlike ? replies : ((await pollAs(asking)) as [QueueReply, QueueReply]);
      return [one, other];
    },
    entered,
  };
}

/** Adds players one by one until a match is found or a limit is reached. Returns why one could not be had, if so. */
async function fillUntilMatched<Role extends string>(
  context: StepContext<Role>,
  { people, add, pollAs, entered }: Group<Role>,
): Promise<string | undefined> {
  const until = performance.now() + longestMs;
  const most = Math.max(mostPlayers, ...[...entered.values()].map(mostIn));
  while (people.length < most && performance.now() < until) {
    const why = await fillUp(context, people, 1, add);
    if (why !== undefined) return why;
    if ((await pollAs([people[0], people.at(-1) as Role], matchedSoonMs)).some(isMatched)) return undefined;
  }
  return undefined;
}

/** Reads the match, then leaves it or the queue: a player who has left a match may no longer read it. */
async function readAndLeave<Role extends string>(
  context: StepContext<Role>,
  role: NoInfer<Role>,
  reply: QueueReply,
): Promise<QueueReply> {
  const { matchId } = reply;
  const details = matchId && (await context.send(role, match.get, { params: { matchId } }));
  await leave(context, role, matchId);
  return { ...reply, ...(details && { details }) };
}

/** Whether an answer to the first of two players names the other one. */
function namesFellow<Role extends string>(
  context: StepContext<Role>,
  [role, fellow]: Two<Role>,
  answer: Exchange,
): boolean {
  const id = context.id(fellow);
  return context.mentions(answer, id) && (isLong(id) || namedBeside(id, [context.id(role)], [answer]));
}

/** Whether the match of one of two players names the other, whose own answer names another match or none. */
async function isOneNamed<Role extends string>(
  context: StepContext<Role>,
  [first, second]: readonly [NoInfer<Role>, NoInfer<Role>, ...NoInfer<Role>[]],
  replies: readonly [QueueReply, QueueReply],
): Promise<boolean> {
  const { quit } = await queueFactsOf(context);
  const [one, other] = replies.map(({ matchId }) => matchId);
  // A player whose answer names no match and does not say that they wait may learn of it by another call.
  if (replies.some(({ matchId, answer }) => matchId === undefined && !saysWaiting(answer))) return false;
  const isNamed = async (role: Role, fellow: Role, matchId: string | undefined) => {
    if (matchId === undefined) return false;
    const details = await context.send(role, match.get, { params: { matchId } });
    return isSuccess(details) && namesFellow(context, [role, fellow], details);
  };
  // A match that was quit still names the players of an earlier meeting.
  if ([one, other].some((matchId) => matchId !== undefined && quit.has(matchId))) return false;
  return (await isNamed(first, second, one)) || isNamed(second, first, other);
}

/** Makes up to `count` further players enter. Returns why one could not be had, if so. */
export async function fillUp<Role extends string>(
  context: StepContext<Role>,
  people: string[],
  count: number,
  add: (role: Role) => Promise<void>,
): Promise<string | undefined> {
  const roles = further.filter((role) => !people.includes(role)).slice(0, Math.max(count, 0));
  for (const role of roles) {
    const why = await context.bringIn(role);
    if (why !== undefined) return why;
    await add(role as Role);
    people.push(role);
  }
  return undefined;
}

/**
 * Expects that the match of these entrants names no other player of this run. Where nobody else waits in the queue,
 * such a player has left it before.
 */
export async function expectNobodyWhoLeft<Role extends string>(
  context: StepContext<Role>,
  { people, replies }: Entrants,
): Promise<void> {
  const answers: Exchange[] = [];
  for (const [nth, { answer, matchId, details }] of replies.entries()) {
    answers.push(answer);
    if (details) answers.push(details);
    // Reads the match as the first two players only: a further player would read the same.
    else if (matchId !== undefined && nth < 2)
      answers.push(await context.send(people[nth] as Role, match.get, { params: { matchId } }));
  }
  const fellows = people.map((role) => context.id(role as Role));
  const others = answers.flatMap(context.playersIn).filter((id) => !fellows.includes(id));
  const gone = others.find((id) => namedBeside(id, fellows, answers));
  if (gone === undefined) return;
  const [first] = people as readonly [Role, ...Role[]];
  await enter(context, first, context.unique('assayqueue'));
  const status = statusOf(await context.send(first, queue.cancel));
  if (cannotLeave.has(status)) context.cannotTell('needs-state', `leaving the queue is answered ${status}`);
  const naming = answers.findLast((answer) => context.mentions(answer, gone));
  context.expect(false, 'a match without a player who left', 'one with them', naming);
}

/** Statuses that refuse the cancel call as such: that target took nobody out of the queue. */
const cannotLeave: ReadonlySet<number> = new Set([400, 405, 415, 422, 501]);

export const isMatched = ({ matchId, names }: QueueReply) => matchId !== undefined || names;

interface ReentryOptions {
  /** The answer to entering; it may be the only one that names the match. */
  readonly entered: Exchange;
  readonly withinMs?: number | undefined;
}

/** Polls by entering again: a target that takes that call reports the player's place or match. */
export async function lastReply<Role extends string>(
  context: StepContext<Role>,
  [role, other]: Two<Role>,
  name: string,
  { entered, withinMs }: ReentryOptions,
): Promise<QueueReply> {
  const entry = await entryOf(context, role, name);
  const again = entry.body === undefined ? context.likeliestAsk(role, queue.enter, entry) : entry;
  const names = (answer: Exchange) => namesFellow(context, [role, other], answer);
  let matchId = await matchIn(context, entered);
  if (matchId !== undefined) return { answer: entered, matchId, names: names(entered) };
  const { last } = await poll(
    async () => {
      const answer = await context.send(role, queue.enter, again);
      matchId = await matchIn(context, answer);
      return answer;
    },
    (answer) => matchId !== undefined || names(answer),
    withinMs,
  );
  requireAnswer(last);
  return { answer: last, matchId, names: names(last) };
}

/** The match id that an answer names as such. A plain `id` may be that of a queue ticket. */
export const matchIn = <Role extends string>(
  context: StepContext<Role>,
  answer: Exchange,
): Promise<string | undefined> =>
  context
    .identifier(answer, queue.enter, 'matchId', async () => false)
    .catch((error) => void ignoreStop(error));
