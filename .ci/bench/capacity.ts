// `npm run bench -- capacity`: the search with k6 against servers of known capacity, and the dispersion of arrivals.

import { parseArgs } from 'node:util';
import { median } from '../../engine/values/quantile.ts';
import type { OracleKind } from '../../fixtures/analytic-targets/models.ts';
import { dispersion } from '../../fixtures/analytic-targets/theory.ts';
import { type Arrivals, type Arrived, drawnTimes, openArrivals } from './arrivals.ts';
import { type Measured, measureOracle } from './measure-oracle.ts';
import { openTable } from './table.ts';

const how = { cwd: process.cwd(), env: process.env, signal: new AbortController().signal };

/**
 * The run that docs/load.md shows: a server for each thing that breaks (latency, refusals, errors, nothing that stays
 * the same, lost and doubled effects). The other kinds are variants; `npm run test:long` holds the search against all.
 */
const ofPage = { kind: 'mmc,limiter,errors-first,leaking,losing,doubling', seed: '7', budget: '200' };

/**
 * Prints the tables of docs/load.md, with a line for each server, which the seed draws.
 * @param args `--dispersion-only --seed 7 --budget 200`; `--kind stalling,backlog` searches those alone; `--write` puts
 *   the lines into docs/load.md
 * @returns the exit code: 1 where a figure is more than 5 % off or a verdict wrong, 2 for `--write` with other options
 */
export async function capacityBench(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      kind: { type: 'string', default: ofPage.kind },
      seed: { type: 'string', default: ofPage.seed },
      budget: { type: 'string', default: ofPage.budget },
      'dispersion-only': { type: 'boolean', default: false },
      write: { type: 'boolean', default: false },
    },
  });
  const { kind, seed, budget, write } = values;
  if (write && (kind !== ofPage.kind || seed !== ofPage.seed || budget !== ofPage.budget)) {
    console.error(
      `bench: --write keeps one run: --kind ${ofPage.kind} --seed ${ofPage.seed} --budget ${ofPage.budget}; leave out what differs`,
    );
    return 2;
  }
  console.log(`seed ${seed}`);
  const isOfPage = kind === ofPage.kind || values['dispersion-only'];
  let isRight = !isOfPage || (await dispersions(Number(seed), write));
  if (values['dispersion-only']) return isRight ? 0 : 1;
  console.log('');
  const print = openTable(serverHeads, write);
  for (const each of kind.split(',') as OracleKind[]) {
    const measured = await measureOracle(each, Number(seed), { ...how, budgetMs: Number(budget) * 1_000 });
    print(rowOf(measured));
    isRight &&= isWithin(measured);
  }
  return isRight ? 0 : 1;
}

const serverHeads = ['server', 'capacity', 'found', 'error', 'interval', 'seconds', 'verdict'];

function rowOf({ oracle, outcome, search }: Measured): string[] {
  const { capacity, interval, verdict } = outcome;
  const error =
    oracle.capacity === undefined || capacity === null
      ? ''
      : `${((capacity / oracle.capacity - 1) * 100).toFixed(1).replace('-', '−')} %`;
  return [
    `${oracle.kind}: ${oracle.drawn}, p95 ≤ ${oracle.slo.ms} ms`,
    oracle.capacity?.toFixed(1) ?? 'none',
    capacity?.toFixed(1) ?? '',
    error,
    interval.map((each) => each ?? '?').join('–'),
    (search.spentMs / 1_000).toFixed(0),
    verdict,
  ];
}

function isWithin({ oracle, outcome }: Measured): boolean {
  if (!oracle.verdicts.includes(outcome.verdict)) return false;
  if (oracle.capacity === undefined || outcome.verdict === 'UNSTABLE') return true;
  return Math.abs((outcome.capacity ?? 0) / oracle.capacity - 1) <= 0.05;
}

// The dispersion of arrivals: the variance of their number in windows of one length, over its mean. It is counted at
// the target, by its clock, and beside it for the drawn schedule, which is placed on that clock such that half of the
// arrivals are earlier than scheduled, and half are later.

const arrivalRates = [
  ['even', 150],
  ['poisson', 20],
  ['poisson', 150],
  ['poisson', 600],
  ['poisson', 2_000],
] as const;

const dispersionMs = 30_000;
const windowsMs = [10, 100, 1_000];
/** How far the dispersion at the target may be from that of the schedule. */
const mostOff = 0.1;
/** Most lateness (p95) of a calm sample: other work on the machine delays a generator that is in time by itself. */
const mostLagMs = 8;
const mostSamples = 3;

/** Returns the first sample whose generator was in time, or else the one that was the least late. */
async function calmestSample(open: Arrivals, plan: Parameters<Arrivals['of']>[0]): Promise<Arrived> {
  const samples: Arrived[] = [];
  while (samples.length < mostSamples && !samples.some(({ lagMs }) => lagMs <= mostLagMs))
    samples.push(await open.of(plan));
  return samples.sort((a, b) => a.lagMs - b.lagMs)[0] as Arrived;
}

async function dispersions(seed: number, isKept: boolean): Promise<boolean> {
  const heads = ['arrivals', 'rate', '10 ms', '100 ms', '1 s', 'generator late (p95)'];
  const print = openTable(heads, isKept);
  const open = await openArrivals();
  let isRight = true;
  try {
    for (const [arrivals, rate] of arrivalRates) {
      const plan = { rate, durationMs: dispersionMs, seed, arrivals };
      const { times, lagMs } = await calmestSample(open, plan);
      const drawn = drawnTimes(plan);
      const begun = median(drawn.map((due, nth) => (times[nth] ?? Number.POSITIVE_INFINITY) - due));
      const found = windowsMs.map((windowMs) => ({
        index: dispersion(times, windowMs, begun, begun + dispersionMs).index,
        own: dispersion(drawn, windowMs, 0, dispersionMs).index,
      }));
      const figures = found.map(({ index, own }) => `${index.toFixed(2)} (${own.toFixed(2)})`);
      print([arrivals, `${rate.toLocaleString('en')}/s`, ...figures, `${lagMs.toFixed(1)} ms`]);
      if (lagMs > mostLagMs)
        console.log('  this machine was too busy to send in time: the line above shows that alone');
      isRight &&= found.every(({ index, own }) => Math.abs(index - own) <= mostOff);
    }
  } finally {
    await open.close();
  }
  return isRight;
}
