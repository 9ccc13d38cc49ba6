import { badPath, punctuation } from './bad-input.ts';

export const pathEncoded = badPath(
  'path-encoded',
  'a path value that needs encoding is no server error',
  punctuation,
);
