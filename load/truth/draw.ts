// From a kind and a seed to a model and what is true of it.
import { randomFrom } from '../../fixtures/check/evidence/random.ts';
import type { Drawn, TruthKind } from './model.ts';
import { backlog, errorsFirst, limiter, nothing } from './models/limits.ts';
import { collapsing, type Draw, leaking, mmc, slowStart, stalling } from './models/queues.ts';

const draws: Readonly<Record<TruthKind, Draw>> = {
  mmc,
  limiter,
  collapsing,
  leaking,
  stalling,
  'errors-first': errorsFirst,
  'slow-start': slowStart,
  backlog,
  null: nothing,
};

/** @param quantile that the bound is on, 0 to 1 */
export function drawTruth(kind: TruthKind, seed: number, quantile = 0.95): Drawn {
  const { truth, model } = draws[kind](randomFrom(kind, String(seed)), quantile);
  return { truth: { kind, seed, ...truth }, model };
}
