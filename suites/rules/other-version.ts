// Checks that a game version or a version pattern that does not exist does not return the file of the real one.
import { clauseById } from '../../catalog/clauses/clauses.ts';
import type { Operation } from '../../catalog/operation.ts';
import { sameContent } from '../../engine/compare/content.ts';
import { inconclusive, type Judgement, pass, violation } from '../../engine/judgement.ts';
import type { Rule } from '../../engine/probe/check.ts';
import type { Context } from '../../engine/probe/context.ts';
import { jsonIn, saysNothing } from '../../engine/probe/matchers/json.ts';
import { answered, excuseGuessedPattern, successfulAnswer } from '../../engine/probe/prerequisites.ts';

/** By pattern alone: "except the versioned news file, which is addressed by {versionPattern}". */
const isByPattern = ({ path }: Operation) => path.includes('{versionPattern}');

export const otherVersion: Rule = {
  name: 'other-version',
  title: 'another version does not give the same file',
  clause: (operation) => clauseById(isByPattern(operation) ? 'cdn.news-versioned' : 'cdn.versioned'),
  judge: async (operation, context) => {
    const [parameter, what] = isByPattern(operation)
      ? (['versionPattern', 'a version pattern'] as const)
      : (['gameVersion', 'a version'] as const);
    const unknown = { parameter, value: 'assay-no-such-version', what };
    return excuseGuessedPattern(await judgeUnknown(operation, context, unknown), operation, context);
  },
};

interface Unknown {
  /** The segment of the path that is replaced. */
  readonly parameter: string;
  readonly value: string;
  /** What it names, in words. */
  readonly what: string;
}

/** A file under a version, a pattern or a folder that does not exist is not the file under the known one. */
export async function judgeUnknown(
  operation: Operation,
  context: Context,
  { parameter, value, what }: Unknown,
): Promise<Judgement> {
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
  // By what a file is addressed is written; that nothing is there under another name is good sense.
  return { ...found, level: 'inferred' };
}
