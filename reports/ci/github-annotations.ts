// Writes annotations of a GitHub workflow, and keeps a target's words from being read as workflow commands.

import type { RunResult } from '../../engine/run/result.ts';
import { counted } from '../../engine/values/text.ts';
import { shortened } from '../console/cause-lines.ts';
import { terminalText } from '../console/layout.ts';
import { type Cause, causes, foundText, type PlaceOf, titleOf, unexcused } from '../summary/causes.ts';
import { runTrouble } from '../summary/headline.ts';

/** GitHub shows ten errors of a step and drops the rest in silence. */
const mostErrors = 10;

/** `::error …` for each of the heaviest causes, and a notice that sums up; one command a line. */
export function githubAnnotations(run: RunResult, placeOf: PlaceOf): string[] {
  const found = causes(unexcused(run.checks));
  const trouble = runTrouble(run, found.length > 0);
  const most = trouble === undefined ? mostErrors : mostErrors - 1;
  const hiddenCauses = found.length - most;
  const more = hiddenCauses > 0 ? ` ${counted(hiddenCauses, 'more cause')} in report.md.` : '';
  return [
    ...found.slice(0, most).map((cause) => errorLine(cause, placeOf)),
    // Where the run fails besides its causes, the verdict is shown as an error.
    `::${trouble === undefined ? 'notice' : 'error'} title=Assay::${data(`${run.headline.verdict}${more}`)}`,
  ];
}

function errorLine(cause: Cause, placeOf: PlaceOf): string {
  const { example, results, operations } = cause;
  const { file, line } = placeOf(example);
  const text = [
    `${counted(results.length, 'check')} at ${shortened(operations, 200)}`,
    foundText(example),
    `again: ${example.rerun}`,
  ];
  const properties = `file=${property(file)},line=${line},title=${property(titleOf(cause))}`;
  return `::error ${properties}::${data(text.join('\n'))}`;
}

const longest = 1_500;

/** Escapes % and line feeds as @actions/toolkit does, as the runner decodes them; shows other control characters. */
function data(text: string): string {
  const lines = text.slice(0, longest).toWellFormed().split('\n').map(terminalText);
  return lines.join('\n').replaceAll('%', '%25').replaceAll('\n', '%0A');
}

const property = (text: string) => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');

// The runner obeys commands anywhere in a step's output, a target's words included.

/**
 * Lines that keep the runner from obeying what is printed between them: a target's words are no commands.
 * @param token random, so that no target can write the closing line
 */
export function stopCommands(token: string): { readonly before: string; readonly after: string } {
  return { before: `::stop-commands::${token}`, after: `::${token}::` };
}
