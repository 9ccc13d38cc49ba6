// Checks that the Location of an answer 201 leads to what was made.
import { party } from '../../catalog/areas/party.ts';
import { mentions, pathOf, placesOf } from '../../engine/flow/places.ts';
import { pollAnswered } from '../../engine/flow/polling.ts';
import type { StepContext } from '../../engine/flow/step-context.ts';
import {
  answerLeaves,
  type Exchange,
  header,
  isSuccess,
  statusInWords,
  statusOf,
} from '../../engine/http/exchange.ts';

/**
 * Expects that the leader who made a party finds it at the Location of the answer.
 * @param read the party, read by its id: where its id stands, no other id may stand
 */
export async function expectLocation(
  context: StepContext<'leader'>,
  answer: Exchange,
  { partyId, read }: { readonly partyId: string; readonly read: Exchange },
): Promise<void> {
  const path = createdAt(answer);
  if (path === undefined)
    return context.notTriggered(`${party.create.id} is answered without a Location on this API`);
  const isNowhere = (found: Exchange) => [404, 410].includes(statusOf(found));
  const otherIn = (found: Exchange) => (isSuccess(found) ? otherId(found, partyId, read) : undefined);
  const { last } = await pollAnswered(
    () => context.send('leader', party.get, { path }),
    (found) => !isNowhere(found) && otherIn(found) === undefined,
  );
  const expected = `something at ${path}, the Location of a new party`;
  context.expect(!isNowhere(last), expected, statusInWords(last), last);
  const other = otherIn(last);
  const leads = `the party that was made at ${path}, its Location`;
  context.expect(other === undefined, leads, `that of another id, ${other}`, last);
}

/** Another id that an answer shows where the party's id stands in `read`; undefined where it shows the party's id. */
function otherId(found: Exchange, partyId: string, read: Exchange): string | undefined {
  if (mentions(found, partyId)) return undefined;
  const own = placesOf(read, partyId);
  const others = answerLeaves(found).filter(({ pointer, value }) => own.has(pathOf(pointer)) && value);
  return others.map(({ value }) => String(value))[0];
}

/**
 * The path, below the address of the API, to which the Location of an answer 201 leads. Undefined where there is none,
 * or where it leads elsewhere: it may be right for clients of a gateway.
 */
function createdAt(answer: Exchange): string | undefined {
  const { response, request } = answer;
  const location = response?.status === 201 ? header(answer, 'location') : undefined;
  const called = request.url.split('?', 1)[0] ?? '';
  if (location === undefined || !called.endsWith(party.create.path)) return undefined;
  const api = called.slice(0, -party.create.path.length);
  const to = URL.parse(location, request.url)?.href.split('#', 1)[0] ?? '';
  return to.startsWith(`${api}/`) ? to.slice(api.length) : undefined;
}
