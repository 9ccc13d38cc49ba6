import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scratchFolder } from '../../fixtures/kit/scratch.ts';
import { k6Version, resolveK6 } from './build.ts';

/** A program that says it is k6 of that version. */
function fake(folder: string, name: string, version: string): string {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, name);
  writeFileSync(path, `#!/bin/sh\necho "k6 v${version} (go1.26, linux/amd64)"\n`);
  chmodSync(path, 0o755);
  return path;
}

const none = { PATH: '', XDG_CACHE_HOME: '/nowhere' };
const silent = () => {};

test('K6_BIN goes before PATH, PATH before the cache', async () => {
  const folder = scratchFolder();
  const named = fake(join(folder, 'named'), 'mine', '2.0.1');
  const onPath = fake(join(folder, 'path'), 'k6', '2.1.0');
  const cached = fake(join(folder, 'cache', 'assay'), `k6-${k6Version}`, k6Version);
  const env = { K6_BIN: named, PATH: join(folder, 'path'), XDG_CACHE_HOME: join(folder, 'cache') };
  expect(await resolveK6(env, silent)).toBe(named);
  expect(await resolveK6({ ...env, K6_BIN: '' }, silent)).toBe(onPath);
  expect(await resolveK6({ ...env, K6_BIN: '', PATH: '' }, silent)).toBe(cached);
});

test('a k6 1.x on PATH is passed over; one named by K6_BIN is refused', async () => {
  const folder = scratchFolder();
  const old = fake(join(folder, 'path'), 'k6', '1.7.0');
  const cached = fake(join(folder, 'cache', 'assay'), `k6-${k6Version}`, k6Version);
  const env = { PATH: join(folder, 'path'), XDG_CACHE_HOME: join(folder, 'cache') };
  expect(await resolveK6(env, silent)).toBe(cached);
  await expect(resolveK6({ ...env, K6_BIN: old }, silent)).rejects.toThrow(
    /^K6_BIN: ".*k6" is k6 "1\.7\.0"; expected a k6 2\.x$/,
  );
});

test('a K6_BIN that is no program is reported as such', async () => {
  await expect(resolveK6({ ...none, K6_BIN: '/nowhere/k6' }, silent)).rejects.toThrow(
    'K6_BIN: "/nowhere/k6" is no program; expected the path of a k6 2.x',
  );
});

test('without k6 and without Go one line names the three ways out', async () => {
  await expect(resolveK6(none, silent)).rejects.toThrow(
    /^k6: not found.*set K6_BIN.*PATH.*install Go[^\n]*$/,
  );
});

test('a build that fails says what Go said, and leaves nothing behind', async () => {
  const folder = scratchFolder();
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  writeFileSync(join(bin, 'go'), '#!/bin/sh\necho "go: no way to the proxy" >&2\nexit 1\n');
  chmodSync(join(bin, 'go'), 0o755);
  const building = resolveK6({ PATH: bin, XDG_CACHE_HOME: join(folder, 'cache') }, silent);
  await expect(building).rejects.toThrow(/k6: the build failed: go: no way to the proxy; Go ≥ 1\.25/);
});

test('a build is moved to its place in the cache', async () => {
  const folder = scratchFolder();
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  writeFileSync(join(bin, 'go'), `#!/bin/sh\n/bin/cp go.sum "$GOBIN/k6"\n`);
  chmodSync(join(bin, 'go'), 0o755);
  const lines: string[] = [];
  const built = await resolveK6({ PATH: bin, XDG_CACHE_HOME: join(folder, 'cache') }, (line) =>
    lines.push(line),
  );
  expect(built).toBe(join(folder, 'cache', 'assay', `k6-${k6Version}`));
  expect(readFileSync(built, 'utf8')).toContain('go.k6.io/k6');
  expect(lines.at(-1)).toContain('k6: built in');
});

test('the version is that of go.mod', () => {
  const mod = readFileSync(new URL('../k6/go.mod', import.meta.url), 'utf8');
  expect(/go\.k6\.io\/k6\/v2 v(\S+)/.exec(mod)?.[1]).toBe(k6Version);
});
