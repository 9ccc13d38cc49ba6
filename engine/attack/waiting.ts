// Waits before an attack is judged: until late effects show, until two reads agree, and until a target has compensated.

import type { StepContext } from '../flow/step-context.ts';
import { ignoreStop } from '../flow/why-refused.ts';
import { cannotTell } from '../judgement.ts';
import { switchPoint } from '../values/switch-points.ts';

/** The wait, in ms, until the effect of a call can be read, without replication lag. */
const settleMs = 150;
/** The wait, in ms, before a violation is read once more: the target may still compensate. */
export const confirmMs = 500;

type Waiting = Pick<StepContext, 'pause' | 'lagMs'>;

/** How long to wait, in ms: longer with replication lag. */
export const waitMs = switchPoint((leastMs: number, lagMs: number) => Math.max(leastMs, 2 * lagMs));

/**
 * What seems to be a violation is a reason to read the state once more, since it has to last before it counts. The prover
 * replaces this by `false`.
 */
export const isReadAgain = switchPoint((seemsBroken: boolean): boolean => seemsBroken);

/** Waits until the effect of calls can be read. */
export const waitForEffect = ({ pause, lagMs }: Waiting) => pause(waitMs(settleMs, lagMs()));

/** Waits as long as a target may take to compensate for what it did. */
export const waitForCompensation = ({ pause, lagMs }: Waiting) => pause(waitMs(confirmMs, lagMs()));

/** Waits as long as an attack takes, so that what changes by itself within that time shows. */
export const waitAsLongAsAnAttack = ({ pause, lagMs, means }: Waiting & Pick<StepContext, 'means'>) =>
  pause(Math.max(means.attacksBriefly ? settleMs : 2 * settleMs + confirmMs, 4 * lagMs()));

/** How long a control waits for the first effect, in ms; less where the user did not ask for attacks. */
const showsWithinMs = { asked: 1_500, brief: 600 } as const;
/** The pause between its first two reads, in ms; it doubles each time. */
const pollMs = 100;

/**
 * Polls until `holds` is true, and notes a replication lag where that took time. False once the time is over.
 * @param sinceMs when the awaited effect was caused, by `performance.now()`
 */
export async function eventuallyHolds(
  { pause, lagMs, noteLag, means }: Waiting & Pick<StepContext, 'noteLag' | 'means'>,
  holds: () => Promise<boolean>,
  sinceMs = performance.now(),
): Promise<boolean> {
  const until = Math.max(means.attacksBriefly ? showsWithinMs.brief : showsWithinMs.asked, 2 * lagMs());
  for (let [waited, ms] = [0, pollMs]; ; waited += ms, ms = Math.min(2 * ms, until - waited)) {
    if (await holds()) {
      if (waited > 0) noteLag(Math.round(performance.now() - sinceMs));
      return true;
    }
    if (ms <= 0) return false;
    await pause(ms);
  }
}

/**
 * Rounds go on after one that decides alone, so that a finding says in how many rounds it was seen. The prover, which only
 * asks whether there is a finding, ends them there.
 */
export const goesOnAfter = switchPoint((_decides: boolean): boolean => true);

/**
 * Plays the rounds of an attack. A round that cannot be played ends them; what earlier rounds showed stands.
 * @param play returns whether the round decides alone (see `goesOnAfter`)
 * @throws Stop where the first round cannot be played
 */
export async function inRounds<Round>(
  rounds: readonly Round[],
  play: (round: Round, nth: number) => Promise<boolean>,
): Promise<void> {
  for (const [at, round] of rounds.entries()) {
    try {
      if (!goesOnAfter(await play(round, at + 1))) return;
    } catch (error) {
      if (at === 0) throw error;
      return ignoreStop(error);
    }
  }
}

/** The pause between two reads that are to agree, in ms: without replication lag, a short one shows as much. */
const apartMs = { atOnce: 20, behind: 100 } as const;

/**
 * Reads until two results in a row agree; ends the step with `elseSay` where they keep changing.
 * @param last an earlier result, where that read was long enough ago
 */
export async function onceTwoAgree<State>(
  { pause, lagMs }: Waiting,
  read: () => Promise<State>,
  {
    mostReads,
    elseSay,
    ...known
  }: { readonly mostReads: number; readonly elseSay: string; readonly last?: State },
): Promise<State> {
  let last = known.last ?? (await read());
  for (let reads = 1; reads < mostReads; reads += 1) {
    // Once two reads have differed, the pauses are longer.
    if (known.last === undefined || reads > 1)
      await pause(lagMs() === 0 && reads === 1 ? apartMs.atOnce : apartMs.behind);
    const next = await read();
    if (JSON.stringify(next) === JSON.stringify(last)) return next;
    last = next;
  }
  throw cannotTell('unstable-answers', elseSay);
}
