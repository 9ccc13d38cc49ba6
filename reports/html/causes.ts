// Renders the causes of failures for report.html, heaviest first, and what could not be judged and why.

import { register } from '../../catalog/clauses/clauses.ts';
import { reasonIn } from '../../engine/run/reason-codes.ts';
import { operationsOf, type Result, type RunResult } from '../../engine/run/result.ts';
import { counted, cut, whole } from '../../engine/values/text.ts';
import { type Cause, claimOf, furtherLines, seenText, titleOf } from '../summary/causes.ts';

import { lookOf, signOf, words } from './flows.ts';
import { field, fragment, longCommand, type Markup, markup, nothing, table } from './markup.ts';
import { sequences } from './sequence.ts';

interface ClauseSource {
  readonly text: string;
  /** Of an RFC's section. */
  readonly link?: string;
}

const byId = new Map(
  register.flatMap(({ id, rfc, heading }): [string, ClauseSource][] => {
    if (rfc) return [[id, { text: rfc.section, link: rfc.link }]];
    return heading === undefined ? [] : [[id, { text: `the interface, “${heading}”` }]];
  }),
);

/** Undefined for good sense, for open points, and for a clause of another version. */
export const clauseSource = (id: string): ClauseSource | undefined => byId.get(id);

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

/** Lines of text on the first screen and letters in one of them, and most blocks; the list of checks holds all. */
const mostLines = 8;
const lettersOfLine = 58;
const mostBlocks = 20;
const mostDrawn = 6;
const mostOperations = 12;

/** The heaviest causes, which lead to their blocks; apart from them, where there is room, what could not be judged and why. */
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
export function causeBlocks(found: readonly Cause[]): Markup {
  if (found.length === 0) return nothing;
  const remaining = found.slice(mostBlocks);
  return markup`<section id="causes" class="section"><h2>Causes</h2>
${found.slice(0, mostBlocks).map(block)}
${remaining.length > 0 && leftOut(remaining)}
</section>`;
}

/** The causes without a block, with links to their checks in the list. */
function leftOut(causes: readonly Cause[]): Markup {
  const checks = causes.reduce((sum, { results }) => sum + results.length, 0);
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
  return markup`<span class="cell ${look}" aria-hidden="true">${signOf(look)}</span><span class="unseen">${words[look]}: </span>`;
};

/** What was asked, and what came instead. */
function lineOf(cause: Cause): string {
  return `${cut(titleOf(cause), 300)}: ${cut(seenText(cause), 90)}`;
}

function shortOperations(operations: readonly string[]): string {
  return cut(operations.slice(0, 2).join(', '), 80) + rest(operations.length, 2);
}

const rest = (count: number, shown: number) => (count > shown ? ` and ${whole(count - shown)} more` : '');
