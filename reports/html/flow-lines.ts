// The flows as lines of steps, each of which leads to its check.
import type { Result } from '../../fixtures/check/result.ts';
import { flowsOf } from '../flows.ts';
import { fragment } from './link.ts';
import { cut, type Markup, markup, nothing } from './markup.ts';
import { lookOf, signOf, words } from './outcomes.ts';

const longestTitle = 90;
/** Of a result from elsewhere; Assay itself has 12 flows and 304 steps. */
const mostFlows = 40;
const mostSteps = 80;

export function flowLines(checks: readonly Result[]): Markup {
  const flows = flowsOf(checks);
  if (flows.length === 0) return nothing;
  const lines = flows.slice(0, mostFlows).map(({ name, steps }) => {
    const cells = steps.slice(0, mostSteps).map((step) => {
      const look = lookOf(step);
      const told = `${cut(step.title, longestTitle)}: ${words[look]}`;
      return markup`<li><a class="step ${look}" href="${fragment({ check: step.id })}" title="${told}"><span aria-hidden="true">${signOf(look)}</span><span class="unseen">${told}</span></a></li>`;
    });
    return markup`<li class="flow"><a href="${fragment({ flow: name })}">${cut(name, 40)}</a><ol>${cells}</ol></li>`;
  });
  return markup`<section aria-labelledby="flows-title" class="panel flows">
<h2 id="flows-title">Flows</h2>
<ul data-roving>${lines}</ul>
</section>`;
}
