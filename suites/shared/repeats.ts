// How often rules repeat a call whose failure may be chance. Whether an operation is served asks for itself, in
// `engine/probe/served/samples.ts`; calls that no check judges are repeated by `engine/compare/passing-errors.ts`.
import type { Operation } from '../../catalog/operation.ts';
import type { Ask } from '../../engine/http/ask.ts';
import type { Exchange } from '../../engine/http/exchange.ts';
import type { Context } from '../../engine/probe/context.ts';
import { mayBeTemporary } from '../../engine/probe/matchers/http-fields.ts';

type Asking = Pick<Context, 'ask'>;

/** The answer to a call; to the same call once more, where an overloaded proxy or a restart may have caused the first. */
export async function askPastTemporary({ ask }: Asking, operation: Operation, call: Ask): Promise<Exchange> {
  const first = await ask(operation, call);
  return mayBeTemporary(first) ? ask(operation, { ...call, nth: 'once more' }) : first;
}

/** The answers to the plain call when it is asked twice more: with the first one, three samples. */
export const askTwiceMore = async (
  { ask }: Asking,
  operation: Operation,
): Promise<readonly [Exchange, Exchange]> => [
  await ask(operation, { nth: 2 }),
  await ask(operation, { nth: 3 }),
];
