// Reads the cookies that an answer sets.
import { parseSetCookie } from 'set-cookie-parser';
import { type Exchange, headerAll, type Response } from './exchange.ts';

/** At most so many fields of an answer are read. */
const most = 32;

/**
 * What an answer's Set-Cookie fields leave in a client that starts without any, by name; the last field of
 * a name counts. Attributes are ignored but for those that delete.
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
