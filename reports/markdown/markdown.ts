// Renders report.md: a run for a job summary or an issue, each section bounded in rows and in characters a cell.

import { reasonIn } from '../../engine/run/reason-codes.ts';
import type { Result, RunResult } from '../../engine/run/result.ts';
import { counted, whole } from '../../engine/values/text.ts';
import { shortened } from '../console/cause-lines.ts';
import { openBlocks } from '../console/console.ts';
import {
  type Cause,
  causes,
  changeText,
  claimOf,
  earlierCallsText,
  exchangesOf,
  furtherLines,
  prerequisiteText,
  resultsIn,
  seenText,
  titleOf,
  unexcused,
} from '../summary/causes.ts';
import {
  attackLines,
  attackScripts,
  attackSummary,
  flowsOf,
  headline,
  isPlayed,
  isTroubled,
  judgedLabel,
  noisyLines,
  strictLine,
  usedLine,
} from '../summary/headline.ts';
import { signs } from '../summary/outcomes.ts';
import { bounded, bytesOf, codeBlock, codeSpan, htmlText, list, markdownText, table } from './blocks.ts';

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
    [outcomes, ...(judged === '' ? [] : [`${judgedLabel}: ${judged}`])].join('  \n'),
    (run.hints ?? []).map((hint) => `- what stands in the way: ${markdownText(hint, 600)}`).join('\n'),
    `target: ${target} · ${codeSpan(run.startedAt)} · ${codeSpan(`SEED=${run.seed}`)}`,
    strictLine(run) ?? '',
    usedLine(run) ?? '',
  ].filter((part) => part !== '');
}

/** What changed since the baseline. */
function changed({ baseline, checks }: RunResult): string[] {
  if (baseline === undefined) return [];
  const { worse, unjudgedBefore = [], noLongerJudged = [] } = baseline;
  const { knownFailures, repaired, startedAt, behaviours = [] } = baseline;
  const rows = behaviours.map(({ points, before, after }) => [
    codeSpan(shortened(points, 80), cell),
    markdownText(before, 160),
    markdownText(after, 160),
  ]);
  const since = checks.flatMap((check) => {
    if (check.since === undefined) return [];
    const exchanges = exchangesOf(check).map(([when, text]) => `${when}: ${text}`);
    const how = [changeText(check.since, check), ...exchanges].map((text) => markdownText(text, 320));
    return [[codeSpan(check.id, cell), markdownText(check.title, 160), how.join('; ')]];
  });
  const changedOnes = checks.filter((check) => check.since && check.since.gate !== 'worse').length;
  const counts = [
    ...(changedOnes === 0 ? [] : [`${whole(changedOnes)} differ, and fail the run`]),
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
    ...(since.length === 0 ? [] : [table(['fails the run', 'what it shows', 'how it changed'], since, 30)]),
    ...(worse.length === 0 ? [] : [`got worse: ${codeSpan(shortened(worse, 1_500), { most: 2_000 })}`]),
    ...(noLongerJudged.length === 0
      ? []
      : [`no longer judged: ${codeSpan(shortened(noLongerJudged, 1_500), { most: 2_000 })}`]),
    ...(rows.length === 0 ? [] : [table(['changed its behaviour', 'before', 'now'], rows, 10)]),
  ];
}

/** Waivers: those out of date first, then by their end. */
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

/** Flows with a finding, as lines of steps, and the number of the other flows. */
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

/** A summary of all attacks, and a row for each that was exercised and did not hold. */
function attacked({ checks }: RunResult): string[] {
  const summary = attackSummary(checks);
  if (summary === undefined) return [];
  const rows = attackLines(checks)
    .filter(({ ended }) => ended !== 'held' && ended !== 'not exercised')
    .map(({ check, ended, detail }) => [codeSpan(check.id, cell), ended, markdownText(detail, 160)]);
  const scripts = attackScripts(checks).map(({ id, script }) =>
    [
      '<details>',
      `<summary>a script that repeats <code>${htmlText(id)}</code></summary>`,
      '',
      codeBlock(script.split('\n'), 'js'),
      '',
      '</details>',
    ].join('\n'),
  );
  return [
    '## Under attack',
    summary,
    ...(rows.length === 0 ? [] : [table(['attack', 'ended', 'what was seen'], rows, 30)]),
    ...scripts,
  ];
}

/** Assay's own errors, one row per cause. */
function ownErrors(checks: readonly Result[]): string[] {
  const found = causes(checks, 'harness-error');
  if (found.length === 0) return [];
  const rows = found.map((cause) => [
    whole(cause.results.length),
    markdownText(titleOf(cause), 160),
    codeSpan(seenText(cause), cell),
    codeSpan(shortened(cause.operations, 80), cell),
  ]);
  return ['## Errors of Assay itself', table(['checks', 'rule', 'actual', 'at'], rows, 20)];
}

/** Lists checks that could not be judged by reason, the most frequent first, each with its remedy. */
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
    ...openBlocks(run, found).map(openBlock),
  ];
}

/** A check that was asked for by name and could not be judged. */
function openBlock({ id, reason, detail = '', prerequisite, curl = '', rerun }: Result): string {
  const commands = [curl, rerun].filter((command) => command !== '' && command.length <= longestCommand);
  return [
    `- ${codeSpan(id)}: ${codeSpan(`${reason}: ${detail}`, { most: 600 })}`,
    ...(prerequisite ? [`- before it: ${codeSpan(prerequisiteText(prerequisite), { most: 600 })}`] : []),
    '',
    ...commands.flatMap((command) => [codeBlock(command, 'sh'), '']),
  ].join('\n');
}

/** The run's plain lines on its target: hosts that fell silent, things that could not be undone. */
function remarks(run: RunResult): string[] {
  const { incidents = [], leftBehind, unmatched = [] } = run;
  const section = (title: string, lines: readonly string[]) => {
    const items = lines.map((line) => codeSpan(line));
    return lines.length === 0 ? [] : [`## ${title}`, list(items, 10)];
  };
  return [
    ...section('Hosts on the way', incidents),
    ...section('What the hosts change by themselves', noisyLines(run)),
    ...section('Left behind on the target', leftBehind),
    ...section('Pointers of the profile', unmatched),
  ];
}

/** GitHub cuts a job summary at 1 MiB and an issue's text at 64 Ki characters; this fits both. */
const mostBytes = 60 * 1024;

/** Most findings that are rendered: a run can have thousands, and readers stop earlier. */
const mostCauses = 200;

/** The run as GitHub-flavoured Markdown of at most 60 KiB, whatever is in it. */
export function renderMarkdown(run: RunResult): string {
  const before = [...head(run), ...changed(run)];
  const after = [
    ...ownErrors(run.checks),
    ...inconclusive(run),
    ...flows(run),
    ...attacked(run),
    ...waived(run),
    ...remarks(run),
  ];
  const sizeOf = (parts: readonly string[]) => parts.reduce((sum, part) => sum + bytesOf(part) + 2, 0);
  const room = mostBytes - sizeOf([...before, ...after]);
  const failures = findings(causes(unexcused(run.checks)), 'failure', room);
  const warnings = findings(causes(run.checks, 'warn'), 'warning', room - sizeOf(failures));
  return `${[...before, ...failures, ...warnings, ...after].join('\n\n')}\n`;
}

/** Findings by cause, the heaviest first, as many as there is room for. */
function findings(found: readonly Cause[], what: 'failure' | 'warning', room: number): string[] {
  if (found.length === 0) return [];
  const heading = `## ${counted(resultsIn(found), what)}, ${counted(found.length, 'cause')}`;
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

// One finding, folded up, since a reader opens only a few.

/** Most characters of a command that is shown: nobody reads or pastes a longer one. */
const longestCommand = 1_000;

/** A `<details>` block: the rule, why it exists, what was seen, and how to see it again. */
function causeBlock(cause: Cause): string {
  const { example, results, operations } = cause;
  const { says, why } = claimOf(cause);
  const title = `${titleOf(cause)} (${counted(results.length, 'check')})`;
  const fields: (readonly [name: string, value: string])[] = [
    ['clause', `${markdownText(says)} (${example.level}, ${codeSpan(example.clause)})`],
    ['why', markdownText(why)],
    ['expected', codeSpan(example.expected ?? '')],
    ['actual', codeSpan(example.actual ?? example.detail ?? '')],
    ...furtherLines(cause).map((text) => ['also', codeSpan(text)] as const),
    ['at', codeSpan(shortened(operations, 300), { most: 400 })],
    ['before it', markdownText(earlierCallsText(example))],
  ];
  const commands = [example.curl ?? '', example.rerun].filter(
    (command) => command !== '' && command.length <= longestCommand,
  );
  return [
    '<details>',
    `<summary>${htmlText(title)} · <code>${htmlText(shortened(operations, 60))}</code></summary>`,
    '',
    ...fields.filter(([, value]) => value !== '').map(([name, value]) => `- ${name}: ${value}`),
    '',
    ...commands.flatMap((command) => [codeBlock(command, 'sh'), '']),
    '</details>',
  ].join('\n');
}
