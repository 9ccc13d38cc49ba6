// What a user sees first when a run has ended.
import { join } from 'node:path';
import type { RunResult } from '../../fixtures/check/result.ts';
import { type Format, resultFile } from '../files.ts';
import { type Cause, causes } from '../fold.ts';
import { counted } from '../headline.ts';
import { causeBlock, causeLine } from './cause-block.ts';
import { flowSection, leftBehindSection } from './flow-section.ts';
import { blank, type Line, line, paint } from './line.ts';
import * as section from './sections.ts';
import { counting, standingSection } from './standing.ts';

/** Fits a tall terminal and is read without scrolling twice. */
const mostLines = 58;
const narrowest = 40;

export interface SummaryOptions {
  readonly colour: boolean;
  /** Columns; lines are cut to it, but for commands and paths that are there to be copied. */
  readonly width: number;
  readonly outDir: string;
  /** Asked for beside the usual files. */
  readonly formats?: readonly Format[];
  /** False: there are no files to point at. */
  readonly isWritten?: boolean;
}

/** The end of a run in at most 60 lines: headline, failures by cause, what was not judged and why, files. */
export function renderSummary(result: RunResult, options: SummaryOptions): string {
  const width = Math.max(options.width, narrowest);
  const found = causes(counting(result.checks));
  const head = section.headSection(result, width);
  const fixed = {
    errors: section.foldedSection(result.checks, 'harness-error', width, 4),
    standing: standingSection(result, width),
    flows: [...flowSection(result.checks, width), ...leftBehindSection(result)],
    rest: [
      ...section.notApplicableSection(result),
      ...(options.isWritten === false ? [] : section.filesSection(options.outDir, options.formats ?? [])),
    ],
  };
  const taken = Object.values(fixed).reduce((sum, lines) => sum + lines.length, head.length);
  // Two lists share what is left where nothing failed; each has two lines around it.
  const most = found.length === 0 ? Math.floor((mostLines - taken) / 2) - 2 : 6;
  const tail = [
    ...fixed.errors,
    ...fixed.standing,
    ...fixed.flows,
    ...section.foldedSection(result.checks, 'warn', width, most),
    ...section.inconclusiveSection(result, width, most),
    ...fixed.rest,
  ];
  const room = mostLines - head.length - tail.length;
  const failures = failureSection(found, width, room, join(options.outDir, resultFile));
  return [...head, ...failures, ...tail].map((each) => paint(each, { ...options, width })).join('\n');
}

/** Blocks while they fit, then causes of one line, then how many were left out. */
function failureSection(found: readonly Cause[], width: number, room: number, file: string): Line[] {
  const lines: Line[] = [];
  const rest = [...found];
  const reserved = () => (rest.length > 1 ? 2 : 0);
  for (const cause of found) {
    const block = causeBlock(cause, width);
    if (lines.length + block.length + reserved() > room) break;
    lines.push(...block);
    rest.shift();
  }
  if (rest.length > 0) lines.push(blank);
  const short = rest.splice(
    0,
    Math.max(0, room - lines.length - (rest.length > room - lines.length ? 1 : 0)),
  );
  lines.push(...short.map((cause) => causeLine(cause, width)));
  if (rest.length > 0) {
    const failures = rest.reduce((sum, { results }) => sum + results.length, 0);
    lines.push(
      line(
        `… and ${counted(rest.length, 'more cause')} (${counted(failures, 'failure')}) in ${file}`,
        'weak',
      ),
    );
  }
  return lines;
}
