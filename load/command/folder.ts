import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ConfigurationError } from '../../fixtures/target/configuration-error.ts';
import { quoted } from '../../fixtures/target/quoted.ts';

/**
 * Where files go, made where it is missing.
 * @throws ConfigurationError where it cannot be written
 */
export function folderAt(out: string): string {
  const path = resolve(out);
  try {
    mkdirSync(path, { recursive: true });
    writeFileSync(join(path, '.load.probe'), '');
    rmSync(join(path, '.load.probe'));
  } catch (error) {
    throw new ConfigurationError([
      `--out: ${quoted(out)} cannot be written (${(error as NodeJS.ErrnoException).code}); expected a folder`,
    ]);
  }
  return path;
}
