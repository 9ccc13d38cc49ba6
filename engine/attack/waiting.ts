// Waits before an attack is judged: until late effects show, until two reads agree, and until a target has compensated.
import { ignoreStop } from '../flow/refusal.ts';
import type { StepContext } from '../flow/step-context.ts';
import { cannotTell } from '../judgement.ts';
import { switchPoint } from '../values/switch-points.ts';

/** Until what a call did can be read, where there is no replication lag. */
const settleMs = 150;
/** The wait before a violation is read once more: the target may still compensate. */
export const confirmMs = 500;

type Waiting = Pick<StepContext, 'pause' | 'lagMs'>;

/** How long is waited, in ms: longer where there is replication lag. */
export const waitMs = switchPoint((leastMs: number, lagMs: number) => Math.max(leastMs, 2 * lagMs));

/** What seems to be a violation is read once more before it counts. */
export const isReadAgain = switchPoint((seemsBroken: boolean): boolean => seemsBroken);

/** Waits until what calls did can be read. */
export const settled = ({ pause, lagMs }: Waiting) => pause(waitMs(settleMs, lagMs()));

/** Waits until a compensation would have come. */
export const confirmed = ({ pause, lagMs }: Waiting) => pause(waitMs(confirmMs, lagMs()));

/** Waits as long as an attack takes, so that what changes by itself within that time is seen to. */
export const idle = ({ pause, lagMs, attacksBriefly }: Waiting & Pick<StepContext, 'attacksBriefly'>) =>
  pause(Math.max(attacksBriefly ? settleMs : 2 * settleMs + confirmMs, 4 * lagMs()));

/** How long a control waits for the first effect; who did not ask for attacks waits for less. */
const showsWithinMs = { asked: 1_500, brief: 600 } as const;
/** Between its first two reads; then twice as long each time. */
const pollMs = 100;

/**
 * Asks until it holds, and notes the replication lag where it did not hold at once.
 * @param sinceMs the time of what is waited for, by `performance.now()`
 */
export async function eventuallyHolds(
  { pause, lagMs, noteLag, attacksBriefly }: Waiting & Pick<StepContext, 'noteLag' | 'attacksBriefly'>,
  holds: () => Promise<boolean>,
  sinceMs = performance.now(),
): Promise<boolean> {
  const until = Math.max(attacksBriefly ? showsWithinMs.brief : showsWithinMs.asked, 2 * lagMs());
  for (let [waited, ms] = [0, pollMs]; ; waited += ms, ms = Math.min(2 * ms, until - waited)) {
    if (await holds()) {
      if (waited > 0) noteLag(Math.round(performance.now() - sinceMs));
      return true;
    }
    if (ms <= 0) return false;
    await pause(ms);
  }
}

/** Rounds go on, even after one that decides, so that a finding says in how many of them it came about. */
export const goesOnAfter = switchPoint((_decides: boolean): boolean => true);

/**
 * Plays the rounds of an attack. One that cannot be played ends them: what those before it showed stands.
 * @param play returns whether the round decides alone
 * @throws what ended the first
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

/** Between two reads that are to agree, in ms: where reads follow writes at once, a short while shows as much. */
const apartMs = { atOnce: 20, behind: 100 } as const;

/**
 * What a read gives once two in a row agree; ends the step with the words of `elseSay` where it keeps changing.
 * @param last what the read gave before, where that was long enough ago
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
    // What differed once is given longer.
    if (known.last === undefined || reads > 1)
      await pause(lagMs() === 0 && reads === 1 ? apartMs.atOnce : apartMs.behind);
    const next = await read();
    if (JSON.stringify(next) === JSON.stringify(last)) return next;
    last = next;
  }
  throw cannotTell('unstable-answers', elseSay);
}
