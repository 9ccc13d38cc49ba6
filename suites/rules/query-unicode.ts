// Checks that a query value with characters beyond ASCII causes no server error.
import { badQuery, unicode } from '../shared/bad-input.ts';

export const queryUnicode = badQuery('query-unicode', 'a query value beyond ASCII', unicode);
