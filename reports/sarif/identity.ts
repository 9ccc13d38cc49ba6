// How code-scanning views tell places and alerts apart.
import { createHash } from 'node:crypto';

/** The name that they know for the root of a checkout. */
export const base = '%SRCROOT%';

/** Of a check, or of what is of no check. */
export const fingerprintsOf = (id: string) => ({
  'assayCheckId/v1': id,
  // Code scanning tells alerts apart by this one: without it, all the checks of a line are the same alert.
  primaryLocationLineHash: `${createHash('sha256').update(id).digest('hex').slice(0, 16)}:1`,
});
