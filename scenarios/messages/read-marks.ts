// Reads from a list which of its entries were read, and expects that listing them marks none and that filters heed it.
import { messages } from '../../catalog/areas/messages.ts';
import { pollAnswered } from '../../engine/flow/polling.ts';
import type { StepContext } from '../../engine/flow/step-context.ts';
import { type Exchange, isSuccess } from '../../engine/http/exchange.ts';
import { isObject } from '../../engine/values/json-walk.ts';
import { type Entry, entriesAt, entryAt, findList, type ListPlace, type Message } from './list-place.ts';

/** Fields that say whether an entry was read. Listing may change `new`, `seen` or `delivered`, which are left out. */
const mark = /^(?:is_?|was_?)?(un)?read(?:_?(?:at|on|time|date))?$/i;
const state = /^(?:flag|mark|status|state|(?:read|mark|message)_?(?:status|state))$/i;

/** Whether an entry says that it was read; undefined where it says nothing about that. */
export function wasRead(entry: Entry): boolean | undefined {
  for (const [name, value] of Object.entries(entry)) {
    const [isMark, unread] = mark.exec(name) ?? [];
    if (isMark !== undefined) {
      const holds = value !== false && value !== null && value !== 0 && value !== '';
      return unread === undefined ? holds : !holds;
    }
    if (state.test(name) && /^(?:un)?read$/i.test(String(value))) return !/^un/i.test(String(value));
  }
  return undefined;
}

/**
 * Expects that entries that are unread in the first answer are unread in the second: the reader marked none in between.
 * @throws Stop where one is not, or nothing in the list is unread
 */
export function expectUnmarked(
  context: Pick<StepContext, 'expect' | 'notTriggered'>,
  before: Exchange,
  after: Exchange,
): void {
  const place = findList(before);
  const entries = (place && entriesAt(before, place.list))?.filter(isObject) ?? [];
  const unread = entries.filter((entry) => wasRead(entry) === false);
  if (place === undefined || unread.length === 0) context.notTriggered('nothing in the list is unread');
  const marked = unread.filter((entry) => wasRead(entryAt(after, place, entry[place.key] as Message['id'])));
  context.expect(
    marked.length === 0,
    'what was unread still unread, as nothing was marked',
    `${marked.length} of ${unread.length} entries are read`,
    after,
  );
}

/**
 * Expects that the filters `unread` and `read` leave out entries that say the opposite of themselves.
 * Not triggered where the target takes any word for a filter, or refuses these two.
 * @throws Stop
 */
export async function expectFilteredByMark(
  context: Pick<StepContext<'player'>, 'expect' | 'notTriggered' | 'send' | 'unique'>,
  place: ListPlace,
): Promise<void> {
  const filteredBy = (filter: string) =>
    context.send('player', messages.listFiltered, { params: { filter } });
  if (isSuccess(await filteredBy(context.unique('assayfilter'))))
    return context.notTriggered('any word is taken for a filter');
  let known = 0;
  for (const [filter, isRead] of [
    ['unread', false],
    ['read', true],
  ] as const) {
    const isWrong = (entry: unknown) => isObject(entry) && wasRead(entry) === !isRead;
    const { last, holds } = await pollAnswered(
      () => filteredBy(filter),
      (answer) => !entriesAt(answer, place.list)?.some(isWrong),
    );
    if (!isSuccess(last)) continue;
    known += 1;
    context.expect(holds, `${filter} messages alone`, `one that is ${isRead ? 'un' : ''}read, too`, last);
  }
  if (known === 0) context.notTriggered('neither "unread" nor "read" is a filter');
}
