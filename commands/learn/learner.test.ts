import { expect, test } from 'vitest';
import { hear, newSpoken } from './learner.ts';
import { matchCall } from './match/match-call.ts';
import type { ObservedCall } from './observed-call.ts';
import { createKnownValues } from './privacy.ts';

const url = new URL('http://127.0.0.1/api/v1/party/details?includeState=true');
const match = matchCall('GET', url);

/** What is known of the operation after these answers, each a plain call's or a flow's. */
function heard(...answers: readonly { readonly value: unknown; readonly inFlow?: true }[]) {
  if (!match) throw new Error('no row of the interface');
  const known = { ...createKnownValues(), identifies: () => 'partyId' as const };
  const around = { known, caller: { key: 'one' }, parameters: {}, isShareable: () => true };
  const spoken = newSpoken();
  for (const { value, ...rest } of answers) {
    const side = { headers: [], type: 'application/json' };
    const observedCall: ObservedCall = {
      ...{ source: 'a run', method: 'GET', url, status: 200, ...rest },
      request: { ...side, body: { kind: 'none' } },
      answer: { ...side, body: { kind: 'json', value } },
    };
    hear(spoken, observedCall, match, around);
  }
  return spoken;
}

test('of a step of a flow the status is learnt, and where it holds identifiers apart from plain calls', () => {
  const spoken = heard({ value: { a: 'party-1' } }, { value: { b: 'party-1' }, inFlow: true });
  expect([spoken.statuses.total, spoken.plainCalls, spoken.jsonAnswers]).toEqual([2, 1, 1]);
  expect(spoken.identifiers.places.ranked()).toEqual([['partyId /a', 1]]);
  expect(spoken.identifiersInFlows.places.ranked()).toEqual([['partyId /b', 1]]);
});
