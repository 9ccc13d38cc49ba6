// Every honest variant, alone and beside every other.
import { variants } from '../../../fixtures/conforming-variants/all.ts';
import { atOnce, excluded, type HonestRow, type HonestServer, judgeAll, profiled } from './judge.ts';
import { openJudgeThread } from './judge-thread.ts';
import { coveringRows } from './pairs.ts';

export interface Honest {
  readonly variants: number;
  /** Of variants that can stand together, all of which did. */
  readonly pairs: number;
  /** Servers, of one variant or of many, that were accused or of which too little was judged. */
  readonly accused: number;
  readonly rows: readonly HonestRow[];
}

const threads = 2;
export const mostAtOnce = 20;

/**
 * Those with most variants first, which take longest; then each alone.
 * @param onRow told of each server as soon as it was judged, in any order, and of how many were
 */
export async function proveHonest(
  seed: string,
  onRow: (row: HonestRow, done: number, of: number) => void = () => {},
): Promise<Honest> {
  const { rows: together, pairs } = coveringRows(variants, excluded, seed, mostAtOnce);
  const servers: HonestServer[] = [
    ...together.map((row) => ({ variants: row.map(({ name }) => name) })),
    ...profiled.map((names) => ({ variants: names, profiled: true as const })),
    ...variants.map(({ name }) => ({ variants: [name] })),
  ];
  const judges = Array.from({ length: threads }, () => openJudgeThread(seed));
  let asked = 0;
  let done = 0;
  const judge = async (server: HonestServer) => {
    asked += 1;
    const row = await (judges[asked % threads] as (typeof judges)[number]).judge(server);
    done += 1;
    onRow(row, done, servers.length);
    return row;
  };
  try {
    const rows = await judgeAll(servers, judge, threads * atOnce);
    const accused = rows.filter(({ wronged }) => wronged).length;
    return { variants: variants.length, pairs, accused, rows };
  } finally {
    await Promise.all(judges.map((thread) => thread.close()));
  }
}
