// Puts the README of the package into the root while npm packs: npm packs the one that stands there, whatever `files` says.
import { copyFileSync, existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';

/** Where the README of the clone is meanwhile; git ignores it. */
const keptIn = (root: string) => join(root, '.ci', 'package', 'README.clone.md');

/** Puts the package's README in place of the clone's. */
export function packOwnReadme(root: string): void {
  restoreReadme(root);
  renameSync(join(root, 'README.md'), keptIn(root));
  copyFileSync(join(root, '.ci', 'package', 'README.md'), join(root, 'README.md'));
}

/** Puts the clone's README back, where it is not in its place. */
export function restoreReadme(root: string): void {
  if (existsSync(keptIn(root))) renameSync(keptIn(root), join(root, 'README.md'));
}
