import { type Exchange, statusOf, text } from '../../fixtures/client/exchange.ts';

/** How written bytes stand in an answer: as they are, or as base64 within a text. */
export type Found = 'bytes' | 'base64';

/** Finds bytes in a successful answer; undefined where it holds others. Empty ones stand in no text. */
export function findBytes({ response }: Exchange, bytes: Uint8Array): Found | undefined {
  if (!response || response.status < 200 || response.status > 299) return undefined;
  if (Buffer.compare(response.body, bytes) === 0) return 'bytes';
  if (bytes.length === 0) return undefined;
  const held = text(response);
  const coded = Buffer.from(bytes);
  return [coded.toString('base64'), coded.toString('base64url')].some((form) => held.includes(form))
    ? 'base64'
    : undefined;
}

/** What an answer holds in place of these bytes, in words. */
export function toldOf(exchange: Exchange, bytes: Uint8Array): string {
  const status = statusOf(exchange);
  const body = exchange.response?.body ?? new Uint8Array();
  if (status < 200 || status > 299) return `${status}`;
  if (Buffer.compare(body, asText(bytes)) === 0)
    return `${status} with ${body.length} bytes: what was written, decoded as text`;
  const at = bytes.findIndex((byte, index) => body[index] !== byte);
  return at < 0
    ? `${status} with ${body.length} bytes, which begin with them`
    : `${status} with ${body.length} bytes, other from byte ${at} on`;
}

/** What is left of bytes that went through UTF-8. */
const asText = (bytes: Uint8Array) => Buffer.from(Buffer.from(bytes).toString('utf8'));
