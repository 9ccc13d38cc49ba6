import { badQuery } from './bad-input.ts';

export const queryEmpty = badQuery('query-empty', 'an empty query value is no server error', '');
