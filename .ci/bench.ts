// `npm run bench`: measures the time, CPU and memory of runs; some bounds are relative to undici alone.
import { median } from '../engine/values/quantile.ts';
import { capacityBench } from './bench/capacity.ts';
import { ceilingBench } from './bench/ceiling.ts';
import { hourBench } from './bench/hour.ts';
import { loadOverhead } from './bench/load.ts';
import { floorScript, measure, packageCommand, type Usage } from './bench/measure.ts';
import { type Served, serve, slowed } from './bench/targets.ts';
import { ownFolder } from './own-folder.ts';

const [, , which, ...more] = process.argv;
if (which === 'capacity') process.exit(await capacityBench(more));
if (which === 'ceiling') process.exit(await ceilingBench(more));
if (which === 'hour') process.exit(await hourBench(more));
if (which === 'load') process.exit(await loadOverhead());
if (which !== undefined) {
  console.error(`bench: ${which} is none of load, capacity, ceiling and hour`);
  process.exit(2);
}

const out = ownFolder('assay-bench-');
const rounds = 3;
/** Rounds for the ratio of two short runs, which needs more of them. */
const pairs = 7;

/**
 * Measured on these operations with undici sending 9,200 requests in 0.76 s: Schemathesis 186 requests/s, Newman 59.
 * Ten times Schemathesis's rate is the higher bar of the two, as a share of undici's rate.
 */
const sprintRequests = 9_200;
const peerFactor = (10 * 186) / (sprintRequests / 0.76);

interface Row {
  readonly what: string;
  readonly measured: string;
  readonly bound: string;
  readonly holds: boolean;
}

const seconds = (ms: number) => `${(ms / 1000).toFixed(2)} s`;
const rows: Row[] = [];
const row = (what: string, value: number, most: number, shown: string, bound: string) =>
  rows.push({ what, measured: shown, bound, holds: value <= most });

const server = await serve();
try {
  await embedded();
  await packagedAndClone();
  await againstFloor(server);
  const one = await rounded(() => measure(['cli.ts', 'run', '--only', 'party.create', '--out', out], {}));
  row('--only one operation, embedded', one.wallMs, 1_000, seconds(one.wallMs), '≤ 1 s');
  await latency(server);
} finally {
  server.close();
}

const width = Math.max(...rows.map(({ what }) => what.length));
for (const { what, measured, bound, holds } of rows)
  console.log(`${what.padEnd(width)}  ${measured.padEnd(28)} ${bound.padEnd(12)} ${holds ? 'ok' : 'MISSED'}`);
process.exitCode = rows.every(({ holds }) => holds) ? 0 : 1;

async function rounded(once: () => Promise<Usage>): Promise<Usage> {
  const taken: Usage[] = [];
  for (let round = 0; round < rounds; round += 1) taken.push(await once());
  const medianOf = (pick: (usage: Usage) => number) => median(taken.map(pick));
  return {
    wallMs: medianOf((u) => u.wallMs),
    firstCheckMs: medianOf((u) => u.firstCheckMs),
    cpuMs: medianOf((u) => u.cpuMs),
    peakMiB: medianOf((u) => u.peakMiB),
    requests: medianOf((u) => u.requests),
    judged: medianOf((u) => u.judged),
  };
}

/** Measures a whole `npm start`, with the embedded server. */
async function embedded(): Promise<void> {
  const usage = await rounded(() => measure(['cli.ts', 'run', '--out', out], {}, out));
  row(
    'npm start, embedded server: wall',
    usage.wallMs,
    3_000,
    `${seconds(usage.wallMs)} for ${usage.judged} judged`,
    '≤ 3 s',
  );
  row('npm start, embedded server: judged', -usage.judged, -2_000, `${usage.judged}`, '≥ 2000');
  row(
    'npm start, embedded server: peak memory',
    usage.peakMiB,
    400,
    `${usage.peakMiB.toFixed(0)} MiB`,
    '≤ 400 MiB',
  );
}

/** Measures the start and the memory of the package and of the clone, in turns and without attacks. */
async function packagedAndClone(): Promise<void> {
  await import('./package/build.ts');
  const commands = { package: packageCommand, clone: 'cli.ts' };
  const taken: Record<keyof typeof commands, Usage[]> = { package: [], clone: [] };
  for (let round = 0; round < rounds; round += 1)
    for (const [name, command] of Object.entries(commands))
      taken[name as keyof typeof taken].push(
        await measure([command, 'run', '--attack', 'off', '--out', out], {}, out),
      );
  for (const [name, usages] of Object.entries(taken)) {
    const first = median(usages.map(({ firstCheckMs }) => firstCheckMs));
    row(`${name}: start to first check`, first, 350, `${first.toFixed(0)} ms`, '≤ 350 ms');
    const peak = median(usages.map(({ peakMiB }) => peakMiB));
    row(`${name}: peak memory without attacks`, peak, 330, `${peak.toFixed(0)} MiB`, '≤ 330 MiB');
  }
}

/** Compares the suite, without server and attacks, with bare undici that sends as many requests to the same server. */
async function againstFloor({ urls }: Served): Promise<void> {
  const ratios: number[] = [];
  const rates: number[] = [];
  let last = '';
  for (let round = 0; round < pairs; round += 1) {
    const suite = await measure(['cli.ts', 'run', '--attack', 'off', '--out', out], urls, out);
    const floor = await measure([floorScript, String(suite.requests)], urls);
    const sprint = await measure([floorScript, String(sprintRequests)], urls);
    rates.push(suite.requests / suite.wallMs / (sprintRequests / sprint.wallMs));
    ratios.push(suite.cpuMs / floor.cpuMs);
    last = `${suite.requests} requests, ${seconds(suite.cpuMs)} against ${seconds(floor.cpuMs)}`;
  }
  const ratio = median(ratios);
  row('CPU of the suite over bare undici', ratio, 3.2, `${ratio.toFixed(2)} × (${last})`, '≤ 3.2 ×');
  const rate = median(rates);
  row(
    'requests per second, of bare undici',
    -rate,
    -peerFactor,
    `${(rate * 100).toFixed(1)} %`,
    `≥ ${(peerFactor * 100).toFixed(1)} %`,
  );
}

/** Measures a run against a server whose every answer comes 100 ms later. */
async function latency({ urls }: Served): Promise<void> {
  const far = await slowed(urls, 100);
  try {
    const usage = await measure(['cli.ts', 'run', '--out', out], far.urls, out);
    row('a target with 100 ms latency', usage.wallMs, 30_000, seconds(usage.wallMs), '≤ 30 s');
  } finally {
    far.close();
  }
}
