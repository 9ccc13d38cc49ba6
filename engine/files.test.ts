import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { scratchFolder } from '../fixtures/kit/scratch.ts';
import {
  claimFolder,
  readRegularFile,
  refuseUnwritable,
  temporaryFolder,
  UnfitFile,
  unwritten,
  writableFolder,
  writeTogether,
  writeWhole,
} from './files.ts';
import { ConfigurationError } from './values/configuration-error.ts';

describe('folder', () => {
  const scratch = mkdtempSync(join(tmpdir(), 'assay-folder-'));
  afterAll(() => rmSync(scratch, { recursive: true }));

  test('a folder that is missing is made, with those above it', () => {
    const path = join(scratch, 'a', 'b', 'c');
    expect(writableFolder(path, '--out')).toBe(path);
    expect(existsSync(path)).toBe(true);
    expect(writableFolder(path, '--out', ['result.json'])).toBe(path);
  });

  test('a file is no folder', () => {
    const path = join(scratch, 'file');
    writeFileSync(path, '');
    expect(() => writableFolder(path, '--out')).toThrow(
      `--out: "${path}" cannot be written (ENOTDIR); expected a folder`,
    );
    expect(() => writableFolder(join(path, 'below'), '--out')).toThrow('(ENOTDIR); expected a folder');
  });

  test('a folder in the place of a file that is to be written is reported by its name', () => {
    mkdirSync(join(scratch, 'full', 'result.json'), { recursive: true });
    expect(() => writableFolder(join(scratch, 'full'), '--out', ['a.md', 'result.json'])).toThrow(
      'result.json is a folder',
    );
  });
});

test('a place that cannot be written is reported before the work, and is not read without end', () => {
  const folder = scratchFolder();
  writeFileSync(join(folder, 'file'), '');
  execFileSync('mkfifo', [join(folder, 'pipe')]);
  const refusing = (name: string) => () => refuseUnwritable(join(folder, name), '--output');
  expect(refusing('pipe')).toThrow(/^--output: ".*" cannot be written \(no regular file\)[^\n]*$/);
  expect(refusing('file/below')).toThrow(/^--output: ".*" cannot be written \(ENOTDIR\)[^\n]*$/);
  expect(refusing('none/below')).toThrow(/^--output: ".*" stands in a folder that does not exist$/);
  expect(refusing('new')).not.toThrow();
  expect(refusing('file')).not.toThrow();
  expect(readdirSync(folder).sort()).toEqual(['file', 'pipe']);
  // Access rights allow root what the file system refuses.
  expect(() => refuseUnwritable('/proc/profile.json', '--output')).toThrow(/^--output: "\/proc/);
  expect(() => writableFolder('/proc', '--out')).toThrow(/^--out: "\/proc" cannot be written/);
  expect(() => writableFolder('/', '--out')).toThrow(
    '--out: "/" is the root of the file system; name a folder in it (--out DIR)',
  );
});

test('a temporary folder that has no place is one line, and nothing else of it', () => {
  onTestFinished(() => {
    vi.unstubAllEnvs();
  });
  const place = scratchFolder();
  vi.stubEnv('TMPDIR', '/proc/self');
  expect(() => temporaryFolder('assay-')).toThrow(
    new ConfigurationError(['TMPDIR: "/proc/self" cannot be written (ENOENT); name a place that can be']),
  );
  vi.stubEnv('TMPDIR', place);
  expect(existsSync(temporaryFolder('assay-'))).toBe(true);
});

test('a file is read up to its bound, and not beyond', () => {
  const path = join(scratchFolder(), 'five');
  writeFileSync(path, '12345');
  expect(readRegularFile(path, 5).toString()).toBe('12345');
  expect(() => readRegularFile(path, 4)).toThrow(new UnfitFile(5));
});

test('what would never end is refused at once: a folder, a device, a pipe that nobody writes to', () => {
  const pipe = join(scratchFolder(), 'pipe');
  execFileSync('mkfifo', [pipe]);
  for (const path of [tmpdir(), '/dev/zero', pipe])
    expect(() => readRegularFile(path, 5)).toThrow(new UnfitFile());
});

test('one that is not there is the error of the system', () => {
  expect(() => readRegularFile(join(scratchFolder(), 'none'), 5)).toThrow('ENOENT');
});

test('a file is made with the folders above it, and replaced with the permissions that it had', () => {
  const folder = scratchFolder();
  const path = join(folder, 'a', 'b', 'file');
  writeWhole(path, 'one', '--out');
  chmodSync(path, 0o600);
  writeWhole(path, 'two', '--out');
  expect([readFileSync(path, 'utf8'), statSync(path).mode & 0o777]).toEqual(['two', 0o600]);
  expect(readdirSync(join(folder, 'a', 'b'))).toEqual(['file']);
});

test('a link stays one, and what it leads to is replaced', () => {
  const folder = scratchFolder();
  const [link, file] = [join(folder, 'link'), join(folder, 'file')];
  writeFileSync(file, 'one');
  symlinkSync(file, link);
  writeWhole(link, 'two', '--out');
  expect([lstatSync(link).isSymbolicLink(), readFileSync(file, 'utf8')]).toEqual([true, 'two']);
});

/** A folder in which each of these cannot be written, by the message about it. */
function unwritable() {
  const folder = scratchFolder();
  mkdirSync(join(folder, 'folder'));
  writeFileSync(join(folder, 'file'), 'mine');
  execFileSync('mkfifo', [join(folder, 'pipe')]);
  symlinkSync('/dev/null', join(folder, 'device'));
  return folder;
}

test.each([
  ['folder', 'EISDIR'],
  ['pipe', 'no regular file'],
  ['device', 'no regular file'],
  [join('file', 'below'), 'ENOTDIR'],
])('%s is not written, in one line, and stands there still', (name, code) => {
  const folder = unwritable();
  const path = join(folder, name);
  const line = `--out: ${JSON.stringify(path)} cannot be written (${code}); name a place that can be`;
  const before = readdirSync(folder);
  expect(() => writeWhole(path, 'text', '--out')).toThrow(new ConfigurationError([line]));
  expect(readdirSync(folder)).toEqual(before);
  expect(readFileSync(join(folder, 'file'), 'utf8')).toBe('mine');
  expect(lstatSync(join(folder, 'pipe')).isFIFO()).toBe(true);
  expect(lstatSync('/dev/null').isCharacterDevice()).toBe(true);
});

test('files that belong together replace those before them, and what these alone had is gone', () => {
  const folder = scratchFolder();
  writeTogether(folder, { a: '1', 'files/x': '1', 'files/y': '1' });
  writeFileSync(join(folder, 'other'), '');
  writeTogether(folder, { a: '2', 'files/x': '2' }, ['files', 'b']);
  expect(readdirSync(folder, { recursive: true }).sort()).toEqual([
    'a',
    'files',
    join('files', 'x'),
    'other',
  ]);
  expect(readFileSync(join(folder, 'files', 'x'), 'utf8')).toBe('2');
});

test('where one of them cannot be written none is, and those before them stay', () => {
  const folder = unwritable();
  writeFileSync(join(folder, 'a'), '1');
  const line = `--out: ${JSON.stringify(join(folder, 'pipe'))} cannot be written (no regular file); name a place that can be`;
  expect(() => writeTogether(folder, { a: '2', b: '2', pipe: '2' }, ['file'])).toThrow(
    new ConfigurationError([line]),
  );
  expect(readdirSync(folder).sort()).toEqual(['a', 'device', 'file', 'folder', 'pipe']);
  expect(readFileSync(join(folder, 'a'), 'utf8')).toBe('1');
});

test('passes on an error that is not of the system', () => {
  const error = new TypeError('ours');
  expect(unwritten('--out', 'file', error)).toBe(error);
  expect(() => writeWhole(join(scratchFolder(), 'file'), 7 as never, '--out')).toThrow(TypeError);
  expect(existsSync('file')).toBe(false);
});

test('a folder is kept for one process at a time, as long as that lives', async () => {
  const folder = scratchFolder();
  const claim = join(folder, '.assay.pid');
  const other = spawn('sleep', ['30'], { stdio: 'ignore' });
  onTestFinished(() => void other.kill('SIGKILL'));
  const began = readFileSync(`/proc/${other.pid}/stat`, 'utf8').split(' ')[21];
  writeFileSync(claim, `${other.pid} ${began}`);
  expect(() => claimFolder(folder)).toThrow(
    `--out: another run (process ${other.pid}) writes to ${JSON.stringify(folder)}; wait for its end`,
  );
  // Its number was another process's before.
  writeFileSync(claim, `${other.pid} 1`);
  claimFolder(folder);
  writeFileSync(claim, `${other.pid} ${began}`);
  other.kill('SIGKILL');
  await once(other, 'exit');
  claimFolder(folder);
  expect(readFileSync(claim, 'utf8')).toMatch(`${process.pid} `);
});

test('of two processes that claim a folder at one moment, one gets it', async () => {
  const folder = scratchFolder();
  const files = new URL('./files.ts', import.meta.url).href;
  // Both begin at one time that is still to come; each keeps its claim for a while.
  const code = `
    const { claimFolder } = await import(${JSON.stringify(files)});
    while (Date.now() < Number(process.argv[1]));
    try { claimFolder(process.argv[2]); console.log('mine'); } catch { console.log('refused'); }
    setTimeout(() => {}, 1_000);`;
  const at = String(Date.now() + 1_500);
  const outputs = await Promise.all(
    [1, 2].map(async () => {
      const args = ['--input-type=module', '-e', code, at, folder];
      const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 20_000 });
      return stdout.trim();
    }),
  );
  expect(outputs.sort()).toEqual(['mine', 'refused']);
});

test.each(['', 'x', '0 0', '-1 5', 'x'.repeat(5_000)])('a claim that says %j keeps no folder', (text) => {
  const folder = scratchFolder();
  writeFileSync(join(folder, '.assay.pid'), text);
  claimFolder(folder);
  expect(readFileSync(join(folder, '.assay.pid'), 'utf8')).toMatch(`${process.pid} `);
});
