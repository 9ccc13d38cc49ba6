import { queryOnceMore, undecodable } from './bad-input.ts';

export const queryUndecodable = queryOnceMore(
  'query-undecodable',
  'a query that cannot be percent-decoded is no server error',
  undecodable,
);
