import { queryOnceMore } from './bad-input.ts';

export const queryRepeated = queryOnceMore(
  'query-repeated',
  'a query name given twice is no server error',
  'assay',
);
