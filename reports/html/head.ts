// What people ask first: the verdict, how much is served, how much was judged, checks by outcome.
import { outcomes, type RunResult } from '../../fixtures/check/result.ts';
import { counted, leftOut, whole } from '../headline.ts';
import { fragment } from './link.ts';
import { cut, type Markup, markup } from './markup.ts';
import { signOf, words } from './outcomes.ts';

/** Characters that are shown large; Assay's own sentences are shorter. */
const mostVerdict = 160;

export function head(result: RunResult): Markup {
  const [first = '', ...rest] = cut(result.headline.verdict, 1200).split(/(?<=\.) /);
  const besides = [first.slice(mostVerdict), ...rest].join(' ').trim();
  return markup`<header class="${result.exitCode === 0 ? 'good' : 'bad'}">
<p class="about"><strong>Assay</strong> ${targetOf(result)} <time datetime="${result.startedAt}">${timeOf(result.startedAt)}</time></p>
<h1>${first.slice(0, mostVerdict)}</h1>
${besides !== '' && markup`<p class="besides">${cut(besides, 480)}</p>`}
<div class="numbers"><dl class="figures">${figures(result)}</dl>
${outcomeBar(result)}</div>
</header>`;
}

/** `2026-11-21 09:04 UTC`. */
export const timeOf = (iso: string): string => `${iso.slice(0, 16).replace('T', ' ')} UTC`;

function targetOf({ target }: RunResult): string {
  if (target.embedded) return 'embedded server';
  const hosts = [...new Set([target.base, target.cdn, target.gamelogs])];
  return cut(hosts.filter((host) => host !== undefined).join(' · '), 200);
}

function figures(result: RunResult): Markup[] {
  const { operations, served, answered2xx } = result.headline;
  // What was not asked is left out: a zero would read as a verdict.
  const asked = (rule: string) => result.checks.some(({ id }) => id.endsWith(`#${rule}`));
  const left = leftOut(result);
  const ofAll = `of ${whole(operations)}${left > 0 ? `, ${whole(left)} left out` : ''}`;
  const shares = Object.entries(result.judgedShare).map(
    ([host, share]) => markup`<span class="share">${Math.floor(share * 100)} % <small>${host}</small></span>`,
  );
  return [
    ...(asked('routed')
      ? [figure('operations served', markup`${whole(served)} <small>${ofAll}</small>`)]
      : []),
    ...(asked('answers') ? [figure('answered 2xx', markup`${whole(answered2xx)}`)] : []),
    ...(shares.length > 0 ? [figure('documented checks judged', markup`${shares}`)] : []),
    figure(
      counted(result.checks.length, 'check').replace(/^\S+ /, ''),
      markup`${whole(result.checks.length)} <small>in ${(result.durationMs / 1000).toFixed(1)} s</small>`,
    ),
  ];
}

const figure = (name: string, value: Markup) => markup`<div><dt>${name}</dt><dd>${value}</dd></div>`;

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
      markup`<li><a href="${fragment({ outcome })}"><span class="cell ${outcome}" aria-hidden="true">${signOf(outcome)}</span>${whole(summary[outcome])} ${words[outcome]}</a></li>`,
  );
  return markup`<div><svg class="bar" viewBox="0 0 ${barWidth} 8" preserveAspectRatio="none" aria-hidden="true">${parts}</svg>
<ul class="outcomes">${links}</ul></div>`;
}
