// `npm run bench -- ceiling`: what this machine's generator can do, journey by journey, on a target that does nothing.
import { startEmbeddedProcess } from '../../commands/serve/embedded.ts';
import { isFast } from '../../load/capacity/decide.ts';
import { judge, noFaults } from '../../load/capacity/judgement.ts';
import { lengths, rounded, want } from '../../load/capacity/model.ts';
import { parseSlo } from '../../load/capacity/slo.ts';
import { startNull } from '../../load/null-target/start.ts';
import { openLoad } from '../../load/step/open-load.ts';

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
 * Prints a table, a line a journey.
 * @param journeys names, or ids of operations
 * @returns the exit code: 1 where a ceiling could not be measured
 */
export async function ceilingBench(journeys: readonly string[]): Promise<number> {
  console.log('generator alone (p95 ≤ 4 ms, in time), one k6 process:');
  console.log(['journey', 'requests each', 'journeys/s', 'requests/s', 'leave at'].map(cell).join(''));
  let isKnown = true;
  for (const journey of journeys.length === 0 ? usual : journeys) {
    const { ceiling, requests } = await ceilingOf(journey);
    if (ceiling === 0) {
      console.log(`${cell(journey)}not even ${first}/s in time: this machine is busy with something else`);
      isKnown = false;
      continue;
    }
    const cells = [
      journey,
      requests.toFixed(1),
      shown(ceiling),
      shown(ceiling * requests),
      `${shown(leaveAt * ceiling)} journeys/s`,
    ];
    console.log(cells.map(cell).join(''));
  }
  return isKnown ? 0 : 1;
}

const cell = (text: string) => text.padEnd(15);
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
