// Renders a capacity search for report.html and for a page of its own: the capacity, every step, and the latency curve.
// Reads only JSON of the right kind.

import { at, listAt, numberAt, textAt } from '../../engine/values/members.ts';
import { cut, threeDigits } from '../../engine/values/text.ts';
import { axis, chart, colours, corners, marks } from './chart.ts';
import { boundIn, circumstances, counted, inDigits, type LatencyBound } from './load.ts';
import { type Markup, markup, nothing, table } from './markup.ts';

const mostSteps = 80;
/** The least latency that is drawn, in ms: a logarithmic axis has no zero. */
const least = 0.05;

interface Step {
  readonly purpose: string;
  readonly rate: number;
  readonly figures: unknown;
}

/** @param capacity `capacity.json`; nothing is shown of any other value */
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

/** Whether the ends are an estimated interval; else they are rates that were measured. */
export const isInterval = (found: Rate, low: Rate, high: Rate) =>
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
  const heads = ['step', `offered, ${unit}`, 'verdict', 'achieved', 'p50', 'p95', 'p99, ms'];
  const rows = steps.map(({ purpose, rate, figures }, index) => [
    `${index + 1} ${purpose}`.trim(),
    threeDigits(rate),
    stepVerdict(purpose, figures),
    inDigits(numberAt(figures, 'achieved')),
    ...['p50', 'p95', 'p99'].map((quantile) => inDigits(numberAt(figures, 'latency', quantile))),
    ...['wrong', 'transport'].map((kind) => counted(numberAt(figures, 'errors', kind))),
    counted(numberAt(figures, 'dropped')),
    inDigits(numberAt(figures, 'lagMs', 'p95')),
  ]);
  return table('Steps of the search', [...heads, 'wrong', 'no answer', 'not begun', 'late, p95'], rows);
}

/** `too much: latency`; a step against the null target is about the generator alone. */
function stepVerdict(purpose: string, figures: unknown): string {
  const ended = textAt(figures, 'ended');
  if (ended !== undefined && ended !== 'complete') return `no figures: ${cut(ended, 20)}`;
  if (purpose === 'ceiling') return 'generator alone';
  const limit = textAt(figures, 'limit');
  if (limit !== undefined) return `too much: ${cut(limit, 20)}`;
  return at(figures, 'passed') === true ? 'ok' : '–';
}

function curve(
  steps: readonly Step[],
  { quantile, ms }: LatencyBound,
  { found, low, high }: Readonly<Record<'found' | 'low' | 'high', Rate>>,
): Markup {
  // Leaves out steps against the null target: they measure the generator.
  const points = steps
    .filter(({ purpose }) => purpose !== 'ceiling')
    .flatMap(({ rate, figures }) => {
      const latency = numberAt(figures, 'latency', quantile);
      return latency === undefined ? [] : [[rate, Math.max(latency, least)]];
    });
  const lines = [
    ...(ms === undefined ? [] : [{ yAxis: ms, label: { formatter: 'bound' } }]),
    ...(found === undefined ? [] : [{ xAxis: found, label: { formatter: 'capacity' } }]),
  ];
  const band: [{ xAxis: number }, { xAxis: number }][] =
    low === undefined || high === undefined ? [] : [[{ xAxis: low }, { xAxis: high }]];
  const [rate = 0, latency = least] = points[0] ?? [];
  return chart({
    says: `${quantile} of latency over the offered rate, one dot for each step, with the bound, the capacity, and its 95 % interval`,
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
          markLine: marks(lines),
          markArea: { itemStyle: { color: colours.tint, opacity: 0.6 }, data: band },
        },
        corners([found, low, high].map((each) => [each ?? rate, ms ?? latency])),
      ],
    },
  });
}

export const finite = (value: unknown) =>
  typeof value === 'number' && Number.isFinite(value) ? value : undefined;
