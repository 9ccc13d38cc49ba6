import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Of this user alone; gone when the load is closed, and when this process ends in haste. */
export function privateFolder(closing: (() => unknown)[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'assay-load-'));
  const wipe = () => rmSync(folder, { recursive: true, force: true });
  process.once('exit', wipe);
  closing.push(() => {
    process.removeListener('exit', wipe);
    wipe();
  });
  return folder;
}
