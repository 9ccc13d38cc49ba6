// Judges every conforming variant, alone and beside every other, and renders the proof.

import { sideBySide } from '../../../engine/values/side-by-side.ts';
import { percent } from '../../../engine/values/text.ts';
import { variants } from '../../../fixtures/conforming-variants/all.ts';
import type { Variant } from '../../../fixtures/conforming-variants/variant.ts';
import type { GuardRow } from '../guards.ts';
import {
  atOnce,
  type ConformingRow,
  type ConformingServer,
  coveringRows,
  excluded,
  few,
  fewTogether,
  profiled,
} from './judge.ts';
import { openJudgeThread } from './judge-thread.ts';

export interface Conforming {
  readonly variants: number;
  /** Pairs of variants that can stand together; each of them stood together on a server. */
  readonly pairs: number;
  /** Servers, of one variant or of many, that were accused or of which too little was judged. */
  readonly accused: number;
  readonly rows: readonly ConformingRow[];
}

const threads = 2;
/** Most variants of a server: the more there are, the fewer servers are judged, but one may hide what another does. */
export const mostAtOnce = { whole: 26, drawn: 34 } as const;

/**
 * Judges the servers with most variants first, which take longest; then each variant alone.
 * @param drawn asks each server only its share (`ConformingServer`), and no variant alone: each is once among few
 * @param onRow called when a server was judged, in any order, with the number of servers judged so far
 */
export async function proveConforming(
  { seed, drawn = false }: { readonly seed: string; readonly drawn?: boolean },
  onRow: (row: ConformingRow, done: number, of: number) => void = () => {},
): Promise<Conforming> {
  const { rows: together, pairs } = coveringRows(
    variants,
    excluded,
    seed,
    mostAtOnce[drawn ? 'drawn' : 'whole'],
  );
  const rest = drawn ? fewTogether(variants, excluded, seed, few) : variants.map((variant) => [variant]);
  const share = drawn && { drawn: true as const };
  const servers: ConformingServer[] = [
    ...together.map((row) => ({ variants: row.map(({ name }) => name), ...share })),
    // The embedded server itself is asked everything.
    ...profiled.map((names) => ({
      variants: names,
      profiled: true as const,
      ...(names.length > 0 && share),
    })),
    ...rest.map((row) => ({ variants: row.map(({ name }) => name), ...share })),
  ];
  const judges = Array.from({ length: threads }, () => openJudgeThread(seed));
  let begun = 0;
  let done = 0;
  const judge = async (server: ConformingServer) => {
    begun += 1;
    const row = await (judges[begun % threads] as (typeof judges)[number]).judge(server);
    done += 1;
    onRow(row, done, servers.length);
    return row;
  };
  try {
    const first = await sideBySide(servers, threads * atOnce, judge);
    const rows = drawn ? await judgedAgain(first, (server) => judges[0]?.judge(server)) : first;
    const accused = rows.filter(({ wronged }) => wronged).length;
    return { variants: variants.length, pairs, accused, rows };
  } finally {
    await Promise.all(judges.map((thread) => thread.close()));
  }
}

/** Most accused servers that a busy machine explains; where there are more, none is asked again. */
const mostAccused = 4;

/**
 * Asks each wronged server once more, alone, since other work may have kept the machine busy; the new row holds the old
 * one. Servers that were judged too little may be many, since one busy minute does that to all that run side by side.
 * Stops at the first server that is wronged alone as well.
 */
export async function judgedAgain(
  rows: readonly ConformingRow[],
  judge: (server: ConformingServer) => Promise<ConformingRow> | undefined,
): Promise<readonly ConformingRow[]> {
  if (rows.filter(({ accusations }) => accusations.length > 0).length > mostAccused) return rows;
  const again = new Map<ConformingRow, ConformingRow>();
  for (const row of rows.filter(({ wronged }) => wronged)) {
    const { variants, profiled, drawn } = row;
    const alone = await judge({ variants, ...(profiled && { profiled }), ...(drawn && { drawn }) });
    if (alone) again.set(row, { ...alone, besideOthers: row });
    if (alone?.wronged) break;
  }
  return rows.map((row) => again.get(row) ?? row);
}

// The proof as lines for a terminal, and as a Markdown table.

const mostAccusations = 8;

/** Lines for a terminal: one for the server, and further ones where it was wronged. */
export const conformingLines = (row: ConformingRow): string[] => [
  `${nameOf(row)}  ${verdictOf(row)}`,
  ...troubles(row).map((line) => `    ${line}`),
  ...(row.wronged ? [`    not judged: ${reasonsOf(row)}`] : []),
];

/** The wronged servers once more, because a log's reader sees its end. */
export const wrongedLines = (rows: readonly ConformingRow[]): string[] =>
  rows.filter(({ wronged }) => wronged).flatMap(conformingLines);

/** Servers that were wronged beside others and are right alone, each with how it was wronged. */
export const besideOthersLines = (rows: readonly ConformingRow[]): string[] =>
  rows.flatMap(({ wronged, besideOthers }) =>
    besideOthers && !wronged
      ? ['wronged beside others, and right when it was asked again alone:', ...conformingLines(besideOthers)]
      : [],
  );

/** The totals, in one line. */
export const conformingSummary = ({ variants, pairs, accused }: Omit<Conforming, 'rows'>) =>
  `${variants} conforming variants, ${pairs} pairs of them, ${accused} servers wronged`;

const nameOf = ({ variants, profiled }: ConformingRow) =>
  [
    ...(profiled ? ['with its profile:'] : []),
    variants.length < 2 ? (variants[0] ?? 'as it is') : `${variants.length} at once: ${variants.join(', ')}`,
  ].join(' ');

function verdictOf({ wronged, passed, checks, judgedShare, durationMs }: ConformingRow): string {
  const shares = Object.entries(judgedShare).map(([host, share]) => `${host} ${percent(share)}`);
  return `${wronged ? 'WRONGED' : 'right'}, ${passed} of ${checks} pass, judged ${shares.join(', ')}, ${durationMs} ms`;
}

const reasonsOf = ({ unjudged }: ConformingRow) =>
  Object.entries(unjudged)
    .sort(([, a], [, b]) => b - a)
    .map(([reason, count]) => `${count} ${reason}`)
    .join(', ');

function troubles({ accusations }: ConformingRow): string[] {
  const shown = accusations
    .slice(0, mostAccusations)
    .map(({ id, outcome, why }) => `${outcome} ${id}: ${why}`);
  const rest = accusations.length - shown.length;
  return rest > 0 ? [...shown, `… and ${rest} more`] : shown;
}

/** @param guarded what removing each guard showed; a variant without a row has no guard that can be removed */
export function conformingMarkdown(
  forward: Conforming,
  variants: readonly Variant[],
  guarded: readonly GuardRow[],
): string {
  const { rows } = forward;
  const without = new Map(guarded.map((row) => [row.variant, row]));
  const alone = (name: string) =>
    rows.find(({ variants, profiled }) => !profiled && variants.length === 1 && variants[0] === name);
  const table = variants.map(({ name }) => {
    const guard = without.get(name);
    const accusing = guard?.accused.length;
    const accusers = accusing === undefined ? '–' : accusing === 0 ? 'NOBODY' : `${accusing} accuse`;
    const single = alone(name);
    return `| ${[name, guard?.knows ?? '–', accusers, single ? verdict(single) : '–', beside(name, rows)].join(' | ')} |`;
  });
  return [
    '# Conforming variants',
    '',
    conformingSummary(forward),
    '',
    '| variant | what the guard knows | checks without that guard | alone | beside others |',
    '|---|---|---|---|---|',
    ...table,
    '',
  ].join('\n');
}

const verdict = ({ wronged }: ConformingRow) => (wronged ? 'WRONGED' : 'right');

/** How many other variants stood beside this one, and on how many servers it was wronged with them. */
function beside(name: string, rows: readonly ConformingRow[]): string {
  const servers = rows.filter(({ variants }) => variants.length > 1 && variants.includes(name));
  const others = new Set(servers.flatMap(({ variants }) => variants));
  others.delete(name);
  const wronged = servers.filter((row) => row.wronged).length;
  return wronged === 0
    ? `right with ${others.size}`
    : `WRONGED on ${wronged} of ${servers.length} servers, with ${others.size} others`;
}
