// The sentences of the interface document that name one call and say what it does.
import type { Check } from '../../engine/probe/check.ts';
import { logBatches } from './log-batches.ts';
import { logoutEndsSession } from './logout.ts';
import { privacyVersions } from './privacy-versions.ts';
import { publicKey } from './public-key.ts';
import { realTimeAddress } from './real-time-address.ts';
import { refusedLogins } from './refused-logins.ts';
import { versionReports } from './version-reports.ts';

export const sentenceChecks: readonly Check[] = [
  publicKey,
  realTimeAddress,
  ...versionReports,
  ...logBatches,
  ...refusedLogins,
  logoutEndsSession,
  privacyVersions,
];
