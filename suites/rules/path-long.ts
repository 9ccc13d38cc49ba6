// Checks that a path value of 2,000 characters causes no server error.
import { badPath, longValue } from '../shared/bad-input.ts';

export const pathLong = badPath('path-long', 'a path value of 2,000 characters', longValue);
