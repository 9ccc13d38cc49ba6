// Renders report.md: a run for a job summary or an issue, each section bounded in rows and in characters a cell.
import { reasonIn } from '../../engine/run/reasons.ts';
import type { Result, RunResult } from '../../engine/run/result.ts';
import { shortened, titleOf } from '../console/causes.ts';
import { counting } from '../console/standing.ts';
import { causes } from '../summary/causes.ts';
import { flowsOf, isPlayed, isTroubled, signs } from '../summary/flows.ts';
import { counted, headline, whole } from '../summary/headline.ts';
import { bounded, bytesOf, causeBlock, codeSpan, list, markdownText, table } from './text.ts';

const cell = { most: 160, inTable: true } as const;

/** The verdict, and in a few lines what it stands on. */
function head(run: RunResult): string[] {
  const { verdict, scope, outcomes, judged } = headline(run);
  const { embedded, base, cdn, gamelogs } = run.target;
  const hosts = [...new Set([base, cdn, gamelogs])].filter((url) => url !== undefined);
  const target = embedded ? 'embedded server' : hosts.map((url) => codeSpan(url)).join(' · ');
  return [
    `# ${run.exitCode === 0 ? '✅' : '❌'} ${markdownText(verdict, 600)}`,
    `**${scope}**`,
    [outcomes, ...(judged === '' ? [] : [`documented checks judged: ${judged}`])].join('  \n'),
    `target: ${target} · ${codeSpan(run.startedAt)} · ${codeSpan(`SEED=${run.seed}`)}`,
  ].filter((part) => part !== '');
}

/** Since the run that this one was held against. */
function changed({ baseline }: RunResult): string[] {
  if (baseline === undefined) return [];
  const { worse, unjudgedBefore = [], noLongerJudged = [] } = baseline;
  const { knownFailures, repaired, startedAt, behaviours = [] } = baseline;
  const rows = behaviours.map(({ points, before, after }) => [
    codeSpan(shortened(points, 80), cell),
    codeSpan(before, cell),
    codeSpan(after, cell),
  ]);
  const counts = [
    `${whole(worse.length)} got worse`,
    ...(unjudgedBefore.length === 0 ? [] : [`${whole(unjudgedBefore.length)} failing, not judged then`]),
    ...(noLongerJudged.length === 0 ? [] : [`${whole(noLongerJudged.length)} no longer judged`]),
    `${counted(knownFailures, 'failure')} known`,
    `${whole(repaired)} repaired`,
    ...(rows.length === 0 ? [] : [`${counted(rows.length, 'behaviour')} changed`]),
  ];
  return [
    `## What changed since ${codeSpan(startedAt)}`,
    counts.join(' · '),
    ...(worse.length === 0 ? [] : [codeSpan(shortened(worse, 1_500), { most: 2_000 })]),
    ...(noLongerJudged.length === 0
      ? []
      : [`no longer judged: ${codeSpan(shortened(noLongerJudged, 1_500), { most: 2_000 })}`]),
    ...(rows.length === 0 ? [] : [table(['changed its behaviour', 'before', 'now'], rows, 10)]),
  ];
}

/** Waivers, what is out of date first, then what ends first. */
function waived({ waivers }: RunResult): string[] {
  if (waivers.length === 0) return [];
  const isFine = ({ problem }: { problem?: string }) => (problem === undefined ? 1 : 0);
  const sorted = waivers.toSorted((a, b) => isFine(a) - isFine(b) || (a.expires < b.expires ? -1 : 1));
  const rows = sorted.map(({ check, expires, waived, reason, problem }) => [
    codeSpan(check, cell),
    codeSpan(expires, cell),
    whole(waived),
    markdownText(problem ?? reason, 160),
  ]);
  return ['## Waivers', table(['check', 'until', 'excuses', 'why'], rows, 20)];
}

/** Flows in which something is not as it should be, as lines of steps; the others by their number. */
function flows({ checks }: RunResult): string[] {
  const all = flowsOf(checks);
  if (all.length === 0) return [];
  const troubled = all.filter(isTroubled);
  const played = all.filter(isPlayed);
  const rows = troubled.map(({ name, steps }) => [
    codeSpan(name, cell),
    codeSpan(steps.map(({ outcome }) => signs[outcome]).join(''), { ...cell, most: 200 }),
  ]);
  return [
    '## Flows',
    `${counted(played.length - troubled.length, 'flow')} without a finding`,
    ...(played.length < all.length ? [`${counted(all.length - played.length, 'flow')} not played`] : []),
    ...(rows.length === 0
      ? []
      : [
          table(['flow', 'steps'], rows, 30),
          '✓ passed · observed ! warning ✗ failed ? inconclusive - not applicable',
        ]),
  ];
}

/** Warnings and Assay's own errors, a row a cause. */
function folded(checks: readonly Result[], outcome: 'warn' | 'harness-error'): string[] {
  const found = causes(checks, outcome);
  if (found.length === 0) return [];
  const rows = found.map((cause) => [
    whole(cause.results.length),
    markdownText(titleOf(cause), 160),
    codeSpan(cause.example.actual ?? cause.example.detail ?? '', cell),
    codeSpan(shortened(cause.operations, 80), cell),
  ]);
  const title = outcome === 'warn' ? 'Warnings' : 'Errors of Assay itself';
  return [`## ${title}`, table(['checks', 'rule', 'actual', 'at'], rows, 20)];
}

/** What could not be judged, by reason, the most frequent first, each with what to do about it. */
function inconclusive(run: RunResult): string[] {
  const found = run.checks.filter(({ outcome }) => outcome === 'inconclusive');
  if (found.length === 0) return [];
  const groups = [...Map.groupBy(found, ({ reason }) => reason ?? 'no reason given')];
  const rows = groups
    .sort(([, a], [, b]) => b.length - a.length)
    .map(([reason, group]) => {
      const { means, remedy } = reasonIn(run, reason, group);
      return [whole(group.length), codeSpan(reason, cell), markdownText(means), markdownText(remedy)];
    });
  return [
    `## ${counted(found.length, 'check')} inconclusive`,
    table(['checks', 'reason', 'means', 'what to do'], rows, 25),
  ];
}

/** The run's plain lines on its target: hosts that fell silent, things that could not be undone. */
function remarks({ incidents = [], leftBehind, unmatched = [] }: RunResult): string[] {
  const section = (title: string, lines: readonly string[]) =>
    lines.length === 0
      ? []
      : [
          `## ${title}`,
          list(
            lines.map((line) => codeSpan(line)),
            10,
          ),
        ];
  return [
    ...section('Hosts on the way', incidents),
    ...section('Left behind on the target', leftBehind),
    ...section('Pointers of the profile', unmatched),
  ];
}

/** GitHub cuts a job summary at 1 MiB and an issue's text at 64 Ki characters; this fits both. */
const mostBytes = 60 * 1024;

/** So many findings are rendered: a run can have thousands, and readers stop earlier. */
const mostCauses = 200;

/** The run as GitHub-flavoured Markdown of at most 60 KiB, whatever is in it. */
export function renderMarkdown(run: RunResult): string {
  const before = [...head(run), ...changed(run)];
  const after = [
    ...folded(run.checks, 'harness-error'),
    ...flows(run),
    ...folded(run.checks, 'warn'),
    ...inconclusive(run),
    ...waived(run),
    ...remarks(run),
  ];
  const around = [...before, ...after].reduce((sum, part) => sum + bytesOf(part) + 2, 0);
  return `${[...before, ...failures(run, mostBytes - around), ...after].join('\n\n')}\n`;
}

/** Failures that count by cause, the heaviest first, as many as there is room for. */
function failures(run: RunResult, room: number): string[] {
  const found = causes(counting(run.checks));
  if (found.length === 0) return [];
  const count = found.reduce((sum, { results }) => sum + results.length, 0);
  const heading = `## ${counted(count, 'failure')}, ${counted(found.length, 'cause')}`;
  const blocks = found.slice(0, mostCauses).map(causeBlock);
  const hidden = found.length - blocks.length;
  return [
    heading,
    ...bounded(
      blocks,
      room - bytesOf(heading) - 100,
      (left) => `… and ${counted(left + hidden, 'more cause')} in result.json`,
    ),
  ];
}
