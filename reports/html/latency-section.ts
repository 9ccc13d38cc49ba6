// How long the target took, operation by operation: the slowest as box plots, all in numbers.
import { operationById } from '../../fixtures/catalog/catalog.ts';
import type { LatencyFigures } from '../../fixtures/check/latency.ts';
import type { RunResult } from '../../fixtures/check/result.ts';
import { counted, whole } from '../headline.ts';
import { table } from './field.ts';
import { latencyBoxes } from './latency-boxes.ts';
import { fragment } from './link.ts';
import { type Content, type Markup, markup, nothing } from './markup.ts';

/** Operations that are shown at once. */
const mostBoxes = 20;
/** A box by itself compares with nothing. */
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
    ...figures.slice(0, 5).map(milliseconds),
    whole(figures[5]),
  ];
}

const milliseconds = (ms: number) => (ms < 10 ? ms.toFixed(1) : whole(Math.round(ms)));
