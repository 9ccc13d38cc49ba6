// Checks that a path value with characters beyond ASCII causes no server error.
import { badPath, unicode } from '../shared/bad-input.ts';

export const pathUnicode = badPath('path-unicode', 'a path value beyond ASCII', unicode);
