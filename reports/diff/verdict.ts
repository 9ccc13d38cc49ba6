// What a comparison comes to.
import type { Changes } from '../../fixtures/check/changes/changes.ts';
import { counted, whole } from '../headline.ts';

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
  const told = parts.flatMap(([count, text]) => (count > 0 ? [text] : []));
  if (isWorse(changes)) return `Worse: ${told.join(' · ')}`;
  if (exitCodeOf(changes) === 1) return `Not shown to be old: ${told.join(' · ')}`;
  return told.length === 0 ? 'Nothing changed.' : `Not worse: ${told.join(' · ')}`;
}
