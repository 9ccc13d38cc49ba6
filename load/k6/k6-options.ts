// Makes k6's options for a plan: one VU for each process, which runs its own event loop.
import type { Options } from 'k6/options';
import { lengthOf } from '../arrivals/schedule.ts';
import type { Plan } from './plan.ts';

/** Idle connections that k6 keeps, in all and for each host; of itself it keeps as many as it sends in a batch, 6. */
const mostIdle = 20_000;
/** For the start of the VU, and the last line. */
const spareMs = 2_000;

/** Pure: k6's options for a plan. */
export function optionsOf({ stages, exitTimeoutMs, segments, leaving }: Plan): Options {
  const lengthMs = leaving ? 0 : lengthOf(stages);
  return {
    scenarios: {
      journey: {
        executor: 'per-vu-iterations',
        // One in each segment.
        vus: segments,
        iterations: 1,
        maxDuration: `${Math.ceil(lengthMs + exitTimeoutMs + spareMs)}ms`,
        gracefulStop: '0s',
        exec: leaving ? 'leaving' : 'journey',
      },
    },
    batch: mostIdle,
    batchPerHost: mostIdle,
    noCookiesReset: false,
    setupTimeout: '10s',
    maxRedirects: 0,
    userAgent: 'assay',
    // Every tag costs each sample.
    systemTags: [],
  };
}
