// Lists what keeps a run from judging the target, and what to do about it.
import type { Examination } from '../examine.ts';
import * as clientData from './client-data.ts';
import type { Finding, Weight } from './finding.ts';
import * as host from './hosts.ts';
import * as gameInterface from './interface.ts';
import * as settings from './settings.ts';
import * as signIn from './sign-in.ts';

/** Findings of one weight stand in this order. */
const finders: readonly ((examination: Examination) => readonly Finding[])[] = [
  // Whether a run reaches the hosts, signs in, and knows the paths.
  ...[
    host.unreachableFindings,
    host.misplacedFindings,
    host.nothingServedFindings,
    signIn.signInFindings,
    // Another host may let nobody in because nobody can sign in.
    host.wallFindings,
    signIn.onePlayerFindings,
    clientData.segmentFindings,
    clientData.givenVersionFindings,
    gameInterface.wordFindings,
  ],
  // What disturbs a run that reaches them.
  ...[
    host.transientErrorFindings,
    gameInterface.unseenFindings,
    host.anyNameFindings,
    host.rateLimitFindings,
    host.slownessFindings,
    host.clockFindings,
  ],
  // What the settings could state besides.
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

/** Collects all findings and sorts them by weight: what to fix first stands first. */
export function findingsOf(examination: Examination): Finding[] {
  const found = finders.flatMap((findingsIn) => findingsIn(examination));
  const all = [...found, ...gameInterface.tooLittleFindings(examination, found)];
  return order.flatMap((weight) => all.filter((finding) => finding.weight === weight));
}

/** Whether a run can judge enough of the target. */
export const isReady = (findings: readonly Finding[]) => findings.every(({ weight }) => weight !== 'stops');
