// Where the catalog documents an operation: what a code-scanning view or an annotation points at.
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { register } from '../../catalog/clauses/clauses.ts';
import type { Result } from '../../engine/run/result.ts';
import { operationsOf } from './causes.ts';

interface Place {
  /** Relative to the root of Assay, with `/`. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
}

export type PlaceOf = (check: Pick<Result, 'operation'>) => Place;

const folder = fileURLToPath(new URL('../../catalog/areas', import.meta.url));

/** What the catalog of this version does not hold, a result of another version's, has no line of its own. */
const anywhere: Place = { file: 'catalog/catalog.ts', line: 1 };

/** Reads the catalog's source; a check is filed under the first of its operations. */
export function catalogPlaces(): PlaceOf {
  const files = readdirSync(folder).filter((name) => name.endsWith('.ts') && !name.includes('.test.'));
  const places = new Map(
    files.flatMap((name) => [
      ...placesIn(`catalog/areas/${name}`, readFileSync(`${folder}/${name}`, 'utf8')),
    ]),
  );
  return (check) => places.get(operationsOf(check)[0] ?? '') ?? anywhere;
}

/** `area('party', …` opens an area, `  create: POST(…` is a row of it. */
const areaOrRow = /\barea\(\s*'(?<area>\w+)'|^ {2,4}(?<row>\w+): (?:GET|POST|PUT|DELETE|FILE)\(/gm;

/** Operation ids and where they stand in a file of the catalog. */
export function placesIn(file: string, source: string): Map<string, Place> {
  const places = new Map<string, Place>();
  let area = '';
  let line = 1;
  let from = 0;
  for (const { groups, index } of source.matchAll(areaOrRow)) {
    line += source.slice(from, index).split('\n').length - 1;
    from = index;
    if (groups?.area !== undefined) area = groups.area;
    else places.set(`${area}.${groups?.row}`, { file, line });
  }
  return places;
}

// A result names its clause by id; a reader wants the sentence.
const byId = new Map(register.map((clause) => [clause.id, clause]));

/** What a clause says and why. A result from another version may cite one unknown here: it is told by its id. */
export function clauseText(id: string): { readonly says: string; readonly why: string } {
  return byId.get(id) ?? { says: id, why: 'this version of Assay does not know the clause' };
}

// Which Assay wrote a file, for formats that ask.
const { version }: { readonly version: string } = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
);

/** As in package.json: `0.1.0`. */
export const assayVersion = version;
