// report.md: a run for a job summary or an issue, where a reader decides whether to open the rest.
import type { RunResult } from '../../fixtures/check/result.ts';
import { counting } from '../console/standing.ts';
import { causes } from '../fold.ts';
import { counted } from '../headline.ts';
import { bounded, bytesOf } from './bounded.ts';
import { causeBlock } from './cause-block.ts';
import * as section from './sections.ts';

/** GitHub cuts a job summary at 1 MiB and an issue's text at 64 Ki characters; this fits both. */
const mostBytes = 60 * 1024;

/** Findings that are rendered at all; nobody reads further, and a run can have thousands. */
const mostCauses = 200;

/** The run as GitHub-flavoured Markdown of at most 60 KiB, whatever is in it. */
export function renderMarkdown(run: RunResult): string {
  const before = [...section.head(run), ...section.changed(run)];
  const after = [
    ...section.folded(run.checks, 'harness-error'),
    ...section.flows(run),
    ...section.folded(run.checks, 'warn'),
    ...section.inconclusive(run),
    ...section.waived(run),
    ...section.remarks(run),
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
