// Which Assay wrote a file, for formats that ask.
import { readFileSync } from 'node:fs';

const { version }: { readonly version: string } = JSON.parse(
  readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
);

/** As in package.json: `0.1.0`. */
export const assayVersion = version;
