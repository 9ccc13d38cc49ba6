// `npm test`: what shows Assay itself right in minutes, step by step, cheapest first; and `npm run test:long`: the tests
// that run Assay as a whole, or compute for long.
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { join, relative } from 'node:path';
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
  /** Where vitest writes how each test ended, as JSON. */
  readonly endings?: string;
  /** A binary for this platform that `npm ci --omit=optional` leaves out. */
  readonly native?: string;
}

/** Where V8 leaves its counts. */
const counted = ownFolder('assay-counted-');
const endingsFolder = ownFolder('assay-endings-');

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
const vitest = (project: string, workers: number) => {
  const endings = join(endingsFolder, `${project}.json`);
  return {
    tool: ['vitest', 'vitest.mjs'] as const,
    args: [
      ...['run', '--configLoader', 'native', '--project', project, '--maxWorkers', `${workers}`],
      ...['--reporter', 'default', '--reporter', 'json', '--outputFile.json', endings],
    ],
    endings,
    limitMs: 1_200_000,
  };
};
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

/** None outlives this process, whether a step failed or a signal came. */
const underWay = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of underWay) child.kill();
});

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
  readonly endings?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly yields?: true;
}

/** Runs one step within its time; the first that fails ends everything. */
async function run(
  name: string,
  args: readonly string[],
  { limitMs, env, yields, endings }: How,
): Promise<void> {
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
  if (code !== 0) {
    // Once more at the end, where the reader of a long log begins.
    for (const line of endings ? failedTests(endings) : []) console.error(line);
    fail(`${name}: ended with ${code}${code === 'SIGKILL' ? `, killed after ${limitMs / 1000} s` : ''}`);
  }
  console.log(`-- ${name}: ${((performance.now() - begun) / 1000).toFixed(1)} s`);
}

interface Endings {
  readonly testResults: readonly {
    readonly name: string;
    readonly message: string;
    readonly assertionResults: readonly {
      readonly status: string;
      readonly fullName: string;
      readonly failureMessages: readonly string[];
    }[];
  }[];
}

/** The tests that failed, and files that could not be read, a line each; none where vitest was killed. */
function failedTests(file: string): string[] {
  if (!existsSync(file)) return [];
  const { testResults }: Endings = JSON.parse(readFileSync(file, 'utf8'));
  return testResults.flatMap(({ name, message, assertionResults }) => {
    const failed = assertionResults.filter(({ status }) => status === 'failed');
    const shown = failed.map(({ fullName, failureMessages: [why = ''] }) => `${fullName}: ${why}`);
    const lines = message === '' ? shown : [...shown, message];
    return lines.map((line) => `failed: ${relative(root, name)}: ${line.split('\n', 1)[0]?.slice(0, 300)}`);
  });
}

function fail(message: string): never {
  console.error(`FAILED ${message}`);
  process.exit(1);
}
