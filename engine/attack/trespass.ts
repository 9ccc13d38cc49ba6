// Lets other players, and anonymous callers, act on what belongs to a player, and judges the effect by what the owner
// reads afterwards. No status alone fails a check.
import type { Operation } from '../../catalog/operation.ts';
import { placesApart, textInOneOrder, valuesByPlace } from '../flow/snapshot.ts';
import type { BodyAsk, StepContext } from '../flow/step-context.ts';
import { ignoreStop } from '../flow/why-refused.ts';
import { type Exchange, isSuccess } from '../http/exchange.ts';
import { cannotTell, Stop } from '../judgement.ts';
import { instantOf } from '../values/instant.ts';
import { isNested, parsedJson } from '../values/json-walk.ts';
import { switchPoint } from '../values/switch-points.ts';
import { inTheNameOf } from './disclosure.ts';
import {
  eventuallyHolds,
  isReadAgain,
  onceTwoAgree,
  waitAsLongAsAnAttack,
  waitForCompensation,
  waitForEffect,
} from './waiting.ts';

/** The roles of one round. Each is a new player, except the attacker, who may be the same in all attacks of a run. */
export interface Round {
  readonly owner: string;
  readonly attacker: string;
  /** The further players that the attack asked for. */
  readonly others: readonly string[];
}

export interface Trespass<Thing> {
  /** How many players a round needs besides the owner and the attacker; default 0. */
  readonly others?: number;
  /** Makes what belongs to the owner; of several, the first on which the owner's own call has an effect is attacked. */
  readonly make: (round: Round) => Promise<readonly Thing[]>;
  readonly operation: Operation;
  /** The operation that undoes, at the end, what the call added to its caller; it gets the same `ask`. */
  readonly undoneBy?: Operation;
  /** The operation acts on its caller, so attackers put the owner's id wherever a server may look for the caller. */
  readonly inTheNameOf?: true;
  /** A control that was made elsewhere, on the first thing of `make`. */
  readonly control?: () => Promise<unknown>;
  /** The attacker takes part in what is made, so each round recruits an attacker of its own. */
  readonly attackerTakesPart?: true;
  /** The call, as the owner makes it. @param value new for each call, for bodies that set something */
  readonly ask: (thing: Thing, round: Round, value: string) => BodyAsk;
  /**
   * What the owner's side shows of it, in words; undefined where it shows nothing.
   * @param values the values that calls have carried so far
   */
  readonly shown: (thing: Thing, round: Round, values: readonly string[]) => Promise<string | undefined>;
}

const mostReads = 10;

/**
 * Runs the attack. A control comes first: while nothing is called, what the owner's side shows stays as it is, and the
 * owner's own call changes it. Then an anonymous caller and another player make that call, on a new owner. Ends the
 * step as a violation where what the owner's side shows changed and stayed changed.
 */
export async function trespass<Thing>(context: StepContext, attack: Trespass<Thing>): Promise<void> {
  await attack.control?.();
  const mask = createMask();
  const { at, shownAfterMs } = attack.control
    ? { at: 0, shownAfterMs: 0 }
    : await control(context, attack, mask);
  const attempt = async (who: readonly Caller[], nth: number) => {
    const round = await begin(context, attack, nth);
    const thing = (await prepared(() => attack.make(round)))[at];
    if (thing === undefined)
      throw cannotTell(
        'needs-state',
        'not exercised: a second owner has nothing like what the first one had',
      );
    const seen = readsOf(context, attack, round, thing, mask);
    // What was made may show late; it must not be mistaken for an effect of the call.
    await context.pause(Math.max(shownAfterMs * 1.2, 2 * context.lagMs()));
    // The first attempt alone is no violation.
    const before = await (nth > 1 ? seen.steady() : seen.atFirst());
    const answers: Exchange[] = [];
    if (who.includes('another player')) addUndo(context, attack, round, thing, round.attacker);
    for (const { role, ways } of who.map((caller) => callersOf(context, attack, round)[caller]))
      for (const { speaker, beside } of ways) {
        const ask = context.likeliestAsk(speaker, attack.operation, attack.ask(thing, round, seen.value()));
        answers.push(await context.send(role, attack.operation, { ...ask, ...beside }));
      }
    await waitForEffect(context);
    // Without replication lag, a read that equals the one before is final; with lag, two later reads have to agree.
    let after = await seen.steady(context.lagMs() === 0 ? before : undefined);
    const wasChanged = after !== before;
    if (wasChanged) addUndo(context, attack, round, thing, round.owner);
    if (isReadAgain(wasChanged)) {
      await waitForCompensation(context);
      after = await seen.steady();
    }
    if (wasChanged && after === before)
      context.note(`what ${who.join(' or ')} did was taken back afterwards`);
    return { before, after, evidence: answers.find(isSuccess) ?? answers.at(-1) };
  };

  // The change may have come by itself, so it has to come again; one caller at a time shows whose call made it.
  const first = await attempt(callers, 1);
  const again = first.after === first.before ? [] : [...callers.map((caller) => [caller] as const), callers];
  for (const [at, who] of again.entries()) {
    const { before, after, evidence } = await attempt(who, at + 2);
    context.expect(
      after === before,
      `${attack.operation.id} of ${who.join(' and ')} leaves what belongs to the owner as it was: ${before}`,
      `the owner's side shows: ${after}`,
      evidence,
    );
  }
  if (again.length > 0) context.note('what the owner reads changed once, and not when it was tried again');
  context.note('tried without a session and as another player; what the owner reads stayed as it was');
}

const callers = ['somebody without a session', 'another player'] as const;
type Caller = (typeof callers)[number];

/** How each caller calls: with the body of the owner, and with one of its own, since either may name the owner. */
function callersOf<Thing>(context: StepContext, attack: Trespass<Thing>, round: Round) {
  const owner = context.player(round.owner).id;
  const named = owner === undefined ? {} : inTheNameOf(owner);
  const asOwner = (beside: Partial<typeof named>) => ({ speaker: round.owner, beside });
  const ways = attack.inTheNameOf
    ? [asOwner(named)]
    : [{ speaker: round.attacker, beside: {} }, asOwner(named)];
  return {
    'somebody without a session': { role: undefined, ways: [asOwner(attack.inTheNameOf ? named : {})] },
    'another player': { role: round.attacker, ways },
  } satisfies Record<Caller, object>;
}

/** Registers a teardown of what a call of this player may have added. */
function addUndo<Thing>(
  context: StepContext,
  { undoneBy, ask }: Trespass<Thing>,
  round: Round,
  thing: Thing,
  role: string,
): void {
  if (undoneBy) context.addTeardown(role, undoneBy, ask(thing, round, ''));
}

/** Finds the first thing on which the owner's call shows, and how many ms after it was made the effect was seen. */
async function control<Thing>(
  context: StepContext,
  attack: Trespass<Thing>,
  mask: Mask,
): Promise<{ readonly at: number; readonly shownAfterMs: number }> {
  const round = await begin(context, attack, 0);
  const things = await prepared(() => attack.make(round));
  const madeAt = performance.now();
  let refused: unknown;
  for (const [at, thing] of things.entries()) {
    const seen = readsOf(context, attack, round, thing, mask);
    const early = await seen.atFirst();
    await waitAsLongAsAnAttack(context);
    const later = await seen.once();
    const before = mask.of(mask.learn(early, later) ? await seen.once() : later);
    if (changesByItself(mask.of(early), before))
      throw cannotTell('unstable-answers', 'not exercised: what the owner reads changes while nobody calls');
    addUndo(context, attack, round, thing, round.owner);
    try {
      await prepared(() =>
        context.mustSucceed(round.owner, attack.operation, attack.ask(thing, round, seen.value())),
      );
    } catch (error) {
      ignoreStop(error);
      refused = error;
      continue;
    }
    if (await seen.changes(before, performance.now())) {
      context.confirmBody(attack.operation);
      return { at, shownAfterMs: performance.now() - madeAt };
    }
  }
  throw (
    refused ??
    cannotTell('needs-state', `not exercised: nothing that the owner reads shows ${attack.operation.id}`)
  );
}

async function begin<Thing>(
  context: StepContext,
  { others = 0, attackerTakesPart }: Trespass<Thing>,
  nth: number,
): Promise<Round> {
  const name = nth === 0 ? 'control' : nth === 1 ? 'attacked' : `attacked ${nth}`;
  const role = (what: string) => `${what} (${name})`;
  const round = {
    owner: role('owner'),
    attacker: role('attacker'),
    others: Array.from({ length: others }, (_, at) => role(`other ${at + 1}`)),
  };
  await context.recruit(round.owner, ...(attackerTakesPart ? [round.attacker] : []), ...round.others);
  if (nth > 0 && !attackerTakesPart) {
    const attacker = context.shared('an outsider', async () => {
      await context.recruit(round.attacker);
      return context.player(round.attacker);
    });
    context.play(round.attacker, await attacker);
  }
  return round;
}

/** Runs a preparation. A violation in it becomes inconclusive: another step judges it, and nothing can be attacked. */
export async function prepared<Value>(work: () => Promise<Value>): Promise<Value> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Stop) || error.judgement.kind !== 'violation') throw error;
    const { actual, evidence } = error.judgement;
    throw cannotTell('prerequisite-failed', `not exercised: the owner cannot do it: ${actual}`, evidence);
  }
}

/** Leaves out of what the owner's side shows, as JSON, what changes while nobody calls: clocks, and ids of requests. */
interface Mask {
  readonly of: (shown: string) => string;
  /** Gets two reads between which nobody called. @returns whether they differ in JSON */
  readonly learn: (early: string, later: string) => boolean;
}

/** Whether there is anything to leave out. @param changing places */
export const isMasked = switchPoint((changing: ReadonlySet<string>): boolean => changing.size > 0);

/** A value of now is a clock, and may stand still for a second. */
const nowWithinMs = 2_000;

function createMask(): Mask {
  const changing = new Set<string>();
  const isNow = (value: string) => Math.abs((instantOf(JSON.parse(value)) ?? 0) - Date.now()) < nowWithinMs;
  return {
    of(shown) {
      const value = isMasked(changing) ? parsedJson(shown) : undefined;
      return isNested(value) ? textInOneOrder(value, changing) : shown;
    },
    learn(early, later) {
      const [one, other] = [parsedJson(early), parsedJson(later)];
      if (!isNested(one) || !isNested(other)) return false;
      const values = valuesByPlace(other);
      const apart = placesApart(valuesByPlace(one), values);
      for (const place of apart) changing.add(place);
      for (const [place, [first]] of values) if (first !== undefined && isNow(first)) changing.add(place);
      return apart.size > 0;
    },
  };
}

/** Whether what the owner reads changes while nobody calls. */
export const changesByItself = switchPoint((before: string, after: string) => before !== after);

/** Reads what the owner's side shows of one thing. */
function readsOf<Thing>(
  context: StepContext,
  attack: Trespass<Thing>,
  round: Round,
  thing: Thing,
  mask: Mask,
) {
  const values: string[] = [];
  const read = async () => {
    const shown = await attack.shown(thing, round, values);
    if (shown === undefined)
      throw cannotTell('needs-state', 'not exercised: no read shows the owner what the call is about');
    return mask.of(shown);
  };
  /** The same once two reads agree. @param last what was read before, where that was long enough ago */
  const steady = (last?: string) =>
    onceTwoAgree(context, read, {
      mostReads,
      ...(last !== undefined && { last }),
      elseSay: 'what the owner reads keeps changing',
    });
  return {
    value(): string {
      const made = context.unique('assaymark');
      values.push(made);
      return made;
    },
    once: read,
    steady,
    /** Reads what was made just now; with replication lag, once two reads agree. */
    atFirst: () => (context.lagMs() === 0 ? read() : steady()),
    /** Polls until it differs from `before`; false where it never does. */
    changes: (before: string, sinceMs: number) =>
      eventuallyHolds(context, async () => (await read()) !== before, sinceMs),
  };
}
