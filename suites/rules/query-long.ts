import { badQuery, longValue } from './bad-input.ts';

export const queryLong = badQuery(
  'query-long',
  'a query value of 2,000 characters is no server error',
  longValue,
);
