// Renders a load run for report.html and for a page of its own: verdict, chart, tables. Reads only `assay.load/1`.

import { at, listAt, numberAt, textAt } from '../../engine/values/members.ts';
import { cut, minuteOf, threeDigits } from '../../engine/values/text.ts';
import { axis, chart, colours, corners, legend, marks, series } from './chart.ts';
import { type Markup, markup, nothing, table } from './markup.ts';

// The latency bound of an SLO.

export interface LatencyBound {
  /** Name of the quantile in a step's figures. */
  readonly quantile: string;
  /** Undefined where the SLO has no bound on latency. */
  readonly ms: number | undefined;
}

/** The strictest bound on latency of `p95=80ms,errors=0.1%`; p95 without one where there is none. */
export function boundIn(slo: string): LatencyBound {
  const bounds = [...slo.matchAll(/\b(p50|p95|p99|p999)=([\d.]+)(ms|s)\b/g)];
  const [, quantile = 'p95', value, unit] = bounds.at(-1) ?? [];
  return { quantile, ms: value === undefined ? undefined : Number(value) * (unit === 's' ? 1000 : 1) };
}

/** ` (against http://127.0.0.1:8080, begun 2026-11-21 09:04 UTC)`; empty where neither is known. */
export function circumstances(run: unknown): string {
  const target = textAt(run, 'target') ?? textAt(run, 'target', 'base');
  const began = textAt(run, 'startedAt');
  const parts = [
    ...(target === undefined ? [] : [`against ${cut(target, 120)}`]),
    ...(began === undefined ? [] : [`begun ${minuteOf(cut(began, 30))}`]),
  ];
  return parts.length === 0 ? '' : ` (${parts.join(', ')})`;
}

const mostOperations = 60;
const mostReasons = 12;
/** Points of the line; a longer run is thinned to them. */
const mostSeconds = 600;
const quantiles = ['p50', 'p95', 'p99', 'p999', 'max'];

/** @param load `load.json`; nothing is shown of any other value */
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

/** A time in ms; undefined for 0, which stands for no answer. */
const timeAt = (figures: unknown, name: string) => numberAt(figures, name) || undefined;

export const inDigits = (value: number | undefined) => (value === undefined ? '–' : threeDigits(value));
export const counted = (value: number | undefined) =>
  value === undefined ? '–' : value.toLocaleString('en');

function timeline(seconds: readonly unknown[], { quantile, ms }: LatencyBound): Markup {
  const bound = ms === undefined || quantile !== 'p95' ? [] : [{ yAxis: ms, label: { formatter: 'bound' } }];
  const line = lineOf(seconds);
  const marked = marks(bound);
  return overSeconds({
    says: 'Median and 95th percentile of latency, and the rate achieved, second by second',
    height: 300,
    names: ['p50', 'p95', 'achieved', 'offered'],
    axes: ['p95, ms', 'per second'],
    lines: [
      series('p95', line('p95'), colours.stroke, {
        markLine: { ...marked, label: { ...marked.label, position: 'insideEndTop' as const } },
      }),
      series('p50', line('p50'), colours.text, {}),
      corners(ms === undefined ? [] : [[0, ms]]),
      series('achieved', line('achieved'), colours.second, { yAxisIndex: 1 }),
      series('offered', line('offered'), colours.weak, {
        yAxisIndex: 1,
        lineStyle: { type: 'dashed' as const, color: colours.weak },
      }),
    ],
  });
}

interface OverSeconds {
  readonly says: string;
  readonly height: number;
  /** The names of the lines, as the legend lists them. */
  readonly names: string[];
  readonly axes: readonly [left: string, right: string];
  readonly lines: (ReturnType<typeof series> | ReturnType<typeof corners>)[];
}

/** A chart of what happened second by second. */
export const overSeconds = ({ says, height, names, axes: [left, right], lines }: OverSeconds): Markup =>
  chart({
    says,
    height,
    option: {
      legend: { ...legend, data: names },
      xAxis: { type: 'value', name: 'seconds', nameLocation: 'middle', nameGap: 26, ...axis },
      yAxis: [
        { type: 'value', name: left, ...axis },
        { type: 'value', name: right, ...axis, splitLine: { show: false } },
      ],
      series: lines,
    },
  });

/** The points of one figure over time, thinned to what a line can show. */
export function lineOf(seconds: readonly unknown[]): (name: string) => [number, number | null][] {
  const step = Math.ceil(seconds.length / mostSeconds);
  const kept = seconds.filter((_, second) => second % step === 0);
  return (name) =>
    kept.map((second, index) => [
      numberAt(second, 'at') ?? index * step,
      (name.startsWith('p') ? timeAt(second, name) : numberAt(second, name)) ?? null,
    ]);
}
