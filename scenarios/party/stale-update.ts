// Checks that a party with a strong ETag refuses a conditional write that rests on an older state of it.
import { party } from '../../catalog/areas/party.ts';
import { ownValue } from '../../engine/flow/setting-values.ts';
import type { Kept, StepContext } from '../../engine/flow/step-context.ts';
import { requireAnswer } from '../../engine/flow/why-refused.ts';
import { isSuccess, statusOf } from '../../engine/http/exchange.ts';
import { strongEtagOf } from '../../engine/probe/matchers/http-fields.ts';
import { inParty } from './make-party.ts';

/** The read at the address that is written to. */
const plainGet = { ...party.get, query: {} };

/** @param kept what the leader wrote without a condition: the same call with one is refused for its condition alone */
export async function expectStaleRefused(
  context: StepContext<'leader'>,
  partyId: string,
  kept: Kept,
): Promise<void> {
  const params = { partyId };
  const { response } = await context.send('leader', plainGet, { params });
  if (response?.status !== 200 || strongEtagOf(response) === undefined)
    return context.notTriggered(`${party.get.id} sends no strong ETag`);
  ownValue(party.update, kept);
  const value = context.unique('assayparty');
  const headers = [['if-match', `"${context.unique('assaystale')}"`]] as const;
  const ask = context.likeliestAsk('leader', party.update, { params, carry: { value } });
  const written = requireAnswer(await context.send('leader', party.update, { ...ask, headers }));
  if (!isSuccess(written)) return;
  const isShown = await context.eventually('leader', inParty(value, 'what was written'));
  const actual = `${statusOf(written)}, and the party shows what was written`;
  context.expect(!isShown, '412, and the party as it was', actual, written);
}
