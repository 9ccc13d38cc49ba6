// trend.html: one file without a script, for the morning after a thousand nights.
import { whole } from '../headline.ts';
import { documentOf } from '../html/document.ts';
import { table } from '../html/field.ts';
import { timeOf } from '../html/head.ts';
import { cut, type Markup, markup, nothing } from '../html/markup.ts';
import { behaviourSection } from './behaviour-section.ts';
import { flakyRule } from './course.ts';
import { latencySeries, loadSection, servedSeries, troubleSeries } from './over-time.ts';
import type { Patient, Trend, TrendRun } from './trend.ts';

const mostPatients = 300;
const mostRuns = 400;
const mostUnread = 50;
const longest = 160;

/** The whole page. */
export function trendHtml(trend: Trend): string {
  const last = trend.runs.at(-1);
  return documentOf({
    title: `Assay: trend of ${whole(trend.runs.length)} runs`,
    isStatic: true,
    blocks: [],
    body: markup`${last ? head(trend, last) : markup`<header><h1>No run of npm start among these files</h1></header>`}
<main>
${patients('Broken', 'broken', trend.broken, 'Its last judgement is a failure, and it is not flaky. The longest broken first.')}
${patients('Flaky', 'flaky', trend.flaky, `It changed sides ${flakyRule.changes} times or more in its last ${flakyRule.window} judgements, and did not fail in the last ${flakyRule.settled} of them.`)}
${servedSeries(trend.runs)}
${troubleSeries(trend.runs)}
${latencySeries(trend.runs)}
${loadSection(trend.loads)}
${behaviourSection(trend.runs)}
${runTable(trend.runs)}
${unread(trend)}
</main>`,
  });
}

function head({ runs, broken, flaky, copies }: Trend, last: TrendRun): Markup {
  const first = runs[0] ?? last;
  const targets = new Set(runs.map(({ target }) => target)).size;
  const figures = [
    ['newly broken in the last run', last.newlyBroken.length],
    ['mended in it', last.mended.length],
    ['broken', broken.length],
    ['flaky', flaky.length],
    ['runs', runs.length],
  ] as const;
  return markup`<header class="${last.exitCode === 0 ? 'good' : 'bad'}">
<p class="about"><strong>Assay</strong> ${cut(last.target, 200)} <time datetime="${last.startedAt}">${timeOf(last.startedAt)}</time></p>
<h1>${sentence(last)}</h1>
<p class="besides">From ${timeOf(first.startedAt)} to ${timeOf(last.startedAt)}.${targets > 1 && ` ${targets} targets: the course of a check is that of whichever was judged.`}${copies > 0 && ` ${whole(copies)} files hold a run that another holds too, and are left out.`}</p>
<dl class="figures">${figures.map(([name, count]) => markup`<div><dt>${name}</dt><dd>${whole(count)}</dd></div>`)}</dl>
</header>`;
}

const sentence = ({ isPart, served, operations, summary }: TrendRun) =>
  `${isPart ? 'A part of the checks' : `${whole(served)} of ${whole(operations)} operations served`}, ${whole(summary.fail)} failed.`;

function patients(title: string, id: string, list: readonly Patient[], rule: string): Markup {
  if (list.length === 0) return nothing;
  const rows = list
    .slice(0, mostPatients)
    .map(({ id, isWaived, isFromTheFirst, since, streak, changes, lately }) => [
      markup`<code>${cut(id, longest)}</code>${isWaived && ' waived'}`,
      isFromTheFirst ? 'the first run' : timeOf(since),
      whole(streak),
      whole(changes),
      markup`<code>${lately.replaceAll(' ', '·')}</code>`,
    ]);
  return markup`<section id="${id}" class="section"><h2>${title}</h2>
<p class="weak">${rule} + passed, - failed, ? not judged, · not asked; the last run stands last.</p>
${table(title, ['check', 'as it is since', 'judgements since', 'changes of sides', 'last 30 runs'], rows)}
${list.length > mostPatients && markup`<p class="weak">… and ${whole(list.length - mostPatients)} more in trend.json.</p>`}
</section>`;
}

function runTable(runs: readonly TrendRun[]): Markup {
  const rows = runs
    .slice(-mostRuns)
    .toReversed()
    .map(({ startedAt, runId, target, ended, isPart, newlyBroken, mended, behaviours, file }) => [
      timeOf(startedAt),
      markup`${cut(runId, 20)}${isPart && ' part'}${ended !== 'complete' && ` ${ended}`}`,
      cut(target, 80),
      listed(newlyBroken),
      listed(mended),
      whole(behaviours.length),
      cut(file, longest),
    ]);
  return markup`<section id="runs" class="section"><h2>Runs</h2>
<details><summary>${whole(rows.length)} of ${whole(runs.length)} runs, the last one first</summary>
${table('Runs', ['began', 'run', 'target', 'newly broken', 'mended', 'behaviours changed', 'file'], rows)}</details></section>`;
}

const mostIds = 5;

function listed(ids: readonly string[]): Markup {
  const shown = ids.slice(0, mostIds).map((id) => markup`<p><code>${cut(id, 80)}</code></p>`);
  return markup`${whole(ids.length)}${shown}${ids.length > mostIds && markup`<p class="weak">…</p>`}`;
}

function unread({ unread }: Trend): Markup {
  if (unread.length === 0) return nothing;
  const rows = unread
    .slice(0, mostUnread)
    .map(({ file, problem }) => [cut(file, longest), cut(problem, longest)]);
  return markup`<section id="unread" class="section"><h2>Not read</h2>
${table('Files that were not read', ['file', 'what is wrong'], rows)}
${unread.length > mostUnread && markup`<p class="weak">… and ${whole(unread.length - mostUnread)} more.</p>`}</section>`;
}
