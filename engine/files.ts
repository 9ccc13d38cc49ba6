// Reads and writes the files and folders that users name: checks them first, writes each whole or not at all, and turns
// system errors into one-line messages.
import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  fstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { StringDecoder } from 'node:string_decoder';
import { fileURLToPath } from 'node:url';
import { ConfigurationError } from './values/configuration-error.ts';
import { printable, quoted } from './values/text.ts';

/** Why a file cannot be read, in words that follow its name. */
export function whyUnreadable(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return code === 'ENOENT' ? 'does not exist' : `cannot be read (${code ?? message})`;
}

/** The folder of Assay itself, with a slash at its end. */
export const root = fileURLToPath(new URL('../', import.meta.url));

// Folders for results.

/**
 * Makes a folder and those above it, one at a time: below /proc, Node's own recursive mkdir never returns.
 * @throws the system's error
 */
function makeFolder(path: string): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  mkdirSync(path);
}

/**
 * The folder that an option names, made where it is missing.
 * @param option the option that named it, for the message
 * @param files names of the files that will be written there; it is an error where one of them is a folder
 * @throws ConfigurationError where it cannot be written, or is the root of the file system
 */
export function writableFolder(folder: string, option: string, files: readonly string[] = []): string {
  const path = resolve(folder);
  if (dirname(path) === path)
    throw new ConfigurationError([
      `${option}: ${quoted(folder)} is the root of the file system; name a folder in it (${option} DIR)`,
    ]);
  try {
    makeFolder(path);
    if (!statSync(path).isDirectory()) throw Object.assign(new Error(), { code: 'ENOTDIR' });
    tryToWrite(path);
    const inTheWay = files.find((name) =>
      statSync(resolve(path, name), { throwIfNoEntry: false })?.isDirectory(),
    );
    if (inTheWay !== undefined) throw Object.assign(new Error(), { code: `${inTheWay} is a folder` });
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    const isFile = code === 'ENOTDIR' || code.endsWith('is a folder');
    const another = noSpace.has(code) ? 'make room, or name another place' : 'name a place that can be';
    const instead = isFile ? 'expected a folder' : `${another} (${option} DIR)`;
    throw new ConfigurationError([`${option}: ${quoted(folder)} cannot be written (${code}); ${instead}`]);
  }
  return path;
}

/**
 * Makes an empty file in a folder and removes it: a file system may refuse what the access rights allow.
 * @throws the system's error
 */
function tryToWrite(folder: string): void {
  const file = join(folder, `.assay-${process.pid}.tmp`);
  rmSync(file, { force: true });
  writeFileSync(file, '', { flag: 'wx' });
  rmSync(file);
}

const claimFile = '.assay.pid';
const claims = new Set<string>();

/**
 * Claims a folder for this process until it ends: two runs would remove each other's files. The claim of a process that
 * has ended is ignored.
 * @throws ConfigurationError where another process holds the claim
 */
export function claimFolder(folder: string): void {
  const path = join(folder, claimFile);
  const holder = holderAfterClaim(path);
  if (holder !== undefined)
    throw new ConfigurationError([
      `--out: another run (process ${holder}) writes to ${quoted(folder)}; wait for its end, or name another folder (--out DIR); if no such run is left, remove ${printable(path)}`,
    ]);
}

/** Writes this process's claim. Returns the other process that holds the folder, if one does. */
function holderAfterClaim(path: string): number | undefined {
  try {
    for (let tries = 0; tries < 2; tries += 1) {
      if (wroteClaim(path)) return undefined;
      const holder = holderOf(path);
      if (holder !== undefined) return holder;
      rmSync(path, { force: true });
    }
  } catch {
    // A claim that cannot be written, as on a full disk, is reported where the results are written.
  }
  return holderOf(path);
}

/** False where there is a claim. @throws the system's error where it cannot be written */
function wroteClaim(path: string): boolean {
  try {
    writeFileSync(path, `${process.pid} ${beganAt(process.pid)}`, { flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
  if (claims.size === 0)
    process.once('exit', () => {
      for (const each of claims) rmSync(each, { force: true });
    });
  claims.add(path);
  return true;
}

/** The process that claims the folder; undefined where none does, or this one. */
function holderOf(path: string): number | undefined {
  let text: string;
  try {
    text = readRegularFile(path, 100).toString();
  } catch {
    return undefined;
  }
  const [pid = 0, began] = text.split(' ').map(Number);
  if (!Number.isInteger(pid) || pid <= 0 || pid === process.pid) return undefined;
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM: the process is alive and belongs to another user.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return undefined;
  }
  // The process id may belong to a later process by now, above all in a container.
  return beganAt(pid) === began ? pid : undefined;
}

/** When a process began, in clock ticks since the machine booted (proc(5), field 22); 0 where that is not known. */
function beganAt(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    return Number(fields[19]);
  } catch {
    return 0;
  }
}

/**
 * Makes a new folder that only this user can read. The caller removes it.
 * @param name the beginning of the folder's name
 * @throws ConfigurationError where it cannot be made, as in a container whose root is read-only
 */
export function temporaryFolder(name: string): string {
  const place = tmpdir();
  try {
    return mkdtempSync(join(place, name));
  } catch (error) {
    throw unwritten('TMPDIR', place, error);
  }
}

// Reading a file that a user names: it is checked first, since reading a device or a pipe would never end.

/** The file exists and can be opened, but must not be read: it is too large, or no regular file. */
export class UnfitFile extends Error {
  /** Its size in bytes; undefined where it is no file at all. */
  readonly size: number | undefined;

  constructor(size?: number) {
    super(size === undefined ? 'not a file' : `${size} bytes`);
    this.size = size;
  }
}

/**
 * Opens a regular file, passes it to `use`, and closes it again.
 * @param mostBytes larger files are refused unread
 * @throws UnfitFile, or the system's error
 */
export function withRegularFile<T>(
  path: string,
  mostBytes: number,
  use: (file: number, size: number) => T,
): T {
  // Non-blocking: otherwise opening a pipe without a writer would wait for ever.
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const found = fstatSync(file);
    if (!found.isFile()) throw new UnfitFile();
    if (found.size > mostBytes) throw new UnfitFile(found.size);
    return use(file, found.size);
  } finally {
    closeSync(file);
  }
}

/** The bytes of a regular file; throws as `withRegularFile` does. */
export const readRegularFile = (path: string, mostBytes: number): Buffer =>
  withRegularFile(path, mostBytes, (file) => readFileSync(file));

const chunkBytes = 64 * 1024;

/**
 * Reads an open file line by line, with only a part of it in memory; leaves out a last line without a line break.
 */
export function* linesOf(file: number): Generator<string> {
  const chunk = Buffer.alloc(chunkBytes);
  const decoder = new StringDecoder();
  let rest = '';
  for (let size = readSync(file, chunk); size > 0; size = readSync(file, chunk)) {
    const lines = `${rest}${decoder.write(chunk.subarray(0, size))}`.split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
}

// Writing a file that a user names: a reader sees the old content or the new one, never a part.
type Content = string | Uint8Array;

const isWhole = (content: Content | Generator<string>): content is Content =>
  typeof content === 'string' || content instanceof Uint8Array;

/**
 * Writes bytes, or UTF-8 text (whole, or piece by piece), to a file beside `path` and then renames that. Makes missing
 * folders; follows a symbolic link at `path`.
 * Synchronous, so that a signal handler can still leave a report behind.
 * @param option the option that names the file or its folder, for the message
 * @throws ConfigurationError with one line where it cannot be written; a file that was at `path` is then unchanged
 */
export function writeWhole(path: string, content: Content | Generator<string>, option: string): void {
  let unfinished: string | undefined;
  try {
    makeFolder(dirname(path));
    const mode = modeOf(path);
    const place = mode === undefined ? path : realpathSync(path);
    const beside = `${place}.${process.pid}.tmp`;
    rmSync(beside, { force: true });
    unfinished = beside;
    const file = openSync(unfinished, 'wx', mode ?? 0o666);
    try {
      for (const piece of isWhole(content) ? [content] : content) writeFileSync(file, piece);
    } finally {
      closeSync(file);
    }
    renameSync(unfinished, place);
  } catch (error) {
    if (unfinished !== undefined) rmSync(unfinished, { force: true });
    throw unwritten(option, path, error);
  }
}

/**
 * Writes files that belong together: they are moved to their places once all of them are written.
 * @param folder an existing folder
 * @param files contents by path within the folder
 * @param stale names that an earlier set of files may have left in the folder and this set lacks; they are removed
 * @throws ConfigurationError with one line where one cannot be written; then none of them is moved
 */
export function writeTogether(
  folder: string,
  files: Readonly<Record<string, Content>>,
  stale: readonly string[] = [],
): void {
  const unfinished = join(folder, `.${process.pid}.tmp`);
  let path = folder;
  try {
    rmSync(unfinished, { recursive: true, force: true });
    makeFolder(unfinished);
    for (const [name, content] of Object.entries(files)) {
      path = join(folder, name);
      if (dirname(name) === '.') modeOf(path);
      makeFolder(dirname(join(unfinished, name)));
      writeFileSync(join(unfinished, name), content, { flag: 'wx' });
    }
    for (const name of stale) {
      path = join(folder, name);
      rmSync(path, { recursive: true, force: true });
    }
    for (const name of readdirSync(unfinished)) {
      path = join(folder, name);
      renameSync(join(unfinished, name), path);
    }
  } catch (error) {
    throw unwritten('--out', path, error);
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
}

/**
 * The permissions of a file that may be replaced; undefined where there is none.
 * @throws a system error where it is no regular file: a device or a pipe must not be replaced by a file
 */
export function modeOf(path: string): number | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return undefined;
  if (found.isDirectory()) throw systemError('EISDIR');
  if (!found.isFile()) throw systemError('no regular file');
  return found.mode & 0o777;
}

/**
 * Checks that a file can be written, before the work whose result it will hold.
 * @param option the option that names it, for the message
 * @throws ConfigurationError with one line where it cannot be written
 */
export function refuseUnwritable(path: string, option: string, cwd = process.cwd()): void {
  const place = resolve(cwd, path);
  const folder = dirname(place);
  try {
    const isThere = modeOf(place) !== undefined;
    tryToWrite(folder);
    if (isThere) accessSync(place, constants.W_OK);
  } catch (error) {
    if (existsSync(folder)) throw unwritten(option, path, error);
    throw new ConfigurationError([`${option}: ${quoted(path)} stands in a folder that does not exist`]);
  }
}

const systemError = (code: string) => Object.assign(new Error(code), { code, errno: 0 });

const noSpace = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);

/**
 * Turns the error of a file that was not written into one line.
 * @returns a ConfigurationError for a system error; any other error as it is
 */
export function unwritten(option: string, path: string, error: unknown): unknown {
  const { code, errno } = error as NodeJS.ErrnoException;
  if (typeof errno !== 'number') return error;
  const why = noSpace.has(code ?? '')
    ? `was not written, no space is left (${code}); make room, or name another place`
    : `cannot be written (${code}); name a place that can be`;
  return new ConfigurationError([`${option}: ${quoted(path)} ${why}`]);
}
