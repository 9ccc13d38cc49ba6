import { expect, test } from 'vitest';
import { areas } from '../../catalog/catalog.ts';
import type { Named } from '../../engine/probe/named-players.ts';
import { exchangeOf } from '../../fixtures/kit/exchanges.ts';
import { rehearse } from '../../fixtures/kit/rule-rehearsal.ts';
import { echoedId } from './echoed-id.ts';

const [wrong, right] = [exchangeOf({ status: 200 }), exchangeOf({ status: 200 })];
const judged = (named: Named) =>
  rehearse(echoedId, areas.party.get, () => ({ body: {} }), { named: async () => named });

test('is violated where an answer repeats another id than its path names, with both exchanges', async () => {
  const otherId = { place: '/partyId', times: 1, of: 9, wrong, right };
  expect((await judged({ callers: [], ids: ['/partyId'], otherId })).judgement).toMatchObject({
    kind: 'violation',
    expected: 'the id that the path names at /partyId',
    actual: 'another id, in 1 of 9 answers',
    evidence: wrong,
    control: right,
  });
});

test('passes where ids are repeated, and is not triggered where none is', async () => {
  const verdicts = await Promise.all([
    judged({ callers: [], ids: ['/partyId'] }),
    judged({ callers: [], ids: [] }),
  ]);
  expect(verdicts.map(({ verdict }) => verdict)).toEqual(['pass', 'not-triggered']);
});
