// Reads the cookies that an answer sets.
import { parseSetCookie } from 'set-cookie-parser';
import { type Exchange, headerAll, type Response } from './exchange.ts';

/** Most Set-Cookie fields of an answer that are read. */
const most = 32;

/**
 * The cookies that a client without any holds after an answer, value by name; the last field of a name counts.
 * Attributes are ignored except those that delete a cookie.
 * @param now ms since the epoch
 */
export function cookiesOf(answer: Exchange | Response, now: number): Map<string, string> {
  const cookies = new Map<string, string>();
  const fields = headerAll(answer, 'set-cookie').slice(0, most);
  const asWritten = { decodeValues: false, silent: true };
  for (const { name, value, maxAge, expires } of parseSetCookie(fields, asWritten)) {
    // RFC 6265 5.3: Max-Age outranks Expires.
    const isOver = maxAge === undefined ? expires !== undefined && expires.getTime() <= now : maxAge <= 0;
    if (value === '' || isOver) cookies.delete(name);
    else if (name !== '') cookies.set(name, value);
  }
  return cookies;
}
