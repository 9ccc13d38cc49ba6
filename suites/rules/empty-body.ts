// Checks that an empty body with a Content-Type causes no server error.
import type { Ask } from '../../engine/http/ask.ts';
import { badBody } from '../shared/bad-input.ts';

export const empty: Ask = { body: '' };

export const emptyBody = badBody('empty-body', 'an empty body with a type', empty);
