// Checks that a query value of 2,000 characters causes no server error.
import { badQuery, longValue } from '../shared/bad-input.ts';

export const queryLong = badQuery('query-long', 'a query value of 2,000 characters', longValue);
