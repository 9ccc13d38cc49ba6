// Mutants of Assay itself: one part of the judge accepts everything. The server mutants that are named with it must
// then survive, or another check must fail.
import { contentDifferences, sameBytes, sameContent, sameOutline } from '../../../engine/compare/content.ts';
import { createContrast } from '../../../engine/compare/contrast.ts';
import {
  breakage,
  brokenFraming,
  etagOf,
  isServerError,
  redirectOf,
  strongEtagOf,
} from '../../../engine/probe/matchers/http-fields.ts';
import {
  byteOrderMark,
  holdsJson,
  jsonDialect,
  labelledJson,
  notJson,
  notUtf8,
  valuesOf,
} from '../../../engine/probe/matchers/json.ts';
import { namedVersions, versionIn } from '../../../engine/probe/matchers/version.ts';
import { routedFor } from '../../../engine/probe/served/routed-table.ts';
import { flip } from '../../../engine/values/switch-points.ts';
import { keyIn, usesOf } from '../../../suites/authentication.ts';
import { addressIn } from '../../../suites/general.ts';
import { ownData } from '../../../suites/rules/anonymous-private.ts';
import { undecodable } from '../../../suites/rules/coding.ts';
import { standing } from '../../../suites/rules/dead-session.ts';
import { headContradicts } from '../../../suites/rules/head.ts';
import { internalsShown } from '../../../suites/rules/no-internals.ts';
import { sharedCaching } from '../../../suites/rules/private.ts';
import { wrongRange } from '../../../suites/rules/range.ts';
import { schemaMismatch } from '../../../suites/rules/schema.ts';
import { shapeDifference } from '../../../suites/rules/stable-shape.ts';

export interface JudgeMutant {
  /** The part of the judge that is replaced. */
  readonly name: string;
  /** Replaces that part in this thread; returns a function to put it back. */
  readonly apply: () => () => void;
  /** Full names of server mutants that Assay should no longer find. */
  readonly serverMutants: readonly string[];
}

const mutant = (
  name: string,
  apply: JudgeMutant['apply'],
  ...serverMutants: readonly string[]
): JudgeMutant => ({
  name,
  apply,
  serverMutants,
});

/** Several switch points at once. */
const all =
  (...flips: readonly (() => () => void)[]) =>
  () => {
    const undo = flips.map((each) => each());
    return () => {
      for (const each of undo) each();
    };
  };

const nothing = () => undefined;

export const mutants: readonly JudgeMutant[] = [
  mutant('addressIn', () => flip(addressIn, () => 'wss://yes.test'), 'address on general.realTimeUrl'),
  mutant(
    'breakage',
    () => flip(breakage, nothing),
    'gzip-body on players.addFriend',
    'query-long on party.get',
  ),
  mutant('brokenFraming', () => flip(brokenFraming, nothing), 'framing (too short) on general.currencies'),
  mutant('wrongRange', () => flip(wrongRange, nothing), 'range on clientData.catalog'),
  mutant('undecodable', () => flip(undecodable, nothing), 'coding (not coded) on clientData.catalog'),
  mutant(
    'etagOf and strongEtagOf',
    all(
      () => flip(etagOf, nothing),
      () => flip(strongEtagOf, nothing),
    ),
    'modified on clientData.catalog',
  ),
  mutant(
    'createContrast',
    () => flip(createContrast, () => () => new Set()),
    'coding (other content) on clientData.catalog',
  ),
  mutant('usesOf', () => flip(usesOf, () => []), 'refuses-empty-token on auth.login'),
  mutant('headContradicts', () => flip(headContradicts, () => []), 'head on clientData.catalog'),
  mutant('internalsShown', () => flip(internalsShown, nothing), 'no-internals on general.currencies'),
  mutant('jsonDialect', () => flip(jsonDialect, nothing), 'interoperable (large number) on general.version'),
  mutant('notJson', () => flip(notJson, nothing), 'media (two texts) on general.version'),
  mutant('notUtf8', () => flip(notUtf8, nothing), 'utf8 on general.version'),
  mutant('byteOrderMark', () => flip(byteOrderMark, nothing), 'bom on general.version'),
  mutant(
    'labelledJson and holdsJson',
    all(
      () => flip(labelledJson, () => false),
      () => flip(holdsJson, () => false),
    ),
    'bom on general.version',
    'media (two texts) on general.version',
  ),
  mutant('sameOutline (always)', () => flip(sameOutline, () => true), 'brackets on messages.listInbox'),
  mutant('sameOutline (never)', () => flip(sameOutline, () => false), 'other-method on general.version'),
  mutant(
    'ownData',
    () => flip(ownData, () => ({ own: [], shown: [] })),
    'anonymous-private on playerName.get',
  ),
  mutant('schemaMismatch', () => flip(schemaMismatch, nothing), 'schema on archives.journal'),
  mutant(
    'keyIn',
    () => flip(keyIn, () => ({ kind: 'public', form: 'PEM' })),
    'public-key (private) on auth.publicKey',
  ),
  mutant('redirectOf', () => flip(redirectOf, nothing), 'routed (redirected away) on general.currencies'),
  mutant('sameBytes', () => flip(sameBytes, () => true), 'etag-stable on clientData.catalog'),
  mutant(
    'contentDifferences',
    () => flip(contentDifferences, () => new Set()),
    'coding (other content) on clientData.catalog',
  ),
  mutant('sameContent', () => flip(sameContent, () => true), 'private on playerName.get'),
  mutant('isServerError', () => flip(isServerError, () => false), 'gzip-body on players.addFriend'),
  mutant('shapeDifference', () => flip(shapeDifference, nothing), 'stable-shape on general.version'),
  mutant('sharedCaching', () => flip(sharedCaching, nothing), 'private on playerName.get'),
  mutant('standing', () => flip(standing, () => 'nobody'), 'dead-session on general.currencies'),
  mutant(
    'valuesOf',
    () => flip(valuesOf, () => [{ name: 'url', value: 'wss://yes.test' }]),
    'address on general.realTimeUrl',
  ),
  mutant(
    'versionIn',
    () => flip(versionIn, () => ({ kind: 'version', value: '1.0' })),
    'version-report on general.version',
  ),
  mutant('namedVersions', () => flip(namedVersions, () => ['7.2.0_1']), 'the content version has no files'),
  // As other test suites judge: the status alone says whether an operation is served.
  mutant(
    'routedFor (by status)',
    () =>
      flip(routedFor, ({ status }) =>
        [404, 405, 501].includes(status)
          ? { served: false, kind: 'unrouted', why: 'by its status' }
          : { served: true, why: 'by its status' },
      ),
    'routed (bucket without the file) on clientData.catalog',
    'routed (catch-all) on game.shrine',
    'routed (wall) on game.shrine',
    'routed (unknown resource) on archives.story',
  ),
];
