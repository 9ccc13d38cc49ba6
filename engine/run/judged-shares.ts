// Computes how much of what the document states was judged, per host.
import { allHosts, type Host } from '../../catalog/operation.ts';
import { judged } from '../judgement.ts';
import type { Result } from './result.ts';

/** Per host: of the documented-level checks, applicable and not waived, the share that was judged, 0 to 1. */
export function judgedShares(checks: readonly Result[]): Partial<Record<Host, number>> {
  const shares: Partial<Record<Host, number>> = {};
  for (const host of allHosts) {
    const counted = checks.filter(
      (check) =>
        check.host === host &&
        check.level === 'documented' &&
        check.outcome !== 'not-applicable' &&
        check.waived === undefined,
    );
    if (counted.length > 0)
      shares[host] = counted.filter(({ outcome }) => judged.has(outcome)).length / counted.length;
  }
  return shares;
}
