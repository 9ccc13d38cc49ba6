// Checks that a client that already has the current content gets 304. An answer without an ETag conforms. Where coded
// content has an ETag of its own, that one is checked too, since clients accept codings.
import type { Operation } from '../../catalog/operation.ts';
import type { Headers } from '../../engine/http/exchange.ts';
import {
  inconclusive,
  type Judgement,
  notTriggered,
  pass,
  violation,
  warning,
} from '../../engine/judgement.ts';
import type { Rule } from '../../engine/probe/check.ts';
import type { Context } from '../../engine/probe/context.ts';
import { etagOf } from '../../engine/probe/matchers/http-fields.ts';
import { type Answered, answered } from '../../engine/probe/prerequisites.ts';
import { is4xx } from '../../engine/values/status.ts';
import { quiet, quietContent } from '../shared/quiet-reads.ts';
import { acceptCodings, codedRead } from './coding.ts';

/** The quiet read of an operation, conditional on this ETag. @param besides further headers */
export const conditional = (operation: Operation, etag: string, besides: Headers = []) =>
  quiet(operation, 1, { headers: [...besides, ['if-none-match', etag]] });

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
    if (status === 304) return (await refusedCoded(operation, context, etag)) ?? pass(gate.exchange);
    if (!current) return notTriggered('its ETag changes with every answer');
    if (is4xx(status) && status !== 412)
      return inconclusive('unstable-answers', `200 at first, ${status} with If-None-Match`, gate.exchange);
    return violation('304', String(status), gate.exchange);
  },
};

/** Sends the conditional read; if the content has changed since its ETag was read, once more with the newer ETag. */
async function whileCurrent(
  operation: Operation,
  { ask }: Context,
  etag: string,
  besides: Headers = [],
): Promise<{ gate: Answered; current: boolean }> {
  const first = answered(await ask(operation, conditional(operation, etag, besides)));
  if (first.response.status !== 200) return { gate: first, current: true };
  const newer = etagOf(first.response);
  if (newer === undefined || newer === etag) return { gate: first, current: newer === etag };
  const second = answered(await ask(operation, conditional(operation, newer, besides)));
  return {
    gate: second,
    current: second.response.status !== 200 || etagOf(second.response) === newer,
  };
}

/** The warning that coded content, which has an ETag of its own, is sent again to a client with that ETag. */
async function refusedCoded(
  operation: Operation,
  context: Context,
  etag: string,
): Promise<Judgement | undefined> {
  const { response } = await codedRead(operation, context);
  const own = etagOf(response);
  if (response.wire.coding === undefined || own === undefined || own === etag) return undefined;
  const { gate, current } = await whileCurrent(operation, context, own, acceptCodings.headers);
  return gate.response.status === 200 && current
    ? warning('304 to the ETag of the coded answer, as to that of the uncoded one', '200', gate.exchange)
    : undefined;
}
