// Renders a trend for the console, and as data (`assay.trend/1`).
import { counted, threeDigits, whole } from '../../engine/values/text.ts';
import { typed } from '../../engine/values/typed-command.ts';
import { type ConsoleView, field, type Line, line, paint } from '../console/layout.ts';

import type { LoadRecord } from './read.ts';
import {
  type Clock,
  clockOf,
  conforms,
  flakyRule,
  type Trend,
  type TrendRun,
  type UnhealthyCheck,
} from './trend.ts';

const mostShown = 20;

export function trendText(trend: Trend, view: ConsoleView): string {
  const day = clockOf(trend);
  const lines = [
    ...overview(trend, day),
    ...unhealthyChecks(
      'broken',
      trend.broken,
      ({ isFromTheFirst, since, streak, lately }) =>
        `fails in ${isFromTheFirst ? everyRun(streak, trend) : counted(streak, 'run')}, since ${day(since)}: ${lately}`,
    ),
    ...unhealthyChecks(
      'flaky',
      trend.flaky,
      ({ changes, lately }) => `switched between good and failing ${changes} times lately: ${lately}`,
      `${flakyRule.changes} switches or more in its last ${flakyRule.window} judgements, and the last ${flakyRule.settled} are not all failures`,
    ),
    ...unhealthyChecks(
      'mended',
      trend.mended,
      ({ since, streak, lately }) =>
        `mended on ${day(since)}, good in ${counted(streak, 'run')} since: ${lately}`,
    ),
    ...newWarnings(trend),
    ...changedBehaviours(trend),
    ...capacity(trend, day),
    ...trend.unread
      .slice(0, mostShown)
      .flatMap(({ file, problem }) => field('not read', `${file} ${problem}`, view.width, 2)),
    ...more(trend.unread.length, 'file'),
  ];
  return lines.map((line) => paint(line, view)).join('\n');
}

function overview({ runs, copies }: Trend, day: Clock): Line[] {
  const [first, last] = [runs[0], runs.at(-1)];
  if (!first || !last) return [line(`no run of ${typed('run')} among these files`)];
  const targets = new Set(runs.map(({ target }) => target)).size;
  return [
    line(
      `${counted(runs.length, 'run')} from ${day(first.startedAt)} to ${day(last.startedAt)}${
        copies > 0 ? ` (${counted(copies, 'copy')} left out)` : ''
      }`,
    ),
    line(`the last one: ${lastRun(last)}`, conforms(last) ? 'good' : 'bad'),
    line(
      `since the one before: ${whole(last.newlyBroken.length)} newly broken, ${whole(last.mended.length)} mended, ${counted(last.newlyWarned.length, 'new warning')}, ${counted(last.behaviours.length, 'change')} of behaviour`,
    ),
    ...(targets > 1
      ? [line(`${targets} targets: the history of a check mixes its judgements on all of them`, 'doubt')]
      : []),
  ];
}

/** Names the number of runs where some did not judge the check: a run may judge only a part of the checks. */
const everyRun = (judged: number, { runs }: Trend): string =>
  judged === runs.length ? 'every run' : `every run that judged it (${judged} of ${runs.length})`;

function lastRun({ target, isPart, served, operations, summary, waived }: TrendRun): string {
  const excused = waived > 0 ? ` (${whole(waived)} waived)` : '';
  const scope = isPart
    ? 'a part of the checks'
    : `${whole(served)} of ${whole(operations)} operations served`;
  return `${target} · ${scope} · ${whole(summary.fail)} failed${excused} · ${whole(summary.warn)} warned · ${whole(summary.inconclusive)} inconclusive`;
}

function unhealthyChecks(
  name: string,
  list: readonly UnhealthyCheck[],
  describe: (check: UnhealthyCheck) => string,
  rule?: string,
): Line[] {
  if (list.length === 0) return [];
  const heading = `${name}: ${counted(list.length, 'check')}${rule ? ` (${rule})` : ''}`;
  const shown = alike(list, describe).slice(0, mostShown);
  const left = list.length - shown.reduce((sum, { count }) => sum + count, 0);
  return [
    line(''),
    line(heading, name === 'broken' ? 'bad' : name === 'mended' ? 'good' : 'doubt'),
    ...shown.map(({ first: { id, isWaived }, rule, count, course }) =>
      line(
        `  ${id}${count > 1 ? ` and ${counted(count - 1, 'more check')} of ${rule}` : ''}${isWaived ? ' (waived)' : ''}  ${course}`,
      ),
    ),
    ...andMore(left, 'check'),
  ];
}

/** Folds checks of one rule with the same course: an area that went away would hide everything else. */
function alike(list: readonly UnhealthyCheck[], describe: (check: UnhealthyCheck) => string) {
  // A step has no rule: its id is a group of its own.
  const ruleIn = (id: string) => /#.*$/.exec(id)?.[0] ?? id;
  const groups = Map.groupBy(list, (check) =>
    JSON.stringify([ruleIn(check.id), describe(check), check.isWaived]),
  );
  return Array.from(groups.values(), (group) => {
    const first = group[0] as UnhealthyCheck;
    return { first, rule: ruleIn(first.id), course: describe(first), count: group.length };
  });
}

function newWarnings({ runs }: Trend): Line[] {
  const last = runs.at(-1)?.newlyWarned ?? [];
  if (last.length === 0) return [];
  return [
    line(''),
    line(`new warnings of the last run: ${whole(last.length)}`, 'doubt'),
    ...last.slice(0, mostShown).map((id) => line(`  ${id}`)),
    ...more(last.length, 'warning'),
  ];
}

function changedBehaviours({ runs }: Trend): Line[] {
  const last = runs.at(-1)?.behaviours ?? [];
  if (last.length === 0) return [];
  return [
    line(''),
    line(`behaviours that the last run found changed: ${whole(last.length)}`),
    ...last.slice(0, mostShown).map(({ points, before, after, places }) => {
      const [place] = places ?? [];
      const what = place
        ? `${place.at || 'the answer'}: ${place.before} → ${place.after}`
        : `${before} → ${after}`;
      return line(`  ${points[0]}${points.length > 1 ? ` and ${points.length - 1} more` : ''}  ${what}`);
    }),
    ...more(last.length, 'change'),
  ];
}

function capacity({ loads }: Trend, day: Clock): Line[] {
  const found = loads.filter(({ kind }) => kind === 'capacity');
  const last = new Map(found.map((record) => [record.journey, record]));
  if (last.size === 0) return [];
  return [
    line(''),
    ...Array.from(last.values(), ({ journey, verdict, figures, startedAt }) =>
      line(`capacity of ${journey}: ${verdict}${capacityText(figures)} on ${day(startedAt)}`),
    ),
  ];
}

/** ` 180 (174 to 187)`; leaves out what is not known. */
function capacityText({ capacity: found, confirmed, failed }: LoadRecord['figures']): string {
  if (found === undefined) return '';
  const between =
    confirmed !== undefined &&
    failed !== undefined &&
    ` (${threeDigits(confirmed)} to ${threeDigits(failed)})`;
  return ` ${threeDigits(found)}${between || ''}`;
}

const more = (all: number, thing: string): Line[] => andMore(all - mostShown, thing);

const andMore = (left: number, thing: string): Line[] =>
  left > 0 ? [line(`  … and ${counted(left, `more ${thing}`)}`, 'weak')] : [];

// The trend as data, for scripts.

/** Lists at most this number of ids and of changes for each run; `count` is the number of all. */
const mostListed = 200;

/** JSON text, one run a line; checks that never failed are left out. */
export function trendJson({ runs, broken, flaky, mended, loads, unread, copies }: Trend): string {
  const lines = (list: readonly unknown[]) =>
    list.length === 0 ? '[]' : `[\n${list.map((item) => `  ${JSON.stringify(item)}`).join(',\n')}\n ]`;
  return `{
 "schema": "assay.trend/1",
 "copies": ${copies},
 "runs": ${lines(runs.map(runOf))},
 "broken": ${lines(broken)},
 "flaky": ${lines(flaky)},
 "mended": ${lines(mended)},
 "loads": ${lines(loads)},
 "unread": ${lines(unread)}
}
`;
}

function runOf({ newlyBroken, mended, newlyWarned, behaviours, ...facts }: TrendRun) {
  const listed = <Item>(list: readonly Item[]) => ({
    count: list.length,
    list: list.slice(0, mostListed),
  });
  return {
    ...facts,
    newlyBroken: listed(newlyBroken),
    mended: listed(mended),
    newlyWarned: listed(newlyWarned),
    behaviours: listed(behaviours),
  };
}
