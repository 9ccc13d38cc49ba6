// Renders the blind score: lines for a terminal, a Markdown table, and the counts for `proof.json`.
import type { Blind, BlindRow, WrongedServer } from './prove.ts';
import { type Grade, grades, type Score } from './score.ts';

/** What `proof.json` holds of it: grades with profile and baseline, and correct servers that a run accused. */
export type BlindCounts = Readonly<Record<'mutants' | 'wronged' | Grade, number>>;

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

/** What it adds up to, and the correct servers that were accused. */
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

/** Both parts apart, then a row for each bug. */
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
