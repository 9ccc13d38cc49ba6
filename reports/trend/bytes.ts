// The bytes of a stored file, decompressed where it is compressed, and never more of them than agreed.
import { readSync } from 'node:fs';
import { decompressed } from '../../fixtures/check/decompressed.ts';
import { UnfitFile, withRegularFile } from '../../fixtures/files/regular-file.ts';
import { Unfit } from './read-run.ts';

/** 256 MiB: a run of 3,000 checks, each with an exchange of 64 KiB, stays below. */
const largest = 256 * 1024 * 1024;

export interface Stored {
  /** As it stands on disk. */
  readonly raw: Buffer;
  /** Decompressed. */
  readonly plain: () => Buffer;
}

/**
 * Reads files one after the other into memory that they share: what it gives is good until the next call.
 * The function throws Unfit where a path is no file, cannot be read, or holds too much.
 */
export function fileReader(limit = largest): (path: string) => Stored {
  let shared = Buffer.allocUnsafe(4 * 1024 * 1024);
  return (path) => {
    try {
      return withRegularFile(path, limit, (file, size) => {
        if (size > shared.length) shared = Buffer.allocUnsafe(size);
        const raw = shared.subarray(0, filled(file, shared, size));
        return { raw, plain: () => plain(raw, limit) };
      });
    } catch (error) {
      throw new Unfit(whyNot(error, limit));
    }
  };
}

function whyNot(error: unknown, limit: number): string {
  if (error instanceof UnfitFile)
    return error.size === undefined
      ? 'is not a file'
      : `holds ${error.size} bytes, more than the ${limit} Assay reads`;
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOENT' ? 'does not exist' : `cannot be read (${code})`;
}

function filled(file: number, into: Buffer, size: number): number {
  let length = 0;
  while (length < size) {
    const read = readSync(file, into, length, size - length, null);
    if (read === 0) break;
    length += read;
  }
  return length;
}

function plain(raw: Buffer, limit: number): Buffer {
  try {
    return decompressed(raw, limit);
  } catch (error) {
    throw new Unfit((error as Error).message);
  }
}
