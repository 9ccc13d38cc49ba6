// Asks that a game version that does not exist does not return the file of the real version.
import { clauseById } from '../../catalog/clauses/clauses.ts';
import { sameContent } from '../../engine/compare/content.ts';
import { inconclusive, pass, violation } from '../../engine/judgement.ts';
import type { Rule } from '../../engine/probe/check.ts';
import { answered, successfulAnswer } from '../../engine/probe/gate.ts';
import { jsonIn, saysNothing } from '../../engine/probe/matchers/json.ts';

const unknownVersion = 'assay-no-such-version';

export const otherVersion: Rule = {
  name: 'other-version',
  title: 'another game version does not give the same file',
  clause: () => clauseById('cdn.versioned'),
  async judge(operation, context) {
    const real = await successfulAnswer(operation, context);
    const other = answered(await context.ask(operation, { params: { gameVersion: unknownVersion } }));
    const { status } = other.response;
    if (!sameContent(real.exchange, other.exchange)) return pass(other.exchange, `answered ${status}`);
    const file = jsonIn(real.response);
    if ('value' in file && saysNothing(file.value))
      return inconclusive(
        'any-name',
        'the file holds no content, and neither does the answer for a version that does not exist',
        other.exchange,
      );
    return violation(
      'anything but the file, for a version that does not exist',
      `answered ${status} with the same file`,
      other.exchange,
    );
  },
};
