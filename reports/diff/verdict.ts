// Decides the verdict of a comparison, and writes it as data (`assay.diff/1`).
import type { Change, Changes } from '../../engine/run/changes.ts';
import type { RunResult } from '../../engine/run/result.ts';
import { counted, whole } from '../summary/headline.ts';
import type { DiffView } from './render.ts';

const isWorse = ({ kinds, shortfalls }: Changes) => kinds.worse.length > 0 || shortfalls.length > 0;

/** 1 where something got worse, or fails and is not shown to be old. */
export function exitCodeOf(changes: Changes): 0 | 1 {
  return isWorse(changes) || changes.kinds['unjudged-before'].length > 0 ? 1 : 0;
}

/** `3 failing, not judged in A`. */
export function failingUnjudgedBefore(kinds: Changes['kinds']): string {
  return `${whole(kinds['unjudged-before'].length)} failing, not judged in A`;
}

/** `12 behaviours changed in 3 ways`: one change may show at many operations. */
export function behavioursChanged(behaviours: Changes['behaviours']): string {
  const points = behaviours.reduce((sum, { points }) => sum + points.length, 0);
  const ways = behaviours.length === points ? '' : ` in ${counted(behaviours.length, 'way')}`;
  return `${counted(points, 'behaviour')} changed${ways}`;
}

/** `4 warnings gone`. */
export function warningsGone(kinds: Changes['kinds']): string {
  return `${counted(kinds['no-longer-warned'].length, 'warning')} gone`;
}

/** One line: is it worse, and how much of what changed. */
export function verdictLine(changes: Changes): string {
  const { kinds, shortfalls, behaviours } = changes;
  const parts: [count: number, text: string][] = [
    [kinds.worse.length, counted(kinds.worse.length, 'regression')],
    [shortfalls.length, `too little judged on ${shortfalls.map(({ host }) => host).join(', ')}`],
    [kinds['unjudged-before'].length, failingUnjudgedBefore(kinds)],
    [kinds.lost.length, `${whole(kinds.lost.length)} no longer judged`],
    [kinds['newly-warned'].length, counted(kinds['newly-warned'].length, 'new warning')],
    [behaviours.length, behavioursChanged(behaviours)],
    [kinds['no-longer-warned'].length, warningsGone(kinds)],
    [kinds.repaired.length, `${whole(kinds.repaired.length)} repaired`],
  ];
  const phrases = parts.flatMap(([count, text]) => (count > 0 ? [text] : []));
  if (isWorse(changes)) return `Worse: ${phrases.join(' · ')}`;
  if (exitCodeOf(changes) === 1) return `Not shown to be old: ${phrases.join(' · ')}`;
  return phrases.length === 0 ? 'Nothing changed.' : `Not worse: ${phrases.join(' · ')}`;
}

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
