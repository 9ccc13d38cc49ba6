// Renders what became of the effects of a load once they had settled: the rules of the journeys, what broke them, and
// how long players waited for each other.

import { at, listAt, numberAt, textAt } from '../../engine/values/members.ts';
import { cut } from '../../engine/values/text.ts';
import { timeText } from '../../load/conserved/meeting.ts';
import { counted, inDigits } from './load.ts';
import { field, type Markup, markup, nothing, table } from './markup.ts';

const mostRules = 40;
const mostExamples = 12;

/** @param run `load.json`, or `capacity.json`, whose steps each have their own; nothing is shown where nothing is known */
export function conservedSection(run: unknown): Markup {
  const steps = listAt(run, 'steps');
  const entries =
    steps.length > 0
      ? steps.flatMap((step) => listAt(step, 'conserved').map((rule) => ({ step, rule })))
      : listAt(run, 'conserved').map((rule) => ({ step: run, rule }));
  if (entries.length === 0) return nothing;
  // Of a search, the rules that broke, and each rule as it was last seen to hold.
  const isBroken = ({ rule }: (typeof entries)[number]) => (numberAt(rule, 'broken') ?? 0) > 0;
  const lastHeld = new Map(
    entries.filter((entry) => !isBroken(entry)).map((entry) => [textAt(entry.rule, 'rule'), entry] as const),
  );
  const broke = entries.filter(isBroken).sort((a, b) => rateAt(a.step) - rateAt(b.step));
  const shown = [...broke, ...lastHeld.values()].slice(0, mostRules);
  const rows = shown.map(({ step, rule }) => [
    cut(textAt(rule, 'rule') ?? '', 120),
    inDigits(numberAt(step, 'rate')),
    ...['acknowledged', 'unknown', 'looked', 'broken'].map((name) => counted(numberAt(rule, name))),
    cut(textAt(rule, 'notChecked') ?? '', 160),
  ]);
  const [first] = broke;
  const examples = broke
    .flatMap(({ rule }) => listAt(rule, 'examples'))
    .filter((example) => typeof example === 'string')
    .slice(0, mostExamples);
  return markup`<section id="conserved" class="section"><h2>Effects, once they had settled</h2>
<p>What was acknowledged, held against what the target shows afterwards. ${
    first === undefined
      ? 'No rule was seen broken.'
      : `It was first not so at ${inDigits(numberAt(first.step, 'rate'))} journeys/s.`
  }</p>
${table('Rules of the journeys', ['rule', 'at, journeys/s', 'acknowledged', 'unknown', 'looked at', 'broken', 'not checked'], rows)}
${examples.length > 0 && markup`<ul>${examples.map((example) => markup`<li>${cut(example, 300)}</li>`)}</ul>`}
</section>`;
}

const rateAt = (step: unknown): number => numberAt(step, 'rate') ?? Number.POSITIVE_INFINITY;

/** How players were brought together, and what the target said of that; nothing where a journey brings nobody together. */
export function meetingSection(run: unknown): Markup {
  const meeting = at(run, 'meeting');
  if (numberAt(meeting, 'sought') === undefined) return nothing;
  const time = (value: number | undefined) => (value === undefined ? '–' : timeText(value));
  const met = (q: string) => (numberAt(meeting, 'met') === 0 ? '–' : time(numberAt(meeting, 'time', q)));
  const never = numberAt(meeting, 'neverMet');
  const shown = (what: string, figure: string) => at(meeting, 'shown', what, figure);
  const memberOf = (what: string) => cut(textAt(meeting, 'shown', what, 'member') ?? '', 80);
  const [waited, expected] = [memberOf('waited'), memberOf('expected')];
  const facts: (readonly [string, string])[] = [
    ['players who looked for others', counted(numberAt(meeting, 'sought'))],
    ['time to match, p50', met('p50')],
    ['time to match, p95', met('p95')],
    ['matches per second', inDigits(numberAt(meeting, 'perSecond'))],
    ['never matched', never === undefined ? '–' : `${inDigits(never * 100)} %`],
    ['waiting shown', waited + expected === '' ? 'no answer states one' : ''],
    [`${waited} is off by, p95`, waited && time(numberAt(shown('waited', 'off'), 'p95'))],
    [`${expected} says, p50`, expected && time(numberAt(shown('expected', 'says'), 'p50'))],
    [`${expected} is off by, p50`, expected && time(numberAt(shown('expected', 'off'), 'p50'))],
  ];
  return markup`<section id="meeting" class="section"><h2>Time to match</h2>
<dl class="facts">${facts.flatMap(([name, value]) => (value === '' ? [] : [field(name, value)]))}</dl></section>`;
}
