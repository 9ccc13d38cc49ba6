// Which run is which: by target and date, since it may be one target twice or two targets.
import type { RunResult, TargetSummary } from '../../fixtures/check/result.ts';

/** `http://127.0.0.1:8080 · 2026-01-02 03:04 UTC`. */
export function runLabel({ target, startedAt, ended }: RunResult): string {
  const cut = ended === 'complete' ? '' : ` · cut off (${ended})`;
  return `${targetName(target)} · ${startedAt.slice(0, 16).replace('T', ' ')} UTC${cut}`;
}

/** The hosts, each URL once. */
export function targetName({ embedded, base, cdn, gamelogs }: TargetSummary): string {
  if (embedded) return 'embedded server';
  return [...new Set([base, cdn, gamelogs])].filter((url) => url !== undefined).join(', ');
}

/** The addresses of an embedded server are new each time. */
export function isSameTarget(a: TargetSummary, b: TargetSummary): boolean {
  return targetName(a) === targetName(b);
}
