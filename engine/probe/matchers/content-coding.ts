// Finds bodies whose Content-Encoding does not match their bytes.
import type { Response } from '../../http/exchange.ts';
import { switchPoint } from '../../values/switch-points.ts';
import type { Finding } from './finding.ts';

/** Finds a declared coding that does not decode the bytes. An unknown coding is a finding of its own that only warns. */
export const undecodable = switchPoint(function undecodable({
  wire,
}: Response): (Finding & { readonly unknown: boolean }) | undefined {
  if (wire.codingError === undefined) return undefined;
  return {
    expected: `bytes that decode as the declared coding "${wire.coding}"`,
    actual: wire.codingError,
    unknown: wire.codingError.startsWith('unknown coding'),
  };
});

const looksGzip = (body: Uint8Array) => body[0] === 0x1f && body[1] === 0x8b && body[2] === 0x08;

/** Compressed bytes that no Content-Encoding names, where the plain answer is not gzip itself. */
export function undeclared(plain: Response, coded: Response): Finding | undefined {
  if (coded.wire.coding !== undefined || !looksGzip(coded.body) || looksGzip(plain.body)) return undefined;
  return {
    expected: 'Content-Encoding: gzip on a body that is compressed',
    actual: 'gzip bytes without a Content-Encoding',
  };
}
