// Renders the latency of operations for report.html: the slowest as box plots on one axis, all in numbers.

import { operationById } from '../../catalog/catalog.ts';
import type { LatencyFigures } from '../../engine/probe/latency.ts';
import type { RunResult } from '../../engine/run/result.ts';
import { counted, whole } from '../../engine/values/text.ts';

import { colours } from './chart.ts';
import { type Content, fragment, type Markup, markup, nothing, table } from './markup.ts';

/** CSS pixels; the style of `.boxes` sets the same height. */
const rowHeight = 26;
const width = 460;
/** Room for half of a tick's label. */
const margin = 24;
const boxHeight = 12;
/** The least latency that is drawn, in ms: a logarithmic axis has no zero. */
const least = 0.05;
/** The largest ratio of the ends of an axis at which the labels of 1, 2 and 5 have room. */
const longest = 300;

/** Drawn without the chart library: each run has this one chart, and to load the library takes longer than the page. */
export function latencyBoxes(figures: readonly LatencyFigures[]): Markup {
  const rows = figures.map((each) => each.slice(0, 5).map((ms) => Math.max(ms, least)));
  const min = Math.min(...rows.flat());
  // The axis always reaches at least to twice its beginning.
  const max = Math.max(...rows.flat(), 2 * min);
  const ticks = ticksOf(min, max);
  const height = rowHeight * (rows.length + 1);
  const scale = (width - 2 * margin) / Math.log(max / min);
  const at = (ms: number) => (margin + scale * Math.log(ms / min)).toFixed(1);
  const says = `box plot of the same figures, on a logarithmic axis from ${milliseconds(+min.toPrecision(2))} to ${milliseconds(+max.toPrecision(2))}`;
  return markup`<svg role="img" aria-label="${says}" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">
<path d="${ticks.map((ms) => `M${at(ms)} ${rowHeight}V${height}`).join('')}" fill="none" stroke="${colours.line}"/>
${ticks.map((ms) => markup`<text x="${at(ms)}" y="12" text-anchor="middle" dominant-baseline="central" font-size="12px" fill="${colours.weak}">${milliseconds(ms)}</text>`)}
${rows.map((row, nth) => markup`<path d="${box(row.map(at), rowHeight * (nth + 1.5))}" fill="${colours.tint}" stroke="${colours.stroke}"/>`)}
</svg>`;
}

/** The box from quartile to quartile, the median in it, and whiskers to the least and the most. */
function box([least, quartile, median, third, most]: readonly string[], middle: number): string {
  const [top, bottom] = [middle - boxHeight / 2, middle + boxHeight / 2];
  const across = [least, median, most].map((x) => `M${x} ${top}V${bottom}`).join('');
  return `M${quartile} ${top}L${quartile} ${bottom}L${third} ${bottom}L${third} ${top}ZM${least} ${middle}H${quartile}M${third} ${middle}H${most}${across}`;
}

/** 1, 2 and 5 times powers of ten that lie on the axis, in ms; on a long one the powers alone. */
function ticksOf(min: number, max: number): number[] {
  const powers = Array.from({ length: 12 }, (_, at) => 10 ** (at - 3));
  const round = max / min > longest ? powers : powers.flatMap((power) => [power, 2 * power, 5 * power]);
  return round.filter((ms) => ms >= min && ms <= max);
}

const milliseconds = (ms: number) => (ms >= 1000 ? `${whole(ms / 1000)} s` : `${ms} ms`);

/** Most operations with a box; the others are shown in numbers. */
const mostBoxes = 20;
/** Fewest operations for boxes: one or two boxes show nothing that numbers do not. */
const fewestBoxes = 3;

const figureHeads = ['least', 'quartile', 'median', 'quartile', 'most, ms', 'calls'];

type Row = readonly [operation: string, figures: LatencyFigures];

export function latencySection(latency: RunResult['latency'] = {}): Markup {
  const rows = Object.entries(latency)
    .filter(([operation]) => operationById(operation) !== undefined)
    .sort(([, a], [, b]) => b[2] - a[2]);
  if (rows.length === 0) return nothing;
  const calls = rows.reduce((sum, [, figures]) => sum + figures[5], 0);
  const slowest = rows.slice(0, mostBoxes);
  const others = rows.slice(mostBoxes);
  return markup`<section id="latency" class="section"><h2>Latency</h2>
<p class="weak">Of ${whole(calls)} calls that were answered 2xx, as this run saw them with others in flight; the slowest by median first. It shows what is slow, not how much load the target takes.</p>
${slowest.length < fewestBoxes ? numbers('Latency', slowest) : boxes(slowest)}
${others.length > 0 && markup`<details><summary>${counted(others.length, 'more operation')}</summary>${numbers('Latency of the other operations', others)}</details>`}
</section>`;
}

const numbers = (label: string, rows: readonly Row[]) =>
  table(label, ['operation', ...figureHeads], rows.map(cellsOf));

/** A table whose second column is one chart, which has a box in each row. */
function boxes(rows: readonly Row[]): Markup {
  const chart = latencyBoxes(rows.map(([, figures]) => figures));
  return markup`<div class="scroll" role="region" aria-label="Latency of the slowest operations" tabindex="0"><table class="boxes">
<tr><th scope="col">operation</th><td rowspan="${rows.length + 1}">${chart}</td>${figureHeads.map((name) => markup`<th scope="col">${name}</th>`)}</tr>
${rows.map((row) => markup`<tr>${cellsOf(row).map((cell) => markup`<td>${cell}</td>`)}</tr>\n`)}</table></div>`;
}

function cellsOf([operation, figures]: Row): readonly Content[] {
  return [
    markup`<a href="${fragment({ operation })}">${operation}</a>`,
    ...figures.slice(0, 5).map(rounded),
    whole(figures[5]),
  ];
}

const rounded = (ms: number) => (ms < 10 ? ms.toFixed(1) : whole(Math.round(ms)));
