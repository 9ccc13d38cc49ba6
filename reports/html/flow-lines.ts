// The flows as lines of steps, each of which leads to its check; those that were not played by their names.
import type { Result } from '../../fixtures/check/result.ts';
import { type FlowLine, flowsOf, isPlayed } from '../flows.ts';
import { fragment } from './link.ts';
import { cut, type Markup, markup, nothing } from './markup.ts';
import { lookOf, signOf, words } from './outcomes.ts';

const longestTitle = 90;
/** Of a result from elsewhere; Assay itself has 12 flows and 304 steps. */
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
    const told = `${cut(step.title, longestTitle)}: ${words[look]}`;
    return markup`<li><a class="step ${look}" href="${fragment({ check: step.id })}" title="${told}"><span aria-hidden="true">${signOf(look)}</span><span class="unseen">${told}</span></a></li>`;
  });
  return markup`<li class="flow">${linkTo(name)}<ol>${cells}</ol></li>`;
}

const notPlayed = (reasons: string, flows: readonly FlowLine[]) =>
  markup`<p class="weak">not played (${cut(reasons, 100)}): ${flows.map(({ name }, at) => markup`${at > 0 && ', '}${linkTo(name)}`)}</p>`;

const linkTo = (flow: string) => markup`<a href="${fragment({ flow })}">${cut(flow, 40)}</a>`;
