// Checks that no answer of the run repeats another id than the one in its path.
import { ofOthers } from '../../catalog/clauses/clause.ts';
import { clauseById } from '../../catalog/clauses/clauses.ts';
import { notTriggered, pass } from '../../engine/judgement.ts';
import type { Rule } from '../../engine/probe/check.ts';
import { misnamed, namedInRun } from './own-answer.ts';

export const echoedId: Rule = {
  name: 'echoed-id',
  title: 'repeats the id that its path names, and no other one',
  clause: () => ofOthers(clauseById('sense.echoed-id'), 'mixed up'),
  async judge(operation, context) {
    const { otherId, ids } = await namedInRun(operation, context);
    if (otherId)
      return misnamed(operation, otherId, { rightly: 'the id that the path names', wrongly: 'another id' });
    return ids.length > 0
      ? pass(undefined, `repeats the id at ${ids.join(', ')}`)
      : notTriggered('no place of its answers repeats different ids');
  },
};
