import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../../engine/files.ts';
import { assayVersion } from '../../engine/version.ts';
import { notesOf } from './notes.ts';

const changes = '# Changes\n\n## 1.10.0\n\n- b\n\n## 1.1.0\n\n- a\n\n## 1.0.0\n';

test('a version has the lines below its own heading', () => {
  expect(notesOf(changes, '1.1.0')).toBe('- a');
  expect(notesOf(changes, '1.10.0')).toBe('- b');
});

test('a version without a heading, or with nothing below it, has none', () => {
  expect(notesOf(changes, '2.0.0')).toBeUndefined();
  expect(notesOf(changes, '1.0.0')).toBeUndefined();
});

test.each([
  ['--help', 0],
  ['--publish', 2],
])('a release with %s says what it does, and does nothing', (option, status) => {
  const script = join(root, '.ci', 'package', 'release.ts');
  const ended = spawnSync(process.execPath, [script, option], { encoding: 'utf8', timeout: 10_000 });
  expect(ended).toMatchObject({
    status,
    stdout: expect.stringMatching(/^npm run release takes no options: /),
  });
});

test('the version of package.json is among the changes', () => {
  expect(notesOf(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'), assayVersion)).toMatch(/^- /);
});
