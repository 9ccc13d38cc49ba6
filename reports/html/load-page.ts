// Renders load.html and capacity.html: a page for a load run or a capacity search, in one file without a script.

import { at, listAt, numberAt, textAt } from '../../engine/values/members.ts';
import { cut, minuteOf, threeDigits } from '../../engine/values/text.ts';
import { timeText } from '../../load/conserved/meeting.ts';
import { capacitySection, finite, isInterval } from './capacity.ts';
import { colours, series } from './chart.ts';
import { counted, inDigits, lineOf, loadSection, overSeconds } from './load.ts';
import { documentOf, field, type Markup, markup, nothing, table } from './markup.ts';

/** One file without a script; undefined where it is neither `load.json` nor `capacity.json`. */
export function loadPage(run: unknown): string | undefined {
  const isLoad = textAt(run, 'schema') === 'assay.load/1';
  if (!isLoad && textAt(run, 'schema') !== 'assay.capacity/1') return undefined;
  const journey = cut(textAt(run, 'journey') ?? 'unknown journey', 80);
  const verdict = cut(textAt(run, 'verdict') ?? 'no verdict', 40);
  return documentOf({
    title: `Assay: ${isLoad ? 'load' : 'capacity'} of ${journey}, ${verdict}`,
    body: markup`<header class="${/^(PASS|FOUND)$/.test(verdict) ? 'good' : verdict === 'running' ? '' : 'bad'}">
<p class="about"><strong>Assay</strong> ${cut(targetsIn(run), 200)}</p>
<h1>${verdict}: ${journey}</h1>
<dl class="figures">${(isLoad ? loadFigures(run) : capacityFigures(run)).map(([name, value]) => field(name, value))}</dl>
</header>
<main>
${isLoad ? loadSection(run) : capacitySection(run)}
${errorSection(run)}
${isLoad && latenessSection(run)}
${meetingSection(run)}
${conservedSection(run)}
${measuredSection(run)}
</main>`,
  });
}

type Figure = readonly [name: string, value: string];

const loadFigures = (run: unknown): Figure[] => [
  ['journeys/s offered', inDigits(numberAt(run, 'rate'))],
  ['achieved', inDigits(numberAt(run, 'achieved'))],
  ['p95, ms', inDigits(numberAt(run, 'latency', 'p95'))],
  ['p99, ms', inDigits(numberAt(run, 'latency', 'p99'))],
  ['wrong', counted(numberAt(run, 'errors', 'wrong'))],
  ['no answer', counted(numberAt(run, 'errors', 'transport'))],
];

function capacityFigures(run: unknown): Figure[] {
  const [low, high] = listAt(run, 'interval').map(finite);
  const found = numberAt(run, 'capacity');
  const [from, to] = isInterval(found, low, high) ? ['95 % interval, from', 'to'] : ['taken', 'too much'];
  return [
    [cut(textAt(run, 'unit') ?? 'journeys/s', 40), inDigits(found)],
    [from, inDigits(low)],
    [to, inDigits(high)],
    ['steps', String(listAt(run, 'steps').length)],
  ];
}

/** The URLs of the hosts, each once. */
function targetsIn(run: unknown): string {
  const target = at(run, 'target');
  const urls = typeof target === 'object' && target !== null ? Object.values(target) : [target];
  return [...new Set(urls.filter((url) => typeof url === 'string'))].join(' · ');
}

const mostErrors = 40;

/** Errors of a load, or of all steps of a search against the target, each with the lowest rate at which it came. */
function errorSection(run: unknown): Markup {
  const steps = listAt(run, 'steps').filter((step) => textAt(step, 'against') !== 'null');
  const rows = (steps.length > 0 ? errorsOfSteps(steps) : listAt(run, 'errors', 'byOperation'))
    .slice(0, mostErrors)
    .map((row) => [
      cut(textAt(row, 'operation') ?? '', 80),
      cut(textAt(row, 'answer') ?? '', 40),
      counted(numberAt(row, 'count')),
      inDigits(numberAt(row, steps.length > 0 ? 'rate' : 'since')),
      cut(
        ['method', 'path', 'body'].flatMap((name) => textAt(row, 'sample', 'request', name) ?? []).join(' '),
        300,
      ),
      cut(textAt(row, 'sample', 'body') ?? '', 200),
    ]);
  if (rows.length === 0) return nothing;
  const began = steps.length > 0 ? 'from, per second' : 'since, s';
  return markup`<section id="errors" class="section"><h2>Errors</h2>
${table('Errors by operation and answer', ['operation', 'answer', 'times', began, 'the first of them: sent', 'answered'], rows)}</section>`;
}

function errorsOfSteps(steps: readonly unknown[]): object[] {
  const rows = new Map<string, { count: number; rate: number | undefined }>();
  for (const step of steps)
    for (const row of listAt(step, 'errors', 'byOperation')) {
      const key = `${textAt(row, 'operation')} ${textAt(row, 'answer')}`;
      const known = rows.get(key);
      const [count, rate] = [numberAt(row, 'count') ?? 0, numberAt(step, 'rate')];
      if (known === undefined) rows.set(key, { ...(row as object), count, rate });
      else {
        known.count += count;
        known.rate = Math.min(known.rate ?? Number.POSITIVE_INFINITY, rate ?? Number.POSITIVE_INFINITY);
      }
    }
  return [...rows.values()].sort((a, b) => b.count - a.count);
}

/** Errors, and how late the generator was by itself, second by second. */
function latenessSection(run: unknown): Markup {
  const seconds = listAt(run, 'seconds');
  if (seconds.length < 2) return nothing;
  const line = lineOf(seconds);
  return markup`<section id="lateness" class="section"><h2>Errors and the generator’s own lateness</h2>
${overSeconds({
  says: 'Errors in each second, and by how many milliseconds the generator itself was late',
  height: 220,
  names: ['errors', 'late'],
  axes: ['errors', 'late, ms'],
  lines: [
    series('errors', line('errors'), colours.limit, {}),
    series('late', line('lagMs'), colours.weak, { yAxisIndex: 1 }),
  ],
})}</section>`;
}

/** What a reader needs to check or repeat the run. */
function measuredSection(run: unknown): Markup {
  const facts: readonly (readonly [string, string | undefined])[] = [
    ['began', textAt(run, 'startedAt') && minuteOf(textAt(run, 'startedAt') ?? '')],
    ['measured for', inUnit(numberAt(run, 'durationMs'), 's', 1_000)],
    ['shape', textAt(run, 'shape')],
    ['arrivals', textAt(run, 'arrivals')],
    ['bounds', textAt(run, 'slo')],
    ['seed', textAt(run, 'seed')],
    ['requests in a journey', inDigits(numberAt(run, 'requestsPerJourney'))],
    ['generator', textAt(run, 'generator', 'k6') && `k6 ${textAt(run, 'generator', 'k6')}`],
    ['processes', inDigits(numberAt(run, 'generator', 'segments'))],
    ['its processor', inUnit(numberAt(run, 'generator', 'cpu'), 'cores')],
    ['its memory', inUnit(numberAt(run, 'generator', 'memoryMiB'), 'MiB')],
    [
      'its lateness, p95',
      inMs(numberAt(run, 'generator', 'lagMs', 'p95') ?? numberAt(run, 'generator', 'lag')),
    ],
    ['against nothing, p95', inMs(numberAt(run, 'generator', 'nullP95'))],
  ];
  const known = facts.flatMap(([name, value]) =>
    value && value !== '–' ? [[name, cut(value, 200)] as const] : [],
  );
  return markup`<section id="measured" class="section"><h2>How it was measured</h2>
<dl class="facts">${known.map(([name, value]) => field(name, value))}</dl></section>`;
}

const inUnit = (value: number | undefined, unit: string, per = 1) =>
  value === undefined ? undefined : `${threeDigits(value / per)} ${unit}`;
const inMs = (ms: number | undefined) => inUnit(ms, 'ms');

// What became of the effects once they had settled: the rules of the journeys, what broke them, and how long players
// waited for each other.

const mostRules = 40;
const mostExamples = 12;

/** @param run `load.json`, or `capacity.json`, whose steps hold the rules; nothing is shown where there are none */
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

/** How players were brought together, and the waiting times that the target stated; nothing where nobody looked. */
function meetingSection(run: unknown): Markup {
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
