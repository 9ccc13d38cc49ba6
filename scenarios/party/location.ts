// Checks that the Location of an answer 201 leads to something.
import { areas } from '../../catalog/catalog.ts';
import { pollAnswered } from '../../engine/flow/polling.ts';
import type { StepContext } from '../../engine/flow/step-context.ts';
import { type Exchange, header, statusInWords, statusOf } from '../../engine/http/exchange.ts';

const { party } = areas;

/** Expects that the maker of a party, which is read by its id, finds something where the answer says that it is. */
export async function expectLocation<Role extends string>(
  context: StepContext<Role>,
  role: NoInfer<Role>,
  answer: Exchange,
): Promise<void> {
  const path = createdAt(answer);
  if (path === undefined)
    return context.notTriggered(`${party.create.id} is answered without a Location on this API`);
  const isNowhere = (found: Exchange) => [404, 410].includes(statusOf(found));
  const { last } = await pollAnswered(
    () => context.put(role, party.get, { path }),
    (found) => !isNowhere(found),
  );
  const expected = `something at ${path}, the Location of a new party`;
  context.expect(!isNowhere(last), expected, statusInWords(last), last);
}

/**
 * The path, behind the address of the API, to which the Location of an answer 201 leads. Undefined where there is none, or where
 * it leads elsewhere: to an address behind a gateway, it may be right there.
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
