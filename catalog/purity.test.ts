import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { scratchFolder } from '../fixtures/kit/scratch.ts';
import { areas } from './catalog.ts';

const here = fileURLToPath(new URL('.', import.meta.url));

/** Loads a folder where there is neither a host's global nor a module from elsewhere; killed after 20 s. */
function loadBare(folder: string) {
  const flags = ['--experimental-vm-modules', '--no-warnings'];
  return spawnSync(process.execPath, [...flags, join(here, 'purity.child.ts'), folder], {
    encoding: 'utf8',
    timeout: 20_000,
    killSignal: 'SIGKILL',
  });
}

function folderOf(source: string): string {
  const root = scratchFolder();
  mkdirSync(join(root, 'inner'));
  writeFileSync(join(root, 'outside.ts'), 'export const outside = 1;');
  writeFileSync(join(root, 'inner', 'module.ts'), source);
  return join(root, 'inner');
}

test('the whole folder loads in a bare context and says there what it says here', () => {
  const { stdout, stderr } = loadBare(here);
  expect(stderr).toBe('');
  const said = JSON.parse(stdout);
  expect(said.files).toEqual(
    expect.arrayContaining(['areas/party.ts', 'catalog.ts', 'clauses/clauses.ts', 'request-path.ts']),
  );
  expect(said.areas).toEqual(Object.keys(areas));
});

test('a folder that needs nothing loads', () => {
  expect(loadBare(folderOf('export const one: number = 1;')).status).toBe(0);
});

test.each([
  ['a node module', "import 'node:fs';", 'module.ts imports node:fs'],
  ['a package', "import { z } from 'zod'; z;", 'module.ts imports zod'],
  ['a file outside the folder', "import '../outside.ts';", 'module.ts imports ../outside.ts'],
  ['the URL class', "export const url = new URL('http://h');", 'URL is not defined'],
  ['the environment', 'export const ci = process.env.CI;', 'process is not defined'],
])('a folder that needs %s does not load', (_, source, complaint) => {
  const { status, stderr } = loadBare(folderOf(source));
  expect(stderr).toContain(complaint);
  expect(status).not.toBe(0);
});
