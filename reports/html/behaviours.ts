// Renders the behaviours of open points for report.html, and which changed since the baseline.
import type { BehaviourChange } from '../../engine/run/changes.ts';
import type { RunResult } from '../../engine/run/result.ts';
import { counted, whole } from '../summary/headline.ts';
import { cut, fragment, type Markup, markup, nothing, table } from './markup.ts';

const mostRows = 150;
const mostChanges = 60;
const mostPlaces = 6;
const longestText = 160;

export function behaviourSection({ ledger, checks, baseline }: RunResult): Markup {
  const points = Object.entries(ledger);
  if (points.length === 0) return nothing;
  const titles = new Map(checks.map(({ id, title }) => [id, title]));
  const titleOf = (point: string) => cut(titles.get(point) ?? point, longestText);
  const shapes = points.filter(([point]) => point.endsWith('#shape'));
  const groups = Map.groupBy(
    points.filter(([point]) => !point.endsWith('#shape')),
    ([point, behaviour]) => `${ruleOf(point)} ${behaviour}`,
  );
  const rows = [...groups.values()]
    .sort((a, b) => compare(ruleOf(a[0]?.[0] ?? ''), ruleOf(b[0]?.[0] ?? '')) || b.length - a.length)
    .map((group) => {
      const [point, behaviour] = group[0] as [string, string];
      const one = group.length === 1;
      const where = one ? { check: point } : { outcome: 'observed', text: cut(behaviour, 80) };
      const count = one ? cut(point, 80) : counted(group.length, 'place');
      return [titleOf(point), cut(behaviour, longestText), markup`<a href="${fragment(where)}">${count}</a>`];
    });
  const more = rows.length - mostRows;
  return markup`<section id="behaviour" class="section"><h2>Behaviour</h2>
<p class="weak">Where the document is silent a target chooses. ${whole(points.length)} choices are on record; none of them counts against it.</p>
${changed(baseline?.behaviours, baseline?.startedAt, titleOf)}
<details><summary>${counted(rows.length, 'behaviour')}, equal ones folded${shapes.length > 0 && `, and the forms of ${counted(shapes.length, 'answer')}`}</summary>
${table('Behaviours', ['open point', 'the target’s choice', 'where'], rows.slice(0, mostRows))}
${more > 0 && markup`<p class="weak">${counted(more, 'more behaviour')} in <a href="#outcome=observed">the list of checks</a>.</p>`}
${shapes.length > 0 && markup`<p><a href="${fragment({ outcome: 'observed', text: '#shape' })}">The forms of answers</a></p>`}
</details></section>`;
}

/** What changed since; nothing where there is no baseline. */
function changed(
  changes: readonly BehaviourChange[] | undefined,
  since: string | undefined,
  titleOf: (point: string) => string,
): Markup {
  if (since === undefined) return nothing;
  if (changes === undefined || changes.length === 0)
    return markup`<p>Nothing was chosen differently since the baseline.</p>`;
  const rows = changes.slice(0, mostChanges).map(({ points, before, after, places }) => {
    const shown = places?.slice(0, mostPlaces) ?? [{ at: '', before, after }];
    const at = (place: string) => (place === '' ? '' : markup`<code>${cut(place, 80)}</code> `);
    return [
      markup`${titleOf(points[0] ?? '')}<br><span class="weak">${cut(points.slice(0, 3).join(', '), longestText)}${points.length > 3 && ` and ${points.length - 3} more`}</span>`,
      shown.map((place) => markup`<p>${at(place.at)}${cut(place.before, longestText)}</p>`),
      shown.map((place) => markup`<p>${at(place.at)}${cut(place.after, longestText)}</p>`),
    ];
  });
  return markup`<h3>${counted(changes.length, 'behaviour')} changed since the baseline</h3>
${table('Changed behaviours', ['open point', 'before', 'now'], rows)}`;
}

/** `anonymous` of `party.create#anonymous`; the step of a flow stands for itself. */
const ruleOf = (point: string) => point.split('#')[1] ?? point;
const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
