// Cuts the connection of a call before its answer and sends the call again, as a client does that lost the network.
// Only what the target shows afterwards fails a check; no status does.

import type { Operation } from '../../catalog/operation.ts';
import type { RoleCall } from '../flow/attack-context.ts';
import type { StepContext } from '../flow/step-context.ts';
import type { Cut } from '../http/cut-off.ts';
import { type Exchange, isRefusal, isSuccess, statusOf } from '../http/exchange.ts';
import type { Repetition } from '../http/script.ts';
import { cannotTell } from '../judgement.ts';
import type { Repeatable } from '../probe/context.ts';
import { switchPoint } from '../values/switch-points.ts';
import {
  changesBetween,
  comparedPlayers,
  type Figures,
  multiplesOf,
  withoutDrift,
  withoutRandomEffects,
} from './figures.ts';
import { type Control, effectVaries, isProcessed, newRound, type Round } from './race.ts';
import { eventuallyHolds, inRounds, waitForCompensation, waitForEffect } from './waiting.ts';

/** By how much each figure changed, by its name. */
type Effect = ReadonlyMap<string, number>;

export interface LostAnswer {
  /** Prepares the players of a round, so that the call has its effect. May end the step. */
  readonly begin?: (round: Round) => Promise<void>;
  readonly call: (round: Round) => RoleCall;
  /** How many players a round needs, each of them new; default 1. */
  readonly people?: number;
  /** A control that is shared with another attack; without it, one is made here. */
  readonly control?: () => Promise<Control<Figures>>;
  /** The effect of a call may be random: before a violation counts, calls of other players show whether it is. */
  readonly mayBeRandom?: true;
  /** What the target shows of the round. @param names the figures to read; default: all */
  readonly figures: (round: Round, names?: ReadonlySet<string>) => Promise<Figures>;
}

/** The cuts of each round; the call is sent again after the last one. */
const rounds: readonly (readonly Cut[])[] = [['in the body'], ['at once'], ['in the answer']];
/** One round does for two cuts: half of a body normally has no effect, so the next call finds the player unchanged. */
const briefRounds: readonly (readonly Cut[])[] = [['in the body', 'at once']];

/** What the control showed of one call, and of the same call sent again. */
interface Known {
  readonly single: Effect;
  /** Figures that the call changed once more when sent again without a cut: intended, so no violation. */
  readonly meantTwice: ReadonlySet<string>;
  /** A new player may get what they start with a little later. */
  readonly arrivesLate: boolean;
  /** The status of the answer to the call that was sent again. */
  readonly repeatedStatus: number;
}

type Ended =
  | { readonly kind: 'held' }
  | { readonly kind: 'not exercised' }
  | { readonly kind: 'random' }
  | { readonly kind: 'twice, as meant' }
  | {
      readonly kind: 'broken';
      readonly summary: string;
      readonly evidence: Exchange | undefined;
      readonly repetition: Repetition;
    };

/**
 * Runs the attack. A control comes first, without a cut: the call changes something that does not change by itself, and
 * the same call sent again shows how the target treats a repetition. Then, each with a new player, the call is cut in
 * the middle of its body, right after it was sent, and when its answer begins, and is sent again on a fresh connection.
 * The step ends as a violation in three cases:
 * - The effect came twice, but in the control the repetition had none.
 * - The effect never came, but the repetition was acknowledged, or refused as a repetition.
 * - Half of a body had the effect.
 */
export async function loseAnswer(context: StepContext, attack: LostAnswer): Promise<void> {
  const begin = async (nth: number): Promise<Round> => {
    const round = await newRound(context, nth, attack.people ?? 1);
    await attack.begin?.(round);
    return round;
  };
  const known = attack.control
    ? knownBy(await attack.control(), attack.call({ nth: 0, people: [] }).operation)
    : await control(context, attack, await begin(0));
  let ofOthers: Promise<readonly Effect[]> | undefined;
  const alone = async () => {
    if (!attack.mayBeRandom) return undefined;
    const names = new Set(known.single.keys());
    ofOthers ??= Promise.all(
      Array.from({ length: comparedPlayers }, async (_, at) =>
        effectAlone(context, attack, { round: await begin(firstComparedRound + at), names }),
      ),
    );
    return ofOthers;
  };
  const ends: Ended[] = [];
  await inRounds(context.means.attacksBriefly ? briefRounds : rounds, async (cuts, nth) => {
    const end = await cutAndRepeat(context, attack, await begin(nth), { cuts, known, alone, begin });
    ends.push(end);
    return end.kind === 'broken';
  });

  const exercised = ends.filter(({ kind }) => kind !== 'not exercised').length;
  const broken = ends.filter((end) => end.kind === 'broken');
  const [first] = broken;
  if (first)
    context.expect(
      false,
      'a call whose answer was lost, and that is sent again, has its effect once',
      `not so in ${broken.length} of ${exercised} rounds; ${first.summary}`,
      first.evidence,
      first.repetition,
    );
  if (ends.some(({ kind }) => kind === 'random')) throw cannotTell('needs-state', effectVaries);
  // One reason code for every answer that shows nothing of the call: a rate limit, a server error, silence, and a
  // refusal that is not the one of a repetition.
  if (exercised === 0)
    throw cannotTell('rate-limited', 'not exercised: no call that was cut off was answered when sent again');
  if (ends.some(({ kind }) => kind === 'twice, as meant'))
    context.observe('at least once: sent again after a cut it has its effect again, as without one');
  else context.note(`cut off and sent again in ${exercised === 1 ? 'one round' : `${exercised} rounds`}`);
}

async function control(context: StepContext, attack: LostAnswer, round: Round): Promise<Known> {
  const atFirst = await attack.figures(round);
  const early = await arrived(context, () => attack.figures(round), atFirst);
  await waitForEffect(context);
  const before = await attack.figures(round);
  const moving = changesBetween(early, before);
  const call = attack.call(round);
  await context.mustSucceed(call.role, call.operation, call.ask);
  const doneAt = performance.now();
  const shown = async () => {
    const effect = changesBetween(before, await attack.figures(round));
    return new Map([...effect].filter(([name]) => !moving.has(name)));
  };
  let first: Effect = new Map();
  const isShown = async () => {
    first = await shown();
    return first.size > 0;
  };
  if (!(await eventuallyHolds(context, isShown, doneAt)))
    throw cannotTell('needs-state', `not exercised: nothing shows what ${call.operation.id} does`);
  // What the call does was seen, so its body is no guess.
  context.confirmBody(call.operation);
  // A part of it may show later than the rest.
  await waitForEffect(context);
  const single = await shown();
  if (!isSame(first, single)) context.noteLag(Math.round(performance.now() - doneAt));
  const repeated = await (await context.repeatable(call)).send();
  await waitForEffect(context);
  const names = new Set(single.keys());
  const twice = changesBetween(before, await attack.figures(round, names));
  return madeKnown(single, twice, {
    operation: call.operation,
    repeatedStatus: statusOf(repeated),
    arrivesLate: changesBetween(atFirst, before).size > 0,
  });
}

function knownBy(
  { wellBefore, firstCall, allCalls, repeatedStatus }: Control<Figures>,
  operation: Operation,
): Known {
  const moving = changesBetween(wellBefore, firstCall.before);
  const once = [...changesBetween(firstCall.before, firstCall.after)].filter(([name]) => !moving.has(name));
  return madeKnown(new Map(once), changesBetween(allCalls.before, allCalls.after), {
    operation,
    repeatedStatus,
    arrivesLate: moving.size > 0,
  });
}

/** @param twice what changed once the same call was sent again */
function madeKnown(
  once: Effect,
  twice: Effect,
  { operation, ...seen }: { readonly operation: Operation } & Pick<Known, 'repeatedStatus' | 'arrivesLate'>,
): Known {
  const times = multiplesOf(twice, once);
  const withTimes = (holds: (count: number) => boolean) =>
    [...times].flatMap(([name, count]) => (holds(count) ? [name] : []));
  const meantTwice = new Set(withTimes(isTwice));
  // A figure that the repetition took back, or that came back by chance, shows nothing.
  const undone = new Set(withTimes((count) => count < 0.5));
  const single = new Map([...once].filter(([name]) => !undone.has(name)));
  if (single.size === 0)
    throw cannotTell('needs-state', `not exercised: ${operation.id} sent again takes back what it did`);
  return { single, meantTwice, ...seen };
}

/** Whether a repetition without a cut changes this figure once more, too. The prover turns this off. */
export const meansToRepeat = switchPoint((meantTwice: ReadonlySet<string>, name: string) =>
  meantTwice.has(name),
);

/** Whether the call has its effect without any body, so half of one is enough. The prover replaces this by `false`. */
export const needsNoBody = switchPoint((hasEffect: boolean) => hasEffect);

// The multiple of an effect, rounded to whole numbers: a figure may change a little by itself, too.
const isTwice = (times: number) => times >= 1.5;
const isThere = (times: number) => times >= 0.5;

interface Cutting {
  readonly cuts: readonly Cut[];
  readonly known: Known;
  /** What one call alone changed for other players; undefined unless `mayBeRandom`. */
  readonly alone: () => Promise<readonly Effect[] | undefined>;
  readonly begin: (nth: number) => Promise<Round>;
}

// The first round numbers of players who send no body, and of those who make one call each: numbers are unique.
const firstRoundWithoutBody = 100;
const firstComparedRound = 200;

/** A call that is cut and sent again, and what it has changed so far. */
interface Attempt {
  readonly round: Round;
  readonly call: Repeatable;
  readonly sent: Cut[];
  readonly read: (of?: Round) => Promise<Figures>;
  readonly effect: () => Promise<Effect>;
  /** A violation, with what to send to see it again. */
  readonly broken: (what: string, shown: Effect, evidence?: Exchange) => Ended;
}

async function cutAndRepeat(
  context: StepContext,
  attack: LostAnswer,
  round: Round,
  cutting: Cutting,
): Promise<Ended> {
  const { single, arrivesLate } = cutting.known;
  const names = new Set(single.keys());
  const begun = performance.now();
  // With replication lag, what a new player starts with may show late as well.
  if (context.lagMs() > 0) await waitForEffect(context);
  const read = (of = round) => attack.figures(of, names);
  // One read is enough where the control showed that nothing arrives late.
  const before = await (context.lagMs() === 0 && !arrivesLate ? read() : arrived(context, read));
  const call = await context.repeatable(attack.call(round));
  const sent: Cut[] = [];
  const attempt: Attempt = {
    round,
    call,
    sent,
    read,
    effect: async () => changesBetween(before, await read()),
    broken: (what, shown, evidence) => ({
      kind: 'broken',
      summary: `cut ${sent.join(', then ')}${what}: ${inWords(shown, single)}`,
      evidence,
      repetition: { requests: [call.request], how: sent },
    }),
  };
  const ended = await cutCalls(context, attack, attempt, cutting);
  if (ended !== undefined) return ended;
  if (sent.length === 0) return { kind: 'not exercised' };
  let answer = await call.send();
  if (!isProcessed(answer)) {
    await waitForCompensation(context);
    answer = await call.send();
  }
  if (!isProcessed(answer)) return { kind: 'not exercised' };
  await waitForEffect(context);
  return judgeRepeated(context, attempt, cutting, { answer, begun });
}

/** Makes the call and cuts it, once per cut. Returns how the round ended where half of a body had the effect. */
async function cutCalls(
  context: StepContext,
  attack: LostAnswer,
  { round, call, sent, read, effect, broken }: Attempt,
  { cuts, known: { single }, begin }: Cutting,
): Promise<Ended | undefined> {
  for (const cut of cuts) {
    if (!(await call.cut(cut))) continue;
    sent.push(cut);
    await waitForEffect(context);
    if (cut !== 'in the body' || !hasSomeEffect(await effect(), single)) continue;
    await waitForCompensation(context);
    const shown = await effect();
    if (!hasSomeEffect(shown, single)) continue;
    // A call that needs no body has its effect with half of one, too: another player sends none to find that out.
    const other = await begin(firstRoundWithoutBody + round.nth);
    // Where each player may draw another gift, any effect is one.
    const readOther = () => (attack.mayBeRandom ? attack.figures(other) : read(other));
    const since = await readOther();
    const bare = attack.call(other);
    await context.send(bare.role, bare.operation, { ...bare.ask, body: '' });
    await waitForEffect(context);
    const ofBare = changesBetween(since, await readOther());
    const hasEffect = attack.mayBeRandom ? ofBare.size > 0 : hasSomeEffect(ofBare, single);
    return needsNoBody(hasEffect) ? { kind: 'held' } : broken('', shown);
  }
  return undefined;
}

/** Judges what a call changed that was cut and sent again. @param begun when its round began, by `performance.now()` */
async function judgeRepeated(
  context: StepContext,
  { call, read, effect, broken }: Attempt,
  { known, alone }: Cutting,
  { answer, begun }: { readonly answer: Exchange; readonly begun: number },
): Promise<Ended> {
  const { single, meantTwice } = known;
  const isMeantTwice = (name: string) => meansToRepeat(meantTwice, name);
  const areThere = (times: ReadonlyMap<string, number>) => [...times.values()].every(isThere);
  const isTooOften = ([name, count]: readonly [string, number]) => isTwice(count) && !isMeantTwice(name);
  const isWrong = (times: ReadonlyMap<string, number>) => !areThere(times) || [...times].some(isTooOften);
  let endMultiples = multiplesOf(await effect(), single);
  if (isWrong(endMultiples)) {
    await waitForCompensation(context);
    const shown = await effect();
    const still = await read();
    await context.pause(performance.now() - begun);
    // Figures that change as fast by themselves are left out.
    const moved = withoutDrift(single, { before: still, after: await read() });
    const isWrongStill = isWrong(multiplesOf(shown, moved));
    const steady = isWrongStill ? withoutRandomEffects(moved, await alone()) : moved;
    if (isWrongStill && steady.size === 0) return { kind: 'random' };
    const steadyMultiples = multiplesOf(shown, steady);
    const brokenAfterAll = () => broken(` and sent again (answered ${statusOf(answer)})`, shown, answer);
    if ([...steadyMultiples].some(isTooOften)) return brokenAfterAll();
    if (!areThere(steadyMultiples)) {
      // A refusal for another reason does not show what became of the call that was cut off.
      if (!isSuccess(answer) && !isRepetition(answer, known)) return { kind: 'not exercised' };
      // The first call may still be under way: one more call shows whether its effect is lost.
      await call.send();
      await waitForEffect(context);
      if (!areThere(multiplesOf(await effect(), steady))) return brokenAfterAll();
    }
    endMultiples = multiplesOf(await effect(), single);
  }
  const isMeant = [...endMultiples].some(([name, count]) => isTwice(count) && isMeantTwice(name));
  return { kind: isMeant ? 'twice, as meant' : 'held' };
}

/** What one call changes for a player who makes no other. */
async function effectAlone(
  context: StepContext,
  { call, figures }: LostAnswer,
  { round, names }: { readonly round: Round; readonly names: ReadonlySet<string> },
): Promise<Effect> {
  const before = await arrived(context, () => figures(round, names));
  const { role, operation, ask } = call(round);
  await context.sendLikeliest(role, operation, ask);
  await waitForEffect(context);
  return changesBetween(before, await figures(round, names));
}

/** The pause, in ms, between the two reads that show whether what a new player starts with has arrived. */
const apartMs = 20;

/** The figures of a new player, once what they start with has arrived. @param atFirst what was read before, if known */
async function arrived(
  { pause, lagMs }: StepContext,
  figures: () => Promise<Figures>,
  atFirst?: Figures,
): Promise<Figures> {
  const first = atFirst ?? (await figures());
  await pause(apartMs);
  const next = await figures();
  if (changesBetween(first, next).size === 0) return next;
  await waitForEffect({ pause, lagMs });
  return figures();
}

const isSame = (one: Effect, other: Effect) =>
  one.size === other.size && [...one].every(([name, by]) => other.get(name) === by);

/** Whether at least one figure changed as one call changes it. */
const hasSomeEffect = (effect: Effect, single: Effect) =>
  [...multiplesOf(effect, single).values()].some(isThere);

/** Whether an answer is the refusal that a repetition gets: with the status seen in the control, or 409. */
const isRepetition = (answer: Exchange, { repeatedStatus }: Known) =>
  isRefusal(answer) && (statusOf(answer) === repeatedStatus || statusOf(answer) === 409);

const inWords = (effect: Effect, single: Effect) =>
  [...single]
    .map(([name, by]) => `${name} changed by ${effect.get(name) ?? 0}, and by ${by} for one call alone`)
    .join('; ');
