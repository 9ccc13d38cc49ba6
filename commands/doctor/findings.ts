// What stands in the way of a judgement, and what to do about it.
import type { Host } from '../../catalog/operation.ts';
import type { Examination } from './examination.ts';
import * as host from './host-findings.ts';
import * as fit from './interface-findings.ts';
import { tooLittle, unseen } from './interface-findings.ts';
import * as setting from './setting-findings.ts';

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

/** Each in turn may find nothing; what it finds stands in this order among findings of its weight. */
const looks: readonly ((examination: Examination) => readonly Finding[])[] = [
  ...[
    host.unreachable,
    host.misplaced,
    host.walls,
    host.nothingServed,
    fit.signIn,
    fit.onePlayer,
    fit.segments,
    fit.givenVersion,
    fit.words,
  ],
  ...[unseen, host.anyNames, host.haste, host.slowness, host.clocks],
  ...[
    setting.hostsLeftOut,
    setting.pointers,
    setting.profile,
    setting.players,
    setting.versionPattern,
    setting.resources,
    host.certificates,
  ],
];

const order: readonly Weight[] = ['stops', 'hides', 'more'];

/** What to mend first stands first. */
export function findingsOf(examination: Examination): Finding[] {
  const each = looks.flatMap((look) => look(examination));
  const all = [...each, ...tooLittle(examination, each)];
  return order.flatMap((weight) => all.filter((finding) => finding.weight === weight));
}

/** Can a run judge enough of the target? */
export const isReady = (findings: readonly Finding[]) => findings.every(({ weight }) => weight !== 'stops');
