// Finds out whether a guessed query parameter, as `platform`, selects what a read is to show.
import type { Operation } from '../../catalog/operation.ts';
import type { Ask } from '../http/ask.ts';
import { type Exchange, isSuccess, statusOf } from '../http/exchange.ts';
import type { FlowContext } from '../probe/context.ts';
import { mentions } from './places.ts';

interface Selected {
  readonly operation: Operation;
  /** The parameter that was guessed. */
  readonly selectedBy?: string;
  /** What the read is to show. */
  readonly value?: string;
}

const refusesWord: ReadonlySet<number> = new Set([400, 422]);

/**
 * Whether a read that lacks the value would lack it with any other guess: the target refuses a word of ours in the place of
 * the guess, which it took and so knows; or the same call without the parameter, which selects nothing, lacks the value too.
 */
export async function isRightGuess(
  { operation, selectedBy = '', value }: Selected,
  ask: Ask,
  put: (operation: Operation, ask: Ask) => Promise<Exchange>,
  { unique }: Pick<FlowContext, 'unique'>,
): Promise<boolean> {
  const invented = { ...ask.params, [selectedBy]: unique('assay') };
  if (refusesWord.has(statusOf(await put(operation, { params: invented })))) return true;
  const { [selectedBy]: guessed, ...query } = operation.query;
  if (guessed === undefined || value === undefined) return false;
  if (!isSuccess(await put(operation, ask))) return false;
  const all = await put({ ...operation, query }, ask);
  return isSuccess(all) && !mentions(all, value);
}
