// Finds answers that a shared cache may hand to another player.
import { headerAll, type Response } from '../../http/exchange.ts';
import { switchPoint } from '../../values/switch-points.ts';
import type { Finding } from './finding.ts';

/**
 * A Cache-Control that lets a shared cache hand this answer to somebody else. `private` and `no-store` take
 * precedence, and a cache that varies by credential keeps players apart.
 */
export const sharedCaching = switchPoint(function sharedCaching(response: Response): Finding | undefined {
  const directives = headerAll(response, 'cache-control')
    .join(',')
    .toLowerCase()
    .split(',')
    .map((part) => part.trim());
  const says = (pattern: RegExp) => directives.find((directive) => pattern.test(directive));
  const shared = says(/^public$/) ?? says(/^s-maxage="?0*[1-9]/);
  if (shared === undefined || says(/^(private|no-store)\b/)) return undefined;
  if (/(^|,)\s*(\*|authorization|cookie)\s*(,|$)/i.test(headerAll(response, 'vary').join(',')))
    return undefined;
  return {
    expected: "an answer with one player's data that only that player's cache may keep",
    actual: `Cache-Control: ${directives.join(', ')}`,
  };
});
