// Checks that an empty body with a Content-Type causes no server error.
import { badBody } from './bad-input.ts';

export const emptyBody = badBody('empty-body', 'an empty body with a type causes no server error', {
  body: '',
});
