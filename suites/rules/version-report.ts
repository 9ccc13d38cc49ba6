// Checks that an operation that reports a version answers with one.
import { areas } from '../../catalog/catalog.ts';
import type { Operation } from '../../catalog/operation.ts';
import { sameContent } from '../../engine/compare/content.ts';
import { answerLeaves, type Exchange, isSuccess, type Response } from '../../engine/http/exchange.ts';
import { inconclusive, type Judgement, pass, violation, warning } from '../../engine/judgement.ts';
import type { Rule } from '../../engine/probe/check.ts';
import type { Context } from '../../engine/probe/context.ts';
import { isCertain, namedVersions, versionIn } from '../../engine/probe/matchers/version.ts';
import {
  excuseGuessedPattern,
  guessesPattern,
  servedAnswer,
  successfulAnswer,
} from '../../engine/probe/prerequisites.ts';
import { withoutPositions } from '../../engine/values/json-walk.ts';
import { is2xx } from '../../engine/values/status.ts';
import { queryOf } from '../../engine/values/text.ts';
import { askTwiceMore } from '../shared/repeats.ts';

export const versionReport: Rule = {
  name: 'version-report',
  title: 'reports a version',
  clause: 'versioning.report',
  judge: async (operation, context) =>
    excuseGuessedPattern(await judge(operation, context), operation, context),
};

async function judge(operation: Operation, context: Context): Promise<Judgement> {
  const plain = await servedAnswer(operation, context);
  // A success whose body is an error is judged here: it reports no version.
  const { exchange, response } = is2xx(plain.response.status)
    ? plain
    : await successfulAnswer(operation, context);
  const acceptsVerdict = operation === areas.general.checkClientVersion;
  const repeats = isCertain(response) ? [] : await furtherAnswers(operation, context);
  const report = versionIn(response, { repeats, acceptsVerdict });
  if (report.kind === 'version')
    return (
      (await patternIgnored(operation, exchange, context)) ??
      pass(exchange, `reports ${report.value.slice(0, 60)}`)
    );
  const [unknown] = await context.unknownIds(operation);
  if (unknown !== undefined)
    return inconclusive('unknown-resource', `no known ${unknown}, so it may honestly report none`, exchange);
  // The body holds the version to check, and may be a guess.
  if (acceptsVerdict && context.stated(operation)?.body === undefined)
    return inconclusive('needs-body', 'its body is a guess, and the answer reports nothing of it', exchange);
  if (report.kind === 'nothing')
    return violation(
      expected,
      response.body.length === 0 ? 'an empty body' : 'neither a string nor a number',
      exchange,
    );
  const what = report.kind === 'error' ? 'an error' : 'nothing that looks like a version';
  return warning(expected, `${what}: ${report.value}`, exchange);
}

/**
 * The finding that the pattern selects nothing: the same versions for every pattern, though they differ in their first
 * parts, or though the configuration lists others. A single version may otherwise be that of the server.
 */
async function patternIgnored(
  operation: Operation,
  exchange: Exchange,
  context: Context,
): Promise<Judgement | undefined> {
  // Without a given pattern, the guessed one may match no version.
  if (operation !== areas.utils.contentVersionOf || guessesPattern(operation, context)) return undefined;
  const named = versionsApart(exchange);
  const [only, another] = named;
  const versions = only !== undefined && another === undefined ? await listedBeside(only, context) : named;
  const patterns = [...new Set(versions.map((each) => each.split('.').slice(0, 2).join('.')))];
  if (patterns.length < 2) return undefined;
  const others = await Promise.all(
    [...patterns.slice(0, 2), 'assay-no-such-version'].map((versionPattern) =>
      context.ask(operation, { params: { versionPattern } }),
    ),
  );
  const isSame = (other: Exchange) =>
    another === undefined
      ? isSuccess(other) && versionsApart(other).join() === only
      : isSuccess(other) && sameContent(exchange, other);
  if (!others.every(isSame)) return undefined;
  const what = another === undefined ? only : `the same ${named.length} versions`;
  const seen = `${what} for every pattern, one that no version has among them`;
  return warning('the versions of the pattern', seen, exchange);
}

/** The versions that an answer names, without the pattern that it repeats. */
const versionsApart = (exchange: Exchange): readonly string[] => {
  const pattern = queryOf(exchange.request.url).get('versionPattern');
  return [...new Set(namedVersions(exchange))].filter((version) => version !== pattern);
};

/** The versions of a list of the configuration that has this version in it, and others; none where there is none. */
async function listedBeside(version: string, context: Context): Promise<readonly string[]> {
  const config = await context.ask(areas.general.config);
  const places = Map.groupBy(answerLeaves(config), ({ pointer }) => withoutPositions(pointer, '-'));
  const lists = [...places.values()].map((leaves) => leaves.map(({ value }) => String(value)));
  return lists.find((list) => list.length > 1 && list.includes(version)) ?? [];
}

const expected = 'some version: a string or a number';

/** Repeats the call: a value that differs in each answer is a time or a request id, not a version. */
async function furtherAnswers(operation: Operation, context: Context): Promise<Response[]> {
  const answers = await askTwiceMore(context, operation);
  return answers.flatMap(({ response }) => (response && response.status < 300 ? [response] : []));
}
