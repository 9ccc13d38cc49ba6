// Models whose latency is that of a queue: plain, slow at first, slower with every request, collapsing.
import type { Drawn, Random } from '../model.ts';
import { between } from '../random.ts';
import { drawQueue, queueWords } from './draw-queue.ts';
import { VirtualQueue } from './queue.ts';

type Described = Omit<Drawn['truth'], 'kind' | 'seed'>;
export type Draw = (
  random: Random,
  quantile: number,
) => { readonly truth: Described; readonly model: Drawn['model'] };

const right = 200;
const errors = 0.001;

export const mmc: Draw = (random, quantile) => {
  const { queue, slo, capacity } = drawQueue(random, quantile);
  const line = new VirtualQueue(queue, random);
  return {
    truth: { slo, capacity, errors, verdicts: ['FOUND'], drawn: queueWords(queue) },
    model: { serve: (atMs) => ({ ms: line.take(atMs), status: right }) },
  };
};

/** Cold caches: a multiple of the time at first, forgotten request by request. */
export const slowStart: Draw = (random, quantile) => {
  const { queue, slo, capacity } = drawQueue(random, quantile);
  const line = new VirtualQueue(queue, random);
  const factor = between(random, 2, 6);
  const memory = between(random, 100, 800);
  let served = 0;
  const slower = () => 1 + (factor - 1) * Math.exp(-served++ / memory);
  const drawn = `${queueWords(queue)}, ${factor.toFixed(1)} × at first, warm after some ${Math.round(3 * memory)}`;
  return {
    truth: { slo, capacity, errors, verdicts: ['FOUND'], drawn },
    model: { serve: (atMs) => ({ ms: line.take(atMs, slower()), status: right }) },
  };
};

/** Every request makes all later ones slower, for ever. */
export const leaking: Draw = (random, quantile) => {
  const { queue, slo } = drawQueue(random, quantile);
  const line = new VirtualQueue(queue, random);
  const doubling = between(random, 3_000, 12_000);
  let served = 0;
  const verdicts = ['UNSTABLE', 'TARGET_DID_NOT_RECOVER'];
  const drawn = `${queueWords(queue)}, twice as slow after ${Math.round(doubling)} requests`;
  return {
    truth: { slo, errors, verdicts, drawn },
    model: { serve: (atMs) => ({ ms: line.take(atMs, 1 + served++ / doubling), status: right }) },
  };
};

/** Once its queue is long it does a third of the work, until nobody has called for some seconds. */
export const collapsing: Draw = (random, quantile) => {
  const { queue, slo, capacity } = drawQueue(random, quantile);
  const line = new VirtualQueue(queue, random);
  const longestMs = 4.5 * slo.ms;
  const restMs = between(random, 1_000, 5_000);
  let lastMs = 0;
  let collapsed = false;
  const serve = (atMs: number) => {
    if (atMs - lastMs > restMs) collapsed = false;
    if (line.backlogMs(atMs) > longestMs) collapsed = true;
    lastMs = atMs;
    return { ms: line.take(atMs, collapsed ? 3 : 1), status: right };
  };
  const drawn = `${queueWords(queue)}, a third of that after a wait of ${Math.round(longestMs)} ms until ${(restMs / 1_000).toFixed(1)} s of rest`;
  return { truth: { slo, capacity, errors, verdicts: ['FOUND'], drawn }, model: { serve } };
};

/** All of it stands still for a while, again and again, at any rate. */
export const stalling: Draw = (random, quantile) => {
  const { queue, slo } = drawQueue(random, quantile);
  const line = new VirtualQueue(queue, random);
  const everyMs = between(random, 9_000, 16_000);
  const stallMs = slo.ms + 0.09 * everyMs;
  const offsetMs = random() * everyMs;
  const serve = (atMs: number) => {
    const into = (atMs + offsetMs) % everyMs;
    return { ms: line.take(atMs) + Math.max(0, stallMs - into), status: right };
  };
  const drawn = `${queueWords(queue)}, ${(stallMs / 1_000).toFixed(1)} s of silence every ${(everyMs / 1_000).toFixed(1)} s`;
  return { truth: { slo, errors, verdicts: ['UNSTABLE', 'BELOW_START'], drawn }, model: { serve } };
};
