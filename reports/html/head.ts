// Renders the head of report.html: verdict, how much is served and judged, checks by outcome, waivers and baseline.
import { outcomes } from '../../engine/judgement.ts';
import type { RunResult } from '../../engine/run/result.ts';
import { counted, cut, minuteOf, percent, whole } from '../../engine/values/text.ts';
import { changeText, exchangesOf } from '../summary/causes.ts';
import { hasRule, judgedLabel, leftOut } from '../summary/headline.ts';
import { signs, words } from '../summary/outcomes.ts';
import { field, fragment, type Markup, markup, nothing, table } from './markup.ts';

/** Characters that are shown large; Assay's own sentences are shorter. */
const mostVerdict = 160;

export function head(result: RunResult): Markup {
  const [first = '', ...rest] = cut(result.headline.verdict, 1200).split(/(?<=\.) /);
  const besides = [first.slice(mostVerdict), ...rest].join(' ').trim();
  return markup`<header class="${result.exitCode === 0 ? 'good' : 'bad'}">
<p class="about"><strong>Assay</strong> ${targetOf(result)} <time datetime="${result.startedAt}">${minuteOf(result.startedAt)}</time></p>
<h1>${first.slice(0, mostVerdict)}</h1>
${besides !== '' && markup`<p class="besides">${cut(besides, 480)}</p>`}
${changes(result)}
${obstacles(result)}
<div class="numbers"><dl class="figures">${figures(result)}</dl>
${outcomeBar(result)}</div>
</header>`;
}

const mostHints = 4;

/** What kept the run from judging much; it comes before the figures, because it has to be mended first. */
function obstacles({ hints = [] }: RunResult): Markup {
  if (hints.length === 0) return nothing;
  return markup`<ul class="besides" aria-label="What stands in the way">${hints.slice(0, mostHints).map((hint) => markup`<li>what stands in the way: ${cut(hint, 600)}</li>`)}</ul>`;
}

const mostChanges = 3;

/** Behaviours that differ from the baseline, below the verdict that they explain. */
function changes({ checks }: RunResult): Markup {
  const differing = checks.flatMap((check) =>
    check.since?.gate === 'changed' ? [{ check, since: check.since }] : [],
  );
  if (differing.length === 0) return nothing;
  const more = differing.length - mostChanges;
  const items = differing
    .slice(0, mostChanges)
    .map(
      ({ check, since }) =>
        markup`<li><a href="${fragment({ check: check.id })}">${cut(check.id, 80)}</a> ${cut(changeText(since, check), 200)}</li>`,
    );
  return markup`<ul class="besides" aria-label="Changed since the baseline">${items}${more > 0 && markup`<li><a href="#baseline">${counted(more, 'more change')}</a></li>`}</ul>`;
}

function targetOf({ target }: RunResult): string {
  if (target.embedded) return 'embedded server';
  const hosts = [...new Set([target.base, target.cdn, target.gamelogs])];
  return cut(hosts.filter((host) => host !== undefined).join(' · '), 200);
}

function figures(result: RunResult): Markup[] {
  const { operations, served, answered2xx } = result.headline;
  const leftOutCount = leftOut(result);
  const ofAll = `of ${whole(operations)}${leftOutCount > 0 ? `, ${whole(leftOutCount)} left out` : ''}`;
  const shares = Object.entries(result.judgedShare).map(
    ([host, share]) => markup`<span class="share">${percent(share)} <small>${host}</small></span>`,
  );
  return [
    ...(hasRule(result, 'routed')
      ? [field('operations served', markup`${whole(served)} <small>${ofAll}</small>`)]
      : []),
    ...(hasRule(result, 'answers') ? [field('answered 2xx', markup`${whole(answered2xx)}`)] : []),
    ...(shares.length > 0 ? [field(judgedLabel, markup`${shares}`)] : []),
    field(
      counted(result.checks.length, 'check').replace(/^\S+ /, ''),
      markup`${whole(result.checks.length)} <small>in ${(result.durationMs / 1000).toFixed(1)} s</small>`,
    ),
  ];
}

const barWidth = 1000;

/** Checks by outcome: a bar for the eye, and a list of links that says the same in numbers. */
function outcomeBar({ summary }: RunResult): Markup {
  const seen = outcomes.filter((outcome) => summary[outcome] > 0);
  const all = seen.reduce((sum, outcome) => sum + summary[outcome], 0);
  let x = 0;
  const parts = seen.map((outcome) => {
    const width = (summary[outcome] / all) * barWidth;
    const part = markup`<rect class="fill-${outcome}" x="${x.toFixed(1)}" y="0" width="${Math.max(width, 3).toFixed(1)}" height="8"/>`;
    x += width;
    return part;
  });
  const links = seen.map(
    (outcome) =>
      markup`<li><a href="${fragment({ outcome })}"><span class="cell ${outcome}" aria-hidden="true">${signs[outcome]}</span>${whole(summary[outcome])} ${words[outcome]}</a></li>`,
  );
  return markup`<div><svg class="bar" viewBox="0 0 ${barWidth} 8" preserveAspectRatio="none" aria-hidden="true">${parts}</svg>
<ul class="outcomes">${links}</ul></div>`;
}

// Waivers with their dates, and the run against its baseline.
const mostWaivers = 60;
const mostListed = 60;

/** The waivers of the profile, by their end. */
export function waiverSection({ waivers }: RunResult): Markup {
  if (waivers.length === 0) return nothing;
  const rows = [...waivers]
    .sort((a, b) => (a.expires < b.expires ? -1 : 1))
    .slice(0, mostWaivers)
    .map(({ check, reason, link, expires, waived, problem }) => [
      markup`<code>${cut(check, 120)}</code>`,
      markup`${cut(expires, 20)}${problem !== undefined && markup`<br><strong class="bad-text">${cut(problem, 300)}</strong>`}`,
      whole(waived),
      cut(reason, 300),
      reference(link),
    ]);
  return markup`<section id="waivers" class="section"><h2>Waivers</h2>
${table('Waivers', ['checks', 'hold through', 'failures excused', 'reason', 'link'], rows)}
</section>`;
}

/** Links only to web pages, because a profile may come from somebody else. */
const reference = (link: string) =>
  /^https?:\/\/[^\s"'<>]+$/i.test(link) && link.length <= 300
    ? markup`<a href="${link}" rel="noreferrer">${cut(link, 60)}</a>`
    : cut(link, 120);

/** What got worse, what is known and what is repaired since the baseline. */
export function baselineSection({ baseline, checks }: RunResult): Markup {
  if (baseline === undefined) return nothing;
  const { worse, unjudgedBefore = [], noLongerJudged = [] } = baseline;
  const { knownFailures, repaired, startedAt, runId } = baseline;
  const since = checks.filter((check) => check.since !== undefined);
  const unjudged =
    unjudgedBefore.length > 0 &&
    `${whole(unjudgedBefore.length)} failing that it was cut off before judging, `;
  const lost = noLongerJudged.length > 0 && `${whole(noLongerJudged.length)} no longer judged, `;
  return markup`<section id="baseline" class="section"><h2>Since the baseline</h2>
<p>Held against the run of ${minuteOf(startedAt)} <span class="weak">(${cut(runId, 40)})</span>: ${counted(worse.length, 'check')} worse, ${unjudged}${lost}${counted(knownFailures, 'known failure')}, ${whole(repaired)} repaired.</p>
${checkList(worse)}
${since.length > 0 && markup`<p>These differ each time they were asked, and fail the run:</p><ul>${since.slice(0, mostListed).map((check) => markup`<li><a href="${fragment({ check: check.id })}">${cut(check.id, 120)}</a> <span class="weak">${cut(check.title, 200)}: ${cut(check.since ? changeText(check.since, check) : '', 400)}</span>${exchangesOf(check).map(([when, text]) => markup`<br><span class="weak">${when}</span> <code>${cut(text, 300)}</code>`)}</li>`)}</ul>`}
${since.length > mostListed && markup`<p class="weak">and ${whole(since.length - mostListed)} more</p>`}
${noLongerJudged.length > 0 && markup`<p>No longer judged:</p>${checkList(noLongerJudged)}`}
</section>`;
}

function checkList(checks: readonly string[]): Markup {
  const items = checks
    .slice(0, mostListed)
    .map((check) => markup`<li><a href="${fragment({ check })}">${cut(check, 120)}</a></li>`);
  const more = checks.length - items.length;
  return markup`${items.length > 0 && markup`<ul class="columns">${items}</ul>`}
${more > 0 && markup`<p class="weak">and ${whole(more)} more</p>`}`;
}
