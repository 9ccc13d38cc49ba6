// A queue and a bound that it meets up to a rate which a test can afford.
import type { Random } from '../model.ts';
import { between, oneOf } from '../random.ts';
import { type Queue, queueCapacity, sojournQuantile } from '../theory.ts';

export interface DrawnQueue {
  readonly queue: Queue;
  readonly slo: { readonly quantile: number; readonly ms: number };
  /** Per second. */
  readonly capacity: number;
}

/**
 * Below it, latency hardly depends on the rate, and the rate at which it crosses a bound has no sharp answer: 5 % of
 * rate would be less than 8 % of latency.
 */
const leastSensitivity = 1.5;

/** One to sixteen servers, 60 to 600 per second, at a bound of 20 to 100 ms. */
export function drawQueue(random: Random, quantile: number): DrawnQueue {
  for (;;) {
    const servers = oneOf(random, [1, 2, 4, 8, 16]);
    const meanMs = between(random, 2, 40);
    const queue = { servers, meanMs };
    const ms = Math.round(
      sojournQuantile(queue, (0.5 + 0.47 * random()) * ((servers * 1_000) / meanMs), quantile),
    );
    const capacity = queueCapacity(queue, quantile, ms);
    if (capacity < 60 || capacity > 600 || ms < 20 || ms > 100) continue;
    if (sensitivity(queue, capacity, quantile) < leastSensitivity) continue;
    return { queue, slo: { quantile, ms }, capacity };
  }
}

/** By how many per cent the quantile grows with one per cent more rate. */
function sensitivity(queue: Queue, rate: number, quantile: number): number {
  const near = 0.001;
  const [less, more] = [1 - near, 1 + near].map((factor) => sojournQuantile(queue, rate * factor, quantile));
  return Math.log((more ?? 0) / (less ?? 1)) / (2 * near);
}

/** `4 servers of 20.0 ms each`. */
export function queueWords({ servers, meanMs }: Queue): string {
  return `${servers} ${servers === 1 ? 'server' : 'servers'} of ${meanMs.toFixed(1)} ms each`;
}
