// Guards of attacks: what keeps an attack from accusing a correct server, or from passing without having tried
// anything. The prover removes each in turn, and checks that the server it protects is then judged wrongly.

import { placesDisclosed, samplesAsked } from '../../engine/attack/disclosure.ts';
import { isDrifting, isRandom } from '../../engine/attack/figures.ts';
import { meansToRepeat, needsNoBody } from '../../engine/attack/lost-answer.ts';
import { countsAsIntended, isAcknowledged, isHandled, isProcessed } from '../../engine/attack/race.ts';
import { changesByItself, isMasked } from '../../engine/attack/trespass.ts';
import { isReadAgain, waitMs } from '../../engine/attack/waiting.ts';
import { fingerprint } from '../../engine/compare/compare.ts';
import { isLater, isOld } from '../../engine/probe/content-rollback.ts';
import { flip } from '../../engine/values/switch-points.ts';
import type { Mutant } from '../../fixtures/mutants/mutant.ts';
import { letsAnybodyIn } from '../../scenarios/forged/entry-points.ts';
import type { ProofRow } from './prover.ts';

/** One guard: a decision of the attacks, and the correct server that it keeps from being judged wrongly. */
interface AttackGuard {
  /** Name of the correct server that it protects. */
  readonly server: string;
  readonly step: string;
  /** What the guard takes into account, in words. */
  readonly knows: string;
  /** Replaces the guard in this thread with code that ignores what it knows; returns functions to put it back. */
  readonly remove: () => readonly (() => void)[];
  /** How the step errs without the guard: it passes though nothing was tried. Default: it accuses the server. */
  readonly unguarded?: 'passes';
}

export interface AttackGuardRow extends Pick<AttackGuard, 'server' | 'step' | 'knows'> {
  readonly unguarded: 'accuses' | 'passes';
  /** The step does `unguarded` without the guard, and not with it. */
  readonly needed: boolean;
  /** The step does `unguarded` with the guard, too. */
  readonly inVain: boolean;
}

const atOnce = () => [flip(waitMs, () => 0), flip(isReadAgain, () => false)];
/** Removes both: where balances grow by themselves, the effect of a single call seems random as well. */
const byItself = () => [flip(isDrifting, () => false), flip(isRandom, () => false)];

export const attackGuards: readonly AttackGuard[] = [
  {
    server: 'a server whose reads are 500 ms behind',
    step: 'races/code',
    knows: 'reads may stay behind writes',
    remove: atOnce,
  },
  {
    server: 'a server that redeems later what it accepts',
    step: 'races/code',
    knows: 'what is accepted may be done later',
    remove: atOnce,
  },
  {
    server: 'a server whose reads are 500 ms behind',
    step: 'retry/gift',
    knows: 'reads may stay behind what a cut call did',
    // What is read too early is 0 for some players and seems random.
    remove: () => [flip(waitMs, () => 0), flip(isRandom, () => false)],
  },
  {
    server: 'a server that takes back what was too much',
    step: 'races/gift',
    knows: 'what was too much may be taken back',
    remove: () => [flip(isReadAgain, () => false)],
  },
  {
    server: 'a server where everybody is paid now and then',
    step: 'races/code',
    knows: 'balances may grow by themselves',
    remove: byItself,
  },
  {
    server: 'a server where everybody is paid now and then',
    step: 'retry/code',
    knows: 'balances may grow by themselves',
    remove: byItself,
  },
  ...(['races/gift', 'retry/gift'] as const).map(
    (step): AttackGuard => ({
      server: 'a server whose gifts are drawn',
      step,
      knows: 'one call alone may give more to one player than to another',
      remove: () => [flip(isRandom, () => false)],
    }),
  ),
  {
    server: 'a server with codes for everybody, always',
    step: 'races/code',
    knows: 'what calls one after another do as well is meant',
    remove: () => [flip(countsAsIntended, () => false)],
  },
  {
    server: 'a server with codes for everybody, always',
    step: 'retry/code',
    knows: 'what a repetition does without a cut as well is meant',
    remove: () => [flip(meansToRepeat, () => false)],
  },
  {
    server: 'a server that refuses writes that meet',
    step: 'races/states',
    knows: 'a write counts once it is acknowledged with 2xx',
    remove: () => [flip(isAcknowledged, isProcessed)],
  },
  {
    server: 'a server with codes for everybody that holds one player back',
    step: 'races/code',
    knows: 'a call of the control that met a rate limit shows nothing',
    remove: () => [flip(isHandled, () => true)],
  },
  {
    server: 'a server that refuses all calls that meet',
    step: 'races/gift',
    knows: 'calls that met a rate limit did not meet one another',
    remove: () => [flip(isProcessed, () => true)],
    unguarded: 'passes',
  },
  {
    server: 'a server that waits for no body that it does not need',
    step: 'retry/gift',
    knows: 'where no body is needed, half of one is enough',
    remove: () => [flip(needsNoBody, () => false)],
  },
  {
    server: 'a server whose messages count down',
    step: 'isolation/message-mark',
    knows: 'what the owner reads may change by itself',
    remove: () => [flip(changesByItself, () => false), flip(isMasked, () => false)],
  },
  {
    server: 'a server that repeats what it was asked, from two machines',
    step: 'isolation/reads-general-inventories',
    knows: "a value is the owner's where the attacker's own answer has another",
    remove: () => [flip(placesDisclosed, (_, __, own) => new Set(fingerprint(own).keys()))],
  },
  {
    server: 'a server that repeats what it was asked, from two machines',
    step: 'isolation/reads-general-currencies',
    knows: 'what one machine shows once is no value of a player',
    remove: () => [flip(samplesAsked, () => 1)],
  },
  {
    server: 'a test stage that looks at nothing but the subject',
    step: 'forged/none',
    knows: 'where no signature is verified, no further token is a finding of its own',
    remove: () => [flip(letsAnybodyIn, () => false)],
  },
  {
    server: 'an edge that keeps an older copy, and says so',
    step: 'http/one-content',
    knows: 'a cache may keep an older copy, and says so with Age',
    remove: () => [flip(isOld, () => false)],
  },
  {
    server: 'a version that is replaced machine by machine',
    step: 'http/current-version',
    knows: 'machines that are replaced one after another answer in turn for a while',
    remove: () => [flip(isLater, (ms) => ms > 0)],
  },
];

/** Runs without a guard at once: one alone may miss the fault by chance (which machine answers, how busy it is). */
const runsAtOnce = 4;
/** Most rounds of such runs, until one of them shows the fault. */
const mostRounds = 4;

type Prove = (mutant: Mutant) => Promise<ProofRow>;

/** Tries one guard after another, since removing one affects everything that runs in this thread. */
export async function proveAttackGuards(
  prove: Prove,
  servers: readonly Pick<Mutant, 'name' | 'mutation'>[],
  guards: readonly AttackGuard[] = attackGuards,
): Promise<AttackGuardRow[]> {
  const errsOn = async ({ server, step, unguarded }: AttackGuard) => {
    const found = servers.find(({ name }) => name === server);
    if (found === undefined) throw new Error(`there is no correct server "${server}"`);
    const { turned, missed } = await prove({
      ...found,
      wrong: 'nothing',
      clause: '',
      operations: [],
      turns: [step],
    });
    return unguarded === 'passes'
      ? missed.some(({ id, outcome }) => id === step && outcome === 'pass')
      : turned.includes(step);
  };
  const errsWithout: boolean[] = [];
  for (const [at, guard] of guards.entries()) {
    const putBack = guard.remove();
    try {
      for (let round = 0; round < mostRounds && !errsWithout[at]; round += 1) {
        const runs = Array.from({ length: runsAtOnce }, () => errsOn(guard));
        errsWithout[at] = (await Promise.all(runs)).includes(true);
      }
    } finally {
      for (const back of putBack) back();
    }
  }
  const errsWith = await Promise.all(guards.map(errsOn));
  return guards.map(({ server, step, knows, unguarded = 'accuses' as const }, at) => ({
    server,
    step,
    knows,
    unguarded,
    needed: errsWithout[at] === true && errsWith[at] === false,
    inVain: errsWith[at] === true,
  }));
}

/** Lines for a terminal: one for each guard that is not needed, then how many are. */
export const attackGuardLines = (rows: readonly AttackGuardRow[]): string[] => [
  ...rows.flatMap(({ server, step, knows, unguarded, needed, inVain }) =>
    needed
      ? []
      : [`${step} on ${server} ${unguarded} ${inVain ? 'with the guard, too' : 'at no time'} (${knows})`],
  ),
  `${rows.filter(({ needed }) => needed).length} of ${rows.length} guards of attacks are needed`,
];
