// `npm test`: checks Assay itself in minutes, the cheapest steps first. `npm run test:long`: runs the tests that start
// Assay as a whole, or compute for long.
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { coverage, coveredFolders } from './coverage.ts';
import { ownFolder } from './own-folder.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

interface Step {
  readonly name: string;
  /** A package of node_modules and its script, run by the Node that runs this file. */
  readonly tool: readonly [pkg: string, script: string];
  readonly args: readonly string[];
  readonly limitMs: number;
  readonly env?: Readonly<Record<string, string>>;
  /** Runs at low CPU priority, so that the tests that measure time are not slowed down. */
  readonly lowPriority?: true;
  /** The file to which vitest writes its JSON report. */
  readonly jsonReport?: string;
  /** Package with the tool's binary for this platform; without it (`npm ci --omit=optional`) the step is skipped. */
  readonly native?: string;
}

/** The folder to which V8 writes its coverage data. */
const counted = ownFolder('assay-counted-');
const reportsFolder = ownFolder('assay-test-reports-');

const platform = `${process.platform}-${process.arch}`;
/** Checks that run no code; together they take seconds, so all start at once. */
const staticChecks: readonly Step[] = [
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
  const jsonReport = join(reportsFolder, `${project}.json`);
  return {
    tool: ['vitest', 'vitest.mjs'] as const,
    args: [
      ...['run', '--configLoader', 'native', '--project', project, '--maxWorkers', `${workers}`],
      ...['--reporter', 'default', '--reporter', 'json', '--outputFile.json', jsonReport],
    ],
    jsonReport,
    limitMs: 1_200_000,
  };
};
// Four workers, since many tests wait for child processes; by default vitest leaves one of two cores free.
const longTests: Step = { name: 'long tests', ...vitest('long', 4) };
/** Both run at once: tests that measure time mostly wait, and have priority where both want the processor. */
const unitTests: readonly Step[] = [
  { name: 'tests that measure', ...vitest('alone', 1) },
  {
    name: 'unit tests',
    ...vitest('unit', 4),
    lowPriority: true,
    // Only here: coverage makes tests a third slower, and runs of the whole program cover nothing more.
    env: { NODE_V8_COVERAGE: counted },
  },
];

/** Child processes, killed when this process exits, because a step failed or a signal came. */
const underWay = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of underWay) child.kill();
});

const perform = async ({ name, tool, args, ...how }: Step) => run(name, [scriptOf(tool), ...args], how);
if (process.argv[2] === 'long') {
  await perform(longTests);
} else {
  await Promise.all(staticChecks.filter(isInstalled).map(perform));
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
  console.log(`\n== coverage of ${coveredFolders.join(', ')}`);
  const { enough, lines } = await coverage(root, counted);
  console.log(lines.join('\n'));
  if (!enough) fail('coverage: too little; write the tests that are missing');
}

interface How {
  readonly limitMs: number;
  readonly jsonReport?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly lowPriority?: true;
}

/** Runs one step within its time limit; a step that fails ends this process and all others. */
async function run(
  name: string,
  args: readonly string[],
  { limitMs, env, lowPriority, jsonReport }: How,
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
  if (lowPriority && child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW);
  const code = await new Promise<number | string>((resolve) =>
    child.once('exit', (status, signal) => resolve(status ?? signal ?? 1)),
  );
  underWay.delete(child);
  if (code !== 0) {
    // Repeats the failed tests at the end of the log, where people look first.
    for (const line of jsonReport ? failedTests(jsonReport) : []) console.error(line);
    fail(`${name}: ended with ${code}${code === 'SIGKILL' ? `, killed after ${limitMs / 1000} s` : ''}`);
  }
  console.log(`-- ${name}: ${((performance.now() - begun) / 1000).toFixed(1)} s`);
}

interface JsonReport {
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

/** Returns a line for each failed test and each test file that did not load; none where vitest was killed. */
function failedTests(file: string): string[] {
  if (!existsSync(file)) return [];
  const { testResults }: JsonReport = JSON.parse(readFileSync(file, 'utf8'));
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
