// Checks that a body of the wrong media type causes no server error.
import { badBody } from '../shared/bad-input.ts';

export const wrongMediaBody = badBody('wrong-media-body', 'a body of the wrong media type', {
  body: 'assay=1',
  contentType: 'application/x-www-form-urlencoded',
});
