// Reads the answers of the queue: tickets and places, since when and for how long a player waits, how many a match
// takes, and who plays on which side.
import { pollTimeoutMs } from '../../engine/flow/polling.ts';
import { answerLeaves, type Exchange } from '../../engine/http/exchange.ts';
import { instantOf } from '../../engine/values/instant.ts';

const ticketName = /ticket(_?(id|number))?$|^(queue|entry|waiting)_?id$/i;
const placeName = /^(queue_?)?(place|position|rank|index|ahead)$|^(place|position)_?in_?queue$/i;

const playersName =
  /^(?:match_?)?(?:players?|members?|participants?|users?|team|side|group|killers?|survivors?)(?:_?(?:ids?|a|b|1|2|one|two))?$/i;
/** Names of lists of players who play against those of other lists. */
const sides = /^(?:(?:team|side|group)_?(?:a|b|1|2|one|two)|killers?|survivors?)(?:_?ids?)?$/i;

/** The lists of players in an answer that hold this player, each as often as it does. */
export const listsWith = (answer: Exchange, id: string) => {
  const leaves = answerLeaves(answer);
  const lengthOf = (list: string) =>
    new Set(
      leaves.flatMap(({ pointer }) =>
        pointer.startsWith(`${list}/`) ? [pointer.slice(list.length + 1).split('/', 1)[0]] : [],
      ),
    ).size;
  return leaves.flatMap(({ pointer, value }) => {
    const [, list = '', name = ''] = /^(.*\/([^/]+))\/\d+(?:\/[^/]+)?$/.exec(pointer) ?? [];
    return value === id && playersName.test(name) ? [{ list, name, length: lengthOf(list) }] : [];
  });
};

/** Whether an answer lists the player twice in one list, or in two lists that play against one another. */
export function isOnBothSides(answer: Exchange, id: string): boolean {
  const lists = listsWith(answer, id);
  const opposed = new Set(lists.flatMap(({ list, name }) => (sides.test(name) ? [list] : [])));
  return opposed.size > 1 || new Set(lists.map(({ list }) => list)).size < lists.length;
}

/** Whether an answer lists the player, and nobody else beside them. */
export function isAloneIn(answer: Exchange, id: string): boolean {
  const lists = listsWith(answer, id);
  return lists.length > 0 && lists.every(({ length }) => length === 1);
}

const sinceName = /^(?:waiting_?)?since$|^(?:queued|entered|joined|enqueued)(?:_?(?:at|time|on))?$/i;

/** Since when a player waits, in ms since 1970, where an answer says so to the millisecond. */
export const waitingSince = (answer: Exchange): number | undefined =>
  answerLeaves(answer)
    .flatMap(({ name, value }) => (sinceName.test(name) ? (instantOf(value) ?? []) : []))
    .find((at) => at % 1_000 !== 0);

/** The tickets that an answer of the queue names. */
export const ticketsIn = (answer: Exchange): readonly string[] =>
  answerLeaves(answer).flatMap(({ name, value }) =>
    ticketName.test(name) && value !== null ? [String(value)] : [],
  );

/** The place in the queue that an answer names. */
export const placeIn = (answer: Exchange): number | undefined =>
  answerLeaves(answer)
    .flatMap(({ name, value }) => (placeName.test(name) && typeof value === 'number' ? [value] : []))
    .at(0);

const sizeName =
  /^((max|min)(imum)?_?(players|size)|(players?|match|team|crew|group|lobby)_?(size|count|needed|required|wanted)|(needed|required|missing|wanted)_?players|capacity|slots)$/i;

/** The largest number of players that an answer of the queue names; 0 where it names none. */
export const mostIn = (answer: Exchange): number =>
  answerLeaves(answer).reduce(
    (most, { name, value }) =>
      sizeName.test(name) && Number.isSafeInteger(value) ? Math.max(most, Number(value)) : most,
    0,
  );

const waitName =
  /^(eta|(estimated|expected|average)_?(wait|time|wait_?time|queue_?time)|wait(_?time)?)(_?(in_?)?(?<unit>s|secs?|seconds?|ms|millis|milliseconds?))?$/i;
/** The longest stated wait that is waited for, in ms: the match may not come. */
const longestWaitMs = 6_000;

/** The wait that an answer of the queue states, plus a second, in ms; undefined where it is too long or missing. */
export function statedWaitMs(answer: Exchange): number | undefined {
  const waits = answerLeaves(answer).flatMap(({ name, value }) => {
    const found = typeof value === 'number' ? waitName.exec(name) : null;
    if (!found) return [];
    // From 1,000 on, a number without a unit is taken for milliseconds.
    const isMs = /^m/i.test(found.groups?.unit ?? '') || Number(value) >= 1_000;
    return [isMs ? Number(value) : Number(value) * 1_000];
  });
  const [waitMs] = waits.filter((each) => each <= longestWaitMs);
  return waitMs === undefined ? undefined : Math.max(pollTimeoutMs(), waitMs + 1_000);
}

/** Whether an answer of the queue says that its player waits. */
export const saysWaiting = (answer: Exchange): boolean =>
  answerLeaves(answer).some(({ value }) =>
    /^(?:(?:in_?)?queued?|waiting|searching|pending|enqueued|matchmaking)$/i.test(String(value)),
  );
