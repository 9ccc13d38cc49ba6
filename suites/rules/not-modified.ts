// Checks that a client that already has the current content gets 304. An answer without an ETag conforms.
import type { Operation } from '../../catalog/operation.ts';
import { inconclusive, notTriggered, pass, violation } from '../../engine/judgement.ts';
import type { Rule } from '../../engine/probe/check.ts';
import type { Context } from '../../engine/probe/context.ts';
import { etagOf } from '../../engine/probe/matchers/http-fields.ts';
import { type Answered, answered } from '../../engine/probe/prerequisites.ts';
import { is4xx } from '../../engine/values/status.ts';
import { quiet, quietContent } from './quiet-reads.ts';

/** The `nth` quiet read of an operation, conditional on this ETag. */
export const conditional = (operation: Operation, etag: string, nth = 1) =>
  quiet(operation, nth, { headers: [['if-none-match', etag]] });

export const notModified: Rule = {
  name: 'not-modified',
  title: 'If-None-Match with the current ETag is answered 304',
  clause: 'rfc9110.not-modified',
  async judge(operation, context) {
    const plain = await quietContent(operation, context);
    const etag = etagOf(plain.response);
    if (etag === undefined) return notTriggered('it sends no ETag');
    const { gate, current } = await whileCurrent(operation, context, etag);
    const { status } = gate.response;
    if (status === 304) return pass(gate.exchange);
    if (!current) return notTriggered('its ETag changes with every answer');
    if (is4xx(status) && status !== 412)
      return inconclusive('unstable-answers', `200 at first, ${status} with If-None-Match`, gate.exchange);
    return violation('304', String(status), gate.exchange);
  },
};

/** The content may have changed since its ETag was read: then the newer ETag is tried, once. */
async function whileCurrent(
  operation: Operation,
  { ask }: Context,
  etag: string,
): Promise<{ gate: Answered; current: boolean }> {
  const first = answered(await ask(operation, conditional(operation, etag)));
  if (first.response.status !== 200) return { gate: first, current: true };
  const newer = etagOf(first.response);
  if (newer === undefined || newer === etag) return { gate: first, current: newer === etag };
  const second = answered(await ask(operation, conditional(operation, newer)));
  return {
    gate: second,
    current: second.response.status !== 200 || etagOf(second.response) === newer,
  };
}
