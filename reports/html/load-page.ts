// Renders load.html and capacity.html: a page of its own for a load run or a capacity search, in one file without a script.

import { at, listAt, numberAt, textAt } from '../../engine/values/members.ts';
import { cut, minuteOf, threeDigits } from '../../engine/values/text.ts';
import { capacitySection, finite, isInterval } from './capacity.ts';
import { axis, chart, colours, legend } from './chart.ts';
import { conservedSection, meetingSection } from './conserved.ts';
import { counted, inDigits, lineOf, loadSection, series } from './load.ts';
import { documentOf, field, type Markup, markup, nothing, table } from './markup.ts';

/** One file without a script; undefined where it is neither `load.json` nor `capacity.json`. */
export function loadPage(run: unknown): string | undefined {
  const isLoad = textAt(run, 'schema') === 'assay.load/1';
  if (!isLoad && textAt(run, 'schema') !== 'assay.capacity/1') return undefined;
  const journey = cut(textAt(run, 'journey') ?? 'unknown journey', 80);
  const verdict = cut(textAt(run, 'verdict') ?? 'no verdict', 40);
  return documentOf({
    title: `Assay: ${isLoad ? 'load' : 'capacity'} of ${journey}, ${verdict}`,
    isStatic: true,
    blocks: [],
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

/** Hosts, each once. */
function targetsIn(run: unknown): string {
  const target = at(run, 'target');
  const urls = typeof target === 'object' && target !== null ? Object.values(target) : [target];
  return [...new Set(urls.filter((url) => typeof url === 'string'))].join(' · ');
}

const mostErrors = 40;

/** Of a load, or of all steps of a search against the target, where each row names the first rate at which it came. */
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
${chart({
  says: 'Errors in each second, and by how many milliseconds the generator itself was late',
  width: 860,
  height: 220,
  option: {
    grid: { left: 70, right: 70, top: 36, bottom: 44 },
    legend: { ...legend, data: ['errors', 'late'] },
    xAxis: { type: 'value', name: 'seconds', nameLocation: 'middle', nameGap: 26, ...axis },
    yAxis: [
      { type: 'value', name: 'errors', ...axis },
      { type: 'value', name: 'late, ms', ...axis, splitLine: { show: false } },
    ],
    series: [
      series('errors', line('errors'), colours.limit, 0),
      series('late', line('lagMs'), colours.weak, 1),
    ],
  },
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
