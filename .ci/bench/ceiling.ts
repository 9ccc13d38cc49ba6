// `npm run bench -- ceiling`: what this machine's generator can do, journey by journey, on a target that does nothing.
import { startEmbeddedProcess } from '../../commands/serve/embedded.ts';
import { isFast } from '../../load/capacity/decide.ts';
import { judge, noFaults } from '../../load/capacity/judgement.ts';
import { lengths, rounded, want } from '../../load/capacity/model.ts';
import { parseSlo } from '../../load/capacity/slo.ts';
import { startNull } from '../../load/null-target/start.ts';
import { openLoad } from '../../load/step/open-load.ts';
import { openTable } from './table.ts';

/** The generator's own p95 may be a twentieth of it. */
const slo = parseSlo('p95=80ms');
const first = 100;
const maxRate = 50_000;
const nearEnough = 1.1;
/** Of the ceiling: from there on another machine is wanted. */
const leaveAt = 0.7;
const usual = ['queue', 'logs', 'mixed'];
const players = 300;
/** What else this machine does may spoil one. */
const attempts = 3;

/**
 * Prints the table of docs/load.md, a line a journey.
 * @param args names of journeys, or ids of operations; `--write` puts the lines there
 * @returns the exit code: 1 where a ceiling could not be measured
 */
export async function ceilingBench(args: readonly string[]): Promise<number> {
  const journeys = args.filter((arg) => !arg.startsWith('--'));
  console.log('generator alone (p95 ≤ 4 ms, in time), one k6 process:');
  const print = openTable(heads, args.includes('--write'));
  let isKnown = true;
  for (const journey of journeys.length === 0 ? usual : journeys) {
    const { ceiling, requests } = await ceilingOf(journey);
    if (ceiling === 0) {
      console.log(`${journey}: not even ${first}/s in time: this machine is busy with something else`);
      isKnown = false;
      continue;
    }
    print([
      journey,
      `${+requests.toFixed(1)}`,
      shown(ceiling),
      shown(ceiling * requests),
      `${shown(leaveAt * ceiling)} journeys/s`,
    ]);
  }
  return isKnown ? 0 : 1;
}

const heads = ['journey', 'requests each', 'journeys/s', 'requests/s', 'leave one machine at'];
const shown = (rate: number) => Number(rate.toPrecision(2)).toLocaleString('en');

/** Doubled until it is too much, then narrowed. */
async function ceilingOf(journey: string): Promise<{ ceiling: number; requests: number }> {
  const nowhere = await startNull();
  const { PATH, HOME, XDG_CACHE_HOME, K6_BIN } = process.env;
  // The embedded server gives the data, whatever target the user's own settings name.
  const env = { PATH, HOME, XDG_CACHE_HOME, K6_BIN };
  const operation = journey.includes('.') ? journey : undefined;
  const load = await openLoad({
    journey,
    operation,
    env,
    embedded: startEmbeddedProcess,
    cwd: import.meta.dirname,
    rate: players,
  });
  try {
    const { requestsPerJourney } = load;
    const runStep = load.against(nowhere.url);
    const options = {
      slo,
      start: first,
      maxRate,
      budgetMs: 0,
      seed: 1,
      arrivals: 'poisson' as const,
      requestsPerJourney,
    };
    const takes = async (rate: number): Promise<boolean> => {
      const { plan } = want({ options, taken: [], pending: [] }, 'ceiling', rate, lengths.ceiling);
      const step = await runStep(plan, new AbortController().signal);
      return isFast(slo, step, judge(step, slo, noFaults));
    };
    const surely = async (rate: number) => {
      for (let attempt = 1; attempt <= attempts; attempt += 1) if (await takes(rate)) return true;
      return false;
    };
    let proven = 0;
    let failed = first;
    while (failed < maxRate && (await surely(failed))) {
      proven = failed;
      failed *= 2;
    }
    while (proven > 0 && failed / proven > nearEnough) {
      const between = rounded(Math.sqrt(proven * failed));
      if (await surely(between)) proven = between;
      else failed = between;
    }
    return { ceiling: proven, requests: requestsPerJourney };
  } finally {
    await load.close();
    await nowhere.close();
  }
}
