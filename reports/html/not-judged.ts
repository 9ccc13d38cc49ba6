// What could not be judged, by reason, and what to do about it.
import { reasonIn } from '../../fixtures/check/remedies.ts';
import type { Result, RunResult } from '../../fixtures/check/result.ts';
import { operationsOf } from '../fold.ts';
import { counted, whole } from '../headline.ts';
import { table } from './field.ts';
import { fragment } from './link.ts';
import { cut, type Markup, markup, nothing } from './markup.ts';

const mostReasons = 40;

export function notJudged(run: RunResult): Markup {
  const found = run.checks.filter(
    ({ outcome }) => outcome === 'inconclusive' || outcome === 'not-applicable',
  );
  if (found.length === 0) return nothing;
  const groups = Map.groupBy(found, ({ outcome, reason }) => `${outcome} ${reason}`);
  const rows = [...groups.values()]
    .sort((a, b) => order(a[0]) - order(b[0]) || b.length - a.length)
    .slice(0, mostReasons)
    .map((group) => {
      const { reason = '', outcome } = group[0] as Result;
      const { means, remedy } = reasonIn(run, reason, group);
      const operations = new Set(group.flatMap(operationsOf)).size;
      const link = markup`<a href="${fragment({ outcome, reason })}">${whole(group.length)}</a>`;
      return [link, markup`<code>${cut(reason, 60)}</code>`, means, remedy, whole(operations)];
    });
  return markup`<section id="not-judged" class="section"><h2>Not judged</h2>
<p class="weak">Inconclusive is not a pass: something stood between Assay and an answer. Not applicable means there was nothing to judge.</p>
${table('Not judged, by reason', ['checks', 'reason', 'it means', 'what to do', 'operations'], rows)}
</section>`;
}

/** What stood in the way of most checks, a line each with what to do about it. */
export function obstacles(run: RunResult, most: number): Markup[] {
  const groups = Map.groupBy(
    run.checks.filter(({ outcome }) => outcome === 'inconclusive'),
    ({ reason = '' }) => reason,
  );
  return [...groups]
    .sort(([, a], [, b]) => b.length - a.length)
    .slice(0, most)
    .map(([reason, group]) => {
      const { means, remedy } = reasonIn(run, reason, group);
      const link = fragment({ outcome: 'inconclusive', reason });
      return markup`<li><a href="${link}"><span class="cell inconclusive" aria-hidden="true">?</span><span class="what">${cut(reason, 60)}: ${remedy}</span></a>
<p>${counted(group.length, 'check')} · ${means}</p></li>`;
    });
}

const order = (result: Result | undefined) => (result?.outcome === 'inconclusive' ? 0 : 1);
