// Prints the end of a run on the console: its headline, failures by cause, flows, what was not judged, files.

import { join } from 'node:path';
import { operationById } from '../../catalog/catalog.ts';
import { allHosts } from '../../catalog/operation.ts';
import { absentHost, reasonIn } from '../../engine/run/reason-codes.ts';
import { operationsOf, type Result, type RunResult } from '../../engine/run/result.ts';
import { variableOf } from '../../engine/target/settings.ts';
import { counted, whole } from '../../engine/values/text.ts';
import { type Format, htmlFile, resultFile, runFiles } from '../files.ts';
import { type Cause, causes, resultsIn, sessionText, unexcused } from '../summary/causes.ts';
import {
  attackSummary,
  type FlowLine,
  flowsOf,
  headline,
  isPlayed,
  isTroubled,
  judgedLabel,
  noisyLines,
  slowestLine,
  strictLine,
  usedLine,
  wasPlayed,
} from '../summary/headline.ts';
import { signs } from '../summary/outcomes.ts';
import {
  causeBlock,
  causeLine,
  countWidth,
  failureSection,
  linesOfRest,
  openBlock,
  standingSection,
} from './cause-lines.ts';
import {
  blank,
  columns,
  copiedField,
  fitting,
  folded,
  type Line,
  line,
  type Most,
  paint,
  paragraph,
  type Style,
  terminalText,
} from './layout.ts';

/** The headline: verdict first. */
function headSection(result: RunResult, width: number): Line[] {
  const { verdict, scope, outcomes, judged } = headline(result);
  const style = result.exitCode === 0 ? 'good' : 'bad';
  return [
    ...paragraph(verdict, width, 3, style),
    ...paragraph(scope, width, 2),
    ...paragraph(outcomes, width, 2),
    // Preflight has printed some of the hints already.
    ...(result.hints ?? [])
      .filter((hint) => !result.preflight.includes(hint))
      .flatMap((hint) => paragraph(`what stands in the way: ${hint}`, width, 4, 'doubt')),
    ...(judged === '' ? [] : [line(`${judgedLabel}: ${judged}`, 'weak')]),
    ...paragraph(targetLine(result), width, 5, 'weak'),
    ...[strictLine(result) ?? [], usedLine(result) ?? [], noisyLines(result), slowestLine(result) ?? []]
      .flat()
      .flatMap((besides) => paragraph(besides, width, 4, 'weak')),
  ];
}

function targetLine({ target, seed, options }: RunResult): string {
  const hosts = allHosts.flatMap((host) => (target[host] === undefined ? [] : [`${host} ${target[host]}`]));
  const insecure = options.insecure ? ' (INSECURE: no certificate was checked)' : '';
  return `target${insecure}: ${target.embedded ? 'embedded server' : hosts.join(' · ')} · SEED=${seed}`;
}

/** Assay's own errors, one line per cause. */
function errorSection(checks: readonly Result[], width: number): Line[] {
  const found = causes(checks, 'harness-error');
  if (found.length === 0) return [];
  const title = `${counted(resultsIn(found), 'error')} of Assay itself`;
  const lines = found.map((cause) => causeLine(cause, width));
  return [blank, line(title, 'bad'), ...atMost(lines, { entries: 4, lines: 4 }, 'cause')];
}

/**
 * Warnings, one line per cause, and the command that repeats the first; with another id, it repeats any other.
 * @param block the heaviest warning in full, for a run without failures; else empty
 */
function warningSection(
  found: readonly Cause[],
  block: readonly Line[],
  width: number,
  most: Most,
  strict: boolean,
): Line[] {
  const [heaviest, ...others] = found;
  if (heaviest === undefined) return [];
  const isTold = block.length > 0 && block.length + linesOfRest(found) <= most.lines;
  const room = isTold ? { ...most, lines: most.lines - block.length } : most;
  const shown = (isTold ? others : found).map((cause) => causeLine(cause, width));
  return [
    blank,
    line(counted(resultsIn(found), 'warning'), 'doubt'),
    ...(isTold ? block : []),
    ...(isTold && shown.length > 0 ? [blank] : []),
    ...atMost(shown, room, 'cause'),
    ...(isTold ? [] : [copiedField('rerun', heaviest.example.rerun)]),
    ...(strict ? [] : [line('    with --strict, warnings of inferred rules fail a run', 'weak')]),
  ];
}

/** Lists checks that could not be judged by reason, the most frequent first, each with its remedy. */
function inconclusiveSection(run: RunResult, width: number, most: Most): Line[] {
  const found = run.checks.filter(({ outcome }) => outcome === 'inconclusive');
  if (found.length === 0) return [];
  const groups = byReason(found);
  const longest = Math.max(...groups.map(([reason]) => reason.length));
  const blocks = groups.map(([reason, group]): Line[] => {
    const { means, remedy } = reasonIn(run, reason, group);
    const code = `${whole(group.length)}×`.padStart(7).concat(` ${reason.padEnd(longest)}  `);
    const where = mostConcerned(group, width - code.length - remedy.length - 2);
    const indent = width - code.length < leastBeside ? countWidth : code.length;
    const toDo = [{ text: `${code}${remedy}: ${where}` }];
    const all = folded([...toDo, { text: ` · ${means}`, style: 'weak' }], width, indent);
    // `npm run explain` also gives the meaning, so a long one is left out; the remedy is never cut.
    return all.length <= mostOfReason ? all : folded(toDo, width, indent);
  });
  return [
    blank,
    line(`${counted(found.length, 'check')} inconclusive`, 'doubt'),
    ...atMost(blocks, most, 'reason'),
    ...openBlocks(run, found).flatMap((check) => openBlock(check, width)),
  ];
}

/** Columns beside a reason's code; with fewer, its text goes below the code. */
const leastBeside = 40;
const mostOfReason = 3;

const mostOpenBlocks = 3;

/** Returns the checks of `found` that are shown in full: where only a few were asked for by name, all of them. */
export const openBlocks = ({ options }: RunResult, found: readonly Result[]): readonly Result[] =>
  options.only.length > 0 && found.length <= mostOpenBlocks ? found : [];

/** Hosts that were left out, in warning style, and one line for the other checks that were not applicable. */
function notApplicableSection(run: RunResult, width: number): Line[] {
  const found = run.checks.filter(({ outcome }) => outcome === 'not-applicable');
  const [away, here] = [true, false].map((without) =>
    found.filter(({ reason }) => (reason === 'host-not-given') === without),
  ) as [Result[], Result[]];
  const hosts = Array.from(Map.groupBy(away, (check) => absentHost(run, check))).flatMap(([host, lost]) => {
    // A flow calls several hosts: only its operations on this host are lost.
    const lostHere = new Set(lost.flatMap(operationsOf).filter((id) => operationById(id)?.host === host));
    const operations = counted(lostHere.size, 'operation');
    const checksLost = counted(lost.length, 'check');
    const text = `NOT JUDGED: ${operations} of ${host} (${checksLost}). Set ${variableOf[host]}.`;
    return folded([{ text, style: 'doubt' }], width, 2);
  });
  const rest = byReason(here).map(([reason, { length }]) => `${whole(length)} ${reason}`);
  const lines = [
    ...hosts,
    ...(rest.length === 0 ? [] : paragraph(`not applicable: ${rest.join(', ')}`, width, 3, 'weak')),
  ];
  return lines.length === 0 ? [] : [blank, ...lines];
}

/** The paths of all files. They are for copying, so they are never cut. */
function filesSection(outDir: string, formats: readonly Format[]): Line[] {
  const paths = runFiles(formats).map(({ name, holds }) => ({ path: join(outDir, name), holds }));
  const longest = Math.max(...paths.map(({ path }) => path.length));
  const lines = paths.map(({ path, holds }): Line => {
    return { spans: [{ text: path.padEnd(longest) }, { text: `  ${holds}`, style: 'weak' }], copied: true };
  });
  return [blank, ...lines];
}

function byReason(checks: readonly Result[]): [reason: string, checks: readonly Result[]][] {
  const groups = Map.groupBy(checks, ({ reason }) => reason ?? 'no reason given');
  return [...groups].sort(([, a], [, b]) => b.length - a.length);
}

const mostNamed = 3;

/** `party.update, queue.enter, match.create and 9 more`: as many as fit, those with the most of these checks first. */
function mostConcerned(checks: readonly Result[], room: number): string {
  const byOperation = Map.groupBy(checks.flatMap(operationsOf), (id) => id);
  const ids = [...byOperation].sort(([, a], [, b]) => b.length - a.length).map(([id]) => terminalText(id));
  const naming = (count: number): string => {
    const more = ids.length > count ? ` and ${whole(ids.length - count)} more` : '';
    const text = `${ids.slice(0, count).join(', ')}${more}`;
    return count === 1 || text.length <= room ? text : naming(count - 1);
  };
  return naming(Math.min(mostNamed, ids.length));
}

/** As many entries as fit, and how many were left out. */
function atMost(entries: readonly Line[][], most: Most, thing: string): Line[] {
  if (fitting(entries, most).length === entries.length) return entries.flat();
  const fits = fitting(entries, { entries: most.entries - 1, lines: most.lines - 1 });
  // A count alone says nothing, so the beginning of the first entry is shown where there is room for it.
  const shown =
    fits.length > 0 ? fits : entries.slice(0, 1).map((first) => first.slice(0, Math.max(0, most.lines - 1)));
  const more = `      … and ${counted(entries.length - shown.length, `more ${thing}`)} in ${htmlFile}`;
  return [...shown.flat(), line(more, 'weak')];
}

const styles: Readonly<Record<string, Style>> = { '✗': 'bad', E: 'bad', '!': 'doubt', '?': 'doubt' };

const legend = '  ✓ passed  · observed  ! warning  ✗ failed  ? inconclusive  - not applicable';

export function flowSection(checks: readonly Result[], width: number): Line[] {
  const flows = flowsOf(checks);
  if (flows.length === 0) return [];
  const troubled = flows.filter(isTroubled);
  // A flow that was not played does not count as working.
  const fine = flows.filter((flow) => !isTroubled(flow) && isPlayed(flow));
  const idle = flows.filter((flow) => !isPlayed(flow));
  const longest = Math.max(...flows.map(({ name }) => name.length));
  const steps = fine.reduce((sum, flow) => sum + flow.steps.filter(wasPlayed).length, 0);
  const named = fine.map(({ name }) => name).join(', ');
  return [
    blank,
    ...(fine.length === 0
      ? []
      : paragraph(`flows without a finding: ${named} (${counted(steps, 'step')})`, width, 4)),
    ...(idle.length === 0 ? [] : paragraph(`flows not played: ${idle.map(idleFlow).join(', ')}`, width, 4)),
    ...troubled.flatMap((flow) => stepLines(flow, longest, width)),
    ...(troubled.length === 0 ? [] : folded([{ text: legend, style: 'weak' }], width, 2)),
  ];
}

/** The flows with a finding in a few lines, where their steps have no room. */
function flowsInShort(checks: readonly Result[], width: number): Line[] {
  const found = flowsOf(checks).flatMap(({ name, steps }) => {
    const count = steps.filter(({ outcome }) => outcome === 'fail' || outcome === 'warn').length;
    return count === 0 ? [] : [`${name} ${count}`];
  });
  if (found.length === 0) return [];
  const named = found.join(', ');
  return [
    blank,
    ...paragraph(`flows with a finding, and how many: ${named}; report.html shows their steps`, width, 4),
  ];
}

/** The attacks by how they ended; report.html and report.md have a line for each. */
function attackSection(checks: readonly Result[], width: number): Line[] {
  const summary = attackSummary(checks);
  if (summary === undefined) return [];
  return paragraph(`under attack: ${summary}`, width, 3);
}

/** `logs (host-not-given)`: a flow and why none of its steps was played. */
function idleFlow({ name, steps }: FlowLine): string {
  const why = [...new Set(steps.flatMap(({ reason }) => reason ?? []))].join(', ');
  return why === '' ? name : `${name} (${why})`;
}

function stepLines({ name, steps }: FlowLine, longest: number, width: number): Line[] {
  const room = width - longest - 4;
  const spans = steps.map(({ outcome }) => {
    const text = signs[outcome];
    const style = styles[text];
    return style ? { text, style } : { text };
  });
  return Array.from({ length: Math.ceil(spans.length / room) }, (_, nth): Line => {
    const begin = `  ${(nth === 0 ? name : '').padEnd(longest)}  `;
    return { spans: [{ text: begin }, ...spans.slice(nth * room, (nth + 1) * room)] };
  });
}

const mostLeft = 3;

/** Lists what flows left on the target because teardown failed. It does not change the verdict. */
export function leftBehindSection({ leftBehind }: Pick<RunResult, 'leftBehind'>): Line[] {
  if (leftBehind.length === 0) return [];
  const more = leftBehind.length - mostLeft;
  return [
    blank,
    line(`${counted(leftBehind.length, 'thing')} that flows made could not be put back:`, 'weak'),
    ...leftBehind.slice(0, mostLeft).map((what) => line(`  ${what}`, 'weak')),
    ...(more > 0 ? [line(`  … and ${more} more in result.json`, 'weak')] : []),
  ];
}

/** Most lines of the summary, which fit a tall terminal. */
const mostLines = 58;
/** Lines that the list of warnings, and that of checks not judged, may take where there are failures. */
const leastLines = { whole: 6, short: 3 };
/** Lines kept for what was not judged, beside a warning that is shown in full. */
const leastOpen = 12;
/** Lines kept for failures, beside lists that take more lines on a narrow terminal. */
const linesOfFailures = 24;
const narrowest = 40;

interface SummaryOptions {
  readonly colour: boolean;
  /** Columns; longer lines are folded or cut, except commands and paths, which are for copying. */
  readonly width: number;
  readonly outDir: string;
  /** Formats that were asked for in addition to the usual files. */
  readonly formats?: readonly Format[];
  /** False where no files were written. */
  readonly isWritten?: boolean;
}

/** The end of a run in at most 60 lines: headline, failures by cause, what was not judged and why, files. */
export function renderSummary(result: RunResult, options: SummaryOptions): string {
  const width = Math.max(options.width, narrowest);
  if (isUnreached(result)) return paintAll(unreachedLines(result, width, options), options, width);
  const found = causes(unexcused(result.checks));
  const whole = summaryLines(result, found, options, width, 'whole');
  const lines = whole.hasBlock ? whole.lines : summaryLines(result, found, options, width, 'short').lines;
  return paintAll(lines, options, width);
}

/**
 * @param beside how much is shown of flows, warnings and checks that were not judged
 * @returns the lines, and whether the heaviest failure, if there is one, is shown in full
 */
function summaryLines(
  result: RunResult,
  found: readonly Cause[],
  options: SummaryOptions,
  width: number,
  beside: 'whole' | 'short',
): { readonly lines: readonly Line[]; readonly hasBlock: boolean } {
  const flowsIn = beside === 'whole' ? flowSection : flowsInShort;
  const warned = causes(result.checks, 'warn');
  const session = sessionText([...found, ...warned].slice(0, 1), result.options);
  // On a narrow terminal the line would be cut, and be useless.
  const isRoomFor = session !== '' && columns(session) <= width;
  const head = [...headSection(result, width), ...(isRoomFor ? [line(session, 'weak')] : [])];
  const fixed = {
    errors: errorSection(result.checks, width),
    standing: standingSection(result, width),
    flows: [
      ...flowsIn(result.checks, width),
      ...attackSection(result.checks, width),
      ...leftBehindSection(result),
    ],
    rest: [
      ...notApplicableSection(result, width),
      ...(options.isWritten === false ? [] : filesSection(options.outDir, options.formats ?? [])),
    ],
  };
  const taken = Object.values(fixed).reduce((sum, lines) => sum + lines.length, head.length);
  // Two lists share the lines that failures leave; each takes two lines more, a blank one and its heading.
  const reserved = found.length === 0 ? 0 : linesOfFailures;
  const share = (besides: number) => Math.floor((mostLines - taken - besides) / 2) - 2;
  const [heaviest] = warned;
  const block = heaviest && found.length === 0 ? causeBlock(heaviest, width) : [];
  // The warning in full takes its lines before the lists do.
  const alone = Math.max(share(0), Math.min(block.length + 4, mostLines - taken - leastOpen));
  const most =
    found.length === 0
      ? { entries: alone, lines: alone }
      : { entries: 6, lines: Math.max(Math.min(leastLines[beside], share(4)), share(reserved)) };
  const warnings = warningSection(warned, block, width, most, result.options.strict);
  const lines = Math.max(
    found.length === 0 ? leastLines.short : most.lines,
    mostLines - taken - reserved - warnings.length - 2,
  );
  const tail = [
    ...fixed.errors,
    ...fixed.standing,
    ...fixed.flows,
    ...warnings,
    ...inconclusiveSection(result, width, { ...most, lines }),
    ...fixed.rest,
  ];
  const room = mostLines - head.length - tail.length;
  const failures = failureSection(found, width, room, join(options.outDir, htmlFile));
  const [first] = found;
  return {
    lines: [...head, ...failures, ...tail],
    hasBlock: first === undefined || causeBlock(first, width).length + linesOfRest(found) <= room,
  };
}

const paintAll = (lines: readonly Line[], { colour }: SummaryOptions, width: number) =>
  lines.map((each) => paint(each, { colour, width })).join('\n');

/** Whether no host answered, so that every check has the same reason. */
export const isUnreached = ({ exitCode, checks }: RunResult) =>
  exitCode === 2 &&
  checks.every(({ outcome, reason }) => outcome === 'not-applicable' || reason === 'unreachable');

/** The verdict without the incidents: the first lines of the run say already which host is not reached, and why. */
function unreachedLines(
  { headline: { verdict }, incidents = [] }: RunResult,
  width: number,
  { outDir, isWritten }: SummaryOptions,
): Line[] {
  const short = incidents.reduce((text, incident) => text.replace(` ${incident}.`, () => ''), verdict);
  const where = isWritten === false ? '' : ` ${join(outDir, resultFile)} says so of each check.`;
  return paragraph(`${short}${where}`, width, 3, 'bad');
}
