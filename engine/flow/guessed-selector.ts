// Finds out whether a guessed query parameter, such as `platform`, selects what a read is to show.
import type { Operation } from '../../catalog/operation.ts';
import type { Ask } from '../http/ask.ts';
import { type Exchange, isSuccess, statusOf } from '../http/exchange.ts';
import { valuesAllowed } from '../players/refusals/refusals.ts';
import type { FlowContext } from '../probe/context.ts';
import { refusesParameter } from '../probe/parameters.ts';
import { mentions } from './places.ts';

interface Selected {
  readonly operation: Operation;
  /** The parameter that was guessed. */
  readonly selectedBy?: string;
  /** What the read is to show. */
  readonly value?: string;
}

/** The operation without a parameter of its query. */
export function withoutParameter(operation: Operation, parameter: string | undefined): Operation {
  if (parameter === undefined || operation.query[parameter] === undefined) return operation;
  const { [parameter]: _, ...query } = operation.query;
  return { ...operation, query };
}

/** Most words of a refusal that are tried in the place of the guess. */
const mostChoices = 6;

/**
 * Whether a read that lacks the value would lack it with any other guess. Two findings show that. The target refuses an
 * unknown word in place of the guess, and neither the words that its refusal lists nor the call without the parameter
 * show the value. Or the call without the parameter, which leaves nothing out, lacks the value too.
 */
export async function isRightGuess(
  { operation, selectedBy = '', value }: Selected,
  ask: Ask,
  put: (operation: Operation, ask: Ask) => Promise<Exchange>,
  { unique }: Pick<FlowContext, 'unique'>,
): Promise<boolean> {
  const asking = (word: string) => put(operation, { params: { ...ask.params, [selectedBy]: word } });
  const whole = withoutParameter(operation, selectedBy);
  const refusal = await asking(unique('assay'));
  if (refusesParameter.has(statusOf(refusal))) {
    const choices = valuesAllowed(refusal, selectedBy).slice(0, mostChoices);
    const reads = await Promise.all([...choices.map(asking), put(whole, ask)]);
    return !reads.some((read) => value !== undefined && isSuccess(read) && mentions(read, value));
  }
  if (whole === operation || value === undefined) return false;
  if (!isSuccess(await put(operation, ask))) return false;
  const all = await put(whole, ask);
  return isSuccess(all) && !mentions(all, value);
}
