// Sends calls at one moment, and compares what the target shows afterwards with what it shows after the same calls one after
// another. Only that state fails a race; no status of an answer does.

import type { RoleCall } from '../flow/attack-context.ts';
import { cannotTell } from '../flow/refusal.ts';
import type { StepContext } from '../flow/step-context.ts';
import { mostAtOnce, type Release } from '../http/burst.ts';
import { type Exchange, isRefusal, isSuccess, statusOf } from '../http/exchange.ts';
import type { Repetition } from '../http/script.ts';
import { is5xx } from '../values/status.ts';
import { switchPoint } from '../values/switch-points.ts';
import { playersAlone } from './figures.ts';
import { comesToHold, confirmed, inRounds, looksAgain, onceTwoAgree, settled } from './waiting.ts';

/** The people of one round, as roles of this scenario, and a number that no other round has. */
export interface Round {
  readonly nth: number;
  readonly people: readonly string[];
}

/** What one round is about: the same in the control, where calls come one after another, and in the attack. */
export interface Race<State> {
  /** How many players a round needs, each of them new. */
  readonly people: (calls: number) => number;
  /** Brings them where the calls may meet. May end the step. */
  readonly begin?: (round: Round) => Promise<void>;
  /** The calls of one burst, at most `most`. */
  readonly calls: (round: Round, most: number) => readonly RoleCall[];
  /** What the target shows of the round. @param single what the first call of the control changed, once that is known */
  readonly state: (round: Round, single?: Change<State>) => Promise<State>;
  /** The state after the calls decides alone, so the state before them is not read. */
  readonly endDecides?: true;
  /** Each call does its part of one thing, which shows once all of them came. */
  readonly together?: true;
  /** The control, where another attack needs the same one. */
  readonly control?: () => Promise<Control<State>>;
  /** The effect of a call may be random: before a violation counts, single calls of other players show whether it is. */
  readonly mayDraw?: true;
  /** The broken invariant, in words; undefined where it holds. */
  readonly broken: (seen: Seen<State>) => string | undefined;
}

export interface Change<State> {
  readonly before: State;
  readonly after: State;
}

export interface Seen<State> extends Change<State> {
  /** What the first call of the control alone changed. */
  readonly single: Change<State>;
  /** What changed by itself in a time as long; known only once something seems broken. */
  readonly drift?: Change<State>;
  /** What one call alone changed for other players; known as late, and only where what it gives may be drawn. */
  readonly alone?: readonly Change<State>[];
  /** The same calls one after another: all but the first were refused. */
  readonly othersRefused: boolean;
  /** What the control showed once all its calls had come, one after another; known in the attack. */
  readonly ended?: State;
  /** The answers that are a success. */
  readonly acknowledged: readonly Exchange[];
  /** Calls that may have had their effect or not: a server error, or no answer. */
  readonly unknown: number;
}

/** Measured against windows of 0.2 ms and more: these three find what one of them alone misses. */
const attacks: readonly { readonly release: Release; readonly calls: number }[] = [
  { release: 'last-byte', calls: 8 },
  { release: 'whole', calls: 4 },
  { release: 'last-byte', calls: mostAtOnce },
];

const mostReads = 20;

/** Calls that meet most closely. A server may give a connection to one worker, so this is never the only burst. */
const overHttp2 = { release: 'one-connection', calls: 8 } as const;

/** The bursts of a race, with new players each. */
export async function roundsOf(context: Pick<StepContext, 'attacksBriefly' | 'offersHttp2'>) {
  if (context.attacksBriefly) return attacks.slice(0, 1);
  return (await context.offersHttp2()) ? [...attacks, overHttp2] : attacks;
}

/**
 * Runs a race: an idle control, a sequential one, then three rounds of calls at one moment, each with new players.
 * Ends the step as a violation where the state broke the invariant and stayed so, notes how much was tried where it held,
 * and observes that the target intends it where calls one after another break it as well.
 */
export async function race<State>(context: StepContext, race: Race<State>): Promise<void> {
  const roundOf = async (nth: number, calls: number): Promise<Round> => {
    const people = Array.from({ length: race.people(calls) }, (_, at) => `player ${at + 1} of round ${nth}`);
    await context.recruit(...people);
    const round = { nth, people };
    await race.begin?.(round);
    // Effects of the preparation may show late, too.
    if (context.lagMs() > 0) await settled(context);
    return round;
  };

  const {
    early,
    changed,
    single,
    othersRefused,
    acknowledged: inTurn,
    drift,
  } = await (race.control?.() ?? inSequence(context, race, await roundOf(0, 2)));
  const arrivesLate = text(early) !== text(single.before);
  const oneByOne = { ...changed, single, othersRefused, acknowledged: inTurn, unknown: 0 };
  const intended = race.broken(oneByOne) && race.broken({ ...oneByOne, drift: await drift() });
  if (intended !== undefined && meansIt()) {
    context.observe(`one after another they do it too: ${intended}`);
    return;
  }

  let ofOthers: Promise<readonly Change<State>[]> | undefined;
  const violations: {
    readonly what: string;
    /** One call was done and the others refused: it may have been given more than another one. */
    readonly isOne: boolean;
    readonly evidence: Exchange | undefined;
    readonly repetition: Repetition;
  }[] = [];
  let [held, isDrawn] = [0, false];
  await inRounds(await roundsOf(context), async ({ release, calls }, nth) => {
    const round = await roundOf(nth, calls);
    const begun = performance.now();
    // The control showed whether effects arrive late.
    const read = () =>
      context.lagMs() === 0 && !arrivesLate
        ? race.state(round, single)
        : steady(context, race, round, single);
    const before = race.endDecides ? single.before : await read();
    const meeting = race.calls(round, calls);
    const answers = await context.burst(meeting, release);
    const heard = answers.filter((answer) => isHeard(answer));
    if (heard.length < 2) return false;
    const acknowledged = heard.filter(isAcknowledged);
    await settled(context);
    const judge = async (known: Pick<Seen<State>, 'drift' | 'alone'> = {}) =>
      race.broken({
        before,
        after: await steady(context, race, round, single),
        single,
        othersRefused,
        ended: changed.after,
        acknowledged,
        unknown: answers.filter(isPerhapsDone).length - acknowledged.length,
        ...known,
      });
    const lasting = async () => {
      await confirmed(context);
      if ((await judge()) === undefined) {
        context.note('what was acknowledged was taken back afterwards');
        return undefined;
      }
      const drift = await driftOf(context, race, round, performance.now() - begun);
      const stays = await judge({ drift });
      if (stays === undefined) context.note('what changed, changes by itself');
      if (stays === undefined || !race.mayDraw) return stays;
      ofOthers ??= Promise.all(
        Array.from({ length: playersAlone }, async (_, at) =>
          aloneIn(context, race, await roundOf(100 + at, 1)),
        ),
      );
      const sure = await judge({ drift, alone: await ofOthers });
      isDrawn ||= sure === undefined;
      return sure;
    };
    const first = await judge();
    const broken = first !== undefined && looksAgain() ? await lasting() : first;
    if (broken === undefined) {
      held += 1;
      return false;
    }
    const isOne = race.mayDraw === true && othersRefused && answers.filter(isPerhapsDone).length < 2;
    violations.push({
      what: `${meeting.length} calls at one moment, ${acknowledged.length} acknowledged: ${broken}`,
      isOne,
      evidence: acknowledged.at(-1) ?? heard.at(-1),
      repetition: { requests: answers.map(({ request }) => request), how: release },
    });
    return !isOne;
  });
  const rounds = held + violations.length;
  const most = context.attacksBriefly ? attacks[0]?.calls : `up to ${mostAtOnce}`;
  if (rounds === 0)
    throw cannotTell('rate-limited', 'not exercised: fewer than two calls of each burst were answered');
  if (isDrawn && violations.length === 0) throw cannotTell('needs-state', givesOtherwise);
  const [first] = violations;
  if (first && violations.length < 2 && violations.every(({ isOne }) => isOne))
    context.note(`one call was done, which may have been given more than another: ${first.what}`);
  else if (first)
    context.expect(
      false,
      'calls that meet end as calls one after another do',
      `not so in ${violations.length} of ${rounds} rounds; ${first.what}`,
      first.evidence,
      first.repetition,
    );
  context.note(
    `no violation in ${rounds === 1 ? 'one round' : `${rounds} rounds`}, ${most} at one moment; reads followed writes within ${context.lagMs()} ms${await meetingWindow(context)}`,
  );
}

/** Why a race is not judged: there is no usual effect to count by. */
export const givesOtherwise = 'not exercised: what one call alone does differs from player to player';

/** Not refused: a server error and silence may come after the effect. */
const isPerhapsDone = (answer: Exchange) => !isRefusal(answer);

/** What one call changes for somebody who makes no other. */
async function aloneIn<State>(context: StepContext, race: Race<State>, round: Round): Promise<Change<State>> {
  const before = await steady(context, race, round);
  for (const { role, operation, ask } of race.calls(round, 1))
    await context.put(role, operation, context.likeliestAsk(role, operation, ask));
  await settled(context);
  return { before, after: await steady(context, race, round) };
}

/** How closely calls from here meet, for the note of a pass: shorter windows are hit by luck alone. Empty where not known. */
export async function meetingWindow({
  shortestWindowMs,
}: Pick<StepContext, 'shortestWindowMs'>): Promise<string> {
  const window = await shortestWindowMs();
  return window === undefined
    ? ''
    : `; calls from here meet within ${Math.max(0.1, Math.ceil(window * 10) / 10)} ms, and in shorter windows by luck`;
}

/** A rate limit, a server error and silence say nothing of the race. */
export const isHeard = switchPoint((answer: Exchange) => isJudged(answer) && !is5xx(statusOf(answer)));

/** The target handled the call: it is neither lost nor held back by a rate limit. */
export const isJudged = switchPoint(
  (answer: Exchange) => answer.response !== undefined && statusOf(answer) !== 429,
);

/** The target answered that it did what was asked. */
export const isAcknowledged = switchPoint(isSuccess);

/** What calls one after another do, too, is intended, and no race. */
export const meansIt = switchPoint(() => true);

/** What changes within that many ms while nobody calls. */
async function driftOf<State>(
  context: StepContext,
  race: Pick<Race<State>, 'state'>,
  round: Round,
  ms: number,
): Promise<Change<State>> {
  const before = await steady(context, race, round);
  await context.pause(ms);
  return { before, after: await steady(context, race, round) };
}

/** What calls one after another do: what the target means, and what one of them alone changes. */
export interface Control<State> {
  /** What all of them changed. */
  readonly changed: Change<State>;
  /** What was there some time before the first call. */
  readonly early: State;
  readonly single: Change<State>;
  readonly othersRefused: boolean;
  readonly acknowledged: readonly Exchange[];
  /** The status of the last answer. */
  readonly again: number;
  /** What changes by itself in a time as long, afterwards. */
  readonly drift: () => Promise<Change<State>>;
}

export async function inSequence<State>(
  context: StepContext,
  race: Pick<Race<State>, 'calls' | 'state' | 'together'>,
  round: Round,
): Promise<Control<State>> {
  const begun = performance.now();
  const early = await race.state(round);
  if (!context.attacksBriefly) await settled(context);
  const before = await steady(context, race, round, undefined, early);
  const [first, ...others] = race.calls(round, 2);
  if (first === undefined) throw cannotTell('needs-state', 'not exercised: there is nothing to call');
  const acknowledged = [await context.done(first.role, first.operation, first.ask)];
  let again = 0;
  const callOthers = async () => {
    for (const { role, operation, ask } of others.splice(0)) {
      const answer = await context.put(role, operation, context.likeliestAsk(role, operation, ask));
      if (!isJudged(answer))
        throw cannotTell('rate-limited', 'not exercised: the control was held back by a rate limit', answer);
      if (isSuccess(answer)) acknowledged.push(answer);
      again = statusOf(answer);
    }
  };
  if (race.together) await callOthers();
  const doneAt = performance.now();
  let seen = before;
  const isShown = async () => {
    seen = await race.state(round);
    return text(seen) !== text(before);
  };
  if (!(await comesToHold(context, isShown, doneAt)))
    throw cannotTell('needs-state', `not exercised: nothing shows what ${first.operation.id} does`);
  await settled(context);
  const single = { before, after: await steady(context, race, round, undefined, seen) };
  // A part of it may show later than the rest.
  if (text(seen) !== text(single.after)) context.noteLag(Math.round(performance.now() - doneAt));
  // What the call does was seen, so its body is no guess.
  context.worked(first.operation);
  await callOthers();
  await settled(context);
  const ended = await steady(context, race, round, single);
  const took = performance.now() - begun;
  return {
    changed: { before, after: ended },
    ...{ early, single, othersRefused: acknowledged.length === 1, acknowledged, again },
    async drift() {
      await context.pause(took);
      return { before: ended, after: await steady(context, race, round, single, ended) };
    },
  };
}

const text = (state: unknown) => JSON.stringify(state);

const steady = <State>(
  context: StepContext,
  race: Pick<Race<State>, 'state'>,
  round: Round,
  single?: Change<State>,
  last?: State,
): Promise<State> =>
  onceTwoAgree(context, () => race.state(round, single), {
    mostReads,
    ...(last !== undefined && { last }),
    otherwise: 'what the target shows keeps changing while nothing is asked for',
  });
