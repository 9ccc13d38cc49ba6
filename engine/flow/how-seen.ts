// Adds to a violation how it was seen: the calls that led to it, and the checks without whose calls it would not show.
import { text } from '../http/exchange.ts';
import type { Judgement } from '../judgement.ts';
import type { Context } from '../probe/context.ts';
import type { Played, ScenarioStep } from './flow.ts';

/** Most calls that a failed step shows; a scenario that polls for long has more. */
export const mostCalls = 40;

/**
 * Adds to a violation the calls of the scenario and, where a read shows it, the caller's own write before that read:
 * the last one by an operation that the step judges, or else the last one.
 */
export function withSequence(
  judgement: Judgement,
  { calls, reads, writes }: Pick<Played, 'calls' | 'reads' | 'writes'>,
  { operations }: Pick<ScenarioStep, 'operations'>,
): Judgement {
  if (judgement.kind !== 'violation' || judgement.repetition || calls.length === 0) return judgement;
  const read = judgement.evidence && reads.get(judgement.evidence);
  const before = read ? writes.slice(0, read.writes) : [];
  const isJudged = (id: string) => operations.some((operation) => operation.id === id);
  const write = before.findLast(({ operation }) => isJudged(operation)) ?? before.at(-1);
  return {
    ...judgement,
    sequence: calls.slice(-mostCalls),
    ...(write !== undefined && write.by === read?.by && { write: write.exchange }),
  };
}

/** Most checks whose values a rerun makes again. */
const mostMakers = 3;

/**
 * Adds to a violation the checks that a rerun of its step has to include to see it again.
 * @param others the checks that the step names; if there are none, those that made the unique words in the answer
 */
export function seenAmong(
  judgement: Judgement,
  others: readonly string[],
  steps: readonly Pick<ScenarioStep, 'id'>[],
  { flows }: Context,
): Judgement {
  if (judgement.kind !== 'violation' || judgement.seenIn) return judgement;
  const { response } = judgement.evidence ?? {};
  const own = new Set(steps.map(({ id }) => id));
  const makers = response ? flows.makersIn(text(response)).filter((maker) => !own.has(maker)) : [];
  const seenIn = others.length > 0 ? others : makers.slice(-mostMakers);
  return seenIn.length === 0 ? judgement : { ...judgement, seenIn };
}
