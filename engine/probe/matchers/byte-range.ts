// Finds what is wrong with an answer to a byte range request (RFC 9110, section 14).
import { header, mediaType, type Response } from '../../http/exchange.ts';
import { switchPoint } from '../../values/switch-points.ts';
import type { Finding } from './finding.ts';

export interface ByteRange {
  readonly start: number;
  /** Inclusive, as in the header. */
  readonly end: number;
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
): Finding | undefined {
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

function wrongPart(answer: Response, asked: ByteRange, file: Uint8Array): Finding | undefined {
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
