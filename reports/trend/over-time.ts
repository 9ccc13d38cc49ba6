// Figures over time: a chart of each, and a table that says the same in numbers.
import { whole } from '../headline.ts';
import { axis, chart, colours, legend } from '../html/chart.ts';
import { table } from '../html/field.ts';
import { timeOf } from '../html/head.ts';
import { cut, type Markup, markup, nothing } from '../html/markup.ts';
import type { LoadRecord } from './load-record.ts';
import type { TrendRun } from './trend.ts';

interface Row {
  readonly at: string;
  readonly values: readonly (number | undefined)[];
}

interface Series {
  readonly id: string;
  readonly title: string;
  readonly says: string;
  readonly unit: string;
  /** Of the lines, in the order of a row's values. */
  readonly names: readonly string[];
  readonly rows: readonly Row[];
}

/** Rows of a table, the last ones; the chart shows all. */
const mostRows = 100;
const lineColours = [colours.stroke, colours.second, colours.limit, colours.weak];

export function servedSeries(runs: readonly TrendRun[]): Markup {
  const rows = wholeRuns(runs).map(({ startedAt, served, answered2xx }) => ({
    at: startedAt,
    values: [served, answered2xx],
  }));
  const says = 'Operations served, and operations that answered 2xx, run by run';
  return series({
    id: 'served',
    title: 'Served',
    says,
    unit: 'operations',
    names: ['served', 'answered 2xx'],
    rows,
  });
}

export function troubleSeries(runs: readonly TrendRun[]): Markup {
  const rows = wholeRuns(runs).map(({ startedAt, summary, waived }) => ({
    at: startedAt,
    values: [summary.warn, summary.inconclusive, summary.fail - waived, waived],
  }));
  const says = 'Checks that failed, were waived, warned or could not be judged, run by run';
  const names = ['warned', 'inconclusive', 'failed', 'waived'];
  return series({ id: 'failures', title: 'Failures', says, unit: 'checks', names, rows });
}

export function latencySeries(runs: readonly TrendRun[]): Markup {
  const rows = runs.flatMap(({ startedAt, latency }) =>
    latency ? [{ at: startedAt, values: [latency.typical, latency.slow] }] : [],
  );
  const says =
    'Latency of the operation in the middle, and of the one that 5 % exceed, by their medians, run by run';
  return series({ id: 'latency', title: 'Latency', says, unit: 'ms', names: ['typical', 'slow'], rows });
}

/** Each journey's capacity over time, and the load runs in numbers. */
export function loadSection(loads: readonly LoadRecord[]): Markup {
  const searches = Map.groupBy(
    loads.filter(({ kind }) => kind === 'capacity'),
    ({ journey }) => journey,
  );
  const capacities = [...searches].slice(0, 20).map(([journey, records], at) =>
    series({
      id: `capacity-${at}`,
      title: `Capacity of ${cut(journey, 80)}`,
      says: 'Capacity, the rate that was confirmed and the lowest that failed, search by search',
      unit: 'per second',
      names: ['capacity', 'confirmed', 'failed'],
      rows: records.map(({ startedAt, figures }) => ({
        at: startedAt,
        values: [figures.capacity, figures.confirmed, figures.failed],
      })),
    }),
  );
  const runs = loads
    .filter(({ kind }) => kind === 'load')
    .toReversed()
    .slice(0, mostRows);
  const rows = runs.map(({ startedAt, journey, verdict, figures }) => [
    timeOf(startedAt),
    journey,
    verdict,
    told(figures.rate),
    told(figures.achieved),
    told(figures.p95),
    told(figures.p99),
  ]);
  return markup`${capacities}
${rows.length > 0 && markup`<section id="load" class="section"><h2>Load</h2>${table('Load runs', ['began', 'journey', 'verdict', 'offered per second', 'achieved', 'p95, ms', 'p99, ms'], rows)}</section>`}`;
}

/** A run of a part says little about the whole. */
const wholeRuns = (runs: readonly TrendRun[]) => runs.filter(({ isPart }) => !isPart);

function series({ id, title, says, unit, names, rows }: Series): Markup {
  if (rows.length === 0) return nothing;
  const lines = names.map((name, at) => ({
    name,
    type: 'line' as const,
    showSymbol: rows.length === 1,
    itemStyle: { color: lineColours[at] ?? colours.weak },
    lineStyle: { width: 1.5, color: lineColours[at] ?? colours.weak },
    data: rows.map((row) => [Date.parse(row.at), row.values[at] ?? null] as [number, number | null]),
  }));
  return markup`<section id="${id}" class="section"><h2>${title}</h2>
${chart({
  says,
  width: 860,
  height: 280,
  option: {
    grid: { left: 70, right: 40, top: 36, bottom: 36 },
    legend,
    xAxis: { type: 'time', ...axis, splitLine: { show: false } },
    yAxis: { type: 'value', name: unit, scale: true, ...axis },
    series: lines,
  },
})}
<details><summary>${whole(Math.min(rows.length, mostRows))} of ${whole(rows.length)} in numbers, the last one first</summary>
${table(
  `${title} in numbers`,
  ['began', ...names],
  rows
    .slice(-mostRows)
    .toReversed()
    .map(({ at, values }) => [timeOf(at), ...values.map(told)]),
)}</details></section>`;
}

const told = (value: number | undefined) => (value === undefined ? '–' : String(+value.toPrecision(6)));
