// Reads where a redirect leads: within its origin, to another origin, or to a login page.
import { type Exchange, header } from '../../http/exchange.ts';
import { is3xx } from '../../values/status.ts';
import { switchPoint } from '../../values/switch-points.ts';

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
