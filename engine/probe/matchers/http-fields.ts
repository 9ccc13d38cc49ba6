// Matchers of HTTP itself: server errors, framing, ETags and redirects. They know nothing of rules: the caller decides.
import { type Exchange, type Headers, header, type Response } from '../../http/exchange.ts';
import { is3xx, isServerFault } from '../../values/status.ts';
import { switchPoint } from '../../values/switch-points.ts';

/** What a matcher found wrong. */
export interface MatcherFinding {
  readonly expected: string;
  readonly actual: string;
}

/**
 * Returns whether an answer is a server error of the target. 501 says "not implemented", 503 with Retry-After
 * "later": both are answers a client can act on.
 */
export const isServerError = switchPoint(function isServerError(response: Response): boolean {
  const { status } = response;
  if (!isServerFault(status)) return false;
  return status !== 503 || header(response, 'retry-after') === undefined;
});

const announced = (head: { readonly headers: Headers }): number | undefined => {
  const length = header(head, 'content-length');
  return length !== undefined && /^\d+$/.test(length) ? Number(length) : undefined;
};

/** An answer that did not arrive whole: unreadable as HTTP, cut off, or still owed bytes when time was up. */
export const brokenFraming = switchPoint(function brokenFraming({
  error,
}: Exchange): MatcherFinding | undefined {
  if (!error) return undefined;
  const expected = 'a message that ends where it says it does';
  if (error.kind === 'protocol') return { expected, actual: reasonIn(error.message) };
  const { partial } = error;
  if (partial === undefined) return undefined;
  const length = announced(partial);
  const arrived = length === undefined ? `${partial.bytes} bytes` : `${partial.bytes} of ${length} bytes`;
  if (error.kind === 'reset')
    return { expected, actual: `the connection broke after ${arrived} of the body` };
  if (error.kind === 'timeout' && length !== undefined && partial.bytes < length)
    return { expected, actual: `nothing came after ${arrived} of the body` };
  return undefined;
});

/** The client's message without method and URL, which differ from operation to operation. */
function reasonIn(message: string): string {
  const at = message.indexOf(': ');
  return at < 0 ? message : message.slice(at + 2);
}

/**
 * How the server broke over a request, as a phrase; undefined where it took or refused it. A refusal followed by a
 * close (413, and the connection is gone) is a refusal; no answer in time, or a host that is not there, says nothing.
 */
export const breakage = switchPoint(function breakage({ response, error }: Exchange): string | undefined {
  if (response) return isServerError(response) ? `answered ${response.status}` : undefined;
  if (error?.partial) {
    const { status, headers, bytes } = error.partial;
    return isServerError({ status, headers, body: new Uint8Array(), wire: { bytes } })
      ? `answered ${status}`
      : undefined;
  }
  return error?.kind === 'reset' ? 'the connection was broken off before an answer' : undefined;
});

/** Returns whether an overloaded proxy or a restart may cause the failure: the call is repeated before it is judged. */
export function mayBeTemporary({ response, error }: Exchange): boolean {
  if (error) return error.kind === 'reset' && error.partial === undefined;
  return (
    response !== undefined &&
    [502, 503, 504].includes(response.status) &&
    header(response, 'retry-after') === undefined
  );
}

/** The ETag as sent, where it is well-formed. */
export const etagOf = switchPoint(function etagOf(response: Response): string | undefined {
  const etag = header(response, 'etag')?.trim();
  return etag !== undefined && /^(W\/)?"[\x21\x23-\x7e\x80-\xff]*"$/.test(etag) ? etag : undefined;
});

/** An ETag that promises equal bytes. */
export const strongEtagOf = switchPoint(function strongEtagOf(response: Response): string | undefined {
  const etag = etagOf(response);
  return etag?.startsWith('W/') ? undefined : etag;
});

const signIn = /(^|[/._-])(log-?in|sign-?in|sso|oauth2?|authorize)([/._-]|$)/i;

/** Where a redirect leads: within its own origin, or away from the API (another origin, a login page). */
export const redirectOf = switchPoint(function redirectOf({
  request,
  response,
}: Exchange): { readonly to: string; readonly away: boolean } | undefined {
  if (!response || !is3xx(response.status)) return undefined;
  const location = header(response, 'location');
  if (location === undefined || !URL.canParse(location, request.url)) return undefined;
  const to = new URL(location, request.url);
  return { to: location, away: to.origin !== new URL(request.url).origin || signIn.test(to.pathname) };
});
