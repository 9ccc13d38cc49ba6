// Checks that a query name given twice causes no server error.
import { queryOnceMore } from './bad-input.ts';

export const queryRepeated = queryOnceMore(
  'query-repeated',
  'a query name given twice causes no server error',
  'assay',
);
