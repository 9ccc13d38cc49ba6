// Rules about what a server is given: bodies, values, methods, credentials, versions and names that are not what it expects.
import type { Rule } from '../../engine/probe/check.ts';
import { absentFile } from './absent-file.ts';
import { anonymous, spoiledCredential } from './anonymous.ts';
import { anonymousPrivate } from './anonymous-private.ts';
import { badBodies } from './bad-bodies.ts';
import { booleans } from './booleans.ts';
import { brackets } from './brackets.ts';
import { deadSession } from './dead-session.ts';
import { inboxFilter } from './inbox-filter.ts';
import { oddValues } from './odd-values.ts';
import { otherMethodRule } from './other-method.ts';
import { otherVersion } from './other-version.ts';
import { redirectParameter } from './redirect-parameter.ts';
import { typesRepeated } from './types-repeated.ts';

export const inputRules: readonly Rule[] = [
  ...badBodies,
  ...oddValues,
  typesRepeated,
  brackets,
  booleans,
  inboxFilter,
  redirectParameter,
  otherMethodRule,
  anonymous,
  spoiledCredential,
  anonymousPrivate,
  deadSession,
  otherVersion,
  absentFile,
];
