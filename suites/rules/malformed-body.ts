// Checks that a body cut off in the middle causes no server error.
import type { Ask } from '../../engine/http/ask.ts';
import { badBody } from './bad-input.ts';

/** Cut off in the middle, which makes many a body parser talk. */
export const malformed: Ask = { body: '{"assay":' };

export const malformedBody = badBody(
  'malformed-body',
  'a body cut off in the middle causes no server error',
  malformed,
);
