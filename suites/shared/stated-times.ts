// Reads the times that an answer states under certain names, relative to its Date.
import type { Operation } from '../../catalog/operation.ts';
import { answerLeaves, type Exchange, header, isSuccess } from '../../engine/http/exchange.ts';
import { notTriggered, Stop } from '../../engine/judgement.ts';
import type { Context } from '../../engine/probe/context.ts';
import { servedAnswer } from '../../engine/probe/prerequisites.ts';
import { instantOf } from '../../engine/values/instant.ts';
import { letters } from '../../engine/values/text.ts';

interface StatedTime {
  readonly name: string;
  readonly value: unknown;
  /** Whether the time is at most one object deep in the answer. */
  readonly isOwn: boolean;
  /** The time minus the Date of the answer, in ms. */
  readonly ahead: number;
}

/** Clocks of several machines may differ by less than this. */
export const skewMs = 10 * 60_000;

/**
 * The times that the operation's answer states under these names, at least one.
 * @param what what happens at these times, in words
 * @throws Stop where the answer states none, or is no success with a Date
 */
export async function statedTimes(
  operation: Operation,
  context: Context,
  names: RegExp,
  what: string,
): Promise<{ readonly exchange: Exchange; readonly times: readonly [StatedTime, ...StatedTime[]] }> {
  const { exchange, response } = await servedAnswer(operation, context);
  const now = Date.parse(header(response, 'date') ?? '');
  if (!isSuccess(exchange) || Number.isNaN(now)) throw new Stop(notTriggered('it is no success with a Date'));
  const [first, ...others] = answerLeaves(exchange).flatMap(({ name, value, pointer }) => {
    const at = names.test(letters(name)) ? instantOf(value) : undefined;
    const isOwn = pointer.split('/').length <= 3;
    return at === undefined ? [] : [{ name, value, isOwn, ahead: at - now }];
  });
  if (first === undefined) throw new Stop(notTriggered(`it names no time at which something ${what}`));
  return { exchange, times: [first, ...others] };
}
