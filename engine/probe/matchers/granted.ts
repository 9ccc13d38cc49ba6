// Finds the credentials that a login's answer grants, and how each would be sent back.
import { type Headers, json, type Request, type Response } from '../../http/exchange.ts';
import { isTokenLike, rankOf } from '../../players/login-answer.ts';
import { cookiesOf } from '../../players/session-renewal.ts';
import { switchPoint } from '../../values/switch-points.ts';
import { valuesOf } from './json.ts';

export interface Granted {
  /** Cookies by name; those that an answer takes off the client again are none. */
  readonly cookies: ReadonlyMap<string, string>;
  /** Values that tokens are made of, from headers and the body. */
  readonly tokens: readonly string[];
}

/**
 * Everything in an answer that could be a credential.
 * @param now ms since the epoch: a cookie that is over by then is none
 */
export function grantedBy(response: Response, now: number): Granted {
  const inHeaders = response.headers
    .filter(([name]) => rankOf([name]) < 2)
    .map(([, value]) => value.replace(/^Bearer +/i, ''));
  const inBody = json(response).ok ? valuesOf(response).filter(({ name }) => rankOf([name]) < 3) : [];
  const values = [...inHeaders, ...inBody.map(({ value }) => value)];
  const cookies = cookiesOf(response, now);
  return { cookies, tokens: [...new Set(values.filter((value) => isTokenLike(value, 1)))] };
}

/**
 * The credential fields of a signed-in request with a granted value in place of each: every way in which what was
 * granted could be used, if it could. None where nothing granted fits.
 */
export const usesOf = switchPoint(function usesOf(
  { cookies, tokens }: Granted,
  signedIn: Request,
  anonymous: Request,
): Headers[] {
  const isOwn = ([name, value]: readonly [string, string]) =>
    !anonymous.headers.some(([other, held]) => other === name && held === value);
  return signedIn.headers.filter(isOwn).flatMap(([name, value]): Headers[] => {
    if (name.toLowerCase() === 'cookie') {
      const names = value.split(';').map((pair) => pair.split('=', 1)[0]?.trim() ?? '');
      if (!names.every((each) => cookies.has(each))) return [];
      return [[[name, names.map((each) => `${each}=${cookies.get(each)}`).join('; ')]]];
    }
    const scheme = /^[A-Za-z]+ +/.exec(value)?.[0] ?? '';
    return tokens.map((token): Headers => [[name, scheme + token]]);
  });
});
