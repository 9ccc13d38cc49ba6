// Checks that a compressed body causes no server error.
import { badBody } from '../shared/bad-input.ts';

/** `{}`, compressed once: constant, so that every run sends the same bytes. */
export const gzipped = Uint8Array.from(Buffer.from('H4sIAAAAAAAAA6uuBQBDv6ajAgAAAA==', 'base64'));

export const gzipBody = badBody('gzip-body', 'a compressed body', {
  body: gzipped,
  headers: [['content-encoding', 'gzip']],
});
