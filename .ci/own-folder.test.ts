import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { scratchFolder } from '../fixtures/kit/scratch.ts';

const module = new URL('own-folder.ts', import.meta.url).href;
const end = (how: string) => `
  import { existsSync, writeFileSync } from 'node:fs';
  import { ownFolder } from ${JSON.stringify(module)};
  const folder = ownFolder('assay-own-');
  writeFileSync(folder + '/file', '');
  if (!existsSync(folder)) process.exit(99);
  setTimeout(() => {}, 20_000);
  ${how};`;

test.each([
  ['ends', 'process.exit(0)', 0],
  ['fails', 'process.exit(1)', 1],
  ['is interrupted', "process.kill(process.pid, 'SIGINT')", 130],
  ['is ended', "process.kill(process.pid, 'SIGTERM')", 143],
])('a script that %s leaves no folder behind', (_, how, status) => {
  const tmp = scratchFolder();
  const ended = spawnSync(process.execPath, ['--input-type=module', '--eval', end(how)], {
    env: { PATH: process.env.PATH, TMPDIR: tmp, TEMP: tmp },
    encoding: 'utf8',
    timeout: 15_000,
  });
  expect(ended.stderr).toBe('');
  expect(ended.status).toBe(status);
  expect(readdirSync(tmp)).toEqual([]);
});
