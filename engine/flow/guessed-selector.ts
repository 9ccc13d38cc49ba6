// Finds out whether a guessed query parameter, as `platform`, selects what a read is to show.
import type { Operation } from '../../catalog/operation.ts';
import type { Ask } from '../http/ask.ts';
import { type Exchange, isSuccess, statusOf } from '../http/exchange.ts';
import { valuesAllowed } from '../players/refusals/refusals.ts';
import type { FlowContext } from '../probe/context.ts';
import { refusesValue } from '../probe/parameters.ts';
import { mentions } from './places.ts';

interface Selected {
  readonly operation: Operation;
  /** The parameter that was guessed. */
  readonly selectedBy?: string;
  /** What the read is to show. */
  readonly value?: string;
}

/** Most words of a refusal that are tried in the place of the guess. */
const mostChoices = 6;

/**
 * Whether a read that lacks the value would lack it with any other guess: the target refuses a word of ours in the place of
 * the guess, which it took and so knows, and none of the words that its refusal lists shows the value; or the same call
 * without the parameter, which selects nothing, lacks the value too.
 */
export async function isRightGuess(
  { operation, selectedBy = '', value }: Selected,
  ask: Ask,
  put: (operation: Operation, ask: Ask) => Promise<Exchange>,
  { unique }: Pick<FlowContext, 'unique'>,
): Promise<boolean> {
  const asking = (word: string) => put(operation, { params: { ...ask.params, [selectedBy]: word } });
  const refusal = await asking(unique('assay'));
  if (refusesValue.has(statusOf(refusal))) {
    const choices = valuesAllowed(refusal, selectedBy).slice(0, mostChoices);
    const reads = await Promise.all(choices.map(asking));
    return !reads.some((read) => value !== undefined && isSuccess(read) && mentions(read, value));
  }
  const { [selectedBy]: guessed, ...query } = operation.query;
  if (guessed === undefined || value === undefined) return false;
  if (!isSuccess(await put(operation, ask))) return false;
  const all = await put({ ...operation, query }, ask);
  return isSuccess(all) && !mentions(all, value);
}
