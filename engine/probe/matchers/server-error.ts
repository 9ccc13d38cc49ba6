// Decides whether an answer is a server error that the target is to blame for.
import { header, type Response } from '../../http/exchange.ts';
import { isServerFault } from '../../values/status.ts';
import { switchPoint } from '../../values/switch-points.ts';

/**
 * Returns whether an answer is a server error of the target. 501 says "not implemented", 503 with Retry-After
 * "later": both are answers a client can act on.
 */
export const isServerError = switchPoint(function isServerError(response: Response): boolean {
  const { status } = response;
  if (!isServerFault(status)) return false;
  return status !== 503 || header(response, 'retry-after') === undefined;
});
