// Sends calls at one moment, and compares what the target shows afterwards with what it shows after the same calls one
// after another. A race fails by that state alone, never by a status.
//
// The states that are read, in the order of time:
//
//   control  wellBefore → firstCall.before ─call─▸ firstCall.after ─call─▸ afterControl ─pause─▸ whileIdle.after
//                         └───────────────── allCalls ──────────────────┘
//   round    before ─calls at one moment─▸ after ─pause─▸ after, read again ─pause as long as the round─▸ whileIdle.after
//            (whatever follows `after` only where that seems broken, and then `laterSingleCalls`: one call of each of
//            several other players)
//
// The control has players of its own, and so has each round. With `effectNeedsAll`, both calls of the control come before
// firstCall.after.

import type { RoleCall } from '../flow/attack-context.ts';
import type { StepContext } from '../flow/step-context.ts';
import { mostAtOnce, type Release } from '../http/burst.ts';
import { type Exchange, isRefusal, isSuccess, statusOf } from '../http/exchange.ts';
import type { Repetition } from '../http/script.ts';
import { cannotTell } from '../judgement.ts';
import { once } from '../values/once.ts';
import { is5xx } from '../values/status.ts';
import { switchPoint } from '../values/switch-points.ts';
import { comparedPlayers } from './figures.ts';
import { prepared } from './trespass.ts';
import {
  eventuallyHolds,
  inRounds,
  isReadAgain,
  onceTwoAgree,
  waitForCompensation,
  waitForEffect,
} from './waiting.ts';

/** The players of one round, as roles of this scenario, and a number that no other round has. */
export interface Round {
  readonly nth: number;
  readonly people: readonly string[];
}

/** Starts a round with this number of new players. */
export async function newRound(context: StepContext, nth: number, players: number): Promise<Round> {
  const people = Array.from({ length: players }, (_, at) => `player ${at + 1} of round ${nth}`);
  await context.recruit(...people);
  return { nth, people };
}

/** What a race calls and reads: the same in the control, with calls one after another, and in the attack. */
export interface Race<State> {
  /** How many players a round needs, each of them new. */
  readonly people: (calls: number) => number;
  /** Prepares the players of a round for the calls. May end the step. */
  readonly begin?: (round: Round) => Promise<void>;
  /** The calls of one burst. @param most how many calls at most */
  readonly calls: (round: Round, most: number) => readonly RoleCall[];
  /** Most calls of a round: of two bursts that are the same with this limit, only the first is sent. */
  readonly mostCalls?: number;
  /** What the target shows of the round. @param firstCall what the first call of the control changed, once known */
  readonly state: (round: Round, firstCall?: Change<State>) => Promise<State>;
  /** Only the state after the calls counts, so the state before them is not read. */
  readonly onlyEndCounts?: true;
  /** One call alone may have no effect that shows: the control makes all its calls before it looks for one. */
  readonly effectNeedsAll?: true;
  /** A control to use instead of a new one, where another attack shares it. */
  readonly control?: () => Promise<Control<State>>;
  /** The effect of a call may be random: before a violation counts, calls of other players show whether it is. */
  readonly mayBeRandom?: true;
  /** The broken invariant, in words; undefined where it holds. */
  readonly broken: (seen: RaceEvidence<State>) => string | undefined;
}

export interface Change<State> {
  readonly before: State;
  readonly after: State;
}

export interface RaceEvidence<State> extends Change<State> {
  /** What the first call of the control alone changed. */
  readonly firstCall: Change<State>;
  /** What changed by itself during a pause as long as the round (or control); known once something seems broken. */
  readonly whileIdle?: Change<State>;
  /** What one call alone changed for other players; known only once something seems broken, and with `mayBeRandom`. */
  readonly laterSingleCalls?: readonly Change<State>[];
  /** In the control, all calls but the first were refused. */
  readonly onlyFirstDone: boolean;
  /** The state at the end of the control, after all its calls; undefined while the control itself is judged. */
  readonly afterControl?: State;
  /** The answers that are a success. */
  readonly acknowledged: readonly Exchange[];
  /** Calls that may have had their effect or not: a server error, or no answer. */
  readonly unknown: number;
}

/** How the calls of a round are sent, and how many. */
export interface Burst {
  readonly release: Release;
  readonly calls: number;
}

/**
 * The three bursts of a race. Together they find races that each of them alone misses, as measured on servers with at
 * least 0.2 ms between a check and its write.
 */
const bursts: readonly Burst[] = [
  { release: 'last-byte', calls: 8 },
  { release: 'whole', calls: 4 },
  { release: 'last-byte', calls: mostAtOnce },
];

/** Rounds with a single call are numbered from here, clear of the bursts' numbers. */
const firstComparedRound = 100;

/** Most reads until two agree; after them the step ends. */
const mostReads = 20;

/**
 * The calls of one connection arrive closest together. A server may give a whole connection to one of its workers, and
 * a race between two workers is then not seen, so this burst comes after the others.
 */
const overHttp2 = { release: 'one-connection', calls: 8 } as const;

/** The bursts that a target gets: one in a brief attack, else three, and a fourth if it offers HTTP/2. */
export async function roundsOf({
  attacksBriefly,
  offersHttp2,
}: Pick<StepContext['means'], 'attacksBriefly' | 'offersHttp2'>) {
  if (attacksBriefly) return bursts.slice(0, 1);
  return (await offersHttp2()) ? [...bursts, overHttp2] : bursts;
}

/**
 * Runs a race: a control with calls one after another, then the rounds of `roundsOf` with calls at one moment. Each
 * round has new players. There are three outcomes:
 * - The state broke the invariant, and stayed so: the step ends as a violation.
 * - The invariant held: a note states how much was tried.
 * - Calls one after another break it, too: the target intends that, and it is only observed.
 * @throws what ends a step: a violation, or the reason why the race cannot be judged
 */
export async function race<State>(context: StepContext, attack: Race<State>): Promise<void> {
  const control = await (attack.control?.() ??
    runControl(context, attack, await beginRound(context, attack, 0, 2)));
  const intended = await brokenByControl(attack, control);
  if (countsAsIntended(intended)) {
    context.observe(`one after another they do it too: ${intended}`);
    return;
  }
  const { mostCalls = mostAtOnce } = attack;
  const rounds = (await roundsOf(context.means)).filter(
    ({ release, calls }, at, all) =>
      !all
        .slice(0, at)
        .some((before) => before.release === release && Math.min(before.calls, calls) >= mostCalls),
  );
  const playRound = createRounds(context, attack, control);
  const outcomes: Outcome[] = [];
  await inRounds(rounds, async (burst, nth) => {
    const outcome = await playRound(burst, nth);
    outcomes.push(outcome);
    return typeof outcome === 'object' && !outcome.onlyOneDoneInBurst;
  });
  await judgeRounds(context, outcomes);
}

async function beginRound<State>(
  context: StepContext,
  attack: Race<State>,
  nth: number,
  calls: number,
): Promise<Round> {
  const round = await newRound(context, nth, attack.people(calls));
  await prepared(async () => attack.begin?.(round));
  // Effects of the preparation may show late, too.
  if (context.lagMs() > 0) await waitForEffect(context);
  return round;
}

/** The invariant that calls one after another break, in words; what changes by itself does not count. */
async function brokenByControl<State>(
  attack: Race<State>,
  { allCalls, firstCall, onlyFirstDone, acknowledged, whileIdle }: Control<State>,
): Promise<string | undefined> {
  const seen = { ...allCalls, firstCall, onlyFirstDone, acknowledged, unknown: 0 };
  return attack.broken(seen) && attack.broken({ ...seen, whileIdle: await whileIdle() });
}

/** How a round ended. `unanswered`: fewer than two calls were answered. `random`: the effect of a call is random. */
type Outcome = 'unanswered' | 'held' | 'random' | Violation;

interface Violation {
  readonly what: string;
  /** One call of the burst was done and the others were refused, as in the control: a random effect may just have been larger this time. */
  readonly onlyOneDoneInBurst: boolean;
  readonly evidence: Exchange | undefined;
  readonly repetition: Repetition;
}

/** Plays the rounds of a race, each with new players. */
function createRounds<State>(context: StepContext, attack: Race<State>, control: Control<State>) {
  const { wellBefore, allCalls, firstCall, onlyFirstDone } = control;
  // The state changed before the first call: a new player may get what they start with a little later.
  const arrivesLate = serialized(wellBefore) !== serialized(firstCall.before);
  const ofOthers = once((players: number) =>
    Promise.all(
      Array.from({ length: players }, async (_, at) =>
        effectOfOneCall(context, attack, await beginRound(context, attack, firstComparedRound + at, 1)),
      ),
    ),
  );
  return async ({ release, calls }: Burst, nth: number): Promise<Outcome> => {
    const round = await beginRound(context, attack, nth, calls);
    const begun = performance.now();
    const steadyState = () => steady(context, attack, round, firstCall);
    // One read is enough where the control showed that nothing arrives late.
    const read = () =>
      context.lagMs() === 0 && !arrivesLate ? attack.state(round, firstCall) : steadyState();
    const before = attack.onlyEndCounts ? firstCall.before : await read();
    const meeting = attack.calls(round, calls);
    const answers = await context.burst(meeting, release);
    const heard = answers.filter((answer) => isProcessed(answer));
    if (heard.length < 2) return 'unanswered';
    const acknowledged = heard.filter(isAcknowledged);
    const perhapsDone = answers.filter(isPerhapsDone).length;
    await waitForEffect(context);
    const judge = async (known: Pick<RaceEvidence<State>, 'whileIdle' | 'laterSingleCalls'> = {}) =>
      attack.broken({
        before,
        after: await steadyState(),
        firstCall,
        onlyFirstDone,
        afterControl: allCalls.after,
        acknowledged,
        unknown: perhapsDone - acknowledged.length,
        ...known,
      });
    let broken = await judge();
    if (isReadAgain(broken !== undefined)) {
      await waitForCompensation(context);
      if ((await judge()) === undefined) {
        context.note('what was acknowledged was taken back afterwards');
        return 'held';
      }
      const whileIdle = await driftOf(context, attack, round, performance.now() - begun);
      broken = await judge({ whileIdle });
      if (broken === undefined) context.note('what changed, changes by itself');
      else if (attack.mayBeRandom) {
        broken = await judge({ whileIdle, laterSingleCalls: await ofOthers(comparedPlayers) });
        if (broken === undefined) return 'random';
      }
    }
    if (broken === undefined) return 'held';
    return {
      what: `${meeting.length} calls at one moment, ${acknowledged.length} acknowledged: ${broken}`,
      onlyOneDoneInBurst: attack.mayBeRandom === true && onlyFirstDone && perhapsDone < 2,
      evidence: acknowledged.at(-1) ?? heard.at(-1),
      repetition: { requests: answers.map(({ request }) => request), how: release },
    };
  };
}

/** @throws what ends the step: a violation, or the reason why its rounds show nothing */
async function judgeRounds(context: StepContext, outcomes: readonly Outcome[]): Promise<void> {
  const judged = outcomes.filter((outcome) => outcome !== 'unanswered').length;
  const violations = outcomes.filter((outcome) => typeof outcome === 'object');
  const [violation] = violations;
  if (judged === 0)
    throw cannotTell('rate-limited', 'not exercised: fewer than two calls of each burst were answered');
  if (!violation && outcomes.includes('random')) throw cannotTell('needs-state', effectVaries);
  const mayBeChance = violations.length === 1 && violation?.onlyOneDoneInBurst;
  if (violation && !mayBeChance)
    return context.expect(
      false,
      'calls that meet end as calls one after another do',
      `not so in ${violations.length} of ${judged} rounds; ${violation.what}`,
      violation.evidence,
      violation.repetition,
    );
  if (violation)
    context.note(
      `only one call was done; its effect was larger than in the control, which may be chance: ${violation.what}`,
    );
  const burstSize = context.means.attacksBriefly ? bursts[0]?.calls : `up to ${mostAtOnce}`;
  context.note(
    `no violation in ${judged === 1 ? 'one round' : `${judged} rounds`}, ${burstSize} at one moment; reads followed writes within ${context.lagMs()} ms${await meetingWindow(context.means)}`,
  );
}

/** Why an attack is not judged: the effect of a call is random, so nothing can be counted by it. */
export const effectVaries = 'not exercised: what one call alone does differs from player to player';

/** Whether the call may have had its effect: a server error or silence may come after it. */
const isPerhapsDone = (answer: Exchange) => !isRefusal(answer);

/** What one call changes for a player who makes no other. */
async function effectOfOneCall<State>(
  context: StepContext,
  attack: Race<State>,
  round: Round,
): Promise<Change<State>> {
  const before = await steady(context, attack, round);
  for (const call of attack.calls(round, 1)) await context.sendLikeliest(call.role, call.operation, call.ask);
  await waitForEffect(context);
  return { before, after: await steady(context, attack, round) };
}

/**
 * Says within how many ms calls from this machine meet. A gap between a check and its write that is shorter is hit only
 * by luck. Empty where not known.
 */
export async function meetingWindow({
  shortestWindowMs,
}: Pick<StepContext['means'], 'shortestWindowMs'>): Promise<string> {
  const window = await shortestWindowMs();
  return window === undefined
    ? ''
    : `; calls from here meet within ${Math.max(0.1, Math.ceil(window * 10) / 10)} ms, and in shorter windows by luck`;
}

/** Whether the target handled the call, and not with a server error: then the answer shows what it did. */
export const isProcessed = switchPoint((answer: Exchange) => isHandled(answer) && !is5xx(statusOf(answer)));

/** Whether the target handled the call: it answered, and not with a 429. */
export const isHandled = switchPoint(
  (answer: Exchange) => answer.response !== undefined && statusOf(answer) !== 429,
);

/** Whether the target answered that it did what was asked. */
export const isAcknowledged = switchPoint(isSuccess);

/** Whether calls one after another break the invariant, too: then the target intends that, and it is no race. */
export const countsAsIntended = switchPoint((broken: string | undefined): boolean => broken !== undefined);

/** What changes within that many ms while nobody calls. */
async function driftOf<State>(
  context: StepContext,
  attack: Pick<Race<State>, 'state'>,
  round: Round,
  ms: number,
): Promise<Change<State>> {
  const before = await steady(context, attack, round);
  await context.pause(ms);
  return { before, after: await steady(context, attack, round) };
}

/** What calls one after another do: that is what the target intends, and it shows what one call alone changes. */
export interface Control<State> {
  /** The state some time before the first call. */
  readonly wellBefore: State;
  /** What the first call alone changed. */
  readonly firstCall: Change<State>;
  /** What all of them changed. */
  readonly allCalls: Change<State>;
  /** All calls but the first were refused. */
  readonly onlyFirstDone: boolean;
  readonly acknowledged: readonly Exchange[];
  /** The status of the answer to the last call; 0 where only one call was made. */
  readonly repeatedStatus: number;
  /** What changes by itself after the last call, during a pause as long as the control. */
  readonly whileIdle: () => Promise<Change<State>>;
}

/**
 * Makes two calls one after another, and reads the state before them, after the first and after both.
 * @throws what ends the step, where the control shows nothing to compare with
 */
export async function runControl<State>(
  context: StepContext,
  attack: Pick<Race<State>, 'calls' | 'state' | 'effectNeedsAll'>,
  round: Round,
): Promise<Control<State>> {
  const begun = performance.now();
  const wellBefore = await attack.state(round);
  if (!context.means.attacksBriefly) await waitForEffect(context);
  const before = await steady(context, attack, round, undefined, wellBefore);
  const [first, ...others] = attack.calls(round, 2);
  if (first === undefined) throw cannotTell('needs-state', 'not exercised: there is nothing to call');
  const acknowledged = [await context.mustSucceed(first.role, first.operation, first.ask)];
  let repeatedStatus = 0;
  const callOthers = async () => {
    // Takes the calls out of the list, so that the second time there are none left.
    for (const call of others.splice(0)) {
      const answer = await context.sendLikeliest(call.role, call.operation, call.ask);
      if (!isHandled(answer))
        throw cannotTell('rate-limited', 'not exercised: the control was held back by a rate limit', answer);
      if (isSuccess(answer)) acknowledged.push(answer);
      repeatedStatus = statusOf(answer);
    }
  };
  if (attack.effectNeedsAll) await callOthers();
  const doneAt = performance.now();
  let seen = before;
  const isShown = async () => {
    seen = await attack.state(round);
    return serialized(seen) !== serialized(before);
  };
  if (!(await eventuallyHolds(context, isShown, doneAt)))
    throw cannotTell('needs-state', `not exercised: nothing shows what ${first.operation.id} does`);
  await waitForEffect(context);
  const firstCall = { before, after: await steady(context, attack, round, undefined, seen) };
  // A part of it may show later than the rest.
  if (serialized(seen) !== serialized(firstCall.after))
    context.noteLag(Math.round(performance.now() - doneAt));
  // What the call does was seen, so its body is no guess.
  context.confirmBody(first.operation);
  await callOthers();
  await waitForEffect(context);
  const end = await steady(context, attack, round, firstCall);
  const took = performance.now() - begun;
  return {
    allCalls: { before, after: end },
    wellBefore,
    firstCall,
    onlyFirstDone: acknowledged.length === 1,
    acknowledged,
    repeatedStatus,
    async whileIdle() {
      await context.pause(took);
      return { before: end, after: await steady(context, attack, round, firstCall, end) };
    },
  };
}

const serialized = (state: unknown) => JSON.stringify(state);

/** The state once two reads agree. @param last what was read before, where that was long enough ago */
const steady = <State>(
  context: StepContext,
  attack: Pick<Race<State>, 'state'>,
  round: Round,
  firstCall?: Change<State>,
  last?: State,
): Promise<State> =>
  onceTwoAgree(context, () => attack.state(round, firstCall), {
    mostReads,
    ...(last !== undefined && { last }),
    elseSay: 'what the target shows keeps changing while nothing is asked for',
  });
