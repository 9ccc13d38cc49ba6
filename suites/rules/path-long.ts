import { badPath, longValue } from './bad-input.ts';

export const pathLong = badPath(
  'path-long',
  'a path value of 2,000 characters is no server error',
  longValue,
);
