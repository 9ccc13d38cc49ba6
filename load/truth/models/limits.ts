// Models that answer fast, up to a limit that has nothing to do with latency.
import { between, oneOf } from '../random.ts';
import { lossCapacity, windowCapacity } from '../theory.ts';
import type { Draw } from './queues.ts';

/** So many in every window; 429 to the rest. */
export const limiter: Draw = (random, quantile) => {
  const windowMs = oneOf(random, [250, 500, 1_000]);
  const limit = Math.round((between(random, 80, 600) * windowMs) / 1_000);
  const errors = 0.005;
  let window = 0;
  let taken = 0;
  const serve = (atMs: number) => {
    const now = Math.floor(atMs / windowMs);
    if (now !== window) taken = 0;
    window = now;
    taken += 1;
    return { ms: 2, status: taken > limit ? 429 : 200 };
  };
  const slo = { quantile, ms: 80 };
  const capacity = windowCapacity(limit, windowMs, errors);
  const drawn = `${limit} in every ${windowMs} ms, 429 to the rest`;
  return { truth: { slo, capacity, errors, verdicts: ['FOUND'], drawn }, model: { serve } };
};

/** A pool that answers 500 at once to whoever finds it empty, long before its latency breaks the bound. */
export const errorsFirst: Draw = (random, quantile) => {
  const servers = oneOf(random, [8, 16, 32, 64]);
  const meanMs = between(random, 10, 60);
  const errors = 0.01;
  const capacity = lossCapacity({ servers, meanMs }, errors);
  if (capacity < 60 || capacity > 600) return errorsFirst(random, quantile);
  const free = new Float64Array(servers);
  const serve = (atMs: number) => {
    const place = free.findIndex((until) => until <= atMs);
    if (place < 0) return { ms: 1, status: 500 };
    const ms = -Math.log(1 - random()) * meanMs;
    free[place] = atMs + ms;
    return { ms, status: 200 };
  };
  const slo = { quantile, ms: Math.round(-Math.log((1 - quantile) / 4) * meanMs) };
  const drawn = `a pool of ${servers}, held for ${meanMs.toFixed(1)} ms each, 500 when it is empty`;
  return { truth: { slo, capacity, errors, verdicts: ['ERRORS'], drawn }, model: { serve } };
};

/** Answers at once what it will work off later, until ten seconds of work have piled up. */
export const backlog: Draw = (random, quantile) => {
  const capacity = between(random, 80, 500);
  const serviceMs = 1_000 / capacity;
  const roomMs = 10_000;
  let doneAt = 0;
  const serve = (atMs: number) => {
    doneAt = Math.max(doneAt, atMs) + serviceMs;
    return { ms: 2 + Math.max(0, doneAt - atMs - roomMs), status: 200 };
  };
  const drawn = `works off ${capacity.toFixed(0)}/s, answers at once until 10 s of work wait`;
  return {
    truth: { slo: { quantile, ms: 80 }, capacity, errors: 0.001, verdicts: ['FOUND', 'UNSTABLE'], drawn },
    model: { serve },
  };
};

/** Adds nothing: what is measured is the generator, and what stands behind the model. */
export const nothing: Draw = (_, quantile) => ({
  truth: {
    slo: { quantile, ms: 40 },
    errors: 0.001,
    verdicts: ['GENERATOR_LIMITED', 'ABOVE_MAX', 'FOUND'],
    drawn: 'no delay at all',
  },
  model: { serve: () => ({ ms: 0, status: 200 }) },
});
