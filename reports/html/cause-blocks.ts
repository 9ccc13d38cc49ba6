// Renders the causes of failures for report.html, heaviest first, and what could not be judged and why.

import { operationById } from '../../catalog/catalog.ts';
import { knownClause } from '../../catalog/clauses/clauses.ts';
import { reasonIn } from '../../engine/run/reason-codes.ts';
import { flowOf, operationsOf, type Result, type RunResult } from '../../engine/run/result.ts';
import { counted, cut, whole } from '../../engine/values/text.ts';
import {
  type Cause,
  claimOf,
  furtherLines,
  resultsIn,
  seenText,
  sessionText,
  titleOf,
} from '../summary/causes.ts';

import { lookOf, signs, words } from '../summary/outcomes.ts';
import { field, fragment, longCommand, type Markup, markup, nothing, table } from './markup.ts';

/** The source of a clause, with a link to an RFC; undefined where it has none, or is of another version of Assay. */
export function clauseSource(id: string): { readonly text: string; readonly link?: string } | undefined {
  const { rfc, heading } = knownClause(id) ?? {};
  if (rfc) return { text: rfc.section, link: rfc.link };
  return heading === undefined ? undefined : { text: `the interface, “${heading}”` };
}

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

const linesOfObstacle = 2;

/** The reasons that kept most checks from being judged, each with what to do about it. */
function obstacles(run: RunResult, most: number): Markup {
  const groups = Map.groupBy(
    run.checks.filter(({ outcome }) => outcome === 'inconclusive'),
    ({ reason = '' }) => reason,
  );
  if (groups.size === 0 || most < 1) return nothing;
  const reasons = [...groups]
    .sort(([, a], [, b]) => b.length - a.length)
    .slice(0, most)
    .map(([reason, group]) => {
      const { means, remedy } = reasonIn(run, reason, group);
      const link = fragment({ outcome: 'inconclusive', reason });
      return markup`<li><a href="${link}"><span class="cell inconclusive" aria-hidden="true">?</span><span class="what">${cut(reason, 60)}: ${remedy}</span></a>
<p>${counted(group.length, 'check')} · ${means}</p></li>`;
    });
  const more = groups.size - reasons.length;
  return markup`<div class="titled"><h3>Not judged</h3>${more > 0 && markup`<a href="#not-judged">${counted(more, 'more reason')}</a>`}</div><ul>${reasons}</ul>`;
}

const order = (result: Result | undefined) => (result?.outcome === 'inconclusive' ? 0 : 1);

/** Lines of text on the first screen, letters in one of them, and most blocks; the list of checks holds all. */
const mostLines = 8;
const lettersOfLine = 58;
const mostBlocks = 20;
const mostDrawn = 6;
const mostOperations = 12;

/** The heaviest causes, with links to their blocks; where there is room, also what could not be judged and why. */
export function causeLines(found: readonly Cause[], run: RunResult): Markup {
  let room = mostLines;
  const fitting = found.filter((cause, at) => {
    room -= Math.ceil(lineOf(cause).length / lettersOfLine) + 1;
    return room >= 0 || at === 0;
  });
  const lines = fitting.map(
    (
      cause,
      at,
    ) => markup`<li><a href="#cause-${at}">${signed(cause)}<span class="what">${lineOf(cause)}</span></a>
<p>${counted(cause.results.length, 'check')} · ${shortOperations(cause.operations)}</p></li>`,
  );
  const more = found.length - lines.length;
  return markup`<section aria-labelledby="causes-title" class="panel causes">
<div class="titled"><h2 id="causes-title">Causes, heaviest first</h2>${more > 0 && markup`<a href="#causes">${counted(more, 'more cause')}</a>`}</div>
${found.length === 0 && markup`<p class="weak">Nothing that was judged breaks a rule.</p>`}
<ol>${lines}</ol>
${obstacles(run, Math.floor(room / linesOfObstacle))}
</section>`;
}

/** Each cause in full: clause, why it matters, expected and actual of its first check, and how to see it again. */
export function causeBlocks(found: readonly Cause[], options: RunResult['options']): Markup {
  if (found.length === 0) return nothing;
  const remaining = found.slice(mostBlocks);
  const session = sessionText(found, options);
  return markup`<section id="causes" class="section"><h2>Causes</h2>
${found.slice(0, mostBlocks).map(block)}
${session !== '' && markup`<p class="weak">${session}</p>`}
${remaining.length > 0 && leftOut(remaining)}
</section>`;
}

/** The causes without a block, with links to their checks in the list. */
function leftOut(causes: readonly Cause[]): Markup {
  const checks = resultsIn(causes);
  const links = Array.from(
    new Set(causes.map(({ example }) => lookOf(example))),
    (look) => markup` <a href="${fragment({ outcome: look })}">${words[look]}</a>`,
  );
  return markup`<p class="weak">${counted(causes.length, 'more cause')} (${counted(checks, 'check')}) in the list of checks:${links}</p>`;
}

function block(cause: Cause, at: number): Markup {
  const { example, results, operations } = cause;
  const { says, why } = claimOf(cause);
  const source = clauseSource(example.clause);
  const look = lookOf(example);
  return markup`<article id="cause-${at}" class="cause" tabindex="-1">
<h3>${signed(cause)}<span>${cut(titleOf(cause), 300)}</span></h3>
<p><a href="${fragment({ cause: String(at) })}">${counted(results.length, 'check')} ${words[look]}</a> · <a href="${fragment({ check: example.id })}">the first of them</a></p>
<dl>
${field('clause', markup`${cut(says, 400)} <span class="weak">${example.level}, ${cut(example.clause, 80)}</span>`)}
${source !== undefined && field('source', source.link === undefined ? source.text : markup`<a href="${source.link}" rel="noreferrer">${source.text}</a>`)}
${field('why', cut(why, 400))}
${example.expected !== undefined && field('expected', markup`<span data-expected>${cut(example.expected, 400)}</span>`)}
${field('actual', markup`<span data-actual>${cut(example.actual ?? example.detail ?? '', 400)}</span>`)}
${furtherLines(cause).map((text) => field('also', cut(text, 400)))}
${field('at', `${operations.slice(0, mostOperations).join(', ')}${rest(operations.length, mostOperations)}`)}
${example.curl !== undefined && field('curl', longCommand(example.curl))}
${field('rerun', longCommand(example.rerun))}
</dl>
${at < mostDrawn && sequences(results)}</article>`;
}

const signed = ({ example }: Cause) => {
  const look = lookOf(example);
  return markup`<span class="cell ${look}" aria-hidden="true">${signs[look]}</span><span class="unseen">${words[look]}: </span>`;
};

/** The title of a cause, and what its checks saw. */
function lineOf(cause: Cause): string {
  return `${cut(titleOf(cause), 300)}: ${cut(seenText(cause), 90)}`;
}

function shortOperations(operations: readonly string[]): string {
  return cut(operations.slice(0, 2).join(', '), 80) + rest(operations.length, 2);
}

const rest = (count: number, shown: number) => (count > shown ? ` and ${whole(count - shown)} more` : '');

// The calls of a failed flow as a sequence: a column per player, who called what, and what came back.

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

/** Whether the calls of a scenario begin with those of another step, which is then a step of the same scenario. */
const begins = (calls: Calls, others: Calls): boolean =>
  others.every((call, at) => {
    const own = calls[at];
    return own?.step === call.step && own.by === call.by && own.operation === call.operation;
  });

function drawn(failed: readonly Result[], at: number): Markup {
  const [{ id = '', sequence: calls = [] } = {}] = failed;
  const flow = flowOf(id);
  const players = [...new Set(calls.map(({ by }) => by))].slice(0, mostPlayers);
  const rows = calls.map((call, nth) => {
    const begun = calls[nth - 1]?.step !== call.step;
    const ended = calls[nth + 1]?.step !== call.step;
    const broken = ended ? failed.find(({ id }) => id === `${flow}/${call.step}`) : undefined;
    return markup`<tr${broken && markup` class="broken"`}>${begun ? markup`<th scope="row">${cut(call.step, longestWord)}</th>` : markup`<td></td>`}
${players.map((player, column) => cellOf(call, player === call.by, column > players.indexOf(call.by)))}
<td class="answer">${broken ? markup`<strong class="bad-text">${signs[lookOf(broken)]} ${cut(broken.actual ?? call.answer, 200)}</strong>` : cut(call.answer, longestWord)}${call.body !== undefined && markup` <code>${cut(call.body, longestBody)}</code>`}</td></tr>`;
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
