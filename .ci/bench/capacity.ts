// `npm run bench -- capacity`: the search with k6 against servers of known capacity, and the dispersion of arrivals.
import { parseArgs } from 'node:util';
import { type OracleKind, oracleKinds } from '../../fixtures/analytic-targets/models.ts';
import { dispersion } from '../../fixtures/analytic-targets/theory.ts';
import {
  type Arrivals,
  type Arrived,
  drawnTimes,
  type Measured,
  measureOracle,
  openArrivals,
} from './measure-truth.ts';
import { openTable } from './table.ts';

const how = { cwd: process.cwd(), env: process.env, signal: new AbortController().signal };

/**
 * Prints the tables of docs/load.md, a line a server, each drawn anew.
 * @param args `--kind mmc,limiter --seed 7 --budget 420 --dispersion-only`; `--write` puts the lines there
 * @returns the exit code: 1 where a figure is more than 5 % off, or a verdict wrong
 */
export async function capacityBench(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      kind: { type: 'string', default: oracleKinds.filter((kind) => kind !== 'null').join(',') },
      seed: { type: 'string', default: String(Math.floor(Math.random() * 1e6)) },
      budget: { type: 'string', default: '420' },
      'dispersion-only': { type: 'boolean', default: false },
      write: { type: 'boolean', default: false },
    },
  });
  const seed = Number(values.seed);
  console.log(`seed ${seed}`);
  const isPoisson = await dispersions(seed, values.write);
  if (values['dispersion-only']) return isPoisson ? 0 : 1;
  console.log('');
  const print = openTable(serverHeads, values.write);
  let isRight = isPoisson;
  for (const kind of values.kind.split(',') as OracleKind[]) {
    const measured = await measureOracle(kind, seed, { ...how, budgetMs: Number(values.budget) * 1_000 });
    print(rowOf(measured));
    isRight &&= isWithin(measured);
  }
  return isRight ? 0 : 1;
}

const arrivalRates = [
  ['even', 150],
  ['poisson', 20],
  ['poisson', 150],
  ['poisson', 600],
] as const;

const windowsMs = [10, 100, 1_000];

const serverHeads = ['server', 'capacity', 'found', 'error', 'interval', 'seconds', 'verdict'];
/** What the generator adds to the dispersion of the schedule that was drawn, or takes from it. */
const mostOff = 0.1;

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

/** What the machine does beside it makes a generator late that is in time by itself. */
const mostLagMs = 8;
const mostLooks = 3;

/** The first look whose generator was in time, or else the one that was the least late. */
async function calmLook(open: Arrivals, plan: Parameters<Arrivals['of']>[0]): Promise<Arrived> {
  const looks: Arrived[] = [];
  while (looks.length < mostLooks && !looks.some(({ lagMs }) => lagMs <= mostLagMs))
    looks.push(await open.of(plan));
  return looks.sort((a, b) => a.lagMs - b.lagMs)[0] as Arrived;
}

async function dispersions(seed: number, isKept: boolean): Promise<boolean> {
  const heads = ['arrivals', 'rate', '10 ms', '100 ms', '1 s', 'generator late (p95)'];
  const print = openTable(heads, isKept);
  const open = await openArrivals(how);
  let isRight = true;
  try {
    for (const [arrivals, rate] of arrivalRates) {
      const plan = { rate, durationMs: 40_000, seed, arrivals };
      const { times, lagMs } = await calmLook(open, plan);
      const drawn = drawnTimes(plan);
      const found = windowsMs.map((windowMs) => ({
        ...dispersion(times, windowMs),
        own: dispersion(drawn, windowMs).index,
      }));
      const figures = found.map(
        ({ index, error, own }) => `${index.toFixed(2)} ± ${error.toFixed(2)} (${own.toFixed(2)})`,
      );
      print([arrivals, `${rate}/s`, ...figures, `${lagMs.toFixed(1)} ms`]);
      if (lagMs > mostLagMs)
        console.log('  this machine was too busy to send in time: the line above shows that alone');
      isRight &&= found.every(({ index, own }) => Math.abs(index - own) <= mostOff);
    }
  } finally {
    await open.close();
  }
  return isRight;
}
