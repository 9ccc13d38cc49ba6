import { expect, test } from 'vitest';
import { areas } from '../../catalog/catalog.ts';
import type { Operation } from '../../catalog/operation.ts';
import type { OutsiderAnswer } from '../../engine/probe/context.ts';
import { exchangeOf } from '../../fixtures/kit/exchanges.ts';
import { fakeContext } from '../../fixtures/kit/fake-context.ts';
import { keepsOut } from './kept-out.ts';

const { general, match, party, players } = areas;
const seen = (operation: Operation, isLetIn: boolean): OutsiderAnswer => ({
  operation,
  isLetIn,
  exchange: exchangeOf({ status: isLetIn ? 200 : 403, body: {} }),
  step: `step of ${operation.id}`,
});
const keeping = [party.get, players.friends, general.richPresence].map((each) => seen(each, false));

test.each<[string, readonly OutsiderAnswer[], string]>([
  ['the only one that lets them in', [seen(match.get, true), ...keeping], 'violation'],
  ['one that keeps them out', [seen(match.get, false), seen(party.get, true)], 'pass'],
  ['one that lets some in', [seen(match.get, false), seen(match.get, true), ...keeping], 'violation'],
  [
    'one of two that let them in',
    [seen(match.get, true), seen(players.addFriend, true), ...keeping],
    'not-applicable',
  ],
  ['one of few', [seen(match.get, true), ...keeping.slice(1)], 'not-applicable'],
  ['one that no step saw', keeping, 'not-applicable'],
])('judges %s', async (_, all, kind) => {
  const judgement = await keepsOut(match.get).run(fakeContext({ outsiderAnswers: async () => all }));
  expect(judgement).toMatchObject({ kind });
  if (judgement.kind === 'violation')
    expect(judgement.seenIn).toEqual(expect.arrayContaining(['step of match.get', 'step of party.get']));
});
