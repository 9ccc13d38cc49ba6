// Cuts the connection of a call before its answer and sends the call again, as a client does that lost the network.
// Only what the target shows afterwards fails a check; no status does.

import type { Operation } from '../../catalog/operation.ts';
import type { RoleCall } from '../flow/attack-context.ts';
import { cannotTell } from '../flow/refusal.ts';
import type { StepContext } from '../flow/step-context.ts';
import type { Cut } from '../http/cut-off.ts';
import { type Exchange, isRefusal, isSuccess, statusOf } from '../http/exchange.ts';
import type { Repetition } from '../http/script.ts';
import { switchPoint } from '../values/switch-points.ts';
import {
  changesBetween,
  comparedPlayers,
  type Figures,
  multiplesOf,
  withoutDrift,
  withoutRandomEffects,
} from './figures.ts';
import { type Control, effectVaries, isHeard, type Round } from './race.ts';
import { comesToHold, confirmed, inRounds, settled } from './waiting.ts';

type Effect = ReadonlyMap<string, number>;

export interface LostAnswer {
  /** Brings the player of a round where the call has its effect. May end the step. */
  readonly begin?: (round: Round) => Promise<void>;
  readonly call: (round: Round) => RoleCall;
  /** How many players a round needs, each of them new; default 1. */
  readonly people?: number;
  /** The control, where another attack needs the same one; made here otherwise. */
  readonly control?: () => Promise<Control<Figures>>;
  /** What a call gives may be drawn: where something seems broken, it is seen what one call alone does for others. */
  readonly mayBeRandom?: true;
  /** What the target shows of the round. @param names those that are asked for; all where there are none */
  readonly figures: (round: Round, names?: ReadonlySet<string>) => Promise<Figures>;
}

/** The cuts of each round; the call is sent again after the last one. */
const rounds: readonly (readonly Cut[])[] = [['in the body'], ['at once'], ['in the answer']];
/** Half of a body that has no effect changes nothing for the call after it. */
const briefRounds: readonly (readonly Cut[])[] = [['in the body', 'at once']];

/** What the control showed of one call, and of the same call sent again. */
interface Known {
  readonly single: Effect;
  /** The figures that the call changed a second time: there it is meant to have its effect again. */
  readonly repeating: ReadonlySet<string>;
  /** What a new player has may not all be there at once. */
  readonly arrivesLate: boolean;
  /** How the call was answered that was sent again. */
  readonly repeatedStatus: number;
}

type Ended =
  | { readonly kind: 'held' }
  | { readonly kind: 'not exercised' }
  | { readonly kind: 'drawn' }
  | { readonly kind: 'twice, as meant' }
  | {
      readonly kind: 'broken';
      readonly story: string;
      readonly evidence: Exchange | undefined;
      readonly repetition: Repetition;
    };

/**
 * Runs the attack. A control comes first, without a cut: the call changes something that does not change by itself, and
 * the same call sent again shows what the target makes of a repetition. Then, each with a new player, the call is cut in
 * the middle of its body, right after it was sent, and when its answer begins, and is sent again on a fresh connection.
 * Ends the step as a violation where the effect came twice, though a repetition has none; where it never came, though
 * the repetition was acknowledged or refused as one; and where half of a body had it.
 */
export async function loseAnswer(context: StepContext, attack: LostAnswer): Promise<void> {
  const begin = async (nth: number): Promise<Round> => {
    const people = Array.from({ length: attack.people ?? 1 }, (_, at) => `player ${at + 1} of round ${nth}`);
    await context.recruit(...people);
    const round = { nth, people };
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
        aloneIn(context, attack, { round: await begin(2 * withoutBody + at), names }),
      ),
    );
    return ofOthers;
  };
  const ends: Ended[] = [];
  await inRounds(context.attacksBriefly ? briefRounds : rounds, async (cuts, nth) => {
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
      `not so in ${broken.length} of ${exercised} rounds; ${first.story}`,
      first.evidence,
      first.repetition,
    );
  if (ends.some(({ kind }) => kind === 'drawn')) throw cannotTell('needs-state', effectVaries);
  if (exercised === 0)
    throw cannotTell('rate-limited', 'not exercised: no call that was cut off was answered when sent again');
  if (ends.some(({ kind }) => kind === 'twice, as meant'))
    context.observe('at least once: sent again after a cut it has its effect again, as without one');
  else context.note(`cut off and sent again in ${exercised === 1 ? 'one round' : `${exercised} rounds`}`);
}

async function control(context: StepContext, attack: LostAnswer, round: Round): Promise<Known> {
  const atFirst = await attack.figures(round);
  const early = await arrived(context, () => attack.figures(round), atFirst);
  await settled(context);
  const before = await attack.figures(round);
  const moving = changesBetween(early, before);
  const call = attack.call(round);
  await context.done(call.role, call.operation, call.ask);
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
  if (!(await comesToHold(context, isShown, doneAt)))
    throw cannotTell('needs-state', `not exercised: nothing shows what ${call.operation.id} does`);
  // What the call does was seen, so its body is no guess.
  context.worked(call.operation);
  // A part of it may show later than the rest.
  await settled(context);
  const single = await shown();
  if (!isSame(first, single)) context.noteLag(Math.round(performance.now() - doneAt));
  const repeated = await (await context.repeatable(call)).send();
  await settled(context);
  const names = new Set(single.keys());
  const twice = changesBetween(before, await attack.figures(round, names));
  return madeKnown(single, twice, {
    operation: call.operation,
    repeatedStatus: statusOf(repeated),
    arrivesLate: changesBetween(atFirst, before).size > 0,
  });
}

function knownBy({ early, single, changed, repeatedStatus }: Control<Figures>, operation: Operation): Known {
  const moving = changesBetween(early, single.before);
  const once = [...changesBetween(single.before, single.after)].filter(([name]) => !moving.has(name));
  return madeKnown(new Map(once), changesBetween(changed.before, changed.after), {
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
  const repeating = new Set(withTimes(isTwice));
  // What the repetition took back, or left as it is by chance, shows nothing.
  const inVain = new Set(withTimes((count) => count < 0.5));
  const single = new Map([...once].filter(([name]) => !inVain.has(name)));
  if (single.size === 0)
    throw cannotTell('needs-state', `not exercised: ${operation.id} sent again takes back what it did`);
  return { single, repeating, ...seen };
}

/** A repetition has the effect of this figure once more without a cut, too. */
export const meansToRepeat = switchPoint((repeating: ReadonlySet<string>, name: string) =>
  repeating.has(name),
);

/** The call has its effect without any body: half of one is enough then. */
export const needsNoBody = switchPoint((hasEffect: boolean) => hasEffect);

const isTwice = (times: number) => times >= 1.5;
const isThere = (times: number) => times >= 0.5;

interface Cutting {
  readonly cuts: readonly Cut[];
  readonly known: Known;
  /** What the call alone does for other players; undefined where what it gives is never drawn. */
  readonly alone: () => Promise<readonly Effect[] | undefined>;
  readonly begin: (nth: number) => Promise<Round>;
}

/** The rounds of players who send no body, apart from all others. */
const withoutBody = 100;

async function cutAndRepeat(
  context: StepContext,
  attack: LostAnswer,
  round: Round,
  { cuts, known, alone, begin }: Cutting,
): Promise<Ended> {
  const { single, repeating } = known;
  const names = new Set(single.keys());
  const begun = performance.now();
  // What a new player has shows late as well.
  if (context.lagMs() > 0) await settled(context);
  // What arrives late was seen in the control.
  const read = () => attack.figures(round, names);
  const before = await (context.lagMs() === 0 && !known.arrivesLate ? read() : arrived(context, read));
  const effect = async (of = round, since = before) => changesBetween(since, await attack.figures(of, names));
  const made = attack.call(round);
  const call = await context.repeatable(made);
  const story = (what: string) => `cut ${sent.join(', then ')}${what}`;

  const sent: Cut[] = [];
  const repetition = (): Repetition => ({ requests: [call.request], how: sent });
  for (const cut of cuts) {
    if (!(await call.cut(cut))) continue;
    sent.push(cut);
    await settled(context);
    if (cut !== 'in the body' || !someThere(await effect(), single)) continue;
    await confirmed(context);
    const shown = await effect();
    if (!someThere(shown, single)) continue;
    // Where the call needs no body, half of one is as good as none.
    const other = await begin(withoutBody + round.nth);
    const since = await attack.figures(other, names);
    const bare = attack.call(other);
    await context.put(bare.role, bare.operation, { ...bare.ask, body: '' });
    await settled(context);
    if (needsNoBody(someThere(await effect(other, since), single))) return { kind: 'held' };
    return {
      kind: 'broken',
      story: story(`: ${inWords(shown, single)}`),
      evidence: undefined,
      repetition: repetition(),
    };
  }
  if (sent.length === 0) return { kind: 'not exercised' };

  let answer = await call.send();
  if (!isHeard(answer)) {
    await confirmed(context);
    answer = await call.send();
  }
  if (!isHeard(answer)) return { kind: 'not exercised' };
  const isRepeating = (name: string) => meansToRepeat(repeating, name);
  const isKept = (times: ReadonlyMap<string, number>) =>
    [...times].every(([name, count]) => isThere(count) && (isRepeating(name) || !isTwice(count)));
  await settled(context);
  let ended = multiplesOf(await effect(), single);
  if (!isKept(ended)) {
    await confirmed(context);
    const shown = await effect();
    const still = await attack.figures(round, names);
    await context.pause(performance.now() - begun);
    // What changed by itself as fast is left out.
    const drift = { before: still, after: await attack.figures(round, names) };
    const moved = withoutDrift(single, drift);
    const isWrong = [...multiplesOf(shown, moved)].some(
      ([name, count]) => !isThere(count) || (isTwice(count) && !isRepeating(name)),
    );
    const steady = isWrong ? withoutRandomEffects(moved, await alone()) : moved;
    if (isWrong && steady.size === 0) return { kind: 'drawn' };
    const times = multiplesOf(shown, steady);
    const after = story(` and sent again (answered ${statusOf(answer)}): ${inWords(shown, single)}`);
    if ([...times].some(([name, count]) => isTwice(count) && !isRepeating(name)))
      return { kind: 'broken', story: after, evidence: answer, repetition: repetition() };
    if (![...times.values()].every(isThere)) {
      // Another refusal says nothing of what became of the call that was cut off.
      if (!isSuccess(answer) && !isRepetition(answer, known)) return { kind: 'not exercised' };
      // A call that is still under way may be the reason.
      await call.send();
      await settled(context);
      const late = multiplesOf(await effect(), steady);
      if (![...late.values()].every(isThere))
        return { kind: 'broken', story: after, evidence: answer, repetition: repetition() };
    }
    ended = multiplesOf(await effect(), single);
  }
  const isMeant = [...ended].some(([name, count]) => isTwice(count) && isRepeating(name));
  return { kind: isMeant ? 'twice, as meant' : 'held' };
}

/** What one call changes for somebody who makes no other. */
async function aloneIn(
  context: StepContext,
  { call, figures }: LostAnswer,
  { round, names }: { readonly round: Round; readonly names: ReadonlySet<string> },
): Promise<Effect> {
  const before = await arrived(context, () => figures(round, names));
  const { role, operation, ask } = call(round);
  await context.put(role, operation, context.likeliestAsk(role, operation, ask));
  await settled(context);
  return changesBetween(before, await figures(round, names));
}

/** Between two reads that tell whether what a new player was given has arrived, in ms. */
const apartMs = 20;

/** What a player has who came just now. */
async function arrived(
  { pause, lagMs }: StepContext,
  figures: () => Promise<Figures>,
  atFirst?: Figures,
): Promise<Figures> {
  const first = atFirst ?? (await figures());
  await pause(apartMs);
  const next = await figures();
  if (changesBetween(first, next).size === 0) return next;
  await settled({ pause, lagMs });
  return figures();
}

const isSame = (one: Effect, other: Effect) =>
  one.size === other.size && [...one].every(([name, by]) => other.get(name) === by);

const someThere = (effect: Effect, single: Effect) => [...multiplesOf(effect, single).values()].some(isThere);

/** The refusal that a repetition gets. */
const isRepetition = (answer: Exchange, { repeatedStatus }: Known) =>
  isRefusal(answer) && (statusOf(answer) === repeatedStatus || statusOf(answer) === 409);

const inWords = (effect: Effect, single: Effect) =>
  [...single]
    .map(([name, by]) => `${name} changed by ${effect.get(name) ?? 0}, and by ${by} for one call alone`)
    .join('; ');
