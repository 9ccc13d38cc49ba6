// A load run: the verdict, the run second by second, and each operation in numbers.
import { axis, chart, colours, legend } from './chart.ts';
import { circumstances } from './circumstances.ts';
import { table } from './field.ts';
import { cut, type Markup, markup, nothing } from './markup.ts';
import { at, listAt, numberAt, textAt } from './outside.ts';
import { boundIn, type LatencyBound } from './slo.ts';

const mostOperations = 60;
const mostReasons = 12;
/** Points of the line; a longer run is thinned to them. */
const mostSeconds = 600;
const quantiles = ['p50', 'p95', 'p99', 'p999', 'max'];

/** @param load `load.json`; nothing is shown of what is none */
export function loadSection(load: unknown): Markup {
  if (textAt(load, 'schema') !== 'assay.load/1') return nothing;
  const reasons = listAt(load, 'reasons').filter((reason) => typeof reason === 'string');
  const asked = ['journey', 'shape', 'arrivals', 'slo'].flatMap((name) => textAt(load, name) ?? []);
  const seconds = listAt(load, 'seconds');
  const rows = operationRows(at(load, 'operations'));
  return markup`<section id="load" class="section"><h2>Load</h2>
<p><strong>${cut(textAt(load, 'verdict') ?? 'no verdict', 40)}</strong> ${cut(asked.join(' · '), 200)}<span class="weak">${circumstances(load)}</span></p>
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
      // Of no calls there is no latency, whatever a file says.
      const times = quantiles.map((name) => (calls === 0 ? undefined : numberAt(figures, name)));
      const errors = Object.entries(at(figures, 'errors') ?? {}).map(([kind, count]) => `${count} ${kind}`);
      return [cut(id, 80), ...[calls, ...times].map(told), cut(errors.join(', '), 120)];
    });
}

const told = (value: number | undefined) => (value === undefined ? '–' : String(+value.toPrecision(4)));

function timeline(seconds: readonly unknown[], { quantile, ms }: LatencyBound): Markup {
  const bound = ms === undefined || quantile !== 'p95' ? [] : [{ yAxis: ms, label: { formatter: 'bound' } }];
  const step = Math.ceil(seconds.length / mostSeconds);
  const kept = seconds.filter((_, second) => second % step === 0);
  const line = (name: string) =>
    kept.map(
      (second, index) =>
        [numberAt(second, 'at') ?? index * step, numberAt(second, name) ?? null] as [number, number | null],
    );
  return chart({
    says: 'The 95th percentile of latency and the rate achieved, second by second',
    width: 860,
    height: 300,
    option: {
      grid: { left: 70, right: 70, top: 36, bottom: 44 },
      legend: { ...legend, data: ['p95', 'achieved', 'offered'] },
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
        // Not to be seen: the axis reaches to the bound.
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

const series = (name: string, data: [number, number | null][], color: string, yAxisIndex: number) => ({
  type: 'line' as const,
  name,
  data,
  yAxisIndex,
  showSymbol: false,
  itemStyle: { color },
  lineStyle: { width: 1.5, color },
});
