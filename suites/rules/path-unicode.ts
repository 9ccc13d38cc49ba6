import { badPath, unicode } from './bad-input.ts';

export const pathUnicode = badPath('path-unicode', 'a path value beyond ASCII is no server error', unicode);
