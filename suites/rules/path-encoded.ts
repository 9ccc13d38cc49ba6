// Checks that a path value with characters that need encoding causes no server error.
import { badPath, punctuation } from '../shared/bad-input.ts';

export const pathEncoded = badPath('path-encoded', 'a path value that needs encoding', punctuation);
