// Steps that scenarios of the queue share: enter it, wait for a match, and leave again.
import { areas } from '../../catalog/catalog.ts';
import { isLong, namedBeside } from '../../engine/flow/places.ts';
import { poll } from '../../engine/flow/polling.ts';
import { ignoreStop, requireAnswer } from '../../engine/flow/refusal.ts';
import type { BodyAsk, StepContext } from '../../engine/flow/step-context.ts';
import { answerLeaves, type Exchange, isSuccess, statusOf } from '../../engine/http/exchange.ts';
import { otherSide } from '../../engine/players/mended-bodies.ts';
import { mostIn, saysWaiting, statedWaitMs } from './reply.ts';

const { match, queue } = areas;

/**
 * Enters the queue; a target that accepts any queue name gets one that no other player waits in. A player who is told once
 * more of a match that they quit enters anew.
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

/** How a player enters: where a match takes players of several kinds, half of them as another one. */
async function entryOf<Role extends string>(
  context: StepContext<Role>,
  role: NoInfer<Role>,
  name: string,
): Promise<Pick<BodyAsk, 'offer' | 'choice' | 'body'>> {
  const { areOfKinds, sides } = await queueFactsOf(context);
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
  /** The match to play, where it names one. */
  readonly matchId: string | undefined;
  /** It names the other player. */
  readonly names: boolean;
  /** The match as its player reads it, where the two did not meet, or briefly. */
  readonly details?: Exchange;
}

/** Who entered, and what each of them was answered last. */
export interface Entrants {
  readonly people: readonly [string, ...string[]];
  readonly replies: readonly [QueueReply, ...QueueReply[]];
}

export interface Meeting extends Entrants {
  /** Whether the answers to the two name one match, or one names the other player. */
  readonly isMet: boolean;
  /** Why they did not meet, in words. */
  readonly why: string;
  /** The two come first. */
  readonly people: readonly [string, string, ...string[]];
  readonly replies: readonly [QueueReply, QueueReply, ...QueueReply[]];
}

type Two<Role extends string> = readonly [NoInfer<Role>, NoInfer<Role>];

/** What the queue answered to the player of this id, and the match that it named. */
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
  /** How many had entered when it was made: where a match takes several of one kind, those of the other kind are left over. */
  entered?: number;
  /** Why that is not known, although more players than two have entered. */
  whySizeUnknown?: string;
  /** Players of one kind were not matched, and are where they enter as different ones, such as `killer` and `survivor`. */
  areOfKinds?: true;
  /** The bodies of two kinds, where players of one kind are told which they are and the call was accepted without saying so. */
  sides?: readonly [object, object];
  /** What players of one kind were answered who did not meet. */
  apart?: readonly Answered[];
  /** Matches that players of this run quit. */
  readonly quit: Set<string>;
}

export const queueFactsOf = ({ shared }: Pick<StepContext, 'shared'>): Promise<QueueFacts> =>
  shared('how many players a match takes', async (): Promise<QueueFacts> => ({ quit: new Set() }));

/** Whether it is still to be found out how many players a match takes. */
export const isSizeUntried = ({ size, whySizeUnknown }: QueueFacts): boolean =>
  size === undefined && whySizeUnknown === undefined;

/** Roles of those who fill a match up. */
const further = Array.from({ length: 10 }, (_, at) => `player ${at + 3}`);
/** The half of those who enter, in any scenario, who enter as the second kind of player. */
const rolesOfSecondKind = new Set([
  'second',
  'other',
  'member',
  'last',
  ...further.filter((_, at) => at % 2 === 1),
]);
/** Most players who enter, unless an answer of the queue speaks of more. */
const mostPlayers = 8;
/** For how long a match is awaited after one more player has entered, in ms. */
export const matchedSoonMs = 300;
/**
 * For how long further players enter, and a match is awaited `at length`, in ms. Usually it is awaited for as long as the
 * queue says that it takes (reply.ts), or as any view is (`pollTimeoutMs` in engine/flow/polling.ts).
 */
const longestMs = 12_000;
/** For how long the others are asked once the answers to two name a match, in ms. */
const othersNamedWithinMs = 2_500;

/**
 * Two players enter and poll for a bounded time until both replies name a match. Where a match takes more players, others
 * enter as well: as many as were found to be enough, or else one after another. Without a match all leave again.
 * @param how `briefly` leaves the match, too, once both have read it; `at length` waits for it longer
 */
export async function meet<Role extends string>(
  context: StepContext<Role>,
  two: Two<Role>,
  name: string,
  how?: 'briefly' | 'at length',
): Promise<Meeting> {
  const facts = await queueFactsOf(context);
  const isUnknown = isSizeUntried(facts);
  const alike = await meetAlike(context, two, name, how);
  const forms = context.forms(queue.enter);
  const mayBeOfKinds = forms.some(({ others = [] }) => others.length > 0);
  const isGuess = forms.every(({ from }) => from === 'guess');
  const sides = isGuess && !mayBeOfKinds ? sidesIn(alike.replies[0].answer) : undefined;
  if (alike.isMet || !isUnknown || !(mayBeOfKinds || sides)) return alike;
  const { whySizeUnknown } = facts;
  facts.apart = answeredTo(context, alike);
  facts.areOfKinds = true;
  if (sides) facts.sides = sides;
  delete facts.whySizeUnknown;
  const ofKinds = await meetAlike(context, two, context.unique('assayqueue'), how);
  if (ofKinds.isMet || ofKinds.replies.some(isMatched)) return ofKinds;
  delete facts.areOfKinds;
  delete facts.sides;
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
  how?: 'briefly' | 'at length',
): Promise<Meeting> {
  const facts = await queueFactsOf(context);
  const isUnknown = isSizeUntried(facts);
  const group = createGroup(context, two, name, { facts, isPatient: how === 'at length' });
  const { people } = group;
  for (const role of two) await group.add(role);
  const enough = (facts.areOfKinds && facts.entered) || facts.size || 2;
  let why = await fillUp(context, people, enough - 2, group.add);
  let ofTwo = await group.askTwo();
  if (isUnknown && !ofTwo.some(isMatched)) {
    why = await fillUntilMatched(context, group);
    if (people.length > 2) ofTwo = await group.askTwo();
  }
  // How many a match takes is learnt from whose answers name it: some do later than those of the first two.
  const namedWithinMs = isUnknown && ofTwo.some(isMatched) ? othersNamedWithinMs : 0;
  const others = await group.ask(people.slice(2), namedWithinMs);
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
  // Later there may be players enough.
  if (isUnknown && !isMet && why === undefined) facts.whySizeUnknown = because;
  const replies: QueueReply[] = [];
  for (const [nth, reply] of last.entries()) {
    const role = people[nth] as Role;
    const { matchId } = reply;
    if (isMet && matchId !== undefined) context.addTeardown(role, match.quit, { params: { matchId } });
    const plays = isMet && how !== 'briefly' && isMatched(reply);
    replies.push(plays ? reply : await readAndLeave(context, role, reply));
  }
  return {
    isMet,
    why: facts.whySizeUnknown ?? because,
    people,
    replies: replies as [QueueReply, QueueReply],
  };
}

/** Players who enter one queue, the two first, and poll until they are given a match. */
interface Group<Role> {
  readonly people: [Role, Role, ...Role[]];
  readonly add: (role: Role) => Promise<void>;
  /** Polls as each of these players; who was given a match asks no more. */
  readonly ask: (roles: readonly Role[], withinMs?: number) => Promise<QueueReply[]>;
  readonly askTwo: () => Promise<readonly [QueueReply, QueueReply]>;
  /** The answers to entering. */
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
  // A match may be named once: entering again is waiting anew then.
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
  const ask: Group<Role>['ask'] = (roles, withinMs) =>
    Promise.all(roles.map((role) => askOne(role, withinMs)));
  return {
    people,
    add: async (role) => void entered.set(role, await enter(context, role, name)),
    ask,
    async askTwo() {
      // Who does not ask for a while may wait no more: where much depends on it, everybody goes on asking.
      const asking = isPatient ? [...people] : [first, second];
      const replies = (await ask(asking)) as [QueueReply, QueueReply];
      // One player may get the match just when the other has stopped polling.
      const areAlike = isMatched(replies[0]) === isMatched(replies[1]);
      const [one, other] = areAlike ? replies : ((await ask(asking)) as [QueueReply, QueueReply]);
      return [one, other];
    },
    entered,
  };
}

/** Adds one player after another until a match is found or nobody is left; the reason why one could not enter. */
async function fillUntilMatched<Role extends string>(
  context: StepContext<Role>,
  { people, add, ask, entered }: Group<Role>,
): Promise<string | undefined> {
  const until = performance.now() + longestMs;
  const most = Math.max(mostPlayers, ...[...entered.values()].map(mostIn));
  while (people.length < most && performance.now() < until) {
    const why = await fillUp(context, people, 1, add);
    if (why !== undefined) return why;
    if ((await ask([people[0], people.at(-1) as Role], matchedSoonMs)).some(isMatched)) return undefined;
  }
  return undefined;
}

/** Leaves the queue or the match, and reads the match before: who has left it may no longer read it. */
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

/** Whether what the first of two reads names the other one. */
function namesFellow<Role extends string>(
  context: StepContext<Role>,
  [role, fellow]: Two<Role>,
  answer: Exchange,
): boolean {
  const id = context.id(fellow);
  return context.mentions(answer, id) && (isLong(id) || namedBeside(id, [context.id(role)], [answer]));
}

/** Whether the match that one of two is told names the other, who is told another match or none. */
async function isOneNamed<Role extends string>(
  context: StepContext<Role>,
  [first, second]: readonly [NoInfer<Role>, NoInfer<Role>, ...NoInfer<Role>[]],
  replies: readonly [QueueReply, QueueReply],
): Promise<boolean> {
  const { quit } = await queueFactsOf(context);
  const [one, other] = replies.map(({ matchId }) => matchId);
  // Who is told neither of a match nor that they wait may be told elsewhere.
  if (replies.some(({ matchId, answer }) => matchId === undefined && !saysWaiting(answer))) return false;
  const isNamed = async (role: Role, fellow: Role, matchId: string | undefined) => {
    if (matchId === undefined) return false;
    const details = await context.send(role, match.get, { params: { matchId } });
    return isSuccess(details) && namesFellow(context, [role, fellow], details);
  };
  // A match that was quit names those who met before.
  if ([one, other].some((matchId) => matchId !== undefined && quit.has(matchId))) return false;
  return (await isNamed(first, second, one)) || isNamed(second, first, other);
}

/** Further players enter; the reason why one could not. */
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
 * Expects that the match of those who entered has no player of this run besides them: where nobody else waits, that player
 * has left the queue before.
 */
export async function expectNobodyWhoLeft<Role extends string>(
  context: StepContext<Role>,
  { people, replies }: Entrants,
): Promise<void> {
  const answers: Exchange[] = [];
  for (const [nth, { answer, matchId, details }] of replies.entries()) {
    answers.push(answer);
    if (details) answers.push(details);
    // A further player reads the same.
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

/** A target that refuses the call as such took nobody out of the queue. */
const cannotLeave: ReadonlySet<number> = new Set([400, 405, 415, 422, 501]);

export const isMatched = ({ matchId, names }: QueueReply) => matchId !== undefined || names;

interface ReentryOptions {
  /** The answer to entering: a match that it names may be named this once. */
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

/** The id that an answer names as a match's: a queue ticket has an id as well. */
export const matchIn = <Role extends string>(
  context: StepContext<Role>,
  answer: Exchange,
): Promise<string | undefined> =>
  context
    .identifier(answer, queue.enter, 'matchId', async () => false)
    .catch((error) => void ignoreStop(error));
