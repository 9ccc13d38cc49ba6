// What the target chose differently from one run to the next, the latest first.
import { whole } from '../headline.ts';
import { table } from '../html/field.ts';
import { timeOf } from '../html/head.ts';
import { cut, type Markup, markup, nothing } from '../html/markup.ts';
import type { TrendRun } from './trend.ts';

const mostChanges = 100;
const mostPlaces = 4;
const longest = 160;

export function behaviourSection(runs: readonly TrendRun[]): Markup {
  const all = runs
    .toReversed()
    .flatMap(({ startedAt, behaviours }) => behaviours.map((change) => ({ startedAt, change })));
  if (all.length === 0) return nothing;
  const rows = all.slice(0, mostChanges).map(({ startedAt, change }) => {
    const { points, before, after, places } = change;
    const shown = places?.slice(0, mostPlaces) ?? [{ at: '', before, after }];
    const texts = (side: 'before' | 'after') =>
      shown.map(
        (place) =>
          markup`<p>${place.at !== '' && markup`<code>${cut(place.at, 80)}</code> `}${cut(place[side], longest)}</p>`,
      );
    return [
      timeOf(startedAt),
      markup`<code>${cut(points[0] ?? '', longest)}</code>${points.length > 1 && ` and ${whole(points.length - 1)} more`}`,
      texts('before'),
      texts('after'),
    ];
  });
  return markup`<section id="behaviour" class="section"><h2>Behaviours that changed</h2>
<p class="weak">Where the document is silent a target chooses; none of this counts against it.</p>
${table('Behaviours that changed', ['run', 'open point', 'before', 'from then on'], rows)}
${all.length > mostChanges && markup`<p class="weak">… and ${whole(all.length - mostChanges)} more in trend.json.</p>`}</section>`;
}
