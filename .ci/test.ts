// `npm test`: what shows Assay itself right in minutes, step by step, cheapest first; and `npm run test:long`: the tests
// that run Assay as a whole, or compute for long.
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { coverage } from './coverage.ts';
import { ownFolder } from './own-folder.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

interface Step {
  readonly name: string;
  /** Package and script inside it; it is run by this very runtime. */
  readonly tool: readonly [pkg: string, script: string];
  readonly args: readonly string[];
  readonly limitMs: number;
  readonly env?: Readonly<Record<string, string>>;
  /** Leaves the processor to what runs beside it. */
  readonly yields?: true;
  /** A binary for this platform that `npm ci --omit=optional` leaves out. */
  readonly native?: string;
}

/** Where V8 leaves its counts. */
const counted = ownFolder('assay-counted-');

const platform = `${process.platform}-${process.arch}`;
/** They wait for nothing, and are over in seconds: all at once. */
const readings: readonly Step[] = [
  {
    name: 'types',
    tool: ['typescript', 'bin/tsc'],
    args: ['-p', '.'],
    limitMs: 60_000,
    native: `@typescript/typescript-${platform}`,
  },
  {
    name: 'types of the report page, which knows the browser and no Node',
    tool: ['typescript', 'bin/tsc'],
    args: ['-p', 'reports/html/page'],
    limitMs: 60_000,
    native: `@typescript/typescript-${platform}`,
  },
  {
    name: 'lint and arrows',
    tool: ['@biomejs/biome', 'bin/biome'],
    args: ['ci', '--error-on-warnings', '.'],
    limitMs: 60_000,
    native: `@biomejs/cli-${platform}`,
  },
  {
    name: 'dead code',
    tool: ['knip', 'bin/knip.js'],
    args: [],
    limitMs: 60_000,
    native: `@oxc-parser/binding-${platform}${process.platform === 'linux' ? '-gnu' : ''}`,
  },
];
const vitest = (project: string, workers: number) => ({
  tool: ['vitest', 'vitest.mjs'] as const,
  args: ['run', '--configLoader', 'native', '--project', project, '--maxWorkers', `${workers}`],
  limitMs: 900_000,
});
// Many tests wait for processes of their own; left to itself vitest keeps one of two cores free.
const longTests: Step = { name: 'long tests', ...vitest('long', 4) };
/** Those that measure mostly wait, and come first wherever both want the processor. */
const unitTests: readonly Step[] = [
  { name: 'tests that measure', ...vitest('alone', 1) },
  {
    name: 'unit tests',
    ...vitest('unit', 4),
    yields: true,
    // Counting takes a third longer, and whole runs cover nothing that the tests beside the modules do not cover.
    env: { NODE_V8_COVERAGE: counted },
  },
];

/** None outlives a step that fails. */
const underWay = new Set<ChildProcess>();

const perform = async ({ name, tool, args, ...how }: Step) => run(name, [scriptOf(tool), ...args], how);
if (process.argv[2] === 'long') {
  await perform(longTests);
} else {
  await Promise.all(readings.filter(isInstalled).map(perform));
  await Promise.all(unitTests.map(perform));
  await Promise.all([
    holdCoverage(),
    run(
      'conformance against the embedded server',
      ['--import', './runtime.js', 'cli.ts', 'run', '--out', join('reports', 'out', 'self')],
      { limitMs: 120_000, env: { BASE_URL: undefined, CDN_URL: undefined, GAMELOGS_URL: undefined } },
    ),
  ]);
  await run(
    'its result against the published schema, and its reports once more',
    ['--import', './runtime.js', 'cli.ts', 'report', join('reports', 'out', 'self', 'result.json')],
    { limitMs: 60_000 },
  );
}
console.log('\nEverything passed.');

function isInstalled({ name, native }: Step): boolean {
  if (native === undefined || existsSync(join(root, 'node_modules', native))) return true;
  const message = `${name}: left out, ${native} is not installed (npm ci --omit=optional leaves it out)`;
  if (process.env.CI === 'true') fail(message);
  console.log(`SKIPPED ${message}`);
  return false;
}

function scriptOf([pkg, script]: Step['tool']): string {
  return join(root, 'node_modules', pkg, script);
}

async function holdCoverage(): Promise<void> {
  console.log('\n== coverage of fixtures and suites');
  const { enough, lines } = await coverage(root, counted);
  console.log(lines.join('\n'));
  if (!enough) fail('coverage: too little; write the tests that are missing');
}

interface How {
  readonly limitMs: number;
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly yields?: true;
}

/** Runs one step within its time; the first that fails ends everything. */
async function run(name: string, args: readonly string[], { limitMs, env, yields }: How): Promise<void> {
  console.log(`\n== ${name}`);
  const begun = performance.now();
  const child = spawn(process.execPath, args, {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...env },
    timeout: limitMs,
    killSignal: 'SIGKILL',
  });
  underWay.add(child);
  if (yields && child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW);
  const code = await new Promise<number | string>((resolve) =>
    child.once('exit', (status, signal) => resolve(status ?? signal ?? 1)),
  );
  underWay.delete(child);
  if (code !== 0)
    fail(`${name}: ended with ${code}${code === 'SIGKILL' ? `, killed after ${limitMs / 1000} s` : ''}`);
  console.log(`-- ${name}: ${((performance.now() - begun) / 1000).toFixed(1)} s`);
}

function fail(message: string): never {
  console.error(`FAILED ${message}`);
  for (const child of underWay) child.kill();
  process.exit(1);
}
