// npm runs it once the tarball is written.
import { root } from '../../engine/files.ts';
import { restoreReadme } from './readme.ts';

restoreReadme(root);
