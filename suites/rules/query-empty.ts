// Checks that an empty query value causes no server error.
import { badQuery } from '../shared/bad-input.ts';

export const queryEmpty = badQuery('query-empty', 'an empty query value', '');
