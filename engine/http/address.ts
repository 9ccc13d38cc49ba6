// Prepares addresses and header values for the wire, without the corrections of the URL class.

/** Where a URL leads, with the path left as it was written: no dot segment removed, nothing re-encoded. */
interface Address {
  /** Scheme and authority without user information, as `http://[::1]:8080`. */
  readonly origin: string;
  /** Path and query as they go on the request line. */
  readonly path: string;
}

const shape = /^(https?:\/\/)(?:[^/?#]*@)?([^/?#]+)([^?#]*)(\?[^#]*)?/i;
const unsendable = /[^\x21-\x7e]+/g;

/**
 * Splits an absolute URL. The URL class would resolve `..` and encode `|`, and a suite has to be able to
 * send both. Only what cannot stand on a request line (spaces, controls, non-ASCII) is percent-encoded,
 * as UTF-8. Undefined when it is no http or https URL.
 */
export function addressOf(url: string): Address | undefined {
  const found = shape.exec(url);
  const [, scheme = '', authority = '', path = '', query = ''] = found ?? [];
  const origin = scheme + authority;
  if (!URL.canParse(origin)) return undefined;
  const whole = (path || '/') + query;
  return {
    origin,
    path: whole.replace(unsendable, (part) => encodeURIComponent(part.toWellFormed())),
  };
}

/**
 * A header value as the bytes that go on the wire, one character each. Latin-1 travels as it is; a value
 * with anything beyond it travels as UTF-8, which is what curl and browsers send.
 */
export function wireValue(value: string): string {
  return /[^\x00-\xff]/.test(value) ? Buffer.from(value, 'utf8').toString('latin1') : value;
}
