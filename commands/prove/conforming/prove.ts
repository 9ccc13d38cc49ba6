// Every conforming variant, alone and beside every other.
import { variants } from '../../../fixtures/conforming-variants/all.ts';
import { sideBySide } from '../side-by-side.ts';
import { atOnce, type ConformingRow, type ConformingServer, excluded, profiled } from './judge.ts';
import { openJudgeThread } from './judge-thread.ts';
import { coveringRows } from './pairs.ts';

export interface Conforming {
  readonly variants: number;
  /** Of variants that can stand together, all of which did. */
  readonly pairs: number;
  /** Servers, of one variant or of many, that were accused or of which too little was judged. */
  readonly accused: number;
  readonly rows: readonly ConformingRow[];
}

const threads = 2;
export const mostAtOnce = 26;

/**
 * Those with most variants first, which take longest; then each alone.
 * @param onRow called for each server as soon as it was judged, in any order, with how many were
 */
export async function proveConforming(
  seed: string,
  onRow: (row: ConformingRow, done: number, of: number) => void = () => {},
): Promise<Conforming> {
  const { rows: together, pairs } = coveringRows(variants, excluded, seed, mostAtOnce);
  const servers: ConformingServer[] = [
    ...together.map((row) => ({ variants: row.map(({ name }) => name) })),
    ...profiled.map((names) => ({ variants: names, profiled: true as const })),
    ...variants.map(({ name }) => ({ variants: [name] })),
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
    const rows = await sideBySide(servers, threads * atOnce, judge);
    const accused = rows.filter(({ wronged }) => wronged).length;
    return { variants: variants.length, pairs, accused, rows };
  } finally {
    await Promise.all(judges.map((thread) => thread.close()));
  }
}
