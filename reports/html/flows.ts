// Renders flows as lines of steps and the interface as a map of operations, each with its outcome's sign and colour.

import { areas } from '../../catalog/catalog.ts';
import { operationsOf, type Result } from '../../engine/run/result.ts';
import { counted, cut, whole } from '../../engine/values/text.ts';
import {
  attackLines,
  attackScripts,
  attackSummary,
  type FlowLine,
  flowsOf,
  isPlayed,
} from '../summary/headline.ts';
import { type Look, lookOf, looks, signs, words } from '../summary/outcomes.ts';
import { fragment, type Markup, markup, nothing, table } from './markup.ts';

/** The worst look of some checks; not-applicable where there are none. */
function worst(checks: readonly Result[]): Look {
  const seen = new Set(checks.map(lookOf));
  return looks.find((look) => seen.has(look)) ?? 'not-applicable';
}

/** The meaning of each look that occurs, operations that were not asked included. */
function legend(seen: ReadonlySet<Look | 'unasked'>): Markup {
  const entries = looks
    .filter((look) => seen.has(look))
    .map(
      (look) =>
        markup`<li><span class="cell ${look}" aria-hidden="true">${signs[look]}</span>${words[look]}</li>`,
    );
  return markup`<ul class="legend">${entries}${seen.has('unasked') && markup`<li><span class="cell unasked" aria-hidden="true"></span>not asked</li>`}</ul>`;
}

const longestTitle = 90;
/** Most flows and steps of a foreign result; Assay itself has 12 flows and 304 steps. */
const mostFlows = 40;
const mostSteps = 80;

export function flowLines(checks: readonly Result[]): Markup {
  const flows = flowsOf(checks).slice(0, mostFlows);
  if (flows.length === 0) return nothing;
  const played = flows.filter(isPlayed);
  const idle = Map.groupBy(
    flows.filter((flow) => !isPlayed(flow)),
    reasonsOf,
  );
  return markup`<section aria-labelledby="flows-title" class="panel flows">
<h2 id="flows-title">Flows</h2>
${played.length > 0 && markup`<ul data-roving>${played.map(lineOf)}</ul>`}
${Array.from(idle, ([reasons, flows]) => notPlayed(reasons, flows))}
</section>`;
}

const reasonsOf = ({ steps }: FlowLine) => [...new Set(steps.map(({ reason = '' }) => reason))].join(', ');

function lineOf({ name, steps }: FlowLine): Markup {
  const cells = steps.slice(0, mostSteps).map((step) => {
    const look = lookOf(step);
    const label = `${cut(step.title, longestTitle)}: ${words[look]}`;
    return markup`<li><a class="step ${look}" href="${fragment({ check: step.id })}" title="${label}"><span aria-hidden="true">${signs[look]}</span><span class="unseen">${label}</span></a></li>`;
  });
  return markup`<li class="flow">${linkTo(name)}<ol>${cells}</ol></li>`;
}

const notPlayed = (reasons: string, flows: readonly FlowLine[]) =>
  markup`<p class="weak">not played (${cut(reasons, 100)}): ${flows.map(({ name }, at) => markup`${at > 0 && ', '}${linkTo(name)}`)}</p>`;

/** Attacks by how they ended, a line each. */
export function attackSection(checks: readonly Result[]): Markup {
  const summary = attackSummary(checks);
  if (summary === undefined) return nothing;
  const lines = attackLines(checks);
  const rowsOf = (these: typeof lines) =>
    these
      .slice(0, mostSteps)
      .map(({ check, ended, detail }) => [
        markup`<a href="${fragment({ check: check.id })}">${cut(check.title, 120)}</a>`,
        ended === 'broken' ? markup`<strong class="bad-text">${ended}</strong>` : ended,
        cut(detail, 300),
      ]);
  const [held, idle] = [
    lines.filter(({ ended }) => ended !== 'not exercised'),
    lines.filter(({ ended }) => ended === 'not exercised'),
  ];
  const heads = ['attack', 'ended', 'what was seen, or is missing'];
  return markup`<section id="attacks" class="section"><h2>Under attack</h2><p>${summary}</p>
${held.length > 0 && table('Under attack', heads, rowsOf(held))}
${idle.length > 0 && markup`<details><summary>${whole(idle.length)} not exercised${idle.length > mostSteps && `, the first ${mostSteps} of them`}</summary>${table('Attacks that were not exercised', heads, rowsOf(idle))}</details>`}
${attackScripts(checks).map(({ id, script }) => markup`<details><summary>a script that repeats ${cut(id, 80)}</summary><pre data-copy>${script}</pre></details>`)}
</section>`;
}

const linkTo = (flow: string) => markup`<a href="${fragment({ flow })}">${cut(flow, 40)}</a>`;

/** The interface at a glance: areas with their operations, one cell each, which links to the operation's checks. */
export function interfaceMap(checks: readonly Result[]): Markup {
  const judging = checks.flatMap((check) => operationsOf(check).map((id) => ({ id, check })));
  const byOperation = Map.groupBy(judging, ({ id }) => id);
  const seen = new Set<Look | 'unasked'>();
  const blocks = Object.entries(areas).map(([area, operations]) => {
    const cells = Object.values(operations).map(({ id }) => {
      const found = byOperation.get(id)?.map(({ check }) => check);
      const look = found ? worst(found) : 'unasked';
      seen.add(look);
      return look === 'unasked' ? unasked(id) : cell(id, look, found ?? []);
    });
    const isAsked = Object.values(operations).some(({ id }) => byOperation.has(id));
    const name = isAsked ? markup`<a href="${fragment({ area })}">${area}</a>` : markup`<span>${area}</span>`;
    return markup`<li class="area">${name}<ul>${cells}</ul></li>`;
  });
  return markup`<section aria-labelledby="map-title" class="panel map">
<div class="titled"><h2 id="map-title">Interface</h2>${legend(seen)}</div>
<ul class="areas" data-roving>${blocks}</ul>
</section>`;
}

function cell(id: string, look: Look, checks: readonly Result[]): Markup {
  const alike = checks.filter((check) => lookOf(check) === look).length;
  const label = `${id}: ${words[look]}, ${whole(alike)} of ${counted(checks.length, 'check')}`;
  return markup`<li><a class="cell ${look}" href="${fragment({ operation: id })}" title="${label}"><span aria-hidden="true">${signs[look]}</span><span class="unseen">${label}</span></a></li>`;
}

/** A cell without a link: the operation has no checks. */
function unasked(id: string): Markup {
  const label = `${id}: not asked`;
  return markup`<li><span class="cell unasked" title="${label}"><span class="unseen">${label}</span></span></li>`;
}
