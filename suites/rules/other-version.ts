// Checks that a game version or a version pattern that does not exist does not return the file of the real one. Where
// nearly all files of a host do so, it is found once and observed on the others; for folders it is only observed.
import { areas } from '../../catalog/catalog.ts';
import { clauseById } from '../../catalog/clauses/clauses.ts';
import type { Operation } from '../../catalog/operation.ts';
import { sameContent } from '../../engine/compare/content.ts';
import { isSuccess } from '../../engine/http/exchange.ts';
import { inconclusive, type Judgement, observed, pass, violation } from '../../engine/judgement.ts';
import type { Rule } from '../../engine/probe/check.ts';
import type { Context } from '../../engine/probe/context.ts';
import { jsonIn, saysNothing } from '../../engine/probe/matchers/json.ts';
import { answered, excuseGuessedPattern, successfulAnswer } from '../../engine/probe/prerequisites.ts';
import { isHabit } from '../shared/habit.ts';

/** The document: "except the versioned news file, which is addressed by {versionPattern}". */
const isByPattern = ({ path }: Operation) => path.includes('{versionPattern}');

export const otherVersion: Rule = {
  name: 'other-version',
  title: 'another version does not give the same file',
  clause: (operation) => clauseById(isByPattern(operation) ? 'cdn.news-versioned' : 'cdn.versioned'),
  judge: async (operation, context) => {
    const parameter = isByPattern(operation) ? 'versionPattern' : 'gameVersion';
    return excuseGuessedPattern(await judgeUnknown(operation, context, parameter), operation, context);
  },
};

/** For each segment of a path that is replaced: a name that no host has, and what the segment names, in words. */
const unknowns = {
  gameVersion: { value: 'assay-no-such-version', what: 'a version' },
  versionPattern: { value: 'assay-no-such-version', what: 'a version pattern' },
  CDN_ROOT_FOLDER_PATH: { value: 'assay-no-such-folder', what: 'a folder' },
} as const;

type Replaced = keyof typeof unknowns;

/** Judges whether a file under a version, a pattern or a folder that does not exist is the file under the known one. */
export async function judgeUnknown(
  operation: Operation,
  context: Context,
  parameter: Replaced,
): Promise<Judgement> {
  const { value, what } = unknowns[parameter];
  const real = await successfulAnswer(operation, context);
  const other = answered(await context.ask(operation, { params: { [parameter]: value } }));
  const { status } = other.response;
  if (!sameContent(real.exchange, other.exchange)) return pass(other.exchange, `answered ${status}`);
  const file = jsonIn(real.response);
  if ('value' in file && saysNothing(file.value))
    return inconclusive(
      'any-name',
      `the file holds no content, and neither does the answer for ${what} that does not exist`,
      other.exchange,
    );
  const found = violation(
    `anything but the file, for ${what} that does not exist`,
    `answered ${status} with the same file`,
    other.exchange,
  );
  // The document states how a file is addressed; that there is none under another name is inferred.
  const inferred = { ...found, level: 'inferred' } as const;
  const { alike, otherwise } = await howFilesDo(context, parameter);
  if (!isHabit(alike.length, otherwise, perException)) return inferred;
  // A host that ignores the folder may serve one environment only.
  if (alike[0] !== operation || parameter === 'CDN_ROOT_FOLDER_PATH')
    return observed(`the same file for ${what} that does not exist`, other.exchange);
  return { ...inferred, actual: `${found.actual}, as ${alike.length - 1} more files of this host are` };
}

/** Files that must be the same under a name that does not exist for each that is not. */
const perException = 5;

const files = Object.values<Operation>(areas.clientData);

/** The files that are the same under a name that does not exist, in the interface's order, and how many are not. */
async function howFilesDo(
  context: Context,
  replaced: Replaced,
): Promise<{ readonly alike: readonly Operation[]; readonly otherwise: number }> {
  // Only one file has a pattern, so the versions of the other files show what the host does.
  const parameter = replaced === 'versionPattern' ? 'gameVersion' : replaced;
  const { value } = unknowns[parameter];
  const isAlike = await Promise.all(
    files.map(async (file) => {
      if (!file.path.includes(`{${parameter}}`) || (await context.routed(file)).served !== true) return;
      const real = await context.ask(file);
      if (!isSuccess(real)) return;
      return sameContent(real, await context.ask(file, { params: { [parameter]: value } }));
    }),
  );
  return {
    alike: files.filter((_, nth) => isAlike[nth]),
    otherwise: isAlike.filter((alike) => alike === false).length,
  };
}
