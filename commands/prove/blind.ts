// Runs Assay, as a user does, against every blind server: correct, and with each bug; without a profile and with one.
import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { catalog } from '../../catalog/catalog.ts';
import { root, temporaryFolder } from '../../engine/files.ts';
import { compareRuns } from '../../engine/run/compare-runs.ts';
import type { Result, RunResult } from '../../engine/run/result.ts';
import { readStoredResult } from '../../engine/run/stored-result.ts';
import { ConfigurationError } from '../../engine/values/configuration-error.ts';
import { sideBySide } from '../../engine/values/side-by-side.ts';
import { quoted } from '../../engine/values/text.ts';
import { type BlindMutant, type BlindServer, blindServers, heldBack } from '../../fixtures/blind/servers.ts';
import { startWords } from '../../fixtures/kit/programs.ts';
import { writeResult } from '../../reports/write.ts';

export interface BlindRow {
  readonly server: string;
  readonly mutant: string;
  readonly cause: string;
  /** Whether it is of the third of the bugs that is held back, not tried while checks are written. */
  readonly isHeldBack: boolean;
  /** With neither profile nor baseline (`bare`), with the profile, with profile and baseline. */
  readonly bare: Score;
  readonly profile: Score;
  readonly baseline: Score;
}

/** A correct server of which a run failed checks. */
interface WrongedServer {
  readonly server: string;
  readonly hasProfile: boolean;
  /** Ids of checks. */
  readonly failed: readonly string[];
}

interface Blind {
  readonly rows: readonly BlindRow[];
  readonly wronged: readonly WrongedServer[];
  /** Servers whose runtime this machine lacks. */
  readonly leftOut: readonly string[];
}

interface BlindOptions {
  /** Judges the third that is held back too. */
  readonly withHeldBack: boolean;
  /** Parts of `SERVER/MUTANT`; empty for all bugs. */
  readonly only: readonly string[];
  readonly onRow: (row: BlindRow, done: number, of: number) => void;
}

const runLimitMs = 180_000;

/** Runs side by side: each takes about one core of two. */
const atOnce = 2;

/**
 * @throws ConfigurationError where no bug has such a name
 * @throws Error where a server does not start, or a run ends without a verdict
 */
export async function proveBlind({ withHeldBack, only, onRow }: BlindOptions): Promise<Blind> {
  const chosen = (server: BlindServer) =>
    server.mutants.filter((mutant) => {
      const id = idOf(server, mutant);
      return (
        (withHeldBack || !heldBack.has(id)) && (only.length === 0 || only.some((part) => id.includes(part)))
      );
    });
  const wanted = blindServers.filter((server) => chosen(server).length > 0);
  const servers = wanted.filter((server) => server.isInstalled());
  const of = servers.reduce((sum, server) => sum + chosen(server).length, 0);
  if (wanted.length === 0)
    throw new ConfigurationError([
      `--only: no bug of a blind server that is tried is named ${only.map(quoted).join(', ')}; docs/proof.md lists them as server and bug (SERVER/BUG), those that are held back with --held-back`,
    ]);
  const rows: BlindRow[] = [];
  const wronged: WrongedServer[] = [];
  for (const server of servers) {
    const bare = await correctRuns(server, false);
    const profiled = await correctRuns(server, true);
    wronged.push(...[wrongedBy(server, bare, false), wrongedBy(server, profiled, true)].flat());
    await sideBySide(chosen(server), atOnce, async (mutant) => {
      const withoutProfile = await runOn(server, { mutant: mutant.name });
      const withProfile = await runOn(server, {
        mutant: mutant.name,
        profile: server.profile,
        baseline: profiled.runs[0],
      });
      const row: BlindRow = {
        server: server.name,
        mutant: mutant.name,
        cause: mutant.cause,
        isHeldBack: heldBack.has(idOf(server, mutant)),
        bare: scoreOf(mutant, bare, withoutProfile, false),
        profile: scoreOf(mutant, profiled, withProfile, false),
        baseline: scoreOf(mutant, profiled, withProfile, true),
      };
      rows.push(row);
      onRow(row, rows.length, of);
    });
  }
  return { rows, wronged, leftOut: wanted.filter((each) => !servers.includes(each)).map(({ name }) => name) };
}

const idOf = ({ name }: BlindServer, mutant: BlindMutant) => `${name}/${mutant.name}`;

/** Makes two runs, the second with the first as its baseline, like a user who runs Assay every night. */
async function correctRuns(server: BlindServer, hasProfile: boolean): Promise<CorrectRuns> {
  const profile = hasProfile ? server.profile : undefined;
  const first = await runOn(server, { profile });
  return correctRunsOf([first, await runOn(server, { profile, baseline: first })]);
}

function wrongedBy({ name }: BlindServer, { runs }: CorrectRuns, hasProfile: boolean): WrongedServer[] {
  const failed = new Set(
    runs.flatMap(({ checks }) =>
      checks.filter(({ outcome, since }) => outcome === 'fail' || since).map(({ id }) => id),
    ),
  );
  return failed.size === 0 ? [] : [{ server: name, hasProfile, failed: [...failed] }];
}

interface BlindRun {
  readonly mutant?: string;
  /** Path. */
  readonly profile?: string | undefined;
  readonly baseline?: RunResult;
}

/**
 * One run against one server, both of them processes of their own.
 * @throws Error where the run ends without a verdict
 */
async function runOn(server: BlindServer, { mutant, profile, baseline }: BlindRun): Promise<RunResult> {
  const out = temporaryFolder('assay-blind-');
  const { hosts, close } = await server.start(mutant);
  try {
    const before = join(out, 'baseline.json');
    if (baseline !== undefined) writeResult(baseline, before);
    const args = [
      ...[...startWords, 'run', '--out', out],
      ...(profile === undefined ? [] : ['--profile', profile]),
      ...(baseline === undefined ? [] : ['--baseline', before]),
    ];
    const env = { PATH: process.env.PATH, SEED: '1', ...hosts };
    const child = spawn(process.execPath, args, {
      cwd: root,
      env,
      stdio: 'ignore',
      timeout: runLimitMs,
      killSignal: 'SIGKILL',
    });
    const exit = await new Promise((resolve) => child.once('exit', resolve));
    if (exit !== 0 && exit !== 1) throw new Error(`the run against ${server.name} ended with ${exit}`);
    return readStoredResult(join(out, 'result.json'), 'prove');
  } finally {
    close();
    rmSync(out, { recursive: true });
  }
}

// How well a run found one bug of a blind server.

/** Best first: the run fails, it warns, a comparison shows a change, nothing is seen. */
const grades = ['failed', 'warned', 'changed', 'silent'] as const;
type Grade = (typeof grades)[number];

interface Score {
  readonly grade: Grade;
  /** A finding of that grade is about one of the mutant's calls and names its cause. */
  readonly isNamed: boolean;
  /** Ids of the checks behind the grade, those that name the cause first. */
  readonly by: readonly string[];
}

/** Two runs with the same settings against the same server without a bug. */
interface CorrectRuns {
  readonly runs: readonly [RunResult, RunResult];
  /** Ids of checks that differ between the two: such a difference is no finding. */
  readonly noise: ReadonlySet<string>;
}

export function correctRunsOf(runs: readonly [RunResult, RunResult]): CorrectRuns {
  const [first, second] = runs;
  const found = [findingsOf(first, second), findingsOf(second, first)];
  return { runs, noise: new Set(found.flatMap((each) => Object.values(each).flat())) };
}

const findingsOf = (before: RunResult, after: RunResult): Record<Exclude<Grade, 'silent'>, string[]> => {
  const { kinds, behaviours } = compareRuns(before, after);
  const ids = (changes: readonly { readonly after: Result }[]) => changes.map((change) => change.after.id);
  return {
    failed: [...ids(kinds.worse), ...after.checks.flatMap(({ id, since }) => (since ? [id] : []))],
    warned: ids(kinds['newly-warned']),
    changed: [...behaviours.flatMap(({ points }) => points), ...ids(kinds.lost)],
  };
};

/**
 * @param hasBaseline whether a change counts too, since a user with a baseline sees it, or only failures and warnings
 */
export function scoreOf(
  mutant: BlindMutant,
  { runs: [correct], noise }: CorrectRuns,
  run: RunResult,
  hasBaseline: boolean,
): Score {
  const found = findingsOf(correct, hasBaseline ? run : withoutBaseline(run));
  const calls = new Set(operationsOf(mutant));
  const checks = new Map(run.checks.map((check) => [check.id, check]));
  const names = (id: string) => {
    const check = checks.get(id);
    if (check === undefined || ![check.operation].flat().some((each) => calls.has(each))) return false;
    const { title, detail, expected, actual, behaviour } = check;
    const text = [id, title, detail, expected, actual, behaviour].join(' ').toLowerCase();
    return mutant.words.some((word) => text.includes(word));
  };
  for (const grade of hasBaseline
    ? (['failed', 'warned', 'changed'] as const)
    : (['failed', 'warned'] as const)) {
    const ids = found[grade].filter((id) => !noise.has(id));
    if (ids.length === 0) continue;
    const naming = ids.filter(names);
    const by = [...naming, ...ids.filter((id) => !naming.includes(id))];
    return { grade, isNamed: naming.length > 0, by };
  }
  return { grade: 'silent', isNamed: false, by: [] };
}

const withoutBaseline = (run: RunResult): RunResult => ({
  ...run,
  checks: run.checks.map(({ since: _, ...check }) => check),
});

/** Ids of the operations that a mutant's calls name. @throws Error for a call that the interface does not document */
export function operationsOf({ name, calls }: BlindMutant): string[] {
  return calls.map((call) => {
    const operation = catalog.find(({ method, path }) => `${method} ${path}` === call.split('?')[0]);
    if (operation === undefined) throw new Error(`${name}: the interface has no ${call}`);
    return operation.id;
  });
}

// The score as lines for a terminal, as a Markdown table, and as counts for `proof.json`.

/** Counts for `proof.json`: grades with profile and baseline, and correct servers that a run accused. */
type BlindCounts = Readonly<Record<'mutants' | 'wronged' | Grade, number>>;

export const blindCounts = ({ rows, wronged }: Blind): BlindCounts => ({
  mutants: rows.length,
  ...counted(rows, ({ baseline }) => baseline),
  wronged: new Set(wronged.map(({ server }) => server)).size,
});

const counted = (rows: readonly BlindRow[], of: (row: BlindRow) => Score) =>
  Object.fromEntries(
    grades.map((grade) => [grade, rows.filter((row) => of(row).grade === grade).length]),
  ) as Record<Grade, number>;

const modes = [
  ['neither profile nor baseline', ({ bare }: BlindRow) => bare],
  ['with the profile', ({ profile }: BlindRow) => profile],
  ['with profile and baseline', ({ baseline }: BlindRow) => baseline],
] as const;

export const blindLine = ({ server, mutant, bare, profile, baseline }: BlindRow): string =>
  `${`${server}/${mutant}`.padEnd(42)} ${[bare, profile, baseline].map(({ grade }) => grade.padEnd(8)).join('')}${
    baseline.isNamed ? 'named' : '-----'
  }  ${baseline.by.slice(0, 3).join(', ')}`;

/** The totals, and the correct servers that were accused. */
export function blindSummary({ rows, wronged, leftOut }: Blind): string[] {
  const lines = modes.map(([mode, of]) => {
    const counts = counted(rows, of);
    const named = rows.filter((row) => of(row).isNamed).length;
    return `${mode}: ${grades.map((grade) => `${counts[grade]} ${grade}`).join(', ')}; ${named} name the cause`;
  });
  return [
    `${rows.length} realistic bugs in servers that were written blind`,
    ...lines,
    ...wronged.map(wrongedLine),
    ...leftOut.map((name) => `SKIPPED ${name}: its runtime is not installed`),
  ];
}

const wrongedLine = ({ server, hasProfile, failed }: WrongedServer) =>
  `WRONGED ${server}, correct, ${hasProfile ? 'with' : 'without'} its profile: ${failed.join(', ')}`;

/** A table of totals (all, and the two parts apart), then a table with a row for each bug. */
export function blindMarkdown(blind: Blind): string {
  const parts = [
    ['all', blind.rows],
    ['tried while checks are written', blind.rows.filter(({ isHeldBack }) => !isHeldBack)],
    ['held back', blind.rows.filter(({ isHeldBack }) => isHeldBack)],
  ] as const;
  return [
    '| part | mode | bugs | failed | warned | changed | silent | cause named |',
    '|---|---|---|---|---|---|---|---|',
    ...parts.flatMap(([part, rows]) =>
      modes.map(([mode, of]) => {
        const counts = counted(rows, of);
        const named = rows.filter((row) => of(row).isNamed).length;
        return `| ${[part, mode, rows.length, ...grades.map((grade) => counts[grade]), named].join(' | ')} |`;
      }),
    ),
    '',
    ...blind.wronged.map((each) => `${wrongedLine(each)}\n`),
    '| server | bug | cause | bare | profile | and baseline | named | by |',
    '|---|---|---|---|---|---|---|---|',
    ...blind.rows
      .toSorted((a, b) => `${a.server}/${a.mutant}`.localeCompare(`${b.server}/${b.mutant}`))
      .map(
        ({ server, mutant, cause, isHeldBack, bare, profile, baseline }) =>
          `| ${[
            server,
            `${mutant}${isHeldBack ? ' *' : ''}`,
            cause,
            ...[bare, profile, baseline].map(({ grade }) => grade),
            baseline.isNamed ? 'yes' : 'no',
            baseline.by.slice(0, 2).join(', ') || '–',
          ].join(' | ')} |`,
      ),
    '',
    '\\* held back',
    '',
  ].join('\n');
}
