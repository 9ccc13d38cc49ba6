// Reads the ETag of an answer: well-formed, and strong or weak.
import { header, type Response } from '../../http/exchange.ts';
import { switchPoint } from '../../values/switch-points.ts';

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
