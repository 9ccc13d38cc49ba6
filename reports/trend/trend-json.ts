// A trend as data, for scripts: `assay.trend/1`.
import type { Trend, TrendRun } from './trend.ts';

/** Of one run's ids and changes, so many are listed; their number is told. */
const mostListed = 200;

/** JSON text, one run a line; checks that never failed are left out. */
export function trendJson({ runs, broken, flaky, loads, unread, copies }: Trend): string {
  const lines = (list: readonly unknown[]) =>
    list.length === 0 ? '[]' : `[\n${list.map((item) => `  ${JSON.stringify(item)}`).join(',\n')}\n ]`;
  return `{
 "schema": "assay.trend/1",
 "copies": ${copies},
 "runs": ${lines(runs.map(runOf))},
 "broken": ${lines(broken)},
 "flaky": ${lines(flaky)},
 "loads": ${lines(loads)},
 "unread": ${lines(unread)}
}
`;
}

function runOf({ newlyBroken, mended, behaviours, ...facts }: TrendRun) {
  const listed = <Item>(list: readonly Item[]) => ({
    count: list.length,
    list: list.slice(0, mostListed),
  });
  return {
    ...facts,
    newlyBroken: listed(newlyBroken),
    mended: listed(mended),
    behaviours: listed(behaviours),
  };
}
