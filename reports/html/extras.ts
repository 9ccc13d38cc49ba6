// Load and capacity runs that lie beside a result are shown with it.
import { join } from 'node:path';
import { readRegularFile } from '../../fixtures/files/regular-file.ts';
import type { HtmlExtras } from './html.ts';

/** 32 MiB; larger files are left unread. */
const largest = 32 * 1024 * 1024;

/** What lies in the folder under the usual names; a file that is not there, too large or not JSON is left out. */
export function extrasBeside(folder: string): HtmlExtras {
  return { load: parsed(join(folder, 'load.json')), capacity: parsed(join(folder, 'capacity.json')) };
}

function parsed(path: string): unknown {
  try {
    return JSON.parse(readRegularFile(path, largest).toString('utf8'));
  } catch {
    return undefined;
  }
}
