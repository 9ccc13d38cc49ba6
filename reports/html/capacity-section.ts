// A capacity search: the verdict, latency over offered rate with the bound that was asked for, and every step.
import { axis, chart, colours } from './chart.ts';
import { circumstances } from './circumstances.ts';
import { table } from './field.ts';
import { cut, type Markup, markup, nothing } from './markup.ts';
import { at, listAt, numberAt, textAt } from './outside.ts';
import { boundIn, type LatencyBound } from './slo.ts';

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
  const [confirmed, failed] = listAt(capacity, 'interval').map(finite);
  const told = (rate: number | undefined) => (rate === undefined ? 'not known' : short(rate));
  return markup`<section id="capacity" class="section"><h2>Capacity</h2>
<p><strong>${found === undefined ? 'No capacity found' : `${short(found)} ${unit}`}</strong> (${cut(textAt(capacity, 'verdict') ?? 'no verdict', 40)})${slo !== '' && `, with ${slo}`}, ${cut(textAt(capacity, 'arrivals') ?? 'unknown', 20)} arrivals. Confirmed: ${told(confirmed)}; too much: ${told(failed)}.<span class="weak">${circumstances(capacity)}</span></p>
${textAt(capacity, 'reason') !== undefined && markup`<p>${cut(textAt(capacity, 'reason') ?? '', 400)}</p>`}
${steps.length > 1 && curve(steps, boundIn(slo), { found, confirmed, failed })}
${steps.length > 0 && stepTable(steps, unit)}
</section>`;
}

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
    'achieved',
    'p50',
    'p95',
    'p99, ms',
    'wrong',
    'no answer',
    'not begun',
  ];
  const rows = steps.map(({ purpose, rate, figures }, index) => [
    `${index + 1} ${purpose}`.trim(),
    short(rate),
    ...[
      numberAt(figures, 'achieved'),
      numberAt(figures, 'latency', 'p50'),
      numberAt(figures, 'latency', 'p95'),
      numberAt(figures, 'latency', 'p99'),
      numberAt(figures, 'errors', 'wrong'),
      numberAt(figures, 'errors', 'transport'),
      numberAt(figures, 'dropped'),
    ].map((value) => (value === undefined ? '–' : short(value))),
  ]);
  return table('Steps of the search', heads, rows);
}

interface Rates {
  readonly found: number | undefined;
  readonly confirmed: number | undefined;
  readonly failed: number | undefined;
}

function curve(steps: readonly Step[], { quantile, ms }: LatencyBound, rates: Rates): Markup {
  // Steps against the null target say what the generator can do, not what the target takes.
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
    rates.confirmed === undefined || rates.failed === undefined
      ? []
      : [[{ xAxis: rates.confirmed }, { xAxis: rates.failed }] as [{ xAxis: number }, { xAxis: number }]];
  const [rate = 0, latency = least] = points[0] ?? [];
  const marked = [rates.found, rates.confirmed, rates.failed].map((each) => each ?? rate);
  const corners = marked.map((each) => [each, ms ?? latency]);
  return chart({
    says: `${quantile} of latency over the offered rate, one dot for each step, with the bound, the capacity, and the band between the rate that was confirmed and the one that was too much`,
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
        // Not to be seen: the axes reach to what is marked.
        { type: 'scatter', symbolSize: 0, silent: true, itemStyle: { color: colours.stroke }, data: corners },
      ],
    },
  });
}

const finite = (value: unknown) => (typeof value === 'number' && Number.isFinite(value) ? value : undefined);
const short = (value: number) => String(+value.toPrecision(4));
