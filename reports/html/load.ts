// Renders a load run and a capacity search, for report.html and for a page of their own: verdict, charts, and tables. Reads
// only JSON of the right kind.

import { at, listAt, numberAt, textAt } from '../../engine/values/members.ts';
import { threeDigits } from '../../engine/values/text.ts';
import { axis, chart, colours, legend } from './chart.ts';
import { conservedSection, meetingSection } from './conserved.ts';
import { timeOf } from './head.ts';
import { cut, documentOf, field, type Markup, markup, nothing, table } from './markup.ts';

// The latency bound of an SLO.

interface LatencyBound {
  /** Name of the quantile in a step's figures. */
  readonly quantile: string;
  /** Undefined where the SLO has no bound on latency. */
  readonly ms: number | undefined;
}

/** The strictest bound on latency of `p95=80ms,errors=0.1%`; p95 without one where there is none. */
function boundIn(slo: string): LatencyBound {
  const bounds = [...slo.matchAll(/\b(p50|p95|p99|p999)=([\d.]+)(ms|s)\b/g)];
  const [, quantile = 'p95', value, unit] = bounds.at(-1) ?? [];
  return { quantile, ms: value === undefined ? undefined : Number(value) * (unit === 's' ? 1000 : 1) };
}

/** ` (against http://127.0.0.1:8080, begun 2026-11-21 09:04 UTC)`; empty where neither is known. */
function circumstances(run: unknown): string {
  const target = textAt(run, 'target') ?? textAt(run, 'target', 'base');
  const began = textAt(run, 'startedAt');
  const parts = [
    ...(target === undefined ? [] : [`against ${cut(target, 120)}`]),
    ...(began === undefined ? [] : [`begun ${timeOf(cut(began, 30))}`]),
  ];
  return parts.length === 0 ? '' : ` (${parts.join(', ')})`;
}

const mostOperations = 60;
const mostReasons = 12;
/** Points of the line; a longer run is thinned to them. */
const mostSeconds = 600;
const quantiles = ['p50', 'p95', 'p99', 'p999', 'max'];

/** @param load `load.json`; nothing is shown of what is none */
export function loadSection(load: unknown): Markup {
  if (textAt(load, 'schema') !== 'assay.load/1') return nothing;
  const reasons = listAt(load, 'reasons').filter((reason) => typeof reason === 'string');
  const settings = ['journey', 'shape', 'arrivals', 'slo'].flatMap((name) => textAt(load, name) ?? []);
  const seconds = listAt(load, 'seconds');
  const rows = operationRows(at(load, 'operations'));
  return markup`<section id="load" class="section"><h2>Load</h2>
<p><strong>${cut(textAt(load, 'verdict') ?? 'no verdict', 40)}</strong> ${cut(settings.join(' · '), 200)}<span class="weak">${circumstances(load)}</span></p>
${reasons.length > 0 && markup`<ul>${reasons.slice(0, mostReasons).map((reason) => markup`<li>${cut(reason, 300)}</li>`)}</ul>`}
${seconds.length > 1 && timeline(seconds, boundIn(textAt(load, 'slo') ?? ''))}
${rows.length > 0 && table('Operations under load', ['operation', 'calls', 'p50', 'p95', 'p99', 'p99.9', 'most (ms)', 'errors'], rows)}
</section>`;
}

function operationRows(operations: unknown): (readonly string[])[] {
  if (typeof operations !== 'object' || operations === null) return [];
  return Object.entries(operations)
    .slice(0, mostOperations)
    .map(([id, figures]) => {
      const calls = numberAt(figures, 'count');
      const times = quantiles.map((name) => timeAt(figures, name));
      const errors = Object.entries(at(figures, 'errors') ?? {}).map(([kind, count]) => `${count} ${kind}`);
      return [cut(id, 80), counted(calls), ...times.map(inDigits), cut(errors.join(', '), 120)];
    });
}

/** A time; without an answer there is none, and 0 stands for it. */
const timeAt = (figures: unknown, name: string) => numberAt(figures, name) || undefined;

const inDigits = (value: number | undefined) => (value === undefined ? '–' : threeDigits(value));
const counted = (value: number | undefined) => (value === undefined ? '–' : value.toLocaleString('en'));

function timeline(seconds: readonly unknown[], { quantile, ms }: LatencyBound): Markup {
  const bound = ms === undefined || quantile !== 'p95' ? [] : [{ yAxis: ms, label: { formatter: 'bound' } }];
  const line = lineOf(seconds);
  return chart({
    says: 'Median and 95th percentile of latency, and the rate achieved, second by second',
    width: 860,
    height: 300,
    option: {
      grid: { left: 70, right: 70, top: 36, bottom: 44 },
      legend: { ...legend, data: ['p50', 'p95', 'achieved', 'offered'] },
      xAxis: { type: 'value', name: 'seconds', nameLocation: 'middle', nameGap: 26, ...axis },
      yAxis: [
        { type: 'value', name: 'p95, ms', ...axis },
        { type: 'value', name: 'per second', ...axis, splitLine: { show: false } },
      ],
      series: [
        {
          ...series('p95', line('p95'), colours.stroke, 0),
          markLine: {
            symbol: 'none',
            lineStyle: { color: colours.limit, type: 'dashed' as const },
            label: { color: colours.text, position: 'insideEndTop' as const },
            data: bound,
          },
        },
        series('p50', line('p50'), colours.text, 0),
        // An invisible point that extends the axis to the bound.
        {
          type: 'scatter',
          symbolSize: 0,
          silent: true,
          itemStyle: { color: colours.stroke },
          data: ms === undefined ? [] : [[0, ms]],
        },
        series('achieved', line('achieved'), colours.second, 1),
        {
          ...series('offered', line('offered'), colours.weak, 1),
          lineStyle: { type: 'dashed', color: colours.weak },
        },
      ],
    },
  });
}

/** The points of one figure over time, thinned to what a line can show. */
function lineOf(seconds: readonly unknown[]): (name: string) => [number, number | null][] {
  const step = Math.ceil(seconds.length / mostSeconds);
  const kept = seconds.filter((_, second) => second % step === 0);
  return (name) =>
    kept.map((second, index) => [
      numberAt(second, 'at') ?? index * step,
      (name.startsWith('p') ? timeAt(second, name) : numberAt(second, name)) ?? null,
    ]);
}

const series = (name: string, data: [number, number | null][], color: string, yAxisIndex: number) => ({
  type: 'line' as const,
  name,
  data,
  yAxisIndex,
  showSymbol: false,
  itemStyle: { color },
  lineStyle: { width: 1.5, color },
});

// A page of its own: load.html, capacity.html.

/** One file without a script; undefined where it is neither `load.json` nor `capacity.json`. */
export function loadPage(run: unknown): string | undefined {
  const isLoad = textAt(run, 'schema') === 'assay.load/1';
  if (!isLoad && textAt(run, 'schema') !== 'assay.capacity/1') return undefined;
  const journey = cut(textAt(run, 'journey') ?? 'unknown journey', 80);
  const verdict = cut(textAt(run, 'verdict') ?? 'no verdict', 40);
  return documentOf({
    title: `Assay: ${isLoad ? 'load' : 'capacity'} of ${journey}, ${verdict}`,
    isStatic: true,
    blocks: [],
    body: markup`<header class="${/^(PASS|FOUND)$/.test(verdict) ? 'good' : verdict === 'running' ? '' : 'bad'}">
<p class="about"><strong>Assay</strong> ${cut(targetsIn(run), 200)}</p>
<h1>${verdict}: ${journey}</h1>
<dl class="figures">${(isLoad ? loadFigures(run) : capacityFigures(run)).map(([name, value]) => markup`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
</header>
<main>
${isLoad ? loadSection(run) : capacitySection(run)}
${errorSection(run)}
${isLoad && latenessSection(run)}
${meetingSection(run)}
${conservedSection(run)}
${measuredSection(run)}
</main>`,
  });
}

type Figure = readonly [name: string, value: string];

const loadFigures = (run: unknown): Figure[] => [
  ['journeys/s offered', inDigits(numberAt(run, 'rate'))],
  ['achieved', inDigits(numberAt(run, 'achieved'))],
  ['p95, ms', inDigits(numberAt(run, 'latency', 'p95'))],
  ['p99, ms', inDigits(numberAt(run, 'latency', 'p99'))],
  ['wrong', counted(numberAt(run, 'errors', 'wrong'))],
  ['no answer', counted(numberAt(run, 'errors', 'transport'))],
];

function capacityFigures(run: unknown): Figure[] {
  const [low, high] = listAt(run, 'interval').map(finite);
  const found = numberAt(run, 'capacity');
  const [from, to] = isInterval(found, low, high) ? ['95 % interval, from', 'to'] : ['taken', 'too much'];
  return [
    [cut(textAt(run, 'unit') ?? 'journeys/s', 40), inDigits(found)],
    [from, inDigits(low)],
    [to, inDigits(high)],
    ['steps', String(listAt(run, 'steps').length)],
  ];
}

/** Hosts, each once. */
function targetsIn(run: unknown): string {
  const target = at(run, 'target');
  const urls = typeof target === 'object' && target !== null ? Object.values(target) : [target];
  return [...new Set(urls.filter((url) => typeof url === 'string'))].join(' · ');
}

const mostErrors = 40;

/** Of a load, or of all steps of a search against the target, where each row names the first rate at which it came. */
function errorSection(run: unknown): Markup {
  const steps = listAt(run, 'steps').filter((step) => textAt(step, 'against') !== 'null');
  const rows = (steps.length > 0 ? errorsOfSteps(steps) : listAt(run, 'errors', 'byOperation'))
    .slice(0, mostErrors)
    .map((row) => [
      cut(textAt(row, 'operation') ?? '', 80),
      cut(textAt(row, 'answer') ?? '', 40),
      counted(numberAt(row, 'count')),
      inDigits(numberAt(row, steps.length > 0 ? 'rate' : 'since')),
      cut(
        ['method', 'path', 'body'].flatMap((name) => textAt(row, 'sample', 'request', name) ?? []).join(' '),
        300,
      ),
      cut(textAt(row, 'sample', 'body') ?? '', 200),
    ]);
  if (rows.length === 0) return nothing;
  const began = steps.length > 0 ? 'from, per second' : 'since, s';
  return markup`<section id="errors" class="section"><h2>Errors</h2>
${table('Errors by operation and answer', ['operation', 'answer', 'times', began, 'the first of them: sent', 'answered'], rows)}</section>`;
}

function errorsOfSteps(steps: readonly unknown[]): object[] {
  const rows = new Map<string, { count: number; rate: number | undefined }>();
  for (const step of steps)
    for (const row of listAt(step, 'errors', 'byOperation')) {
      const key = `${textAt(row, 'operation')} ${textAt(row, 'answer')}`;
      const known = rows.get(key);
      const [count, rate] = [numberAt(row, 'count') ?? 0, numberAt(step, 'rate')];
      if (known === undefined) rows.set(key, { ...(row as object), count, rate });
      else {
        known.count += count;
        known.rate = Math.min(known.rate ?? Number.POSITIVE_INFINITY, rate ?? Number.POSITIVE_INFINITY);
      }
    }
  return [...rows.values()].sort((a, b) => b.count - a.count);
}

/** Errors, and how late the generator was by itself, second by second. */
function latenessSection(run: unknown): Markup {
  const seconds = listAt(run, 'seconds');
  if (seconds.length < 2) return nothing;
  const line = lineOf(seconds);
  return markup`<section id="lateness" class="section"><h2>Errors and the generator’s own lateness</h2>
${chart({
  says: 'Errors in each second, and by how many milliseconds the generator itself was late',
  width: 860,
  height: 220,
  option: {
    grid: { left: 70, right: 70, top: 36, bottom: 44 },
    legend: { ...legend, data: ['errors', 'late'] },
    xAxis: { type: 'value', name: 'seconds', nameLocation: 'middle', nameGap: 26, ...axis },
    yAxis: [
      { type: 'value', name: 'errors', ...axis },
      { type: 'value', name: 'late, ms', ...axis, splitLine: { show: false } },
    ],
    series: [
      series('errors', line('errors'), colours.limit, 0),
      series('late', line('lagMs'), colours.weak, 1),
    ],
  },
})}</section>`;
}

/** What a reader needs to check or repeat the run. */
function measuredSection(run: unknown): Markup {
  const facts: readonly (readonly [string, string | undefined])[] = [
    ['began', textAt(run, 'startedAt') && timeOf(textAt(run, 'startedAt') ?? '')],
    ['measured for', inUnit(numberAt(run, 'durationMs'), 's', 1_000)],
    ['shape', textAt(run, 'shape')],
    ['arrivals', textAt(run, 'arrivals')],
    ['bounds', textAt(run, 'slo')],
    ['seed', textAt(run, 'seed')],
    ['requests in a journey', inDigits(numberAt(run, 'requestsPerJourney'))],
    ['generator', textAt(run, 'generator', 'k6') && `k6 ${textAt(run, 'generator', 'k6')}`],
    ['processes', inDigits(numberAt(run, 'generator', 'segments'))],
    ['its processor', inUnit(numberAt(run, 'generator', 'cpu'), 'cores')],
    ['its memory', inUnit(numberAt(run, 'generator', 'memoryMiB'), 'MiB')],
    [
      'its lateness, p95',
      inMs(numberAt(run, 'generator', 'lagMs', 'p95') ?? numberAt(run, 'generator', 'lag')),
    ],
    ['against nothing, p95', inMs(numberAt(run, 'generator', 'nullP95'))],
  ];
  const known = facts.flatMap(([name, value]) =>
    value && value !== '–' ? [[name, cut(value, 200)] as const] : [],
  );
  return markup`<section id="measured" class="section"><h2>How it was measured</h2>
<dl class="facts">${known.map(([name, value]) => field(name, value))}</dl></section>`;
}

const inUnit = (value: number | undefined, unit: string, per = 1) =>
  value === undefined ? undefined : `${threeDigits(value / per)} ${unit}`;
const inMs = (ms: number | undefined) => inUnit(ms, 'ms');

const mostSteps = 80;
/** ms; a logarithm has no zero. */
const least = 0.05;

interface Step {
  readonly purpose: string;
  readonly rate: number;
  readonly figures: unknown;
}

/** @param capacity `capacity.json`; nothing is shown of what is none */
export function capacitySection(capacity: unknown): Markup {
  if (textAt(capacity, 'schema') !== 'assay.capacity/1') return nothing;
  const unit = cut(textAt(capacity, 'unit') ?? 'journeys/s', 40);
  const found = numberAt(capacity, 'capacity');
  const steps = listAt(capacity, 'steps').slice(0, mostSteps).flatMap(stepOf);
  const slo = cut(textAt(capacity, 'slo') ?? '', 100);
  const [low, high] = listAt(capacity, 'interval').map(finite);
  return markup`<section id="capacity" class="section"><h2>Capacity</h2>
<p><strong>${found === undefined ? 'No capacity found' : `${threeDigits(found)} ${unit}`}</strong> (${cut(textAt(capacity, 'verdict') ?? 'no verdict', 40)})${slo !== '' && `, with ${slo}`}, ${cut(textAt(capacity, 'arrivals') ?? 'unknown', 20)} arrivals. ${intervalText(found, low, high)}.<span class="weak">${circumstances(capacity)}</span></p>
${textAt(capacity, 'reason') !== undefined && markup`<p>${cut(textAt(capacity, 'reason') ?? '', 400)}</p>`}
${steps.length > 1 && curve(steps, boundIn(slo), { found, low, high })}
${steps.length > 0 && stepTable(steps, unit)}
</section>`;
}

type Rate = number | undefined;

/** Where the steps give no interval, its ends are rates that were measured. */
const isInterval = (found: Rate, low: Rate, high: Rate) =>
  low !== undefined && high !== undefined && low !== found;

const intervalText = (found: Rate, low: Rate, high: Rate): string =>
  isInterval(found, low, high)
    ? `95 % interval: ${inDigits(low)} to ${inDigits(high)}`
    : `Taken: ${rateText(low)}; too much: ${rateText(high)}`;

const rateText = (rate: Rate) => (rate === undefined ? 'not known' : threeDigits(rate));

/** A step, or an entry that holds one. */
function stepOf(entry: unknown): Step[] {
  const figures = at(entry, 'step') ?? entry;
  const rate = numberAt(figures, 'rate');
  return rate === undefined ? [] : [{ purpose: cut(textAt(entry, 'purpose') ?? '', 20), rate, figures }];
}

function stepTable(steps: readonly Step[], unit: string): Markup {
  const heads = [
    'step',
    `offered, ${unit}`,
    'verdict',
    'achieved',
    'p50',
    'p95',
    'p99, ms',
    'wrong',
    'no answer',
    'not begun',
    'late, p95',
  ];
  const rows = steps.map(({ purpose, rate, figures }, index) => [
    `${index + 1} ${purpose}`.trim(),
    threeDigits(rate),
    stepVerdict(purpose, figures),
    ...[
      numberAt(figures, 'achieved'),
      numberAt(figures, 'latency', 'p50'),
      numberAt(figures, 'latency', 'p95'),
      numberAt(figures, 'latency', 'p99'),
    ].map(inDigits),
    ...[
      numberAt(figures, 'errors', 'wrong'),
      numberAt(figures, 'errors', 'transport'),
      numberAt(figures, 'dropped'),
    ].map(counted),
    inDigits(numberAt(figures, 'lagMs', 'p95')),
  ]);
  return table('Steps of the search', heads, rows);
}

/** `too much: latency`; a step against nothing is about the generator alone. */
function stepVerdict(purpose: string, figures: unknown): string {
  const ended = textAt(figures, 'ended');
  if (ended !== undefined && ended !== 'complete') return `no figures: ${cut(ended, 20)}`;
  if (purpose === 'ceiling') return 'generator alone';
  const limit = textAt(figures, 'limit');
  if (limit !== undefined) return `too much: ${cut(limit, 20)}`;
  return at(figures, 'passed') === true ? 'ok' : '–';
}

interface Rates {
  readonly found: number | undefined;
  readonly low: number | undefined;
  readonly high: number | undefined;
}

function curve(steps: readonly Step[], { quantile, ms }: LatencyBound, rates: Rates): Markup {
  // Leaves out steps against the null target: they measure the generator.
  const points = steps
    .filter(({ purpose }) => purpose !== 'ceiling')
    .flatMap(({ rate, figures }) => {
      const latency = numberAt(figures, 'latency', quantile);
      return latency === undefined ? [] : [[rate, Math.max(latency, least)]];
    });
  const lines = [
    ...(ms === undefined ? [] : [{ yAxis: ms, label: { formatter: 'bound' } }]),
    ...(rates.found === undefined ? [] : [{ xAxis: rates.found, label: { formatter: 'capacity' } }]),
  ];
  const band =
    rates.low === undefined || rates.high === undefined
      ? []
      : [[{ xAxis: rates.low }, { xAxis: rates.high }] as [{ xAxis: number }, { xAxis: number }]];
  const [rate = 0, latency = least] = points[0] ?? [];
  const marked = [rates.found, rates.low, rates.high].map((each) => each ?? rate);
  const corners = marked.map((each) => [each, ms ?? latency]);
  return chart({
    says: `${quantile} of latency over the offered rate, one dot for each step, with the bound, the capacity, and its 95 % interval`,
    width: 860,
    height: 320,
    option: {
      grid: { left: 70, right: 70, top: 30, bottom: 30 },
      xAxis: { type: 'value', name: 'offered', scale: true, ...axis },
      yAxis: { type: 'log', name: `${quantile}, ms`, ...axis },
      series: [
        {
          type: 'scatter',
          symbolSize: 9,
          itemStyle: { color: colours.stroke },
          data: points,
          markLine: {
            symbol: 'none',
            lineStyle: { color: colours.limit, type: 'dashed' },
            label: { color: colours.text },
            data: lines,
          },
          markArea: { itemStyle: { color: colours.tint, opacity: 0.6 }, data: band },
        },
        // Invisible points that extend the axes to the marks.
        { type: 'scatter', symbolSize: 0, silent: true, itemStyle: { color: colours.stroke }, data: corners },
      ],
    },
  });
}

const finite = (value: unknown) => (typeof value === 'number' && Number.isFinite(value) ? value : undefined);
