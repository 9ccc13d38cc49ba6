// `npm run release`: all of a release but its publishing. Tries the package as a user has it, packs it, and prints the
// notes of its version and what is left to do.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../engine/files.ts';
import { notesOf } from './notes.ts';
import { restoreReadme } from './readme.ts';

if (process.argv.length > 2) {
  console.log(
    'npm run release takes no options: it tests the package, packs it and prints the notes of its version; it publishes nothing',
  );
  process.exit(process.argv[2] === '--help' ? 0 : 2);
}

const { name, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const notes = notesOf(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'), version);
if (notes === undefined) fail(`CHANGELOG.md says nothing of ${version}, the version in package.json`);

const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
perform(process.execPath, [vitest, 'run', '--configLoader', 'native', '--project', 'long', '.ci/package']);
perform('npm', ['pack']);
console.log(`\n${name} ${version}\n\n${notes}\n
Nothing was published. To publish: in package.json, put a scope that you own before the name (@scope/name) and remove
"private"; then git tag v${version}, and npm publish the tarball.`);

function perform(program: string, args: readonly string[]): void {
  const { status } = spawnSync(program, args, { cwd: root, stdio: 'inherit' });
  if (status !== 0) fail(`${program} ended with ${status}`);
}

function fail(why: string): never {
  restoreReadme(root);
  console.error(`release: ${why}`);
  process.exit(1);
}
