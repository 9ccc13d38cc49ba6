// Checks that a query value with characters that need encoding causes no server error.
import { badQuery, punctuation } from '../shared/bad-input.ts';

export const queryEncoded = badQuery('query-encoded', 'a query value that needs encoding', punctuation);
