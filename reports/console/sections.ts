// What stands around the failures: how it ended, what was not judged and why, where the rest is.

import { join } from 'node:path';
import { allHosts } from '../../fixtures/catalog/operation.ts';
import { absentHost, reasonIn } from '../../fixtures/check/remedies.ts';
import type { Result, RunResult } from '../../fixtures/check/result.ts';
import { variableOf } from '../../fixtures/target/environment.ts';
import { type Format, filesOf, resultFile } from '../files.ts';
import { causes, operationsOf } from '../fold.ts';
import { counted, headline, whole } from '../headline.ts';
import { causeLine } from './cause-block.ts';
import { wrap } from './columns.ts';
import { blank, type Line, line } from './line.ts';
import { terminalText } from './terminal-text.ts';

/** The headline: verdict first. */
export function headSection(result: RunResult, width: number): Line[] {
  const { verdict, scope, outcomes, judged } = headline(result);
  const style = result.exitCode === 0 ? 'good' : 'bad';
  return [
    ...wrap(terminalText(verdict), width, 3).map((part) => line(part, style)),
    ...wrap(scope, width, 2).map((part) => line(part)),
    ...wrap(outcomes, width, 2).map((part) => line(part)),
    ...(judged === '' ? [] : [line(`documented checks judged: ${judged}`, 'weak')]),
    ...wrap(terminalText(targetLine(result)), width, 2).map((part) => line(part, 'weak')),
  ];
}

function targetLine({ target, seed, options }: RunResult): string {
  const hosts = allHosts.flatMap((host) => (target[host] === undefined ? [] : [`${host} ${target[host]}`]));
  const insecure = options.insecure ? ' (INSECURE: no certificate was checked)' : '';
  return `target${insecure}: ${target.embedded ? 'embedded server' : hosts.join(' · ')} · SEED=${seed}`;
}

/** Warnings, or Assay's own errors, one line a cause. */
export function foldedSection(
  checks: readonly Result[],
  outcome: 'warn' | 'harness-error',
  width: number,
  most: number,
): Line[] {
  const found = causes(checks, outcome);
  if (found.length === 0) return [];
  const count = found.reduce((sum, { results }) => sum + results.length, 0);
  const title = outcome === 'warn' ? counted(count, 'warning') : `${counted(count, 'error')} of Assay itself`;
  const lines = found.map((cause) => causeLine(cause, width));
  return [blank, line(title, outcome === 'warn' ? 'doubt' : 'bad'), ...atMost(lines, most, 'cause')];
}

/** What could not be judged, by reason, the most frequent first, each with what the user can do, and where. */
export function inconclusiveSection(run: RunResult, width: number, most: number): Line[] {
  const found = run.checks.filter(({ outcome }) => outcome === 'inconclusive');
  if (found.length === 0) return [];
  const groups = byReason(found);
  const longest = Math.max(...groups.map(([reason]) => reason.length));
  const lines = groups.map(([reason, group]): Line => {
    const { means, remedy } = reasonIn(run, reason, group);
    const code = `${whole(group.length)}×`.padStart(7).concat(` ${reason.padEnd(longest)}  `);
    const where = { text: `: ${mostConcerned(group, width - code.length - remedy.length - 2)}` };
    return { spans: [{ text: code }, { text: remedy }, where, { text: ` · ${means}`, style: 'weak' }] };
  });
  return [
    blank,
    line(`${counted(found.length, 'check')} inconclusive`, 'doubt'),
    ...atMost(lines, most, 'reason'),
  ];
}

/** Hosts that were left out, loudly, and in one line what else there was nothing to judge at. */
export function notApplicableSection(run: RunResult): Line[] {
  const found = run.checks.filter(({ outcome }) => outcome === 'not-applicable');
  const [away, here] = [true, false].map((without) =>
    found.filter(({ reason }) => (reason === 'host-not-given') === without),
  ) as [Result[], Result[]];
  const hosts = Array.from(Map.groupBy(away, (check) => absentHost(run, check))).map(([host, lost]) => {
    const operations = counted(new Set(lost.flatMap(operationsOf)).size, 'operation');
    const checksLost = counted(lost.length, 'check');
    return line(`NOT JUDGED: ${operations} of ${host} (${checksLost}). Set ${variableOf[host]}.`, 'doubt');
  });
  const rest = byReason(here).map(([reason, { length }]) => `${whole(length)} ${reason}`);
  const lines = [
    ...hosts,
    ...(rest.length === 0 ? [] : [line(`not applicable: ${rest.join(', ')}`, 'weak')]),
  ];
  return lines.length === 0 ? [] : [blank, ...lines];
}

/** Where everything is. The paths are there to be copied, so they are never cut. */
export function filesSection(outDir: string, formats: readonly Format[]): Line[] {
  const paths = filesOf(formats).map(({ name, holds }) => ({ path: join(outDir, name), holds }));
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

/** `party.update, queue.enter, match.create and 9 more`: the operations with the most of these checks, as many as fit. */
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

function atMost(lines: readonly Line[], most: number, thing: string): Line[] {
  if (lines.length <= most) return [...lines];
  const more = `      … and ${counted(lines.length - most + 1, `more ${thing}`)} in ${resultFile}`;
  return [...lines.slice(0, most - 1), line(more, 'weak')];
}
