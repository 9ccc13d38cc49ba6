import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchFolder } from '../../fixtures/kit/scratch.ts';
import { packOwnReadme, restoreReadme } from './readme.ts';

test('the README of the clone comes back, after a pack that was cut off before its end too', () => {
  const root = scratchFolder();
  mkdirSync(join(root, '.ci', 'package'), { recursive: true });
  writeFileSync(join(root, 'README.md'), 'of the clone');
  writeFileSync(join(root, '.ci', 'package', 'README.md'), 'of the package');
  const shown = () => readFileSync(join(root, 'README.md'), 'utf8');
  for (const pack of ['cut off', 'whole']) {
    packOwnReadme(root);
    expect([pack, shown()]).toEqual([pack, 'of the package']);
  }
  restoreReadme(root);
  expect(shown()).toBe('of the clone');
  restoreReadme(root);
  expect(shown()).toBe('of the clone');
});

test('no command of the README gives npx an option that is meant for Assay', () => {
  const text = readFileSync(join(import.meta.dirname, 'README.md'), 'utf8');
  expect(text.match(/^npx --no assay -.*/gm)).toBeNull();
});
