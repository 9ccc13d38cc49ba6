// Lists what keeps a run from judging the target, and what to do about it.
import type { Host } from '../../../catalog/operation.ts';
import type { Examination } from '../examine.ts';
import * as clientData from './client-data.ts';
import * as host from './hosts.ts';
import * as fit from './interface.ts';
import * as settings from './settings.ts';
import * as signIn from './sign-in.ts';

/**
 * `stops`: a run cannot judge enough before it is mended. `hides`: part of the interface will be inconclusive.
 * `more`: a setting that would let more be judged.
 */
export type Weight = 'stops' | 'hides' | 'more';

/** Plain data without secrets. */
export interface Finding {
  /** Never changes its meaning. */
  readonly code: string;
  readonly weight: Weight;
  /** The host that it stops. */
  readonly host?: Host;
  readonly what: string;
  readonly remedy: string;
}

/** Findings of one weight stand in this order. */
const finders: readonly ((examination: Examination) => readonly Finding[])[] = [
  ...[
    host.unreachableFindings,
    host.misplacedFindings,
    host.wallFindings,
    host.nothingServedFindings,
    signIn.signInFindings,
    signIn.onePlayerFindings,
    clientData.segmentFindings,
    clientData.givenVersionFindings,
    fit.wordFindings,
  ],
  ...[
    host.passingErrorFindings,
    fit.unseenFindings,
    host.anyNameFindings,
    host.rateLimitFindings,
    host.slownessFindings,
    host.clockFindings,
  ],
  ...[
    settings.leftOutHostFindings,
    settings.pointerFindings,
    settings.pinFindings,
    settings.profileFindings,
    signIn.playerFindings,
    clientData.versionPatternFindings,
    settings.resourceFindings,
    host.certificateFindings,
  ],
];

const order: readonly Weight[] = ['stops', 'hides', 'more'];

/** Sorts findings by weight: what to mend first stands first. */
export function findingsOf(examination: Examination): Finding[] {
  const each = finders.flatMap((findingsIn) => findingsIn(examination));
  const all = [...each, ...fit.tooLittleFindings(examination, each)];
  return order.flatMap((weight) => all.filter((finding) => finding.weight === weight));
}

/** Can a run judge enough of the target? */
export const isReady = (findings: readonly Finding[]) => findings.every(({ weight }) => weight !== 'stops');
