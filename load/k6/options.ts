// Makes k6's options for a plan, and the ranks at which a segment reports quantiles, so that segments can be merged.
// k6 keeps every sample of a trend until the end, so quantiles are exact and cost nothing while the load runs.
import type { Options, Scenario } from 'k6/options';
import { lengthOf, type Stage } from '../arrivals/schedule.ts';
import { transportKinds, wrongKinds } from './answers.ts';
import type { Plan } from './plan.ts';

/** Percents, ascending: by 0.1 up to the tail, ten times as close beyond p99, a hundred times beyond p99.9. */
export const gridPercents: readonly number[] = [
  ...between(0, 99_000, 100),
  ...between(99_000, 99_900, 10),
  ...between(99_900, 100_000, 1),
  100,
];

/** As k6 names it in a summary. */
export const statOf = (percent: number): string => `p(${percent})`;

/** Thousandths of a percent, the last one left out. */
function between(from: number, to: number, step: number): number[] {
  return Array.from({ length: (to - from) / step }, (_, nth) => (from + nth * step) / 1_000);
}

const trendStats = ['avg', 'med', 'p(95)', 'p(99)', 'p(99.9)', 'max', 'count'];

/** k6 starts so many iterations in this much time: a whole number of them. */
const unit = 1_000;

/** Pure: k6's options for a plan. */
export function optionsOf(plan: Plan): Options {
  const { stages, leadMs, exitTimeoutMs } = plan;
  if (plan.leaving) return leavingOptions(plan);
  const singing = Math.ceil(lengthOf(stages) + leadMs);
  return {
    scenarios: {
      journey: {
        ...arriving(plan),
        exec: 'journey',
        gracefulStop: `${leadMs + exitTimeoutMs}ms`,
      } as Scenario,
      canary: {
        executor: 'per-vu-iterations',
        // One in each segment.
        vus: plan.segments,
        iterations: 1,
        maxDuration: `${singing + exitTimeoutMs}ms`,
        exec: 'canary',
      },
    },
    thresholds: watched(plan),
    summaryTrendStats: plan.segments === 1 ? trendStats : [...trendStats, ...gridPercents.map(statOf)],
    noCookiesReset: false,
    setupTimeout: '10s',
    maxRedirects: 0,
    userAgent: 'assay',
    // Every tag costs each sample; the script tags what has to be distinguished.
    systemTags: [],
  } as Options;
}

/** Of those who left something behind, a few at once. */
const mostLeaving = 16;

function leavingOptions({ stillInside, exitTimeoutMs }: Plan): Options {
  return {
    scenarios: {
      leaving: {
        executor: 'shared-iterations',
        vus: Math.min(mostLeaving, stillInside.length),
        iterations: stillInside.length,
        maxDuration: `${exitTimeoutMs}ms`,
        gracefulStop: '0s',
        exec: 'leaving',
      },
    },
    maxRedirects: 0,
    userAgent: 'assay',
    systemTags: [],
  } as Options;
}

function arriving({ stages, vus }: Plan) {
  const allocated = { timeUnit: `${unit}s`, preAllocatedVUs: vus, maxVUs: vus };
  const [first = { from: 1, to: 1, durationMs: 1_000 }] = stages;
  const steady = stages.length === 1 && first.from === first.to;
  if (steady)
    return {
      executor: 'constant-arrival-rate',
      rate: Math.round(first.from * unit),
      duration: `${Math.ceil(lengthOf(stages))}ms`,
      ...allocated,
    };
  return {
    executor: 'ramping-arrival-rate',
    startRate: Math.round(first.from * unit),
    stages: stages.flatMap((stage, index) => jumpAndLine(stages[index - 1], stage)),
    ...allocated,
  };
}

/** A stage goes on from where the last one ended: where the rate jumps, a stage of no time comes first. */
function jumpAndLine(before: Stage | undefined, { from, to, durationMs }: Stage) {
  const target = (rate: number) => Math.round(rate * unit);
  const jumps = before !== undefined && before.to !== from;
  return [
    ...(jumps ? [{ target: target(from), duration: '0s' }] : []),
    { target: target(to), duration: `${durationMs}ms` },
  ];
}

/** Thresholds that always hold: k6 keeps figures apart for what one is set on. */
function watched({ visits }: Plan): Record<string, string[]> {
  const ids = new Set(visits.flatMap(({ calls }) => calls.map(({ operation }) => operation.id)));
  const apart = [
    'http_req_duration{part:measured}',
    'http_reqs{part:measured}',
    'iterations{part:measured}',
    'assay_unbegun{part:measured}',

    ...(ids.size > 1 ? [...ids].map((id) => `http_req_duration{part:measured,name:${id}}`) : []),
    ...[...ids].flatMap((id) =>
      [...transportKinds, ...wrongKinds].map((kind) => `assay_errors{part:measured,name:${id},kind:${kind}}`),
    ),
  ];
  return Object.fromEntries(apart.map((name) => [name, []]));
}
