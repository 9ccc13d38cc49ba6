// The only file that sends requests. Journeys share one VU and its cookie jar, so each request names a jar of its own.
import type { CookieJar, RefinedResponse } from 'k6/http';
import http from 'k6/http';
import type { Method } from '../../catalog/operation.ts';

export type Response = RefinedResponse<'text'>;
export type Jar = CookieJar;

/** Reused from call to call: k6 reads all of it before it sends, and only what changes is set anew. */
export interface Params {
  headers: Record<string, string>;
  /** ms */
  timeout: number;
  jar?: Jar;
}

export const newJar = (): Jar => new http.CookieJar();

export type Send = (url: string, body: string | null, params: Params) => Promise<Response>;

/** No answer has status 0; it rejects only for what k6 cannot send. */
export const senderOf = (method: Method): Send => {
  const { asyncRequest } = http;
  return (url, body, params) => asyncRequest(method, url, body, params) as Promise<Response>;
};
