// Decides what excuses a violation that a step saw: what may not be the target's fault is inconclusive.
import { isAbsent } from '../compare/controls.ts';
import { statusOf } from '../http/exchange.ts';
import { inconclusive, type Judgement, type Violation } from '../judgement.ts';
import type { Context } from '../probe/context.ts';
import { notServed } from '../probe/prerequisites.ts';
import { is5xx, isServerFault } from '../values/status.ts';
import type { Played, ScenarioStep } from './flow.ts';
import type { Guessed } from './send-with-body.ts';
import { usedUp } from './used-up.ts';
import { ignoreStop } from './why-refused.ts';
import { bodiesInWords } from './wording.ts';

/** A step that was played, and what is known of how. */
interface PlayedStep {
  readonly step: ScenarioStep;
  readonly played: Played;
  /** The guessed bodies that operations had accepted before the step began. */
  readonly guessedBefore: Guessed;
  readonly context: Pick<Context, 'wasAway' | 'routed'>;
}

/**
 * The judgement that a step ends with: that of the first excuse that applies, else its own. A server error is always the
 * target's fault.
 */
export async function excused(judgement: Judgement, playedStep: PlayedStep): Promise<Judgement> {
  const used = usedUpBefore(judgement, playedStep);
  if (used) return used;
  if (judgement.kind !== 'violation') return judgement;
  return (
    (await isNotServed(judgement, playedStep)) ??
    traceOfOthers(judgement, playedStep) ??
    (isServerFault(statusIn(judgement)) ? judgement : undefined) ??
    hostWasAway(judgement, playedStep) ??
    assertsNothing(judgement, playedStep) ??
    (await bodyWasGuessed(judgement, playedStep)) ??
    judgement
  );
}

const statusIn = ({ evidence }: Violation): number => (evidence ? statusOf(evidence) : 0);

const seenIn = ({ expected, actual }: Violation): string => `expected ${expected}, got ${actual}`;

/** Its players may have done before, in another scenario or run, what can be done only once. */
const usedUpBefore = (judgement: Judgement, { step, played }: PlayedStep): Judgement | undefined =>
  played.playedBefore ? usedUp(judgement, step.operations) : undefined;

/** The answer says that there is no such path or method, and an operation of the step is not served. */
async function isNotServed(
  { evidence }: Violation,
  { step, context }: PlayedStep,
): Promise<Judgement | undefined> {
  if (evidence === undefined || !isAbsent(evidence)) return undefined;
  for (const operation of step.operations.filter(({ method }) => method === evidence.request.method)) {
    const found = await context.routed(operation);
    if (found.served === false) return notServed(operation, found.why);
  }
  return undefined;
}

/** Another scenario or check plays its players too, and may have left what the step saw. */
function traceOfOthers(violation: Violation, { played }: PlayedStep): Judgement | undefined {
  const elsewhere = played.trace();
  if (elsewhere === undefined || is5xx(statusIn(violation))) return undefined;
  return inconclusive(
    'needs-players',
    `${elsewhere}, and this may be a trace of that: ${seenIn(violation)}`,
    violation.evidence,
  );
}

/** A host was away since the scenario began, and may have lost its state. */
function hostWasAway(violation: Violation, { step, played, context }: PlayedStep): Judgement | undefined {
  const hosts = ['base' as const, ...step.operations.map(({ host }) => host)];
  const away = hosts.find((host) => context.wasAway(host, played.begunAt));
  if (away === undefined) return undefined;
  return inconclusive(
    'target-lost',
    `${away} was away while the flow was played, and may have lost what was made before: ${seenIn(violation)}`,
    violation.evidence,
  );
}

/** The step only records what the target does where the document is silent. */
const assertsNothing = (violation: Violation, { step }: PlayedStep): Judgement | undefined =>
  step.clause?.level === 'open'
    ? inconclusive('needs-state', seenIn(violation), violation.evidence)
    : undefined;

/** An operation accepted a guessed body that it may not have read: one that the step judges, or called in passing. */
async function bodyWasGuessed(
  violation: Violation,
  { step, played, guessedBefore }: PlayedStep,
): Promise<Judgement | undefined> {
  const isJudged = (id: string) => step.operations.some((operation) => operation.id === id);
  for (const [id, guess] of [...played.guessed]) {
    // An attack has a control, which was prepared by the same guesses and had its effect.
    const isInPassing = !played.attack && guessedBefore.get(id) !== guess;
    if (!isJudged(id) && !isInPassing) continue;
    if (await guess.isUnderstood().catch(ignoreStop)) continue;
    return inconclusive(
      'needs-body',
      `${id} was sent a guessed body, so this may be no fault: ${seenIn(violation)}; sent: ${bodiesInWords([guess.form])}`,
      violation.evidence,
    );
  }
  return undefined;
}
