// The table of rules, the most decisive first, with the operations that each one checks; and the suite of an area, which
// pairs its operations with them. Even a rule of a few lines has a file and a test, both named for its id: whoever reads
// `#null-list` in a report finds what it asks, and the servers that it must not accuse, without a search.
import { areas, isPublic } from '../../catalog/catalog.ts';
import type { Clause } from '../../catalog/clauses/clause.ts';
import { clauseById } from '../../catalog/clauses/clauses.ts';
import { isGet, type Operation } from '../../catalog/operation.ts';
import { type Check, check, type Rule, type Suite, suite } from '../../engine/probe/check.ts';
import { isReliable } from '../../engine/probe/intermittent-errors.ts';
import { lastParameter, oddNames, takesBody } from '../shared/bad-input.ts';
import { absentFile, isFirstOfFolder } from './absent-file.ts';
import { anonymous } from './anonymous.ts';
import { anonymousPrivate } from './anonymous-private.ts';
import { answers } from './answers.ts';
import { bom } from './bom.ts';
import { booleans } from './booleans.ts';
import { brackets } from './brackets.ts';
import { coding } from './coding.ts';
import { concurrent } from './concurrent.ts';
import { deadSession, logoutProbe } from './dead-session.ts';
import { echoedId } from './echoed-id.ts';
import { emptyBody } from './empty-body.ts';
import { etagStable } from './etag-stable.ts';
import { framing } from './framing.ts';
import { gzipBody } from './gzip-body.ts';
import { head } from './head.ts';
import { interoperable } from './interoperable.ts';
import { jsonFile } from './json-file.ts';
import { malformedBody } from './malformed-body.ts';
import { media } from './media.ts';
import { modified } from './modified.ts';
import { noInternals } from './no-internals.ts';
import { notModified } from './not-modified.ts';
import { notOver } from './not-over.ts';
import { nullList } from './null-list.ts';
import { otherMethodRule } from './other-method.ts';
import { otherRoot } from './other-root.ts';
import { otherVersion } from './other-version.ts';
import { ownAnswer } from './own-answer.ts';
import { ownVersion } from './own-version.ts';
import { pastTimes } from './past-times.ts';
import { pathEncoded } from './path-encoded.ts';
import { pathLong } from './path-long.ts';
import { pathUndecodable } from './path-undecodable.ts';
import { pathUnicode } from './path-unicode.ts';
import { privateRule } from './private.ts';
import { queryEmpty } from './query-empty.ts';
import { queryEncoded } from './query-encoded.ts';
import { queryLong } from './query-long.ts';
import { queryMissing } from './query-missing.ts';
import { queryRepeated } from './query-repeated.ts';
import { queryUndecodable } from './query-undecodable.ts';
import { queryUnicode } from './query-unicode.ts';
import { range } from './range.ts';
import { isHarmless, readMethods } from './read-methods.ts';
import { reliable } from './reliable.ts';
import { routed } from './routed.ts';
import { schema } from './schema.ts';
import { shape } from './shape.ts';
import { spoiledCredential } from './spoiled.ts';
import { stableShape } from './stable-shape.ts';
import { timeUnit } from './time-unit.ts';
import { timely } from './timely.ts';
import { takesUnknownId, unknownId } from './unknown-id.ts';
import { unknownIdBody } from './unknown-id-body.ts';
import { utf8 } from './utf8.ts';
import { vary } from './vary.ts';
import { versionReport } from './version-report.ts';
import { wrongMediaBody } from './wrong-media-body.ts';
import { wrongTypeBody } from './wrong-type-body.ts';

type Applies = (operation: Operation) => boolean;

const every: Applies = () => true;
const file: Applies = ({ host }) => host === 'cdn';
const jsonContent: Applies = ({ host, media }) => host === 'cdn' && media === 'json';
const withPathValue: Applies = (operation) => lastParameter(operation) !== undefined;
const withQuery: Applies = (operation) => oddNames(operation).length > 0;
const withList: Applies = ({ query }) => Object.keys(query).some((name) => name.endsWith('[]'));
const isIn =
  (...operations: readonly Operation[]): Applies =>
  (operation) =>
    operations.includes(operation);

const { auth, game, general, me, party, queue, utils } = areas;
const reportingVersion = isIn(
  general.checkClientVersion,
  general.version,
  utils.contentVersion,
  utils.contentVersionOf,
);
const withBoolean = isIn(party.get, party.details, party.leave, party.removePlayer);
/** A login without its token has a check of its own. */
const withQueryToLack: Applies = (operation) => withQuery(operation) && operation !== auth.login;
/** `types[]` may be repeated: a check of its own covers that. */
const withQueryGivenOnce: Applies = (operation) => withQuery(operation) && !('types[]' in operation.query);
const ofMainApi: Applies = ({ host }) => host === 'base';
const readOfMainApi: Applies = (operation) => ofMainApi(operation) && isGet(operation);
/** Operations that may need a credential. */
const guarded: Applies = (operation) => ofMainApi(operation) && !isPublic(operation);
/** Guarded operations by GET or POST: both may return private data. */
const guardedContent: Applies = (operation) =>
  guarded(operation) && (isGet(operation) || operation.method === 'POST');
const withIdInPath: Applies = (operation) =>
  guarded(operation) &&
  Object.keys(operation.identifiers).some((name) => operation.path.includes(`{${name}}`));
const takesBodyOfPlayers: Applies = (operation) => guarded(operation) && takesBody(operation);
const withUnknownId: Applies = (operation) => guarded(operation) && takesUnknownId(operation);
/** Operations that begin or end a session; `ends-session` in suites/me.ts judges the logout. */
const isOfSessions = isIn(auth.login, auth.publicKey, me.logout, logoutProbe);
const insideSession: Applies = (operation) => ofMainApi(operation) && !isOfSessions(operation);
/** The answer to entering the queue depends on the other players in it. */
const withShape: Applies = (operation) => operation !== queue.enter;

/** Entering the queue may take until there is a match. */
const calledAtOnce: Applies = (operation) => ofMainApi(operation) && operation !== queue.enter;
const ofVersion: Applies = (operation) => jsonContent(operation) && operation.path.includes('{gameVersion}');

/** The level of a check is that of its rule's clause in `catalog/clauses`. */
const table: readonly (readonly [rule: Rule, applies: Applies])[] = [
  [routed, every],
  [answers, every],
  [framing, every],
  [media, every],
  [utf8, every],
  [bom, every],
  [interoperable, every],
  [schema, every],
  [jsonFile, jsonContent],
  [coding, isGet],
  [vary, file],
  [etagStable, isGet],
  [notModified, isGet],
  [modified, isGet],
  [range, file],
  [head, isGet],
  [stableShape, isGet],
  [shape, withShape],
  [concurrent, every],
  [noInternals, every],
  [pastTimes, ofMainApi],
  [notOver, isIn(auth.login, queue.issueToken, game.shrine)],
  [timeUnit, ofMainApi],
  [timely, calledAtOnce],
  [ownVersion, ofVersion],
  [privateRule, readOfMainApi],
  [malformedBody, takesBody],
  [emptyBody, takesBody],
  [wrongTypeBody, takesBody],
  [unknownIdBody, takesBodyOfPlayers],
  [wrongMediaBody, takesBody],
  [gzipBody, takesBody],
  [pathLong, withPathValue],
  [pathUnicode, withPathValue],
  [pathEncoded, withPathValue],
  [pathUndecodable, withPathValue],
  [queryLong, withQuery],
  [queryEmpty, withQuery],
  [queryMissing, withQueryToLack],
  [queryUnicode, withQuery],
  [queryEncoded, withQuery],
  [queryUndecodable, withQuery],
  [queryRepeated, withQueryGivenOnce],
  [brackets, withList],
  [booleans, withBoolean],
  [otherMethodRule, every],
  [readMethods, isHarmless],
  [anonymous, (operation) => guarded(operation) || operation.area === 'logs'],
  [spoiledCredential, guarded],
  [anonymousPrivate, guardedContent],
  [reliable, isReliable],
  [ownAnswer, guarded],
  [nullList, readOfMainApi],
  [echoedId, withIdInPath],
  [unknownId, withUnknownId],
  [deadSession, insideSession],
  [otherVersion, file],
  [otherRoot, isFirstOfFolder],
  [absentFile, isFirstOfFolder],
  [versionReport, reportingVersion],
];

/** The rules, each with the operations that it applies to. */
export const rules = table.map(([rule, applies]) => ({ ...rule, applies }));

export const clauseOf = ({ clause }: Pick<Rule, 'clause'>, operation: Operation): Clause =>
  typeof clause === 'string' ? clauseById(clause) : clause(operation);

/** The suite of an area: each rule, asked of the operations that it applies to, and then the area's own checks. */
export const areaSuite = (
  name: string,
  area: Readonly<Record<string, Operation>>,
  ...own: readonly Check[]
): Suite => suite(name, [...Object.values(area).flatMap(checksOf), ...own]);

/** The checks that the rules ask of an operation. */
function checksOf(operation: Operation): Check[] {
  const asked = rules.filter((rule) => rule.applies(operation));
  return asked.map((rule) =>
    check(
      operation,
      rule.name,
      clauseOf(rule, operation),
      rule.title,
      (context) => rule.judge(operation, context),
      { changes: rule.changes ?? false },
    ),
  );
}
