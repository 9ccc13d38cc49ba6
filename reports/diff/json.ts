// The comparison as data, for scripts: `assay.diff/1`.
import type { Change } from '../../fixtures/check/changes/changes.ts';
import type { RunResult } from '../../fixtures/check/result.ts';
import type { DiffView } from './render.ts';
import { exitCodeOf, verdictLine } from './verdict.ts';

/** JSON text; checks by what became of them, those that did not change left out. */
export function diffJson({ before, after, changes }: DiffView): string {
  const { kinds, shortfalls, behaviours, gone, added, notAsked, strictnessDiffers } = changes;
  const ids = (list: readonly Change[]) => list.map(({ after }) => after.id);
  const value = {
    schema: 'assay.diff/1',
    verdict: verdictLine(changes),
    exitCode: exitCodeOf(changes),
    before: about(before),
    after: about(after),
    strictnessDiffers,
    regressions: kinds.worse.map(inFull),
    unjudgedBefore: kinds['unjudged-before'].map(inFull),
    shortfalls,
    noLongerJudged: kinds.lost.map(inFull),
    newlyWarned: kinds['newly-warned'].map(inFull),
    behaviours,
    warningsGone: ids(kinds['no-longer-warned']),
    repaired: ids(kinds.repaired),
    stillFailing: ids(kinds['still-failing']),
    waived: ids(kinds.waived),
    newlyJudged: ids(kinds['newly-judged']),
    otherwise: kinds.otherwise.filter(({ before }) => before).map(inFull),
    gone: gone.map(({ id }) => id),
    added: added.map(({ id }) => id),
    notAsked,
  };
  return `${JSON.stringify(value, null, 1)}\n`;
}

const about = ({ target, startedAt, runId, ended }: RunResult) => ({ target, startedAt, runId, ended });

function inFull({ before, after }: Change) {
  const { id, title, operation, clause, level, outcome, reason, expected, actual, detail, rerun } = after;
  return {
    ...{ id, title, operation, clause, level, was: before?.outcome ?? null, outcome },
    ...{ reason, expected, actual, detail, rerun },
  };
}
