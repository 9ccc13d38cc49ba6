// Checks that a range of a file holds the requested bytes. A server without ranges sends the whole file, and conforms.
import { catalog } from '../../catalog/catalog.ts';
import type { Operation } from '../../catalog/operation.ts';
import { sameBytes } from '../../engine/compare/content.ts';
import { type Exchange, header, mediaType, type Response } from '../../engine/http/exchange.ts';
import {
  inconclusive,
  type Judgement,
  judgementOf,
  notTriggered,
  pass,
  violation,
  warning,
} from '../../engine/judgement.ts';
import type { Rule } from '../../engine/probe/check.ts';
import type { Context } from '../../engine/probe/context.ts';
import type { MatcherFinding } from '../../engine/probe/matchers/http-fields.ts';
import { answered, successfulAnswer } from '../../engine/probe/prerequisites.ts';
import { is4xx } from '../../engine/values/status.ts';
import { switchPoint } from '../../engine/values/switch-points.ts';

const size = 16;

/**
 * The first bytes of a file, and some from its middle or its last ones: those of every second file are asked for by
 * their number alone (RFC 9110, section 14.1.2), since one store serves all files by one code.
 */
function rangesOf(length: number, byNumber: boolean): ByteRange[] {
  const middle = Math.floor(length / 2);
  const rangeFrom = (start: number) => ({ start, end: Math.min(start + size, length) - 1 });
  const last = { start: length - Math.min(size, middle), end: length - 1, isSuffix: true };
  return middle === 0 ? [rangeFrom(0)] : [rangeFrom(0), byNumber ? last : rangeFrom(middle)];
}

export const range: Rule = {
  name: 'range',
  title: 'a range of the file holds the bytes that its Content-Range states',
  clause: 'rfc9110.partial',
  async judge(operation, context) {
    const { exchange, response } = await successfulAnswer(operation, context);
    if (response.status !== 200 || response.body.length === 0)
      return notTriggered('there is no content to take a part of');
    if (response.wire.coding !== undefined)
      return notTriggered('the file is stored compressed: ranges count its compressed bytes');
    const byNumber = catalog.indexOf(operation) % 2 === 1;
    const parts = rangesOf(response.body.length, byNumber).map((asked) =>
      judgementOf(judgePart(operation, context, exchange, asked)),
    );
    const judged = await Promise.all(parts);
    return weightiest(judged) ?? notTriggered('there is nothing to take a part of');
  },
};

/** The most informative of several judgements of one file. */
function weightiest(judged: readonly Judgement[]): Judgement | undefined {
  const kinds = ['violation', 'inconclusive', 'pass', 'not-applicable'];
  const rank = (each: Judgement) =>
    kinds.indexOf(each.kind) + (each.kind === 'violation' && each.onlyWarns ? 0.5 : 0);
  return judged.toSorted((a, b) => rank(a) - rank(b))[0];
}

async function judgePart(
  operation: Operation,
  context: Context,
  whole: Exchange,
  asked: ByteRange,
): Promise<Judgement> {
  const { exchange, response } = answered(
    await context.ask(operation, { headers: [['range', headerOf(asked)]] }),
  );
  if (response.wire.coding !== undefined) return notTriggered('the part is sent compressed');
  const file = whole.response?.body ?? new Uint8Array();
  const found = wrongRange(response, asked, file);
  if (!found && response.status === 206 && response.body.length === lengthOf(asked) - 1)
    return warning(
      `the ${lengthOf(asked)} bytes that were asked for: the last one of a range is part of it`,
      `${header(response, 'content-range')}, one less`,
      exchange,
    );
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

const headerOf = (asked: ByteRange): string =>
  asked.isSuffix ? `bytes=-${lengthOf(asked)}` : `bytes=${asked.start}-${asked.end}`;

const lengthOf = ({ start, end }: ByteRange): number => end - start + 1;

interface ByteRange {
  readonly start: number;
  /** Inclusive, as in the header. */
  readonly end: number;
  /** Whether it is asked for as that many last bytes. */
  readonly isSuffix?: boolean;
}

const contentRange = /^bytes (\d{1,15})-(\d{1,15})\/(\d{1,15}|\*)$/i;

/** A server without range support answers 200 with the whole file (RFC 9110, section 14.2). */
export const mayIgnoreRange = switchPoint((status: number): boolean => status === 200);

/**
 * Returns what is wrong with the answer to a satisfiable range of a file whose bytes are known; a whole 200 is fine.
 * A server may send less than was asked for, so 206 is held to its own Content-Range.
 */
export const wrongRange = switchPoint(function wrongRange(
  answer: Response,
  asked: ByteRange,
  file: Uint8Array,
): MatcherFinding | undefined {
  const request = `bytes ${asked.start}-${asked.end} of ${file.length}`;
  if (answer.status === 416)
    return { expected: `206 or 200 to ${request}`, actual: '416, though the range is satisfiable' };
  if (mayIgnoreRange(answer.status)) {
    const isPart =
      answer.body.length < file.length && equal(answer.body, file.subarray(asked.start, asked.end + 1));
    return isPart
      ? { expected: 'status 206 with Content-Range on a part', actual: '200 with the part alone' }
      : undefined;
  }
  if (answer.status !== 206) return { expected: `206 or 200 to ${request}`, actual: String(answer.status) };
  if (mediaType(answer) === 'multipart/byteranges')
    return { expected: 'one part for one range', actual: 'multipart/byteranges' };
  return wrongPart(answer, asked, file);
});

function wrongPart(answer: Response, asked: ByteRange, file: Uint8Array): MatcherFinding | undefined {
  const sent = header(answer, 'content-range');
  const [, first, last, total] = contentRange.exec(sent ?? '') ?? [];
  if (sent === undefined || first === undefined || last === undefined)
    return {
      expected: 'Content-Range: bytes FIRST-LAST/TOTAL',
      actual: sent === undefined ? '206 without Content-Range' : sent,
    };
  const [start, end] = [Number(first), Number(last)];
  if (start > end || start < asked.start || end > asked.end)
    return { expected: `a part of bytes ${asked.start}-${asked.end}`, actual: sent };
  if (total !== '*' && Number(total) !== file.length)
    return { expected: `a total of ${file.length}, the length of the file`, actual: sent };
  if (answer.body.length !== end - start + 1)
    return {
      expected: `${end - start + 1} bytes, as Content-Range says`,
      actual: `${answer.body.length} bytes`,
    };
  if (!equal(answer.body, file.subarray(start, end + 1)))
    return {
      expected: `bytes ${start}-${end} of the file`,
      actual: 'other bytes than the whole file holds there',
    };
  return undefined;
}

const equal = (a: Uint8Array, b: Uint8Array) => Buffer.compare(a, b) === 0;
