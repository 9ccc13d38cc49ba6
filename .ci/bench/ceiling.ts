// `npm run bench -- ceiling`: the rate that the load generator reaches, by journey, on a target that does nothing.

import { lengths, rounded, want } from '../../load/capacity/model.ts';
import { isFast } from '../../load/capacity/next-step.ts';
import { judgeStep, noFaults } from '../../load/capacity/step-judgement.ts';
import { startNull } from '../../load/null-target/start.ts';
import { parseSlo } from '../../load/slo.ts';
import type { Load } from '../../load/step/open-load.ts';
import type { Step } from '../../load/step/plan.ts';
import { openGenerator, openRecorder } from './generator.ts';
import { openTable } from './table.ts';

/** At a target that does nothing latency is the generator's own; `isFast` allows it a small share of this bound. */
const slo = parseSlo('p95=80ms');
const first = 100;
const maxRate = 50_000;
const nearEnough = 1.1;
/** The share of the ceiling beyond which a second machine is advised. */
const leaveAt = 0.7;
const players = 300;
/** Attempts at each rate, since other work on this machine may spoil one. */
const attempts = 3;
const signal = new AbortController().signal;

/** The journeys per second that two cores must reach, with the target beside. */
const least: Readonly<Record<string, number>> = { queue: 1_200, logs: 4_500 };
const most = { lateMs: 4, memoryMiB: 300, firstMs: 500 };

/**
 * Prints the table of docs/load.md, a line a journey.
 * @param args names of journeys, or ids of operations; `--write` puts the lines into docs/load.md
 * @returns the exit code: 1 where a ceiling could not be measured, or is less than it has to be
 */
export async function ceilingBench(args: readonly string[]): Promise<number> {
  const journeys = args.filter((arg) => !arg.startsWith('--'));
  console.log(`generator alone (answers and lateness p95 ≤ ${most.lateMs} ms), one k6 process:`);
  const print = openTable(heads, args.includes('--write'));
  let isEnough = true;
  for (const journey of journeys.length === 0 ? Object.keys(least) : journeys) {
    const { taken, requests, firstMs } = await ceilingOf(journey);
    if (taken === undefined) {
      console.log(`${journey}: not even ${first}/s in time: this machine is busy with something else`);
      isEnough = false;
      continue;
    }
    const { rate, lagMs, memoryMiB } = taken;
    print([
      journey,
      `${+requests.toFixed(1)}`,
      shown(rate),
      shown(rate * requests),
      `${lagMs.p95.toFixed(1)} ms`,
      `${memoryMiB} MiB`,
      `${(firstMs / 1_000).toFixed(2)} s`,
      `${shown(leaveAt * rate)} journeys/s`,
    ]);
    const leastRate = least[journey] ?? 0;
    const holds = rate >= leastRate && memoryMiB <= most.memoryMiB && firstMs <= most.firstMs;
    if (!holds)
      console.log(
        `  MISSED: at least ${leastRate}/s, at most ${most.memoryMiB} MiB, the first request within ${most.firstMs} ms`,
      );
    isEnough &&= holds;
  }
  return isEnough ? 0 : 1;
}

const heads = [
  ...['journey', 'requests each', 'journeys/s', 'requests/s', 'late (p95)', "k6's memory", 'first request'],
  'leave one machine at',
];
const shown = (rate: number) => Number(rate.toPrecision(2)).toLocaleString('en');

interface Ceiling {
  /** The step of the highest rate in time; undefined where none was. */
  readonly taken: Step | undefined;
  /** Requests of one journey. */
  readonly requests: number;
  /** From the start of k6 to the first request at the target. */
  readonly firstMs: number;
}

/** Doubles the rate until it is too much, or halves it until it is not, then narrows the interval. */
async function ceilingOf(journey: string): Promise<Ceiling> {
  const nullTarget = await startNull();
  const operation = journey.includes('.') ? journey : undefined;
  const load = await openGenerator({ journey, operation, rate: players });
  try {
    const { requestsPerJourney } = load;
    const runStep = load.against(nullTarget.url);
    const arrivals = 'poisson' as const;
    const options = { slo, start: first, maxRate, budgetMs: 0, seed: 1, arrivals, requestsPerJourney };
    const inTime = async (rate: number): Promise<Step | undefined> => {
      for (let attempt = 1; attempt <= attempts; attempt += 1) {
        const { plan } = want({ options, taken: [], pending: [] }, 'ceiling', rate, lengths.ceiling);
        const step = await runStep(plan, signal);
        if (step.lagMs.p95 <= most.lateMs && isFast(slo, step, judgeStep(step, slo, noFaults))) return step;
      }
      return undefined;
    };
    let taken: Step | undefined;
    let failed = Number.POSITIVE_INFINITY;
    // Begins with the rate that must be reached.
    let next = least[journey] ?? first;
    while (next >= first && next <= maxRate && failed / (taken?.rate ?? 0) > nearEnough) {
      const step = await inTime(next);
      if (step === undefined) failed = next;
      else taken = step;
      if (taken === undefined) next = failed / 2;
      else
        next = failed < Number.POSITIVE_INFINITY ? rounded(Math.sqrt(taken.rate * failed)) : 2 * taken.rate;
    }
    return { taken, requests: requestsPerJourney, firstMs: await firstRequest(load) };
  } finally {
    await load.close();
    await nullTarget.close();
  }
}

/** The shortest of a few times to the first request, in ms: other work on this machine may hold up a process. */
async function firstRequest(load: Load): Promise<number> {
  const recorder = await openRecorder();
  try {
    const plan = { rate: 1_000, durationMs: 500, warmupMs: 0, seed: 1, inFlight: 1_000, label: 'first' };
    const found: number[] = [];
    for (let attempt = 1; attempt <= attempts; attempt += 1) {
      const begun = performance.now();
      await load.against(recorder.url)({ ...plan, arrivals: 'even' }, signal);
      found.push((recorder.takeArrivals()[0] ?? Number.POSITIVE_INFINITY) - begun);
    }
    return Math.min(...found);
  } finally {
    recorder.close();
  }
}
