// Reads by a player whose data no call changes, so that a change between two reads happened by itself.
import type { Operation } from '../../catalog/operation.ts';
import type { Ask } from '../../engine/http/ask.ts';
import { inconclusive, Stop } from '../../engine/judgement.ts';
import { reader } from '../../engine/probe/callers.ts';
import type { Context } from '../../engine/probe/context.ts';
import { type Answered, answered, servedAnswer, whyRefusedPlain } from '../../engine/probe/prerequisites.ts';

/** The `nth` quiet read of an operation, which differs from its plain form by `ask`. Files need no special player. */
export function quiet(operation: Operation, nth: number | string = 1, ask: Ask = {}): Ask {
  return { ...(operation.host === 'base' && { as: reader }), ...(nth !== 1 && { nth }), ...ask };
}

/**
 * The first quiet read of a served operation.
 * @throws Stop where it is not answered 200, the status that has content to compare
 */
export async function quietContent(operation: Operation, context: Context): Promise<Answered> {
  await servedAnswer(operation, context);
  const read = answered(await context.ask(operation, quiet(operation)));
  const { status } = read.response;
  if (status === 200) return read;
  const why = `a read is answered ${status}`;
  throw new Stop(inconclusive(await whyRefusedPlain(operation, status, context), why, read.exchange));
}
