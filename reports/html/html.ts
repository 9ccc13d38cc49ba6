// Renders report.html: one file that a person opens, from disk or as an artifact of CI.
import { join } from 'node:path';
import { allHosts } from '../../catalog/operation.ts';
import { readRegularFile } from '../../engine/files.ts';
import type { Outcome } from '../../engine/judgement.ts';
import type { Result, RunResult } from '../../engine/run/result.ts';
import { counting } from '../console/standing.ts';
import { type Cause, causes } from '../summary/causes.ts';
import { whole } from '../summary/headline.ts';
import { behaviourSection } from './behaviours.ts';
import { causeBlocks, causeLines, notJudged } from './causes.ts';
import { checkSection, packed } from './checks.ts';
import { documentOf } from './document.ts';
import { flowLines, interfaceMap } from './flows.ts';
import { baselineSection, head, timeOf, waiverSection } from './head.ts';
import { latencySection } from './latency.ts';
import { capacitySection, loadSection } from './load.ts';
import { cut, field, type Markup, markup } from './markup.ts';

/** Links to the sections; reads ids and titles from the sections themselves, so that no link is broken. */
function navigation(sections: readonly Markup[]): Markup {
  const links = sections.flatMap(({ html }) => {
    const [, id, title] = /^<section id="([a-z-]+)" class="section"><h2>([^<]+)<\/h2>/.exec(html) ?? [];
    return id === undefined || title === undefined ? [] : [markup`<li><a href="#${id}">${title}</a></li>`];
  });
  return markup`<nav aria-label="Sections"><ul>${links}</ul></nav>`;
}

const causeOrder: readonly Outcome[] = ['fail', 'harness-error', 'warn'];

/** Failures that nothing excuses, Assay's own errors, warnings, folded; their places in the list name them (`#cause=0`). */
function findings(checks: readonly Result[]): Cause[] {
  const counted = counting(checks);
  return causeOrder.flatMap((outcome) => causes(counted, outcome));
}

// The facts of the run: what is needed to repeat it, and what it left behind.
const endings: Readonly<Record<RunResult['ended'], string>> = {
  complete: 'complete',
  interrupted: 'it was interrupted',
  budget: 'its time was over',
  'worker-died': 'Assay itself broke off',
  bail: 'stopped early, as --bail asked',
};

function runFacts(result: RunResult): Markup {
  const { target, options, seed, runId, startedAt, durationMs, requests, ended, exitCode } = result;
  const hosts = allHosts.map((host) => {
    const url = target[host];
    return field(host, url === undefined ? 'not given' : markup`<code>${cut(url, 200)}</code>`);
  });
  const flags = [
    ...(options.only.length > 0 ? [`--only ${options.only.join(' ')}`] : []),
    ...(options.strict ? ['--strict'] : []),
    ...(options.readOnly ? ['--read-only'] : []),
    ...(options.rerun ? ['--rerun'] : []),
    `--min-judged ${options.minJudged}`,
  ].join(' ');
  return markup`<section id="run" class="section"><h2>Run</h2><dl class="facts">
${hosts}
${field('seed', markup`<code>SEED=${cut(seed, 80)}</code>`)}
${field('run', cut(runId, 80))}
${field('began', timeOf(startedAt))}
${field('took', `${(durationMs / 1000).toFixed(1)} s, ${whole(requests)} requests`)}
${field('ended', `${endings[ended]}, exit code ${exitCode}`)}
${field('options', markup`<code>${cut(flags, 400)}</code>`)}
</dl>
${lines('Preflight', result.preflight)}
${lines('What became of the hosts', result.incidents ?? [])}
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
    causeBlocks(found),
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
  return { load: parsed(join(folder, 'load.json')), capacity: parsed(join(folder, 'capacity.json')) };
}

function parsed(path: string): unknown {
  try {
    return JSON.parse(readRegularFile(path, largest).toString('utf8'));
  } catch {
    return undefined;
  }
}
