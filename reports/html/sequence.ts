// Draws the calls of a failed flow as a sequence: a column per player, who called what, and what came back.

import { operationById } from '../../catalog/catalog.ts';
import type { Result } from '../../engine/run/result.ts';
import { cut } from '../../engine/values/text.ts';
import { lookOf, signOf } from './flows.ts';
import { type Markup, markup, nothing } from './markup.ts';

type Calls = NonNullable<Result['sequence']>;

/** Scenarios of a cause that are drawn; the first is unfolded. */
const mostScenarios = 4;
const mostPlayers = 8;
const longestWord = 60;
const longestBody = 160;

/** The scenarios in which these checks failed, each once. */
export function sequences(results: readonly Result[]): Markup {
  const longestFirst = results
    .filter(({ sequence = [] }) => sequence.length > 0)
    .toSorted((a, b) => (b.sequence?.length ?? 0) - (a.sequence?.length ?? 0));
  const scenarios: Result[][] = [];
  for (const result of longestFirst) {
    const same = scenarios.find(([longest]) => begins(longest?.sequence ?? [], result.sequence ?? []));
    if (same) same.push(result);
    else scenarios.push([result]);
  }
  return scenarios.length === 0 ? nothing : markup`${scenarios.slice(0, mostScenarios).map(drawn)}`;
}

/** Whether the calls of one scenario begin with those of another step, which is then a step of it. */
const begins = (calls: Calls, others: Calls): boolean =>
  others.every((call, at) => {
    const own = calls[at];
    return own?.step === call.step && own.by === call.by && own.operation === call.operation;
  });

function drawn(failed: readonly Result[], at: number): Markup {
  const [{ id = '', sequence: calls = [] } = {}] = failed;
  const flow = id.slice(0, id.indexOf('/'));
  const players = [...new Set(calls.map(({ by }) => by))].slice(0, mostPlayers);
  const rows = calls.map((call, nth) => {
    const begun = calls[nth - 1]?.step !== call.step;
    const ended = calls[nth + 1]?.step !== call.step;
    const broken = ended ? failed.find(({ id }) => id === `${flow}/${call.step}`) : undefined;
    return markup`<tr${broken && markup` class="broken"`}>${begun ? markup`<th scope="row">${cut(call.step, longestWord)}</th>` : markup`<td></td>`}
${players.map((player, column) => cellOf(call, player === call.by, column > players.indexOf(call.by)))}
<td class="answer">${broken ? markup`<strong class="bad-text">${signOf(lookOf(broken))} ${cut(broken.actual ?? call.answer, 200)}</strong>` : cut(call.answer, longestWord)}${call.body !== undefined && markup` <code>${cut(call.body, longestBody)}</code>`}</td></tr>`;
  });
  const title = `The calls of ${cut(flow, longestWord)}, in order: ${cut(failed.map(({ id }) => id).join(', '), 120)}`;
  return markup`<details${at === 0 && markup` open`}><summary>${title}</summary>
<div class="scroll" tabindex="0" role="region" aria-label="${title}"><table class="sequence">
<thead><tr><th scope="col">step</th>${players.map((player) => markup`<th scope="col">${cut(player, 24)}</th>`)}<th scope="col">the server answers</th></tr></thead>
<tbody>${rows}</tbody></table></div></details>`;
}

/** The call stands in the column of its player, and an arrow goes from there to the answer. */
function cellOf({ operation, times, by }: Calls[number], isOwn: boolean, isPassed: boolean): Markup {
  if (!isOwn) return isPassed ? markup`<td class="passed"></td>` : markup`<td></td>`;
  const method = operationById(operation)?.method;
  return markup`<td class="call" data-by="${cut(by, 24)}">${method !== undefined && markup`<small>${method}</small> `}${cut(operation, longestWord)}${times > 1 && markup` <small>${times} times</small>`}</td>`;
}
