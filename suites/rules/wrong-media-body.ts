import { badBody } from './bad-input.ts';

export const wrongMediaBody = badBody(
  'wrong-media-body',
  'a body of the wrong media type is no server error',
  {
    body: 'assay=1',
    contentType: 'application/x-www-form-urlencoded',
  },
);
