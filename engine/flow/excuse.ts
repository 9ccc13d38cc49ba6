// Decides what excuses a violation that a step saw, and at which level it counts.
import type { Operation } from '../../catalog/operation.ts';
import { isAbsent } from '../compare/controls.ts';
import { type Exchange, statusOf } from '../http/exchange.ts';
import { inconclusive, type Judgement } from '../judgement.ts';
import type { Context } from '../probe/context.ts';
import { notServed } from '../probe/prerequisites.ts';
import { is5xx, isServerFault } from '../values/status.ts';
import type { Played, ScenarioStep } from './flow.ts';
import { ignoreStop, isGuessed } from './refusal.ts';
import type { Guessed } from './send-with-body.ts';
import { usedUp } from './used-up.ts';
import { bodiesInWords } from './wording.ts';

/**
 * Turns a violation that may not be the target's fault into an inconclusive judgement: its players may show traces of
 * other scenarios, an operation is not served, a host was away and may have lost its state, the step asserts nothing, or
 * an operation accepted a guessed body that it may not have read. A server error is always the target's fault.
 */
export async function excused(
  judgement: Judgement,
  { operations, clause }: ScenarioStep,
  { guessed, trace, playedBefore, attack, begunAt }: Played,
  guessedBefore: Guessed,
  { wasAway, routed }: Pick<Context, 'wasAway' | 'routed'>,
): Promise<Judgement> {
  const used = playedBefore ? usedUp(judgement, operations) : undefined;
  if (used) return used;
  if (judgement.kind !== 'violation') return judgement;
  const missing = judgement.evidence && (await unservedIn(operations, judgement.evidence, routed));
  if (missing) return missing;
  const seen = `expected ${judgement.expected}, got ${judgement.actual}`;
  const elsewhere = trace();
  if (elsewhere !== undefined && !(judgement.evidence && is5xx(statusOf(judgement.evidence))))
    return inconclusive(
      'needs-players',
      `${elsewhere}, and this may be a trace of that: ${seen}`,
      judgement.evidence,
    );
  const status = judgement.evidence ? statusOf(judgement.evidence) : 0;
  if (isServerFault(status)) return judgement;
  const away = ['base' as const, ...operations.map(({ host }) => host)].find((host) =>
    wasAway(host, begunAt),
  );
  if (away !== undefined)
    return inconclusive(
      'target-lost',
      `${away} was away while the flow was played, and may have lost what was made before: ${seen}`,
      judgement.evidence,
    );
  if (clause?.level === 'open') return inconclusive('needs-state', seen, judgement.evidence);
  // An attack has a control, which was prepared by the same guesses and had its effect.
  const isInPassing = (id: string, guess: unknown) => !attack && guessedBefore.get(id) !== guess;
  const concerned = [...guessed].filter(
    ([id, guess]) => operations.some((each) => each.id === id) || isInPassing(id, guess),
  );
  const guess = await notUnderstood(concerned);
  if (guess === undefined) return judgement;
  const [id, { form }] = guess;
  return inconclusive(
    'needs-body',
    `${id} was sent a guessed body, so this may be no fault: ${seen}; sent: ${bodiesInWords([form])}`,
    judgement.evidence,
  );
}

/** The judgement that an operation is not served, where its answer says that there is no such path or method. */
async function unservedIn(
  operations: readonly Operation[],
  answer: Exchange,
  routed: Context['routed'],
): Promise<Judgement | undefined> {
  if (!isAbsent(answer)) return undefined;
  for (const operation of operations.filter(({ method }) => method === answer.request.method)) {
    const found = await routed(operation);
    if (found.served === false) return notServed(operation, found.why);
  }
  return undefined;
}

/** The first guessed body that an operation accepted and may not have read, with the operation's id. */
async function notUnderstood<Guess extends { readonly isUnderstood: () => Promise<boolean> }>(
  guesses: Iterable<readonly [id: string, guess: Guess]>,
): Promise<readonly [id: string, guess: Guess] | undefined> {
  for (const entry of guesses) if (!(await entry[1].isUnderstood().catch(ignoreStop))) return entry;
  return undefined;
}

/**
 * Raises the level of a judgement to `profile` where the profile states how to call every operation of the step, and no
 * body is a guess.
 */
export function withLevel(
  judgement: Judgement,
  { operations, clause }: ScenarioStep,
  { flows }: Context,
): Judgement {
  if (judgement.kind !== 'violation' && judgement.kind !== 'pass') return judgement;
  if (judgement.level !== undefined || clause?.level !== 'inferred') return judgement;
  const isSpoken = (operation: Operation) =>
    flows.isStatedInProfile(operation) && !isGuessed(flows.forms(operation));
  return operations.every(isSpoken) ? { ...judgement, level: 'profile' } : judgement;
}
