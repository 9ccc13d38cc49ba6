// What rules about bad input have in common: a row that works before, and no server error after.

import { areas } from '../../catalog/catalog.ts';
import type { Operation } from '../../catalog/operation.ts';
import type { Ask } from '../../engine/http/ask.ts';
import type { Exchange } from '../../engine/http/exchange.ts';
import { inconclusive, type Judgement, pass, violation } from '../../engine/judgement.ts';
import type { Context } from '../../engine/probe/context.ts';
import { answered, servedAnswer, whyNot } from '../../engine/probe/gate.ts';
import { breakage, mayPass } from '../../engine/probe/matchers/framing.ts';
import { askedPath } from './asked-path.ts';

/** Who sends bad input: never a player whose session or party others need, should a server take it for good input. */
export function vandalOf(operation: Operation): string {
  if (operation.ends === 'session') return 'session-ender';
  return operation.ends === 'party' ? 'leaver' : 'vandal';
}

/**
 * Taken or refused is all the same; a 5xx or a connection broken off, twice where it may pass, is not.
 * @param inUrl the bad input stands in the URL, where a firewall in front may break it off by its looks
 */
export async function endures(
  operation: Operation,
  context: Context,
  ask: Ask,
  inUrl = false,
): Promise<Judgement> {
  const gate = await servedAnswer(operation, context);
  if (!gate.open) return gate.judgement;
  const already = breakage(gate.exchange);
  if (already !== undefined)
    return inconclusive(
      'prerequisite-failed',
      `its plain call is ${already} too, so this says nothing about the input`,
      gate.exchange,
    );
  const first = await context.ask(operation, ask);
  const exchange = mayPass(first) ? await context.ask(operation, { ...ask, nth: 1 }) : first;
  const broke = breakage(exchange);
  if (
    broke !== undefined &&
    inUrl &&
    exchange.error &&
    (await brokenElsewhere(operation, context, ask, exchange))
  )
    return inconclusive(
      'reset',
      'the connection is broken off on unrouted paths as well: perhaps by a firewall',
      exchange,
    );
  if (broke !== undefined) return violation('taken or refused, but no server error', broke, exchange);
  if (exchange.error?.partial)
    return pass(exchange, `answered ${exchange.error.partial.status}, then closed`);
  const answer = answered(exchange);
  if (!answer.open) return answer.judgement;
  if (answer.response.status === 401 && operation !== areas.auth.login)
    return unseen(operation, context, gate.response.status);
  return pass(exchange, `answered ${answer.response.status}`);
}

/** Does the same text break a path that nothing is served at? Then it is not the row that breaks. */
async function brokenElsewhere(
  operation: Operation,
  context: Context,
  ask: Ask,
  broken: Exchange,
): Promise<boolean> {
  const last = askedPath(broken, operation, context).replace(/^[^?]*\//, '');
  const there = await context.ask(operation, {
    ...(ask.as !== undefined && { as: ask.as }),
    path: `/assayUnrouted/${last}`,
  });
  return there.error?.kind === 'reset' && there.error.partial === undefined;
}

/** A wall in front of the handler: the input never reached what it could have broken. */
async function unseen(operation: Operation, context: Context, plainStatus: number): Promise<Judgement> {
  const detail = 'answered 401 before the input was looked at';
  return inconclusive(plainStatus === 401 ? await whyNot(operation, 401, context) : 'needs-players', detail);
}
