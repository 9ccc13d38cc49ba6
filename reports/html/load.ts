// Renders a load run for report.html and for a page of its own: verdict, chart, and tables. Reads only JSON of the right kind.

import { at, listAt, numberAt, textAt } from '../../engine/values/members.ts';
import { cut, minuteOf, threeDigits } from '../../engine/values/text.ts';
import { axis, chart, colours, legend } from './chart.ts';
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

export const inDigits = (value: number | undefined) => (value === undefined ? '–' : threeDigits(value));
export const counted = (value: number | undefined) =>
  value === undefined ? '–' : value.toLocaleString('en');

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
export function lineOf(seconds: readonly unknown[]): (name: string) => [number, number | null][] {
  const step = Math.ceil(seconds.length / mostSeconds);
  const kept = seconds.filter((_, second) => second % step === 0);
  return (name) =>
    kept.map((second, index) => [
      numberAt(second, 'at') ?? index * step,
      (name.startsWith('p') ? timeAt(second, name) : numberAt(second, name)) ?? null,
    ]);
}

export const series = (name: string, data: [number, number | null][], color: string, yAxisIndex: number) => ({
  type: 'line' as const,
  name,
  data,
  yAxisIndex,
  showSymbol: false,
  itemStyle: { color },
  lineStyle: { width: 1.5, color },
});
