// Checks that a query that cannot be percent-decoded causes no server error.
import { queryOnceMore, undecodable } from '../shared/bad-input.ts';

export const queryUndecodable = queryOnceMore(
  'query-undecodable',
  'a query that cannot be percent-decoded',
  undecodable,
);
