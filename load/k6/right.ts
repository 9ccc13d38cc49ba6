// Cheap rules for an answer: a fast wrong answer is an error.
import { headerOf } from './credential.ts';
import type { Response } from './http.ts';
import { type Kind, kindOfStatus, transportKind } from './kinds.ts';
import type { Call } from './plan.ts';

/** What is wrong with an answer, in a word; undefined where nothing is. `conditional`: it was asked with a validator. */
export function wrongWith(
  call: Call,
  status: number,
  response: Response,
  conditional: boolean,
): Kind | undefined {
  if (status === 0) return transportKind(response);
  if (conditional && status === 304) return undefined;
  const { accepts, begins, unlike } = call;
  if (accepts.length === 0 ? status < 200 || status > 299 : !accepts.includes(status))
    return kindOfStatus(status);
  if (begins === '' && unlike === undefined) return undefined;
  const body = response.body ?? '';
  if (begins !== '' && body[0] !== begins && body.trimStart()[0] !== begins) return 'body';
  return unlike !== undefined && body === unlike ? 'unrouted' : undefined;
}

export const validatorsIn = (response: Response): Readonly<Record<string, string>> => {
  const etag = headerOf(response, 'etag');
  const modified = headerOf(response, 'last-modified');
  return {
    ...(etag !== undefined && { 'if-none-match': etag }),
    ...(modified !== undefined && { 'if-modified-since': modified }),
  };
};
