// Writes gl-code-quality.json for GitLab's merge requests, in its subset of the Code Climate format.
import { createHash } from 'node:crypto';
import type { Result, RunResult } from '../../engine/run/result.ts';
import { foundText, type PlaceOf, unexcused } from '../summary/causes.ts';

/** Failures that count, and warnings; one finding per check. */
export function gitlabCodeQuality(run: RunResult, placeOf: PlaceOf) {
  return unexcused(run.checks)
    .filter(({ outcome }) => outcome === 'fail' || outcome === 'warn')
    .map((check) => finding(check, placeOf));
}

function finding(check: Result, placeOf: PlaceOf) {
  const { id, title, clause, outcome, level } = check;
  const { file, line } = placeOf(check);
  return {
    description: `${id}: ${title}: ${foundText(check)}`.slice(0, 1_000),
    check_name: clause,
    // Unique, and equal from run to run.
    fingerprint: createHash('sha256').update(id).digest('hex'),
    severity: outcome === 'warn' ? 'minor' : level === 'documented' ? 'critical' : 'major',
    location: { path: file, lines: { begin: line } },
  };
}
