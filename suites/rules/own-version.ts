// Checks that a file states no other version than that of its path, where other files of the host state theirs; also
// under another version that the main API names.
import { areas } from '../../catalog/catalog.ts';
import type { Operation } from '../../catalog/operation.ts';
import { answerLeaves, type Exchange, isSuccess } from '../../engine/http/exchange.ts';
import { type Judgement, notTriggered, pass, warning } from '../../engine/judgement.ts';
import type { Rule } from '../../engine/probe/check.ts';
import type { Context } from '../../engine/probe/context.ts';
import { namedVersions } from '../../engine/probe/matchers/version.ts';
import { successfulAnswer } from '../../engine/probe/prerequisites.ts';
import { withoutPositions } from '../../engine/values/json-walk.ts';
import { noSuchVersion } from '../../engine/values/nonexistent.ts';

const { utils } = areas;
/** Fewest other files that must state the version of their path; otherwise the field may mean a format. */
const fewest = 2;

export const ownVersion: Rule = {
  name: 'own-version',
  title: 'states no other version than that of its path',
  clause: 'sense.own-version',
  async judge(operation, context) {
    const { exchange } = await successfulAnswer(operation, context);
    const stated = statedIn(exchange);
    if (stated === undefined) return notTriggered('it states no version');
    if (isInPath(stated, exchange))
      return (await statedUnderOther(operation, stated, context)) ?? pass(exchange, `states ${stated}`);
    const known = await knownVersions(context);
    if (!known.includes(stated))
      return notTriggered(`it states ${stated}, which is no version of the content`);
    const others = await Promise.all(
      versioned.filter((each) => each !== operation).map((each) => context.ask(each)),
    );
    const right = others.filter((other) => {
      const own = isSuccess(other) ? statedIn(other) : undefined;
      return own !== undefined && isInPath(own, other);
    });
    if (right.length < fewest) return notTriggered('other files do not state the version of their path');
    return warning(
      `the version of its path, as ${right.length} other files state theirs`,
      `it states ${stated}, another version of the content`,
      exchange,
    );
  },
};

/**
 * The finding that a file under the path of another version states the present one, although the host tells versions
 * apart and the main API names both in one list.
 */
async function statedUnderOther(
  operation: Operation,
  stated: string,
  context: Context,
): Promise<Judgement | undefined> {
  const gameVersion = otherVersion(await listedBeside(stated, context), stated);
  if (gameVersion === undefined || !versioned.includes(operation)) return undefined;
  const other = await context.ask(operation, { params: { gameVersion } });
  if (!isSuccess(other) || statedIn(other) !== stated) return undefined;
  const unknown = await context.ask(operation, {
    params: { gameVersion: noSuchVersion(gameVersion, () => 0.5) },
  });
  if (isSuccess(unknown)) return undefined;
  return warning(`version ${gameVersion}, that of its path`, `it states ${stated}`, other);
}

/** Another version of the content; `9.2` and `v9.2.0` are only other names of `9.2.0`. */
export function otherVersion(known: readonly string[], own: string | undefined): string | undefined {
  const partsOf = (version: string) => version.replace(/^v/i, '').split(/[._+-]/);
  const isNameOf = (one: string, other: string) =>
    partsOf(one).every((part, at) => part === partsOf(other)[at]);
  return known.find((each) => !isNameOf(each, `${own}`) && !isNameOf(`${own}`, each));
}

/** The versions in the first list of the main API that holds this one. */
async function listedBeside(version: string, context: Context): Promise<readonly string[]> {
  const lists = (await versionReports(context)).flatMap((report) =>
    Array.from(
      Map.groupBy(answerLeaves(report), ({ pointer }) => withoutPositions(pointer, '-')),
      ([place, leaves]) => (place.includes('/-') ? leaves.map(({ value }) => String(value)) : []),
    ),
  );
  return lists.find((list) => list.includes(version)) ?? [];
}

/** The versions of the content that the main API names. */
export const knownVersions = async (context: Context): Promise<readonly string[]> =>
  (await versionReports(context)).flatMap(namedVersions);

/** The main API's answers about versions of the content. */
async function versionReports({ ask }: Context): Promise<readonly Exchange[]> {
  const reports = await Promise.all([utils.contentVersion, utils.contentVersionOf].map((each) => ask(each)));
  return reports.filter(isSuccess);
}

const versioned = Object.values<Operation>(areas.clientData).filter(({ path }) =>
  path.includes('{gameVersion}'),
);

/** The value of a field `version` or the like, at most one level deep. */
function statedIn(exchange: Exchange): string | undefined {
  const leaf = answerLeaves(exchange).find(
    ({ name, value, pointer }) =>
      typeof value === 'string' &&
      /^(?:game|content|client|data)?_?version$/i.test(name) &&
      pointer.split('/').length <= 3,
  );
  return leaf && String(leaf.value);
}

const isInPath = (version: string, { request }: Exchange): boolean =>
  new URL(request.url).pathname.split('/').map(decodeURIComponent).includes(version);
