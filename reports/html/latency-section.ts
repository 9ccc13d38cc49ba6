// How long the target took, operation by operation.
import { operationById } from '../../fixtures/catalog/catalog.ts';
import type { LatencyFigures } from '../../fixtures/check/latency.ts';
import type { RunResult } from '../../fixtures/check/result.ts';
import { counted, whole } from '../headline.ts';
import { box, boxAxis, type Scale, scaleOf } from './box-plot.ts';
import { table } from './field.ts';
import { fragment } from './link.ts';
import { type Markup, markup, nothing } from './markup.ts';

/** Operations that are shown at once. */
const mostBoxes = 20;

type Row = readonly [operation: string, figures: LatencyFigures];

export function latencySection(latency: RunResult['latency'] = {}): Markup {
  const rows = Object.entries(latency)
    .filter(([operation]) => operationById(operation) !== undefined)
    .sort(([, a], [, b]) => b[2] - a[2]);
  if (rows.length === 0) return nothing;
  const scale = scaleOf(rows.map(([, figures]) => figures));
  const calls = rows.reduce((sum, [, figures]) => sum + figures[5], 0);
  const others = rows.slice(mostBoxes);
  return markup`<section id="latency" class="section"><h2>Latency</h2>
<p class="weak">Of ${whole(calls)} calls that were answered 2xx, as this run saw them with others in flight; the slowest by median first. It shows what is slow, not how much load the target takes.</p>
${boxes('Latency of the slowest operations', rows.slice(0, mostBoxes), scale)}
${others.length > 0 && markup`<details><summary>${counted(others.length, 'more operation')}</summary>${boxes('Latency of the other operations', others, scale)}</details>`}
</section>`;
}

function boxes(label: string, rows: readonly Row[], scale: Scale): Markup {
  return table(
    label,
    ['operation', boxAxis(scale), 'least', 'quartile', 'median', 'quartile', 'most, ms', 'calls'],
    rows.map(([operation, figures]) => [
      markup`<a href="${fragment({ operation })}">${operation}</a>`,
      box(scale, figures),
      ...figures.slice(0, 5).map(milliseconds),
      whole(figures[5]),
    ]),
  );
}

const milliseconds = (ms: number) => (ms < 10 ? ms.toFixed(1) : whole(Math.round(ms)));
