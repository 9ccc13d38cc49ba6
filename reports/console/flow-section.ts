// Which flows work: those that do on one line, each of the others as a line of steps.
import type { Result, RunResult } from '../../fixtures/check/result.ts';
import { type FlowLine, flowsOf, isPlayed, isTroubled, signs, wasPlayed } from '../flows.ts';
import { counted } from '../headline.ts';
import { wrap } from './columns.ts';
import { blank, type Line, line, type Style } from './line.ts';

const styles: Readonly<Record<string, Style>> = { '✗': 'bad', E: 'bad', '!': 'doubt', '?': 'doubt' };

export function flowSection(checks: readonly Result[], width: number): Line[] {
  const flows = flowsOf(checks);
  if (flows.length === 0) return [];
  const troubled = flows.filter(isTroubled);
  // What was not played is not found to be right.
  const fine = flows.filter((flow) => !isTroubled(flow) && isPlayed(flow));
  const idle = flows.filter((flow) => !isPlayed(flow));
  const longest = Math.max(...flows.map(({ name }) => name.length));
  const steps = fine.reduce((sum, flow) => sum + flow.steps.filter(wasPlayed).length, 0);
  const named = fine.map(({ name }) => name).join(', ');
  return [
    blank,
    ...(fine.length === 0
      ? []
      : wrap(`flows without a finding: ${named} (${counted(steps, 'step')})`, width, 2).map((part) =>
          line(part),
        )),
    ...(idle.length === 0
      ? []
      : wrap(`flows not played: ${idle.map(({ name }) => name).join(', ')}`, width, 2).map((part) =>
          line(part),
        )),
    ...troubled.map((flow) => stepLine(flow, longest)),
    ...(troubled.length === 0
      ? []
      : [line('  ✓ passed  · observed  ! warning  ✗ failed  ? inconclusive  - not applicable', 'weak')]),
  ];
}

function stepLine({ name, steps }: FlowLine, longest: number): Line {
  const spans = steps.map(({ outcome }) => {
    const text = signs[outcome];
    const style = styles[text];
    return style ? { text, style } : { text };
  });
  return { spans: [{ text: `  ${name.padEnd(longest)}  ` }, ...spans] };
}

const mostLeft = 3;

/** What flows made on the target and could not put back: no verdict, but somebody may want to tidy up. */
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
