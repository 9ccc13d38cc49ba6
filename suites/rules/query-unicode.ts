import { badQuery, unicode } from './bad-input.ts';

export const queryUnicode = badQuery(
  'query-unicode',
  'a query value beyond ASCII is no server error',
  unicode,
);
