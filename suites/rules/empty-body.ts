import { badBody } from './bad-input.ts';

export const emptyBody = badBody('empty-body', 'an empty body with a type is no server error', { body: '' });
