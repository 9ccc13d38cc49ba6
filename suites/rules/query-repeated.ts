// Checks that a query name given twice causes no server error.
import { queryOnceMore } from '../shared/bad-input.ts';

export const queryRepeated = queryOnceMore('query-repeated', 'a query name given twice', 'assay');
