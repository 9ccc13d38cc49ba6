// The only file that sends: every request is tagged with its operation's id, so that unique URLs never make unique series.
import type { CookieJar, RefinedResponse } from 'k6/http';
import http from 'k6/http';
import type { Method } from '../../catalog/operation.ts';

export type Response = RefinedResponse<'text'>;

/** Reused from call to call by one VU: only what changes is set anew. k6 walks through all that is in it each time. */
export interface Params {
  headers: Record<string, string>;
  readonly tags?: { readonly name: string };
  timeout: number;
  readonly jar?: CookieJar;
}

/** @param name undefined where the VU's own tags name the only operation there is */
export function paramsFor(
  name: string | undefined,
  headers: Readonly<Record<string, string>>,
  timeoutMs: number,
): Params {
  return { headers: { ...headers }, timeout: timeoutMs, ...(name !== undefined && { tags: { name } }) };
}

type Send = (url: string, body: string | null, params: Params) => Response;

/** k6's own function for each method costs less than the one for all. Never throws: no answer has status 0. */
const { get, post, put, del } = http;
const senders: Readonly<Record<Method, Send>> = {
  GET: (url, _, params) => get(url, params),
  POST: post as Send,
  PUT: put as Send,
  DELETE: del as Send,
};

/** Straight to k6, for a call without a body; undefined for what is more than that. */
export const getterOf = (method: Method, ownJar: boolean) =>
  method === 'GET' && !ownJar ? (get as (url: string, params: Params) => Response) : undefined;

/** @param ownJar k6 keeps the cookies of an iteration in one jar, and an iteration may play several people */
export const senderOf = (method: Method, ownJar: boolean): Send => {
  const send = senders[method];
  return ownJar ? (url, body, params) => send(url, body, { ...params, jar: new http.CookieJar() }) : send;
};
