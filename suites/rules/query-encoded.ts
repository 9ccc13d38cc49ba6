import { badQuery, punctuation } from './bad-input.ts';

export const queryEncoded = badQuery(
  'query-encoded',
  'a query value that needs encoding is no server error',
  punctuation,
);
