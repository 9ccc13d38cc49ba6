// Renders report.html: one file that a person opens, from disk or as an artifact of CI.
import { join } from 'node:path';
import { allHosts } from '../../catalog/operation.ts';
import { readRegularFile } from '../../engine/files.ts';
import type { Outcome } from '../../engine/judgement.ts';
import { askedTexts } from '../../engine/run/asked.ts';
import type { BehaviourChange } from '../../engine/run/compare-runs.ts';
import { endings, type Result, type RunResult, ruleOf } from '../../engine/run/result.ts';
import { counted, cut, inSeconds, minuteOf, whole } from '../../engine/values/text.ts';
import { type Cause, causes, unexcused } from '../summary/causes.ts';
import { noiseLines } from '../summary/headline.ts';
import { capacitySection } from './capacity.ts';
import { causeBlocks, causeLines, notJudged } from './cause-blocks.ts';
import { checkSection, packed } from './checks.ts';
import { attackSection, flowLines, interfaceMap } from './flows.ts';
import { baselineSection, head, waiverSection } from './head.ts';
import { latencySection } from './latency.ts';
import { loadSection } from './load.ts';
import { changeCells, documentOf, field, fragment, type Markup, markup, nothing, table } from './markup.ts';

/** Links to the sections; reads ids and titles from the sections themselves, so that no link is broken. */
function navigation(sections: readonly Markup[]): Markup {
  const links = sections.flatMap(({ html }) => {
    const [, id, title] = /^<section id="([a-z-]+)" class="section"><h2>([^<]+)<\/h2>/.exec(html) ?? [];
    return id === undefined || title === undefined ? [] : [markup`<li><a href="#${id}">${title}</a></li>`];
  });
  return markup`<nav aria-label="Sections"><ul>${links}</ul></nav>`;
}

const causeOrder: readonly Outcome[] = ['fail', 'harness-error', 'warn'];

/** Unexcused failures, Assay's own errors and warnings, by cause; a link names one by its place (`#cause=0`). */
const findings = (checks: readonly Result[]): Cause[] =>
  causeOrder.flatMap((outcome) => causes(unexcused(checks), outcome));

// The facts of the run: what is needed to repeat it, and what it left behind.
function runFacts(result: RunResult): Markup {
  const { target, options, seed, runId, startedAt, durationMs, requests, ended, exitCode } = result;
  const hosts = allHosts.map((host) => {
    const url = target[host];
    return field(host, url === undefined ? 'not given' : markup`<code>${cut(url, 200)}</code>`);
  });
  const flags = askedTexts(options).join(' · ');
  return markup`<section id="run" class="section"><h2>Run</h2><dl class="facts">
${hosts}
${field('seed', markup`<code>SEED=${cut(seed, 80)}</code>`)}
${field('run', cut(runId, 80))}
${field('began', minuteOf(startedAt))}
${field('took', `${inSeconds(durationMs)}, ${whole(requests)} requests`)}
${field('ended', `${endings[ended].fact}, exit code ${exitCode}`)}
${field('options', markup`<code>${cut(flags, 400)}</code>`)}
</dl>
${lines('Preflight', result.preflight)}
${lines('What became of the hosts', result.incidents ?? [])}
${lines('What the hosts change by themselves', noiseLines(result))}
${lines('Left behind on the target', result.leftBehind)}
${lines('Pointers of the profile that matched nothing', result.unmatched ?? [])}
</section>`;
}

const mostLines = 20;

function lines(title: string, entries: readonly string[]): Markup | false {
  if (entries.length === 0) return false;
  const more = entries.length - mostLines;
  return markup`<h3>${title}</h3><ul>${entries.slice(0, mostLines).map((line) => markup`<li>${cut(line, 300)}</li>`)}${more > 0 && markup`<li class="weak">and ${whole(more)} more</li>`}</ul>`;
}

/** Further files to show: parsed JSON, checked as far as it is shown. */
interface HtmlExtras {
  /** `load.json` (`assay.load/1`). */
  readonly load?: unknown;
  /** `capacity.json` (`assay.capacity/1`). */
  readonly capacity?: unknown;
}

/** The whole of report.html, at most 2 MB whatever the target sent. */
export function renderHtml(result: RunResult, extras: HtmlExtras = {}): string {
  const found = findings(result.checks);
  const { blocks, leftOut } = packed(result, found);
  const sections = [
    checkSection(result.checks, leftOut),
    causeBlocks(found, result.options),
    attackSection(result.checks),
    baselineSection(result),
    notJudged(result),
    behaviourSection(result),
    latencySection(result.latency),
    loadSection(extras.load),
    capacitySection(extras.capacity),
    waiverSection(result),
    runFacts(result),
  ];
  return documentOf({
    title: `Assay: ${cut(result.headline.verdict, 120)}`,
    blocks,
    body: markup`${head(result)}
${navigation(sections)}
<main>
<div class="overview">
${interfaceMap(result.checks)}
<div class="beside">${causeLines(found, result)}
${flowLines(result.checks)}</div>
</div>
${sections}
</main>`,
  });
}

/** 32 MiB; larger files are left unread. */
const largest = 32 * 1024 * 1024;

/** Reads load and capacity runs beside a result; a file that is missing, too large or not JSON is left out. */
export function extrasBeside(folder: string): HtmlExtras {
  return { load: parsedFile(join(folder, 'load.json')), capacity: parsedFile(join(folder, 'capacity.json')) };
}

/** The JSON of a file; undefined where it cannot be read, is too large or holds none. */
export function parsedFile(path: string): unknown {
  try {
    return JSON.parse(readRegularFile(path, largest).toString('utf8'));
  } catch {
    return undefined;
  }
}

// Renders the behaviours of open points for report.html, and which changed since the baseline.

const mostRows = 150;
const mostChanges = 60;
const mostPlaces = 6;
const longestText = 160;

function behaviourSection({ ledger, checks, baseline }: RunResult): Markup {
  const points = Object.entries(ledger);
  if (points.length === 0) return nothing;
  const titles = new Map(checks.map(({ id, title }) => [id, title]));
  const titleOf = (point: string) => cut(titles.get(point) ?? point, longestText);
  const shapes = points.filter(([point]) => ruleOf(point) === 'shape');
  const groups = Map.groupBy(
    points.filter(([point]) => ruleOf(point) !== 'shape'),
    ([point, behaviour]) => `${ruleOf(point)} ${behaviour}`,
  );
  const rows = [...groups.values()]
    .sort((a, b) => compare(ruleOf(a[0]?.[0] ?? ''), ruleOf(b[0]?.[0] ?? '')) || b.length - a.length)
    .map((group) => {
      const [point, behaviour] = group[0] as [string, string];
      const one = group.length === 1;
      const where = one ? { check: point } : { outcome: 'observed', text: cut(behaviour, 80) };
      const count = one ? cut(point, 80) : counted(group.length, 'place');
      return [titleOf(point), cut(behaviour, longestText), markup`<a href="${fragment(where)}">${count}</a>`];
    });
  const more = rows.length - mostRows;
  return markup`<section id="behaviour" class="section"><h2>Behaviour</h2>
<p class="weak">Where the document is silent a target chooses. ${whole(points.length)} choices are on record; none of them counts against it.</p>
${changed(baseline?.behaviours, baseline?.startedAt, titleOf)}
<details><summary>${counted(rows.length, 'behaviour')}, equal ones folded${shapes.length > 0 && `, and the forms of ${counted(shapes.length, 'answer')}`}</summary>
${table('Behaviours', ['open point', 'the target’s choice', 'where'], rows.slice(0, mostRows))}
${more > 0 && markup`<p class="weak">${counted(more, 'more behaviour')} in <a href="#outcome=observed">the list of checks</a>.</p>`}
${shapes.length > 0 && markup`<p><a href="${fragment({ outcome: 'observed', text: '#shape' })}">The forms of answers</a></p>`}
</details></section>`;
}

/** The behaviours that changed since the baseline; nothing where there is no baseline. */
function changed(
  changes: readonly BehaviourChange[] | undefined,
  since: string | undefined,
  titleOf: (point: string) => string,
): Markup {
  if (since === undefined) return nothing;
  if (changes === undefined || changes.length === 0)
    return markup`<p>Nothing was chosen differently since the baseline.</p>`;
  const rows = changes.slice(0, mostChanges).map((change) => {
    const { points } = change;
    const where = `${cut(points.slice(0, 3).join(', '), longestText)}${points.length > 3 ? ` and ${points.length - 3} more` : ''}`;
    return [
      markup`${titleOf(points[0] ?? '')}<br><span class="weak">${where}</span>`,
      ...changeCells(change, mostPlaces),
    ];
  });
  return markup`<h3>${counted(changes.length, 'behaviour')} changed since the baseline</h3>
${table('Changed behaviours', ['open point', 'before', 'now'], rows)}`;
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
