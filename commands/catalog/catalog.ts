// Runs `npm run catalog`: writes the interface for other tools, with the words and bodies of one target.
import { catalog } from '../../catalog/catalog.ts';
import { clauseById } from '../../catalog/clauses/clauses.ts';
import type { Operation } from '../../catalog/operation.ts';
import { documentedPath } from '../../catalog/request-path.ts';
import { planOf } from '../../engine/run/plan.ts';
import { loadProfile, type Profile } from '../../engine/target/profile.ts';
import { ConfigurationError } from '../../engine/values/configuration-error.ts';
import { globMatches } from '../../engine/values/text.ts';
import { environmentOfNames, factsOf, type TargetFacts, unknownTarget } from './target-facts.ts';

/**
 * The operations that `--only` selects, in document order: by id, by area, or through a check that judges them.
 * @param only ids, areas, checks, or globs of them; empty selects every operation
 * @throws ConfigurationError where a word matches nothing
 */
export async function selectedOperations(only: readonly string[]): Promise<readonly Operation[]> {
  if (only.length === 0) return catalog;
  const isNamed = (word: string, { id, area }: Operation) => globMatches(word, id) || globMatches(word, area);
  const ids = new Set(
    catalog.filter((operation) => only.some((word) => isNamed(word, operation))).map(({ id }) => id),
  );
  // Only flows, steps and rules need the suites, which take a while to load.
  const ofChecks = only.filter((word) => !catalog.some((operation) => isNamed(word, operation)));
  if (ofChecks.length > 0) {
    const { everySuite } = await import('../run/suites.ts');
    const { checks, mistakes } = planOf(everySuite, { only: ofChecks });
    if (mistakes.length > 0) throw new ConfigurationError(mistakes);
    for (const { operation } of checks) for (const id of [operation].flat()) ids.add(id);
  }
  return catalog.filter(({ id }) => ids.has(id));
}

type Format = (operations: readonly Operation[], facts: TargetFacts) => string;

/** Each is loaded only when it is asked for. */
const formats = {
  json: async () => catalogJson,
  markdown: async () => catalogMarkdown,
  openapi: async () => (await import('./formats/openapi.ts')).catalogOpenapi,
  k6: async () => (await import('./formats/k6.ts')).catalogK6,
  http: async () => (await import('./formats/http.ts')).catalogHttp,
  postman: async () => (await import('./formats/postman.ts')).catalogPostman,
} satisfies Record<string, () => Promise<Format>>;

export const formatNames = Object.keys(formats);

interface CatalogOptions {
  /** One of `formatNames`. */
  readonly format: string;
  readonly profile?: string;
  readonly only?: readonly string[];
}

/**
 * Returns the text of the export.
 * @throws ConfigurationError where the profile or the selection is wrong
 */
export async function catalogCommand(options: CatalogOptions, cwd: string): Promise<string> {
  const operations = await selectedOperations(options.only ?? []);
  const format = await formats[options.format as keyof typeof formats]();
  return format(operations, factsOf(profileFor(options, cwd)));
}

/** Reads the profile of --profile. The PROFILE of the environment counts for runs only. */
function profileFor({ profile }: CatalogOptions, cwd: string): Profile | undefined {
  if (profile === undefined) return undefined;
  const mistakes: string[] = [];
  const read = loadProfile(environmentOfNames, { profile, cwd }, mistakes);
  if (mistakes.length > 0) throw new ConfigurationError(mistakes);
  return read;
}

/**
 * Operations as a JSON array of `{id, host, method, path, clause}` in document order; `path` is as documented, with its
 * query (`types[]` and `<JWT>` as they stand), client-data paths in full, in the target's words where they are known.
 */
export function catalogJson(
  selected: readonly Operation[] = catalog,
  { words }: Pick<TargetFacts, 'words'> = unknownTarget,
): string {
  const listed = selected.map((operation) => {
    const { id, host, method, clause } = operation;
    return { id, host, method, path: documentedPath(operation, words), clause };
  });
  return JSON.stringify(listed, null, 2);
}

/** Operations as Markdown: a table per heading, in document order, with full paths in the target's words if known. */
export function catalogMarkdown(
  selected: readonly Operation[] = catalog,
  { words }: Pick<TargetFacts, 'words'> = unknownTarget,
): string {
  return `${['# The interface', ...tables(selected, words)].join('\n\n')}\n`;
}

function tables(selected: readonly Operation[], words: TargetFacts['words']): string[] {
  const headings = new Map<string, Operation[]>();
  for (const operation of selected) {
    const operations = headings.get(operation.clause) ?? [];
    headings.set(operation.clause, [...operations, operation]);
  }
  return Array.from(headings, ([clause, operations]) =>
    [
      `## ${clauseById(clause).heading} at {${operations[0]?.host}_url}`,
      '',
      '| Method | Path | Id |',
      '|---|---|---|',
      ...operations.map(
        (operation) => `| ${operation.method} | \`${documentedPath(operation, words)}\` | ${operation.id} |`,
      ),
    ].join('\n'),
  );
}
