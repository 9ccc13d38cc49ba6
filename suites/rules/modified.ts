// Checks that a client with outdated content gets the whole current content. An answer without an ETag conforms.
import type { Operation } from '../../catalog/operation.ts';
import { statusOf } from '../../engine/http/exchange.ts';
import { inconclusive, notTriggered, pass, violation } from '../../engine/judgement.ts';
import type { Rule } from '../../engine/probe/check.ts';
import type { Context } from '../../engine/probe/context.ts';
import { etagOf } from '../../engine/probe/matchers/http-fields.ts';
import { type Answered, answered } from '../../engine/probe/prerequisites.ts';
import { quiet, quietContent } from '../shared/quiet-reads.ts';
import { conditional } from './not-modified.ts';

const outdated = (operation: Operation) => conditional(operation, '"assay-no-such-etag"');

/**
 * Repeats a read. For a file, the full answer to a client with outdated content serves as the repeat; a read of the
 * main API is repeated unchanged, since that also shows intermittent failures.
 */
export async function readAgain(operation: Operation, context: Context, first: Answered): Promise<Answered> {
  if (operation.host === 'cdn' && etagOf(first.response) !== undefined) {
    const exchange = await context.ask(operation, outdated(operation));
    if (statusOf(exchange) === 200) return answered(exchange);
  }
  return answered(await context.ask(operation, quiet(operation, 2)));
}

export const modified: Rule = {
  name: 'modified',
  title: 'If-None-Match with another ETag is answered in full',
  clause: 'rfc9110.modified',
  async judge(operation, context) {
    const plain = await quietContent(operation, context);
    if (etagOf(plain.response) === undefined) return notTriggered('it sends no ETag');
    const gate = answered(await context.ask(operation, outdated(operation)));
    const { status } = gate.response;
    if (status === 304)
      return violation('200 with the content', '304 to an ETag that it never sent', gate.exchange);
    return status === 200
      ? pass(gate.exchange)
      : inconclusive('unstable-answers', `200 at first, then ${status}`, gate.exchange);
  },
};
