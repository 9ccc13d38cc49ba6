// Renders the comparison of two runs as text, in the order in which a release manager asks: is it worse, where, and
// what else changed.

import { askedDifferently } from '../../engine/run/asked.ts';
import type { BehaviourChange, CheckChange } from '../../engine/run/compare-runs.ts';
import { reasons } from '../../engine/run/reason-codes.ts';
import { operationsOf, type Result, type RunResult, type TargetSummary } from '../../engine/run/result.ts';
import { counted, minuteOf, percent, whole } from '../../engine/values/text.ts';
import { causeLine, shortened } from '../console/cause-lines.ts';
import {
  blank,
  type ConsoleView,
  copiedField,
  field,
  type Line,
  line,
  paint,
  paragraph,
  type Style,
} from '../console/layout.ts';
import { causes, titleOf } from '../summary/causes.ts';
import { attackLines } from '../summary/headline.ts';
import {
  behavioursChanged,
  type DiffView,
  exitCodeOf,
  failingUnjudgedBefore,
  lostOf,
  newFailure,
  verdictLine,
  warningsGone,
} from './diff.ts';

interface Section {
  readonly heading: string;
  readonly style: Style;
  /** What one block is, for the count of those left out. */
  readonly thing: string;
  readonly blocks: readonly (readonly Line[])[];
  /** Lines it may take whatever the others take, heading and the blank one before it included. */
  readonly room: number;
}

/** The lines that the section takes with all of its blocks. */
const wholeOf = ({ blocks }: Section): number =>
  blocks.length === 0 ? 0 : 2 + blocks.reduce((sum, block) => sum + block.length, 0);

/** The lines of each section: room that a section does not need goes to the first sections that need more. */
function roomsOf(sections: readonly Section[], lines: number): number[] {
  const own = sections.map((section) => Math.min(section.room, wholeOf(section)));
  let spare = Math.max(0, lines - own.reduce((sum, room) => sum + room, 0));
  return sections.map((section, at) => {
    const more = Math.min(spare, wholeOf(section) - (own[at] ?? 0));
    spare -= more;
    return (own[at] ?? 0) + more;
  });
}

/** The section's lines; none where it has no block. */
function sectionLines({ heading, style, thing, blocks }: Section, room: number, all: boolean): Line[] {
  if (blocks.length === 0) return [];
  const lines = [blank, line(heading, style)];
  for (const [index, block] of blocks.entries()) {
    const remaining = blocks.length - index;
    const reserved = remaining > 1 ? 1 : 0;
    if (!all && lines.length + block.length + reserved > room) {
      lines.push(line(`  … and ${counted(remaining, `more ${thing}`)} (--all shows them)`, 'weak'));
      break;
    }
    lines.push(...block);
  }
  return lines;
}

// Labels of the runs: target and date, since both may be the same target.

/** `http://127.0.0.1:8080 · 2026-01-02 03:04 UTC`. */
function runLabel({ target, startedAt, ended }: RunResult): string {
  const cut = ended === 'complete' ? '' : ` · cut off (${ended})`;
  return `${targetName(target)} · ${minuteOf(startedAt)}${cut}`;
}

/** The hosts, each URL once; an embedded server has new addresses each time. */
export function targetName({ embedded, base, cdn, gamelogs }: TargetSummary): string {
  if (embedded) return 'embedded server';
  return [...new Set([base, cdn, gamelogs])].filter((url) => url !== undefined).join(', ');
}

/** How the runs were asked differently, which may explain differences; undefined where they were asked alike. */
function caution({ before, after }: DiffView): string | undefined {
  const [was, is] = askedDifferently(before, after);
  const attacked = ({ checks }: RunResult) => attackLines(checks).length > 0;
  // A rerun asks no attack that held.
  const isAttackedAlike = before.options.rerun || after.options.rerun || attacked(before) === attacked(after);
  const attacks = (run: RunResult) =>
    isAttackedAlike ? [] : [attacked(run) ? 'with attacks' : 'without attacks'];
  const texts = [
    [...was, ...attacks(before)],
    [...is, ...attacks(after)],
  ].map((parts) => parts.join(', '));
  if (texts.every((text) => text === '')) return undefined;
  const [a, b] = texts.map((text) => text || 'none of these');
  return `asked differently: A ${a}; B ${b}`;
}

const mostPlaces = 6;

/** @param checks of the later run, whose titles say what was observed */
function behaviourBlocks(
  changes: readonly BehaviourChange[],
  checks: readonly Result[],
  { width, all }: { readonly width: number; readonly all: boolean },
): Line[][] {
  const titles = new Map(checks.map(({ id, title }) => [id, title]));
  return changes.map(({ points, before, after, places }) => {
    const [first = ''] = points;
    const at = shortened(
      points.map((point) => point.replace(/#.*$/, '')),
      Math.max(20, Math.floor(width / 2)),
    );
    const heading: Line = {
      spans: [{ text: `  ${titles.get(first) ?? first}  ` }, { text: at, style: 'weak' }],
    };
    if (places === undefined) return [heading, ...field('A', before, width), ...field('B', after, width)];
    const shown = all ? places : places.slice(0, mostPlaces);
    const more = places.length - shown.length;
    return [
      heading,
      ...shown.map((place) => line(`    ${place.at || 'the answer'}: ${place.before} → ${place.after}`)),
      ...(more > 0 ? [line(`    … and ${counted(more, 'more place')}`, 'weak')] : []),
    ];
  });
}

/** Blocks for failures that are new, then for checks that are worse without failing. */
function regressionBlocks(worse: readonly CheckChange[], width: number): Line[][] {
  const was = new Map(worse.map(({ before, after }) => [after.id, before?.outcome ?? 'not asked']));
  const failures = causes(worse.map(({ after }) => after)).map((cause): Line[] => {
    const { example, results, operations } = cause;
    const before = [...new Set(results.map(({ id }) => was.get(id)))].join(' or ');
    return [
      line(`  ${titleOf(cause)} (${counted(results.length, 'check')}; in A ${before})`),
      ...field('expected', example.expected ?? '', width),
      ...field('actual', example.actual ?? example.detail ?? '', width),
      copiedField('rerun', example.rerun),
      ...field('at', shortened(operations, width - 12), width),
    ];
  });
  const silent = worse.map(({ after }) => after).filter(({ outcome }) => outcome !== 'fail');
  return [...failures, ...reasonBlocks(silent, width)];
}

/** One line per reason, the most frequent first, each with its remedy. */
function reasonBlocks(results: readonly Result[], width: number): Line[][] {
  const groups = Map.groupBy(results, ({ reason, outcome }) => reason ?? outcome);
  return Array.from(groups)
    .sort(([, a], [, b]) => b.length - a.length)
    .map(([reason, found]) => {
      const remedy = reason in reasons ? reasons[reason as keyof typeof reasons].remedy : 'see B';
      return countedLine(found, `${reason}: ${remedy}`, Math.max(20, Math.floor(width / 3)));
    });
}

/** How many results, what they have in common, and where. @param most columns for the operations */
function countedLine(results: readonly Result[], what: string, most: number): Line[] {
  const at = shortened([...new Set(results.flatMap(operationsOf))], most);
  const count = `${whole(results.length)}×`.padStart(7);
  return [{ spans: [{ text: `${count} ${what}  ` }, { text: at, style: 'weak' }] }];
}

const narrowest = 40;
const mostLines = 80;

/** The comparison as text, with `all` every line of it. */
export function renderDiff(view: DiffView, options: ConsoleView & { readonly all: boolean }): string {
  const width = Math.max(options.width, narrowest);
  const [first, shown, last] = [head(view, width), sections(view, { width, all: options.all }), tail(view)];
  const rooms = roomsOf(shown, mostLines - first.length - last.length);
  const lines = [
    ...first,
    ...shown.flatMap((each, at) => sectionLines(each, rooms[at] ?? 0, options.all)),
    ...last,
  ];
  return lines.map((each) => paint(each, { ...options, width })).join('\n');
}

function head(view: DiffView, width: number): Line[] {
  const { before, after, changes } = view;
  const shortfalls = changes.shortfalls.map(({ host, before: was, after: is }) => {
    const earlier = was === undefined ? 'not asked in A' : `${percent(was)} in A`;
    return line(
      `too little was judged on ${host}: ${percent(is)} of its documented checks (${earlier})`,
      'bad',
    );
  });
  const asked = caution(view);
  const isSameTarget = targetName(before.target) === targetName(after.target);
  const notes = [
    ...(isSameTarget ? [] : ['two targets: worse means worse on B than on A']),
    ...(before.startedAt > after.startedAt ? ['A is the later of the two runs'] : []),
    ...(changes.strictnessDiffers
      ? ['only one run was --strict: inferred clauses are compared as warnings']
      : []),
  ];
  return [
    // The caution comes before any count.
    ...(asked === undefined ? [] : paragraph(asked, width, 2, 'doubt')),
    ...paragraph(verdictLine(view), width, 2, exitCodeOf(view) === 0 ? 'good' : 'bad'),
    line(`A  ${runLabel(before)}`, 'weak'),
    line(`B  ${runLabel(after)}`, 'weak'),
    ...shortfalls,
    ...notes.map((note) => line(note, 'doubt')),
  ];
}

function sections(view: DiffView, how: { width: number; all: boolean }): Section[] {
  const { before, after, changes } = view;
  const { kinds, behaviours } = changes;
  const { width } = how;
  const unjudged = kinds['unjudged-before'];
  const resultsOf = (kind: keyof typeof kinds) => kinds[kind].map(({ after }) => after);
  return [
    {
      heading: counted(kinds.worse.length, newFailure(before, after)),
      style: 'bad',
      thing: 'cause',
      blocks: regressionBlocks(kinds.worse, width),
      room: unjudged.length === 0 ? 28 : 18,
    },
    {
      heading: `${failingUnjudgedBefore(kinds)}, which was cut off`,
      style: 'bad',
      thing: 'cause',
      blocks: regressionBlocks(unjudged, width),
      room: kinds.worse.length === 0 ? 28 : 10,
    },
    {
      heading: `${counted(lostOf(view).length, 'check')} no longer judged`,
      style: 'doubt',
      thing: 'reason',
      blocks: reasonBlocks(lostOf(view), width),
      room: 9,
    },
    {
      heading: counted(kinds['newly-warned'].length, 'new warning'),
      style: 'doubt',
      thing: 'cause',
      blocks: causes(resultsOf('newly-warned').map(asWarning), 'warn').map((cause) =>
        causeLine(cause, width),
      ),
      room: 8,
    },
    {
      heading: behavioursChanged(behaviours),
      style: 'doubt',
      thing: 'change',
      blocks: behaviourBlocks(behaviours, after.checks, how),
      room: 16,
    },
    {
      heading: warningsGone(kinds),
      style: 'good',
      thing: 'rule',
      blocks: rulesOf(resultsOf('no-longer-warned'), width),
      room: 5,
    },
    {
      heading: `${whole(kinds.repaired.length)} repaired`,
      style: 'good',
      thing: 'rule',
      blocks: rulesOf(resultsOf('repaired'), width),
      room: 6,
    },
  ];
}

/** Shows a failure of --strict as a warning where only one of the runs was strict. */
const asWarning = (result: Result): Result => ({ ...result, outcome: 'warn' });

/** One line per rule, with its operations. */
function rulesOf(results: readonly Result[], width: number): Line[][] {
  const groups = Map.groupBy(results, ({ title }) => title);
  return Array.from(groups, ([title, results]) => countedLine(results, title, Math.floor(width / 2)));
}

/** The changes that are only counted. */
function tail(view: DiffView): Line[] {
  const { kinds, gone, added, notAsked } = view.changes;
  const parts: [count: number, text: string][] = [
    [kinds['still-failing'].length, 'still failing'],
    [kinds.waived.length, 'failing and waived'],
    [kinds['newly-judged'].filter(({ before }) => before).length, 'newly judged'],
    [added.length, `new ${added.length === 1 ? 'check' : 'checks'}`],
    [gone.length, `${gone.length === 1 ? 'check' : 'checks'} gone`],
    [notAsked, 'not asked in one of the runs'],
    [
      kinds.otherwise.filter(({ before }) => before).length + kinds.lost.length - lostOf(view).length,
      'with another outcome, neither better nor worse',
    ],
    [kinds.alike.length, 'with the same outcome'],
  ];
  const phrases = parts.flatMap(([count, text]) => (count > 0 ? [`${whole(count)} ${text}`] : []));
  return phrases.length === 0 ? [] : [blank, line(phrases.join(' · '), 'weak')];
}
