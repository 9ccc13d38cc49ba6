// Asks that a part of a file is the requested one. A server without ranges sends the whole file, and conforms.
import { clauseById } from '../../catalog/clauses/clauses.ts';
import type { Operation } from '../../catalog/operation.ts';
import { sameBytes } from '../../engine/compare/content.ts';
import type { Exchange } from '../../engine/http/exchange.ts';
import { inconclusive, type Judgement, notTriggered, pass, violation } from '../../engine/judgement.ts';
import type { Rule } from '../../engine/probe/check.ts';
import type { Context } from '../../engine/probe/context.ts';
import { answered, successfulAnswer } from '../../engine/probe/gate.ts';
import { type ByteRange, wrongRange } from '../../engine/probe/matchers/byte-range.ts';
import { is4xx } from '../../engine/values/status.ts';

const size = 16;

/** The first bytes of a file, and some from its middle. */
function rangesOf(length: number): ByteRange[] {
  const middle = Math.floor(length / 2);
  const starts = middle === 0 ? [0] : [0, middle];
  return starts.map((start) => ({ start, end: Math.min(start + size, length) - 1 }));
}

export const range: Rule = {
  name: 'range',
  title: 'a range of the file holds the bytes that its Content-Range states',
  clause: () => clauseById('rfc9110.partial'),
  async judge(operation, context) {
    const gate = await successfulAnswer(operation, context);
    if (!gate.open) return gate.judgement;
    const { exchange, response } = gate;
    if (response.status !== 200 || response.body.length === 0)
      return notTriggered('there is no content to take a part of');
    if (response.wire.coding !== undefined)
      return notTriggered('the file is stored compressed: ranges count its compressed bytes');
    const parts = rangesOf(response.body.length).map((asked) =>
      judgePart(operation, context, exchange, asked),
    );
    const judged = await Promise.all(parts);
    return weightiest(judged) ?? notTriggered('there is nothing to take a part of');
  },
};

/** Of several judgements on one file, the most informative. */
function weightiest(judged: readonly Judgement[]): Judgement | undefined {
  const kinds = ['violation', 'inconclusive', 'pass', 'not-applicable'];
  return judged.toSorted((a, b) => kinds.indexOf(a.kind) - kinds.indexOf(b.kind))[0];
}

async function judgePart(
  operation: Operation,
  context: Context,
  whole: Exchange,
  asked: ByteRange,
): Promise<Judgement> {
  const gate = answered(
    await context.ask(operation, { headers: [['range', `bytes=${asked.start}-${asked.end}`]] }),
  );
  if (!gate.open) return gate.judgement;
  const { exchange, response } = gate;
  if (response.wire.coding !== undefined) return notTriggered('the part is sent compressed');
  const file = whole.response?.body ?? new Uint8Array();
  const found = wrongRange(response, asked, file);
  if (!found)
    return response.status === 206
      ? pass(exchange)
      : notTriggered('it answers a range with the whole file, as it may');
  if (is4xx(response.status) && response.status !== 416)
    return inconclusive('unstable-answers', `200 without Range, ${response.status} with it`, exchange);
  // The file may have been replaced in the meantime.
  if (!sameBytes(whole, await context.ask(operation, { nth: 4 })))
    return inconclusive('unstable-answers', 'the file itself changes from answer to answer', exchange);
  return violation(found.expected, found.actual, exchange);
}
