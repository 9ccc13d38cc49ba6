// Prints findings on the console: the rule, why it exists, what was seen, how to repeat it; and what is excused.

import { reasonIn } from '../../engine/run/reason-codes.ts';
import { operationsOf, type Result, type RunResult, ruleOf } from '../../engine/run/result.ts';
import { counted, whole } from '../../engine/values/text.ts';
import { resultFile } from '../files.ts';
import {
  type Cause,
  changeText,
  claimOf,
  earlierCallsText,
  exchangesOf,
  furtherLines,
  prerequisiteText,
  resultsIn,
  rulesOf,
  seenText,
  titleOf,
} from '../summary/causes.ts';

import {
  blank,
  columns,
  copiedField,
  field,
  fitting,
  folded,
  type Line,
  line,
  paragraph,
  type Style,
  terminalText,
  wrap,
} from './layout.ts';

/** Most characters of a command that is shown: nobody reads or pastes a longer one. */
const longestCurl = 1_000;

/** The lines of one cause, a blank one first. */
export function causeBlock(cause: Cause, width: number): Line[] {
  const { example, results, operations } = cause;
  const { says, why } = claimOf(cause);
  const isWarning = example.outcome === 'warn';
  const earlier = earlierCallsText(example);
  return [
    blank,
    ...folded(
      [
        { text: `${titleOf(cause)} `, style: isWarning ? 'doubt' : 'bad' },
        { text: `(${counted(results.length, isWarning ? 'warning' : 'failure')})` },
      ],
      width,
      2,
    ),
    ...field('clause', `${says} (${example.level}, ${clausesOf(cause)})`, width, 2),
    ...field('why', why, width, 2),
    ...field('expected', example.expected ?? '', width, 2),
    ...field('actual', example.actual ?? example.detail ?? '', width, 2),
    ...commandLines(example, earlier === '' ? [] : field('before it', earlier, width, 2)),
    ...(rulesOf(cause) < 2 ? [] : field('checks', shortened(idsOf(cause), width - 12), width)),
    ...furtherLines(cause).flatMap((text) => field('also', text, width)),
    ...(operations.length === 0 ? [] : field('at', shortened(operations, width - 12), width)),
  ];
}

/** The lines of a check that was asked for by name and could not be judged, a blank one first. */
export function openBlock(result: Result, width: number): Line[] {
  const { id, reason, detail = '', prerequisite } = result;
  return [
    blank,
    { spans: [{ text: `${id} `, style: 'doubt' }, { text: 'could not be judged' }] },
    ...field('reason', `${reason}: ${detail}`, width, 4),
    ...(prerequisite === undefined ? [] : field('before it', prerequisiteText(prerequisite), width, 4)),
    ...commandLines(result),
  ];
}

/** The commands that repeat a check; `between` states what the curl leaves out. */
const commandLines = ({ curl, rerun }: Result, between: readonly Line[] = []): Line[] => [
  ...(curl === undefined ? [] : [copiedField('curl', curlLine(curl))]),
  ...between,
  copiedField('rerun', rerun),
];

/** Columns of the count that begins an entry of a list; its further lines are indented by as many. */
export const countWidth = 8;

/** Most columns of a cause's text, over all of its lines on a narrow terminal. */
const mostSeen = 240;

/** A cause in one line, where its block has no room; in more on a narrow terminal, so that its ids are not cut. */
export function causeLine(cause: Cause, width: number): Line[] {
  const { results } = cause;
  const count = `${whole(results.length)}×`.padStart(7);
  const text = terminalText(`${titleOf(cause)}: ${seenText(cause)}`);
  const [indent, room] = [' '.repeat(countWidth), width - countWidth];
  const at = (most: number) => ({ text: shortened(idsOf(cause), most), style: 'weak' }) as const;
  const beside = at(Math.max(20, Math.floor(width / 3)));
  if (columns(`${text}  ${beside.text}`) <= room)
    return [{ spans: [{ text: `${count} ${text}  ` }, beside] }];
  const [first = '', ...further] = wrap(text, room, Math.ceil(mostSeen / room));
  return [
    line(`${count} ${first}`),
    ...further.map((part) => line(`${indent}${part}`)),
    ...folded([{ text: indent }, at(room)], width, countWidth),
  ];
}

/** The ids of its checks, as --only, a waiver and `npm run explain` take them. */
const idsOf = ({ results }: Cause) => results.map(({ id }) => id);

/** The example's clause, and how many more one cause broke. */
function clausesOf({ example, results }: Cause): string {
  const more = new Set(results.map(({ clause }) => clause)).size - 1;
  return more === 0 ? example.clause : `${example.clause} and ${whole(more)} more`;
}

/** A command that a terminal would not print as it stands cannot be copied from it. */
function curlLine(curl: string): string {
  const printable = curl.length <= longestCurl && terminalText(curl) === curl;
  return printable ? curl : `see ${resultFile}`;
}

/** `a, b, c … and 128 more`: as many as fit, at least one. */
export function shortened(names: readonly string[], width: number): string {
  const all = names.join(', ');
  if (columns(all) <= width) return all;
  const ending = ` … and ${whole(names.length)} more`;
  let taken = names[0] ?? '';
  let count = 1;
  for (const name of names.slice(1)) {
    if (columns(`${taken}, ${name}${ending}`) > width) break;
    taken += `, ${name}`;
    count += 1;
  }
  return count === names.length ? all : `${taken} … and ${whole(names.length - count)} more`;
}

/** Lines kept below a block, to state that there are more causes. */
export const linesOfRest = ({ length }: readonly Cause[]) => (length > 1 ? 2 : 0);

/** Causes that are shown at least in short, before a second one is shown in full. */
const fewestShown = 5;

/** Blocks while they fit, then causes in short, then how many were left out. */
export function failureSection(found: readonly Cause[], width: number, room: number, file: string): Line[] {
  const lines: Line[] = [];
  const rest = [...found];
  const reserved = () => {
    if (lines.length === 0) return linesOfRest(rest);
    const next = rest.slice(1, Math.max(1, fewestShown - (found.length - rest.length)));
    const inShort = next.reduce((sum, cause) => sum + causeLine(cause, width).length, 0);
    return inShort + Number(inShort > 0) + Number(rest.length > next.length + 1);
  };
  for (const cause of found) {
    const block = causeBlock(cause, width);
    if (lines.length + block.length + reserved() > room) break;
    lines.push(...block);
    rest.shift();
  }
  if (rest.length > 0) lines.push(blank);
  while (rest[0] !== undefined) {
    const short = causeLine(rest[0], width);
    if (lines.length + short.length + Number(rest.length > 1) > room) break;
    lines.push(...short);
    rest.shift();
  }
  if (rest.length > 0) {
    const failures = counted(resultsIn(rest), 'failure');
    lines.push(line(`… and ${counted(rest.length, 'more cause')} (${failures}) in ${file}`, 'weak'));
  }
  return lines;
}

// Prints what waivers and the baseline excuse, and what got worse without failing.

const mostProblems = 4;
const mostEnds = 4;

/** Waivers that are out of date, failures that are waived and until when, and what is known from the baseline. */
export function standingSection(run: RunResult, width: number): Line[] {
  const lines = [
    ...sinceLines(run, width),
    ...unmatchedLines(run, width),
    ...silentLines(run, width),
    ...lostLines(run, width),
    ...problemLines(run, width),
    ...waivedLines(run, width),
    ...knownLines(run, width),
  ];
  return lines.length === 0 ? [] : [blank, ...lines];
}

const mostOfChanges = { entries: 6, lines: 24 };

/**
 * Shows changes since the baseline that fail the run: the value in the baseline, the value now, and for the first
 * change the command that repeats it.
 */
function sinceLines({ checks, baseline }: RunResult, width: number): Line[] {
  const groups = Map.groupBy(
    checks.filter(({ since }) => since !== undefined),
    (check) => `${check.since?.gate} ${check.title} ${check.since && changeText(check.since, check)}`,
  );
  // Data of another player comes first, as in the verdict; then changed behaviours, failures, and lost judgements.
  const showsOthers = (found: readonly Result[]) => Number(found.some(({ othersData }) => othersData));
  const order = ['changed', 'worse', 'unjudged'];
  const rank = ([first]: readonly Result[]) => order.indexOf(first?.since?.gate ?? '');
  const sorted = [...groups.values()].toSorted(
    (a, b) => showsOthers(b) - showsOthers(a) || rank(a) - rank(b) || b.length - a.length,
  );
  const entries = sorted.map((found, at): Line[] => {
    const [example] = found;
    if (example?.since === undefined) return [];
    const ids = shortened(
      found.map(({ id }) => id),
      Math.max(30, Math.floor(width / 2)),
    );
    const change = changeText(example.since, example);
    const isWhole = example.since.gate === 'changed' && ruleOf(example.id) !== 'shape';
    const text = terminalText(isWhole ? change : `${example.title}: ${change}`);
    return [
      { spans: [{ text: 'CHANGED  ', style: 'bad' }, { text: ids }] },
      ...wrap(text, width - 9, 3).map((part) => line(`         ${part}`)),
      ...exchangesOf(example).map(([when, exchange]) =>
        line(`         ${when.padEnd(6)} ${terminalText(exchange)}`, 'weak'),
      ),
      ...(at > 0 ? [] : commandLines(example)),
    ];
  });
  const shown = fitting(entries, mostOfChanges);
  const more = sorted.length - shown.length;
  const { unsteady = [] } = baseline ?? {};
  const varied =
    unsteady.length === 0
      ? []
      : folded(
          [
            {
              text: `${counted(unsteady.length, 'check')} differed from the baseline, and not each time asked: ${shortened(unsteady, Math.max(30, width - 70))}`,
              style: 'weak',
            },
          ],
          width,
          2,
        );
  return [
    ...shown.flat(),
    ...(more > 0 ? [line(`… and ${counted(more, 'more change')}, in report.md`, 'bad')] : []),
    ...varied,
  ];
}

/** Pointers of the profile that matched no answer. */
function unmatchedLines({ unmatched = [] }: RunResult, width: number): Line[] {
  const shown = unmatched
    .slice(0, mostProblems)
    .flatMap((problem) =>
      wrap(terminalText(`profile: ${problem}`), width, 2).map((part) => line(part, 'doubt')),
    );
  const more = unmatched.length - mostProblems;
  return more > 0
    ? [...shown, line(`… and ${counted(more, 'more pointer')} that matched nothing, in result.json`, 'doubt')]
    : shown;
}

function problemLines({ waivers }: RunResult, width: number): Line[] {
  const problems = waivers.flatMap(({ problem }) => problem ?? []);
  const entries = problems.map((problem) => paragraph(problem, width, 2, 'bad'));
  const shown = fitting(entries, { entries: mostProblems, lines: 4 });
  const more = problems.length - shown.length;
  return more > 0
    ? [...shown.flat(), line(`… and ${counted(more, 'more waiver')} out of date`, 'bad')]
    : shown.flat();
}

/** `3 failures waived: party.*#schema until 2026-12-31, …`, by the end of the waivers. */
function waivedLines({ checks, waivers }: RunResult, width: number): Line[] {
  const excused = Map.groupBy(
    checks.filter(({ waived }) => waived !== undefined),
    ({ outcome }) => outcome,
  );
  if (excused.size === 0) return [];
  const counts = Array.from(excused, ([outcome, { length }]) =>
    counted(length, outcome === 'warn' ? 'warning' : 'failure'),
  );
  const ends = waivers
    .filter(({ waived }) => waived > 0)
    .sort((a, b) => (a.expires < b.expires ? -1 : 1))
    .map(({ check, expires }) => `${check} until ${expires}`);
  const more = ends.length > mostEnds ? ` and ${whole(ends.length - mostEnds)} more` : '';
  const summary = `${counts.join(' and ')} waived: ${ends.slice(0, mostEnds).join(', ')}${more}`;
  return wrap(terminalText(summary), width, 2).map((part) => line(part, 'doubt'));
}

function knownLines({ baseline }: RunResult, width: number): Line[] {
  if (baseline === undefined || baseline.knownFailures === 0) return [];
  const text = `${counted(baseline.knownFailures, 'failure')} known from the baseline; report.html and result.json mark each as known`;
  return folded([{ text, style: 'doubt' }], width, 2);
}

/** Lists checks that passed in the baseline and are worse now, though they neither fail nor warn. */
function silentLines(run: RunResult, width: number): Line[] {
  const { baseline, checks } = run;
  const worse = new Set(baseline?.worse);
  const silent = checks.filter(
    ({ id, outcome }) => worse.has(id) && outcome !== 'fail' && outcome !== 'warn',
  );
  const entries = Array.from(
    Map.groupBy(silent, ({ reason }) => reason),
    ([reason, found]): Line[] => {
      const remedy = reason === undefined ? '' : `: ${reasonIn(run, reason, found).remedy}`;
      const at = shortened([...new Set(found.flatMap(operationsOf))], Math.max(20, Math.floor(width / 3)));
      const count = counted(found.length, 'check');
      const text = `${count} passed in the baseline, now ${reason}${remedy}  `;
      const spans = [{ text, style: 'bad' } as const, { text: at, style: 'weak' } as const];
      return folded(spans, width, 2);
    },
  );
  return firstReasons(entries, 'bad');
}

/** Lists checks that the baseline judged and this run could not judge. */
function lostLines({ baseline, checks }: RunResult, width: number): Line[] {
  const ids = new Set(baseline?.noLongerJudged);
  const lost = checks.filter(({ id }) => ids.has(id));
  // Checks that are not applicable come last.
  const isIdle = ({ outcome }: Result) => Number(outcome === 'not-applicable');
  const sorted = lost.toSorted((a, b) => isIdle(a) - isIdle(b));
  const groups = Map.groupBy(sorted, ({ reason, outcome }) => reason ?? outcome);
  const entries = Array.from(groups, ([reason, found]): Line[] => {
    const text = `${counted(found.length, 'check')} of the baseline no longer judged (${reason})  `;
    const at = shortened(
      found.map(({ id }) => id),
      Math.max(20, width - text.length - 12),
    );
    return folded(
      [
        { text, style: 'doubt' },
        { text: at, style: 'weak' },
      ],
      width,
      2,
    );
  });
  return firstReasons(entries, 'doubt');
}

/** On a narrow terminal an entry takes several lines. */
const mostOfBaseline = { entries: mostProblems, lines: 4 };

function firstReasons(entries: readonly Line[][], style: Style): Line[] {
  const shown = fitting(entries, mostOfBaseline);
  const more = entries.length - shown.length;
  return more > 0
    ? [...shown.flat(), line(`… and for ${counted(more, 'more reason')}, in report.html`, style)]
    : shown.flat();
}
