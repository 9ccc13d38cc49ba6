// The version of Assay.
import { readFileSync } from 'node:fs';

const { version }: { readonly version: string } = JSON.parse(
  readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
);

/** As package.json has it: `0.1.0`. */
export const assayVersion = version;
