// Reports the coverage of lines and branches by the unit tests, from V8's own counts.
import { spawn } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';

/** The lowest coverage that passes, in per cent. */
const least = { lines: 95, branches: 95 };
/** How many of the least covered files are named where coverage does not suffice. */
const weakest = 10;
/** Files that only test Assay, and that a proof (`npm run prove`) runs: they need no coverage. */
const testEquipment = [
  'fixtures/mutants/**',
  'fixtures/conforming-variants/**',
  'fixtures/hostile/**',
  'fixtures/blind/**',
  'fixtures/third-party/**',
  'fixtures/kit/**',
  'commands/prove/**',
  'commands/hostile/**',
];
/** The folders whose code the unit tests have to cover. */
export const coveredFolders = ['catalog', 'engine', 'suites', 'commands', 'fixtures'];
const covered = coveredFolders.map((folder) => `${folder}/**/*.ts`);

interface Share {
  readonly total: number;
  readonly covered: number;
  readonly pct: number;
}
type Covered = Readonly<Record<'lines' | 'branches', Share>>;

/**
 * Reads what NODE_V8_COVERAGE left behind.
 * @param root of the checkout
 * @param counted the folder that the tests wrote to
 * @returns the figures as lines for people, and whether they suffice
 */
export async function coverage(root: string, counted: string): Promise<{ enough: boolean; lines: string[] }> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-coverage-'));
  const excluded = ['**/*.test.ts', ...testEquipment, ...typesOnly(root)].flatMap((file) => [
    '--exclude',
    file,
  ]);
  const args = [
    ...[
      join(root, 'node_modules/c8/bin/c8.js'),
      'report',
      '--temp-directory',
      counted,
      '--reports-dir',
      folder,
    ],
    ...['--all', ...covered.flatMap((files) => ['--include', files]), '-r', 'json-summary', ...excluded],
  ];
  const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
  const code = await new Promise((resolve) => child.once('exit', resolve));
  if (code !== 0) return { enough: false, lines: [`the coverage report ended with ${code}`] };
  const summary = JSON.parse(readFileSync(join(folder, 'coverage-summary.json'), 'utf8'));
  rmSync(folder, { recursive: true });
  const { total, ...files } = summary as Record<string, Covered> & { total: Covered };
  const enough = total.lines.pct >= least.lines && total.branches.pct >= least.branches;
  const figures = `lines ${total.lines.pct} %, branches ${total.branches.pct} %, at least ${least.lines} and ${least.branches} %`;
  return { enough, lines: [figures, ...(enough ? [] : weakestOf(files, root))] };
}

const missed = ({ lines, branches }: Covered) =>
  lines.total - lines.covered + branches.total - branches.covered;

function weakestOf(files: Readonly<Record<string, Covered>>, root: string): string[] {
  return Object.entries(files)
    .sort(([, a], [, b]) => missed(b) - missed(a))
    .slice(0, weakest)
    .map(
      ([file, { lines, branches }]) =>
        `  ${relative(root, file)}: ${lines.total - lines.covered} lines, ${branches.total - branches.covered} branches`,
    );
}

/** Files that hold types alone: no code is left to run. */
function typesOnly(root: string): string[] {
  return globSync(covered, { cwd: root }).filter((file) => {
    const code = stripTypeScriptTypes(readFileSync(join(root, file), 'utf8'));
    return code.replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '').trim() === '';
  });
}
