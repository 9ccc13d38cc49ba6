// Renders trend.html: one file without a script that shows figures, broken and flaky checks, and changes over all runs.
import { cut, threeDigits, whole } from '../../engine/values/text.ts';
import { typed } from '../../engine/values/typed-command.ts';
import { axis, chart, colours, legend, series } from '../html/chart.ts';
import { changeCells, documentOf, type Markup, markup, nothing, table } from '../html/markup.ts';

import type { LoadRecord } from './read.ts';
import {
  type Clock,
  clockOf,
  conforms,
  flakyRule,
  type Trend,
  type TrendRun,
  type UnhealthyCheck,
} from './trend.ts';

const mostChanges = 100;
const mostPlaces = 4;
const longest = 160;

function behaviourSection(runs: readonly TrendRun[], timeOf: Clock): Markup {
  const all = runs
    .toReversed()
    .flatMap(({ startedAt, behaviours }) => behaviours.map((change) => ({ startedAt, change })));
  if (all.length === 0) return nothing;
  const rows = all.slice(0, mostChanges).map(({ startedAt, change }) => {
    const { points } = change;
    return [
      timeOf(startedAt),
      markup`<code>${cut(points[0] ?? '', longest)}</code>${points.length > 1 && ` and ${whole(points.length - 1)} more`}`,
      ...changeCells(change, mostPlaces),
    ];
  });
  return markup`<section id="behaviour" class="section"><h2>Behaviours that changed</h2>
<p class="weak">Where the document is silent a target chooses; none of this counts against it.</p>
${table('Behaviours that changed', ['run', 'open point', 'before', 'from then on'], rows)}
${all.length > mostChanges && markup`<p class="weak">… and ${whole(all.length - mostChanges)} more in trend.json.</p>`}</section>`;
}

// Figures over time: a chart of each, and a table with the same numbers.
interface Figures {
  readonly id: string;
  readonly title: string;
  /** The chart in words, for a reader who does not see it. */
  readonly says: string;
  readonly unit: string;
  /** The values are counts, so the scale shows whole numbers alone. */
  readonly counts?: true;
  /** The names of the lines, in the order of a row's values. */
  readonly names: readonly string[];
  readonly rows: readonly { readonly at: string; readonly values: readonly (number | undefined)[] }[];
}

/** A table shows the last rows up to this number; the chart shows all. */
const mostRows = 100;
const lineColours = [colours.stroke, colours.second, colours.limit, colours.weak];

/** The figures of runs that asked all checks, and the latency of every run. */
function figuresOf({ runs, loads }: Trend): Figures[] {
  const wholeRuns = runs.filter(({ isPart }) => !isPart);
  const searches = Map.groupBy(
    loads.filter(({ kind }) => kind === 'capacity'),
    ({ journey }) => journey,
  );
  return [
    {
      id: 'served',
      title: 'Served',
      says: 'Operations served, and operations that answered 2xx, run by run',
      unit: 'operations',
      counts: true,
      names: ['served', 'answered 2xx'],
      rows: wholeRuns.map(({ startedAt, served, answered2xx }) => ({
        at: startedAt,
        values: [served, answered2xx],
      })),
    },
    {
      id: 'failures',
      title: 'Failures',
      says: 'Checks that failed, were waived, warned or could not be judged, run by run',
      unit: 'checks',
      counts: true,
      names: ['warned', 'inconclusive', 'failed', 'waived'],
      rows: wholeRuns.map(({ startedAt, summary, waived }) => ({
        at: startedAt,
        values: [summary.warn, summary.inconclusive, summary.fail - waived, waived],
      })),
    },
    {
      id: 'latency',
      title: 'Latency',
      says: 'Median latency of the operation in the middle, and of the one that 5 % of the operations exceed, run by run',
      unit: 'ms',
      names: ['typical', 'slow'],
      rows: runs.flatMap(({ startedAt, latency }) =>
        latency ? [{ at: startedAt, values: [latency.typical, latency.slow] }] : [],
      ),
    },
    ...[...searches].slice(0, 20).map(([journey, records], at) => ({
      id: `capacity-${at}`,
      title: `Capacity of ${cut(journey, 80)}`,
      says: 'Capacity and the ends of its 95 % interval, search by search',
      unit: 'per second',
      names: ['capacity', 'interval, from', 'to'],
      rows: records.map(({ startedAt, figures }) => ({
        at: startedAt,
        values: [figures.capacity, figures.confirmed, figures.failed],
      })),
    })),
  ];
}

function figureSection({ id, title, says, unit, counts, names, rows }: Figures, timeOf: Clock): Markup {
  if (rows.length === 0) return nothing;
  return markup`<section id="${id}" class="section"><h2>${title}</h2>
${chart({
  says,
  height: 280,
  option: {
    grid: { left: 70, right: 40, top: 36, bottom: 36 },
    legend,
    xAxis: { type: 'time', ...axis, splitLine: { show: false } },
    yAxis: { type: 'value', name: unit, scale: true, ...(counts && { minInterval: 1 }), ...axis },
    series: names.map((name, nth) => {
      const points = rows.map(({ at, values }) => [Date.parse(at), values[nth] ?? null] as const);
      return series(name, points, lineColours[nth] ?? colours.weak, { showSymbol: rows.length === 1 });
    }),
  },
})}
<details><summary>${whole(Math.min(rows.length, mostRows))} of ${whole(rows.length)} in numbers, the last one first</summary>
${table(
  `${title} in numbers`,
  ['began', ...names],
  rows
    .slice(-mostRows)
    .toReversed()
    .map(({ at, values }) => [timeOf(at), ...values.map(figure)]),
)}</details></section>`;
}

/** The load runs in numbers. */
function loadSection(loads: readonly LoadRecord[], timeOf: Clock): Markup {
  const rows = loads
    .filter(({ kind }) => kind === 'load')
    .toReversed()
    .slice(0, mostRows)
    .map(({ startedAt, journey, verdict, figures: { rate, achieved, p95, p99 } }) => [
      timeOf(startedAt),
      journey,
      verdict,
      ...[rate, achieved, p95, p99].map(figure),
    ]);
  if (rows.length === 0) return nothing;
  return markup`<section id="load" class="section"><h2>Load</h2>${table('Load runs', ['began', 'journey', 'verdict', 'offered per second', 'achieved', 'p95, ms', 'p99, ms'], rows)}</section>`;
}

/** Writes counts whole, and measured values with three digits, since no more of them are reliable. */
const figure = (value: number | undefined) => {
  if (value === undefined) return '–';
  return Number.isInteger(value) ? whole(value) : threeDigits(value);
};

const mostUnhealthy = 300;
const mostRuns = 400;
const mostUnread = 50;

/** The whole page. */
export function trendHtml(trend: Trend): string {
  const last = trend.runs.at(-1);
  const timeOf = clockOf(trend);
  return documentOf({
    title: `Assay: trend of ${whole(trend.runs.length)} runs`,
    body: markup`${last ? head(trend, last, timeOf) : markup`<header><h1>No run of ${typed('run')} among these files</h1></header>`}
<main>
${unhealthyChecks('Broken', 'broken', trend.broken, 'Its last judgement is a failure, and it is not flaky. The longest broken first.', timeOf)}
${unhealthyChecks('Flaky', 'flaky', trend.flaky, `It switched between good and failing ${flakyRule.changes} times or more in its last ${flakyRule.window} judgements, and the last ${flakyRule.settled} of them are not all failures.`, timeOf)}
${unhealthyChecks('Mended', 'mended', trend.mended, 'It failed within its last judgements, and is good now. The latest mended first.', timeOf)}
${figuresOf(trend).map((each) => figureSection(each, timeOf))}
${loadSection(trend.loads, timeOf)}
${behaviourSection(trend.runs, timeOf)}
${runTable(trend.runs, timeOf)}
${unread(trend)}
</main>`,
  });
}

function head({ runs, broken, flaky, copies }: Trend, last: TrendRun, timeOf: Clock): Markup {
  const first = runs[0] ?? last;
  const targets = new Set(runs.map(({ target }) => target)).size;
  const figures = [
    ['newly broken in the last run', last.newlyBroken.length],
    ['mended in it', last.mended.length],
    ['new warnings in it', last.newlyWarned.length],
    ['broken', broken.length],
    ['flaky', flaky.length],
    ['runs', runs.length],
  ] as const;
  return markup`<header class="${conforms(last) ? 'good' : 'bad'}">
<p class="about"><strong>Assay</strong> ${cut(last.target, 200)} <time datetime="${last.startedAt}">${timeOf(last.startedAt)}</time></p>
<h1>${sentence(last)}</h1>
<p class="besides">From ${timeOf(first.startedAt)} to ${timeOf(last.startedAt)}.${targets > 1 && ` ${targets} targets: the history of a check mixes its judgements on all of them.`}${copies > 0 && ` ${whole(copies)} files hold a run that another file holds too, and are left out.`}</p>
<dl class="figures">${figures.map(([name, count]) => markup`<div><dt>${name}</dt><dd>${whole(count)}</dd></div>`)}</dl>
</header>`;
}

const sentence = ({ isPart, served, operations, summary, waived }: TrendRun) =>
  `${isPart ? 'A part of the checks' : `${whole(served)} of ${whole(operations)} operations served`}, ${whole(summary.fail)} failed${waived > 0 ? ` (${whole(waived)} waived)` : ''}.`;

function unhealthyChecks(
  title: string,
  id: string,
  list: readonly UnhealthyCheck[],
  rule: string,
  timeOf: Clock,
): Markup {
  if (list.length === 0) return nothing;
  const rows = list
    .slice(0, mostUnhealthy)
    .map(({ id, isWaived, isFromTheFirst, since, streak, changes, lately }) => [
      markup`<code>${cut(id, longest)}</code>${isWaived && ' waived'}`,
      isFromTheFirst ? 'the first run' : timeOf(since),
      whole(streak),
      whole(changes),
      markup`<code>${lately.replaceAll(' ', '·')}</code>`,
    ]);
  return markup`<section id="${id}" class="section"><h2>${title}</h2>
<p class="weak">${rule} + passed, - failed, ? not judged, · not asked; the last run stands last.</p>
${table(title, ['check', 'unchanged since', 'judgements since', 'switches', 'last 30 runs'], rows)}
${list.length > mostUnhealthy && markup`<p class="weak">… and ${whole(list.length - mostUnhealthy)} more in trend.json.</p>`}
</section>`;
}

function runTable(runs: readonly TrendRun[], timeOf: Clock): Markup {
  const rows = runs
    .slice(-mostRuns)
    .toReversed()
    .map(
      ({ startedAt, runId, target, ended, isPart, newlyBroken, mended, newlyWarned, behaviours, file }) => [
        timeOf(startedAt),
        markup`${cut(runId, 20)}${isPart && ' part'}${ended !== 'complete' && ` ${ended}`}`,
        cut(target, 80),
        listed(newlyBroken),
        listed(mended),
        listed(newlyWarned),
        whole(behaviours.length),
        cut(file, longest),
      ],
    );
  return markup`<section id="runs" class="section"><h2>Runs</h2>
<details><summary>${whole(rows.length)} of ${whole(runs.length)} runs, the last one first</summary>
${table('Runs', ['began', 'run', 'target', 'newly broken', 'mended', 'new warnings', 'behaviours changed', 'file'], rows)}</details></section>`;
}

const mostIds = 5;

function listed(ids: readonly string[]): Markup {
  const shown = ids.slice(0, mostIds).map((id) => markup`<p><code>${cut(id, 80)}</code></p>`);
  return markup`${whole(ids.length)}${shown}${ids.length > mostIds && markup`<p class="weak">…</p>`}`;
}

function unread({ unread }: Trend): Markup {
  if (unread.length === 0) return nothing;
  const rows = unread
    .slice(0, mostUnread)
    .map(({ file, problem }) => [cut(file, longest), cut(problem, longest)]);
  return markup`<section id="unread" class="section"><h2>Not read</h2>
${table('Files that were not read', ['file', 'what is wrong'], rows)}
${unread.length > mostUnread && markup`<p class="weak">… and ${whole(unread.length - mostUnread)} more.</p>`}</section>`;
}
