// Tells reports where things are documented: an operation's place in the interface document, a clause's text, Assay's version.
import { readFileSync } from 'node:fs';
import { catalog } from '../../catalog/catalog.ts';
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

const document = 'catalog/interface.md';

/** A result of another version may hold an operation that this version's document does not have. */
const anywhere: Place = { file: document, line: 1 };

/** A call in a table of calls, a file in the table of files, or the one file that stands below it. */
const documentedCall =
  /^\| (?:GET|POST|PUT|DELETE) \| \S+ \|$|^\| (?:\S+\.json|News\/\{newsUrl\}).* \|$|^One further file .*: GET /;

/** Reads the interface document, whose order the catalog keeps; a check is filed under the first of its operations. */
export function catalogPlaces(): PlaceOf {
  const lines = readFileSync(new URL(`../../${document}`, import.meta.url), 'utf8').split('\n');
  const numbers = lines.flatMap((line, index) => (documentedCall.test(line) ? [index + 1] : []));
  const places = new Map(catalog.map(({ id }, nth) => [id, { file: document, line: numbers[nth] ?? 1 }]));
  return (check) => places.get(operationsOf(check)[0] ?? '') ?? anywhere;
}

const byId = new Map(register.map((clause) => [clause.id, clause]));

/** A clause's text and its reason. A clause of another version, unknown here, is shown by its id. */
export function clauseText(id: string): { readonly says: string; readonly why: string } {
  return byId.get(id) ?? { says: id, why: 'this version of Assay does not know the clause' };
}

const { version }: { readonly version: string } = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
);

/** The version in package.json, for formats that name their producer: `0.1.0`. */
export const assayVersion = version;
