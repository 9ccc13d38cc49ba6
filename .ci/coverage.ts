// Which lines and branches of the judge the unit tests went through, by V8's own count.
import { spawn } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';

/** Per cent. */
const least = { lines: 95, branches: 95 };
/** Files that are named where it does not suffice. */
const weakest = 10;
/** What the judge is judged with; a proof shows that it works. */
const instruments = [
  'fixtures/mutants/**',
  'fixtures/conforming-variants/**',
  'fixtures/hostile/**',
  'fixtures/blind/**',
  'fixtures/third-party/**',
  'fixtures/kit/**',
  'commands/prove/**',
  'commands/hostile/**',
];
/** What the tests are to go through. */
const rooms = ['catalog', 'engine', 'suites', 'commands', 'fixtures'].map((room) => `${room}/**/*.ts`);

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
  const excluded = ['**/*.test.ts', ...instruments, ...typesOnly(root)].flatMap((file) => [
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
    ...['--all', ...rooms.flatMap((room) => ['--include', room]), '-r', 'json-summary', ...excluded],
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

/** Files of which nothing is left to run: no test can go through them. */
function typesOnly(root: string): string[] {
  return globSync(rooms, { cwd: root }).filter((file) => {
    const code = stripTypeScriptTypes(readFileSync(join(root, file), 'utf8'));
    return code.replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '').trim() === '';
  });
}
