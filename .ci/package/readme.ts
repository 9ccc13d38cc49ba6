// Swaps the README of the root for that of the package while npm packs: npm always packs README.md of the root, even if
// `files` names another one.
import { copyFileSync, existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';

/** Where the clone's README is parked while npm packs; git ignores this file. */
const parkedReadme = (root: string) => join(root, '.ci', 'package', 'README.clone.md');

/** Puts the package's README in the place of the clone's. Works again after a pack that was cut off. */
export function packOwnReadme(root: string): void {
  restoreReadme(root);
  renameSync(join(root, 'README.md'), parkedReadme(root));
  copyFileSync(join(root, '.ci', 'package', 'README.md'), join(root, 'README.md'));
}

/** Puts the clone's README back, if it is parked. */
export function restoreReadme(root: string): void {
  if (existsSync(parkedReadme(root))) renameSync(parkedReadme(root), join(root, 'README.md'));
}
