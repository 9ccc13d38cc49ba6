// Repeats calls whose failure may be chance, for rules. engine/probe/served/samples.ts does so to decide whether an
// operation is served, and engine/compare/passing-errors.ts for calls that no check judges.
import type { Operation } from '../../catalog/operation.ts';
import type { Ask } from '../../engine/http/ask.ts';
import type { Exchange } from '../../engine/http/exchange.ts';
import type { Context } from '../../engine/probe/context.ts';
import { mayBeTemporary } from '../../engine/probe/matchers/http-fields.ts';

type Asking = Pick<Context, 'ask'>;

/** The answer to a call; where an overloaded proxy or a restart may have caused it, that to the same call once more. */
export async function askPastTemporary({ ask }: Asking, operation: Operation, call: Ask): Promise<Exchange> {
  const first = await ask(operation, call);
  return mayBeTemporary(first) ? ask(operation, { ...call, nth: 'once more' }) : first;
}

/** The answers to two repeats of the plain call: with the first answer, three samples. */
export const askTwiceMore = async (
  { ask }: Asking,
  operation: Operation,
): Promise<readonly [Exchange, Exchange]> => [
  await ask(operation, { nth: 2 }),
  await ask(operation, { nth: 3 }),
];
