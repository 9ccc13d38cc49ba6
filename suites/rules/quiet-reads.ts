// Reads by a player whose data no call changes, so that a change between two reads happened by itself.
import type { Operation } from '../../catalog/operation.ts';
import type { Ask } from '../../engine/http/ask.ts';
import { inconclusive } from '../../engine/judgement.ts';
import { reader } from '../../engine/probe/callers.ts';
import type { Context } from '../../engine/probe/context.ts';
import { answered, type Gate, servedAnswer, whyNot } from '../../engine/probe/gate.ts';

/** The `nth` quiet read of an operation, departing from its plain form by `ask`. Files know no players. */
export function quiet(operation: Operation, nth: number | string = 1, ask: Ask = {}): Ask {
  return { ...(operation.host === 'base' && { as: reader }), ...(nth !== 1 && { nth }), ...ask };
}

export const isRead = ({ method }: Operation) => method === 'GET';

/** Opens when the operation is served and its first quiet read is answered 200, the status that has content to compare. */
export async function quietContent(operation: Operation, context: Context): Promise<Gate> {
  const served = await servedAnswer(operation, context);
  if (!served.open) return served;
  const gate = answered(await context.ask(operation, quiet(operation)));
  if (!gate.open || gate.response.status === 200) return gate;
  const { status } = gate.response;
  return {
    open: false,
    judgement: inconclusive(
      await whyNot(operation, status, context),
      `a read is answered ${status}`,
      gate.exchange,
    ),
  };
}
