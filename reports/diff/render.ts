// The comparison of two runs in the order a release manager reads it: is it worse, in what, and what else changed.
import type { Changes } from '../../fixtures/check/changes/changes.ts';
import type { Result, RunResult } from '../../fixtures/check/result.ts';
import { causeLine, shortened } from '../console/cause-block.ts';
import { wrap } from '../console/columns.ts';
import { blank, type Line, line, paint } from '../console/line.ts';
import { terminalText } from '../console/terminal-text.ts';
import { causes, operationsOf } from '../fold.ts';
import { counted, whole } from '../headline.ts';
import { behaviourBlocks } from './behaviours.ts';
import { isSameTarget, runLabel } from './label.ts';
import { reasonBlocks, regressionBlocks } from './regressions.ts';
import { type Section, sectionLines } from './section.ts';
import {
  behavioursChanged,
  exitCodeOf,
  failingUnjudgedBefore,
  verdictLine,
  warningsGone,
} from './verdict.ts';

export interface DiffView {
  readonly before: RunResult;
  readonly after: RunResult;
  readonly changes: Changes;
}

export interface DiffOptions {
  readonly colour: boolean;
  /** Columns. */
  readonly width: number;
  /** Every line; without it at most 80. */
  readonly all: boolean;
}

const narrowest = 40;

/** The comparison as text. */
export function renderDiff(view: DiffView, options: DiffOptions): string {
  const width = Math.max(options.width, narrowest);
  const lines = [
    ...head(view, width),
    ...sections(view, { width, all: options.all }).flatMap((each) => sectionLines(each, options.all)),
    ...tail(view.changes),
  ];
  return lines.map((each) => paint(each, { ...options, width })).join('\n');
}

function head({ before, after, changes }: DiffView, width: number): Line[] {
  const shortfalls = changes.shortfalls.map(({ host, before: was, after: is }) => {
    const earlier = was === undefined ? 'not asked in A' : `${percent(was)} in A`;
    return line(
      `too little was judged on ${host}: ${percent(is)} of its documented checks (${earlier})`,
      'bad',
    );
  });
  const notes = [
    ...(isSameTarget(before.target, after.target) ? [] : ['two targets: worse means worse on B than on A']),
    ...(before.startedAt > after.startedAt ? ['A is the later of the two runs'] : []),
    ...(changes.strictnessDiffers
      ? ['only one run was --strict: inferred clauses are compared as warnings']
      : []),
  ];
  return [
    ...wrap(terminalText(verdictLine(changes)), width, 2).map((part) =>
      line(part, exitCodeOf(changes) === 0 ? 'good' : 'bad'),
    ),
    line(`A  ${runLabel(before)}`, 'weak'),
    line(`B  ${runLabel(after)}`, 'weak'),
    ...shortfalls,
    ...notes.map((note) => line(note, 'doubt')),
  ];
}

function sections({ after, changes }: DiffView, how: { width: number; all: boolean }): Section[] {
  const { kinds, behaviours } = changes;
  const { width } = how;
  const unjudged = kinds['unjudged-before'];
  const of = (kind: keyof typeof kinds) => kinds[kind].map(({ after }) => after);
  return [
    {
      heading: counted(kinds.worse.length, 'regression'),
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
      heading: `${counted(kinds.lost.length, 'check')} no longer judged`,
      style: 'doubt',
      thing: 'reason',
      blocks: reasonBlocks(of('lost'), width),
      room: 9,
    },
    {
      heading: counted(kinds['newly-warned'].length, 'new warning'),
      style: 'doubt',
      thing: 'cause',
      blocks: causes(of('newly-warned').map(asWarning), 'warn').map((cause) => [causeLine(cause, width)]),
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
      blocks: rulesOf(of('no-longer-warned'), width),
      room: 5,
    },
    {
      heading: `${whole(kinds.repaired.length)} repaired`,
      style: 'good',
      thing: 'rule',
      blocks: rulesOf(of('repaired'), width),
      room: 6,
    },
  ];
}

/** What fails under --strict alone is held as a warning where only one of the runs was strict. */
const asWarning = (result: Result): Result => ({ ...result, outcome: 'warn' });

/** One line a rule, and where. */
function rulesOf(results: readonly Result[], width: number): Line[][] {
  const groups = Map.groupBy(results, ({ title }) => title);
  return Array.from(groups, ([title, results]): Line[] => {
    const at = shortened([...new Set(results.flatMap(operationsOf))], Math.floor(width / 2));
    const count = `${whole(results.length)}×`.padStart(7);
    return [{ spans: [{ text: `${count} ${title}  ` }, { text: at, style: 'weak' }] }];
  });
}

/** What needs no more than a number. */
function tail({ kinds, gone, added, notAsked }: Changes): Line[] {
  const parts: [count: number, text: string][] = [
    [kinds['still-failing'].length, 'still failing'],
    [kinds.waived.length, 'failing and waived'],
    [kinds['newly-judged'].filter(({ before }) => before).length, 'newly judged'],
    [added.length, `new ${added.length === 1 ? 'check' : 'checks'}`],
    [gone.length, `${gone.length === 1 ? 'check' : 'checks'} gone`],
    [notAsked, 'not asked in one of the runs'],
    [kinds.otherwise.filter(({ before }) => before).length, 'with another outcome, neither better nor worse'],
    [kinds.alike.length, 'with the same outcome'],
  ];
  const told = parts.flatMap(([count, text]) => (count > 0 ? [`${whole(count)} ${text}`] : []));
  return told.length === 0 ? [] : [blank, line(told.join(' · '), 'weak')];
}

const percent = (share: number) => `${Math.floor(share * 100)} %`;
