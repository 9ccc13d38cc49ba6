// What excuses failures and until when, and how the run stands against its baseline.
import type { RunResult } from '../../fixtures/check/result.ts';
import { counted, whole } from '../headline.ts';
import { table } from './field.ts';
import { timeOf } from './head.ts';
import { fragment } from './link.ts';
import { cut, type Markup, markup, nothing } from './markup.ts';

const mostWaivers = 60;
const mostListed = 60;

/** The waivers of the profile, what ends first first. */
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

/** Only what a browser opens as a page; a profile is a file from outside. */
const reference = (link: string) =>
  /^https?:\/\/[^\s"'<>]+$/i.test(link) && link.length <= 300
    ? markup`<a href="${link}" rel="noreferrer">${cut(link, 60)}</a>`
    : cut(link, 120);

/** What got worse, what is known and what is repaired since the baseline. */
export function baselineSection({ baseline }: RunResult): Markup {
  if (baseline === undefined) return nothing;
  const { worse, unjudgedBefore = [], noLongerJudged = [] } = baseline;
  const { knownFailures, repaired, startedAt, runId } = baseline;
  const unjudged =
    unjudgedBefore.length > 0 &&
    `${whole(unjudgedBefore.length)} failing that it was cut off before judging, `;
  const lost = noLongerJudged.length > 0 && `${whole(noLongerJudged.length)} no longer judged, `;
  return markup`<section id="baseline" class="section"><h2>Since the baseline</h2>
<p>Held against the run of ${timeOf(startedAt)} <span class="weak">(${cut(runId, 40)})</span>: ${counted(worse.length, 'check')} worse, ${unjudged}${lost}${counted(knownFailures, 'known failure')}, ${whole(repaired)} repaired.</p>
${checkList(worse)}
${noLongerJudged.length > 0 && markup`<p>No longer judged:</p>${checkList(noLongerJudged)}`}
</section>`;
}

function checkList(checks: readonly string[]): Markup {
  const items = checks
    .slice(0, mostListed)
    .map((check) => markup`<li><a href="${fragment({ check })}">${cut(check, 120)}</a></li>`);
  const left = checks.length - items.length;
  return markup`${items.length > 0 && markup`<ul class="columns">${items}</ul>`}
${left > 0 && markup`<p class="weak">and ${whole(left)} more</p>`}`;
}
