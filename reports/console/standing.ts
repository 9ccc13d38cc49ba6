// Prints what waivers and the baseline excuse, and what got worse without failing.
import { reasonIn } from '../../engine/run/reasons.ts';
import type { Result, RunResult } from '../../engine/run/result.ts';
import { operationsOf } from '../summary/causes.ts';
import { counted, whole } from '../summary/headline.ts';
import { shortened } from './causes.ts';
import { blank, type Line, line, terminalText, wrap } from './layout.ts';

const mostProblems = 4;
const mostEnds = 4;

/** Failures that neither a waiver nor the baseline excuses. */
export const counting = (checks: readonly Result[]): readonly Result[] =>
  checks.filter(({ waived, known }) => waived === undefined && known === undefined);

/** Waivers that are out of date, failures that are waived and until when, and what is known from the baseline. */
export function standingSection(run: RunResult, width: number): Line[] {
  const lines = [
    ...unmatchedLines(run, width),
    ...silentLines(run, width),
    ...lostLines(run, width),
    ...problemLines(run),
    ...waivedLines(run, width),
    ...knownLines(run),
  ];
  return lines.length === 0 ? [] : [blank, ...lines];
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

function problemLines({ waivers }: RunResult): Line[] {
  const problems = waivers.flatMap(({ problem }) => problem ?? []);
  const shown = problems.slice(0, mostProblems).map((problem) => line(problem, 'bad'));
  const more = problems.length - shown.length;
  return more > 0 ? [...shown, line(`… and ${counted(more, 'more waiver')} out of date`, 'bad')] : shown;
}

/** `3 failures waived: party.*#schema until 2026-12-31, …`, what ends first first. */
function waivedLines({ checks, waivers }: RunResult, width: number): Line[] {
  const count = checks.filter(({ waived }) => waived !== undefined).length;
  if (count === 0) return [];
  const ends = waivers
    .filter(({ waived }) => waived > 0)
    .sort((a, b) => (a.expires < b.expires ? -1 : 1))
    .map(({ check, expires }) => `${check} until ${expires}`);
  const more = ends.length > mostEnds ? ` and ${whole(ends.length - mostEnds)} more` : '';
  const summary = `${counted(count, 'failure')} waived: ${ends.slice(0, mostEnds).join(', ')}${more}`;
  return wrap(terminalText(summary), width, 2).map((part) => line(part, 'doubt'));
}

function knownLines({ baseline }: RunResult): Line[] {
  if (baseline === undefined || baseline.knownFailures === 0) return [];
  return [
    line(
      `${counted(baseline.knownFailures, 'failure')} known from the baseline; report.html and result.json mark each as known`,
      'doubt',
    ),
  ];
}

/** What passed in the baseline and is no longer there to be asked: no failure, but worse. */
function silentLines(run: RunResult, width: number): Line[] {
  const { baseline, checks } = run;
  const worse = new Set(baseline?.worse);
  const silent = checks.filter(({ id, outcome }) => worse.has(id) && outcome !== 'fail');
  return Array.from(
    Map.groupBy(silent, ({ reason }) => reason),
    ([reason, found]): Line => {
      const remedy = reason === undefined ? '' : `: ${reasonIn(run, reason, found).remedy}`;
      const at = shortened([...new Set(found.flatMap(operationsOf))], Math.max(20, Math.floor(width / 3)));
      const count = counted(found.length, 'check');
      return {
        spans: [
          { text: `${count} passed in the baseline, now ${reason}${remedy}  `, style: 'bad' },
          { text: at, style: 'weak' },
        ],
      };
    },
  ).slice(0, mostProblems);
}

/** What the baseline judged and nothing is known of now: not worse, as far as anybody knows. */
function lostLines({ baseline, checks }: RunResult, width: number): Line[] {
  const ids = new Set(baseline?.noLongerJudged);
  const lost = checks.filter(({ id }) => ids.has(id));
  // What nobody knows of goes before what there is no precondition for, or no host.
  const isIdle = ({ outcome }: Result) => Number(outcome === 'not-applicable');
  const sorted = lost.toSorted((a, b) => isIdle(a) - isIdle(b));
  const groups = Map.groupBy(sorted, ({ reason, outcome }) => reason ?? outcome);
  const shown = [...groups].slice(0, mostProblems).map(([reason, found]): Line => {
    const text = `${counted(found.length, 'check')} of the baseline no longer judged (${reason})  `;
    const at = shortened(
      found.map(({ id }) => id),
      Math.max(20, width - text.length - 12),
    );
    return {
      spans: [
        { text, style: 'doubt' },
        { text: at, style: 'weak' },
      ],
    };
  });
  const more = groups.size - shown.length;
  return more > 0
    ? [...shown, line(`… and for ${counted(more, 'more reason')}, in report.html`, 'doubt')]
    : shown;
}
