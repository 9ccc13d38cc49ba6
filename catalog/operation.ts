// Defines an operation (one documented call of the interface) and the identifiers in its path. Pure: no node module, no
// URL class, because k6 loads the same files.
import { type WordMark, wordsIn } from './words.ts';

type Identifier =
  | 'story'
  | 'archive'
  | 'player'
  | 'party'
  | 'match'
  | 'character'
  | 'redeemable code'
  | 'provider player name'
  | 'player name'
  | 'news file'
  | 'party join key'
  | 'content version';

const identifiedBy: Readonly<Record<string, Identifier>> = {
  storyId: 'story',
  archiveId: 'archive',
  playerId: 'player',
  friendId: 'player',
  partyId: 'party',
  autoJoinKey: 'party join key',
  matchId: 'match',
  characterName: 'character',
  redeemableCode: 'redeemable code',
  providerPlayerName: 'provider player name',
  playerName: 'player name',
  newsUrl: 'news file',
  versionPattern: 'content version',
};

/** What a parameter identifies; undefined where it only selects or shapes the answer (`limit`, `locale`). */
export function identifierOf(parameter: string): Identifier | undefined {
  return Object.hasOwn(identifiedBy, parameter) ? identifiedBy[parameter] : undefined;
}

/** Parameters whose values no call creates: only the target's own answers, or its maker, can name one. */
export const contentParameters: readonly string[] = [
  'archiveId',
  'storyId',
  'characterName',
  'newsUrl',
  'redeemableCode',
];

export const allHosts = ['base', 'cdn', 'gamelogs'] as const;
export type Host = (typeof allHosts)[number];
export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';
/**
 * When a 404 may be right: never, for an identifier that does not exist, or while the player has nothing of the kind: no
 * party, no name, nothing to claim.
 */
export type MayBe404 = 'never' | 'unknown id' | 'nothing there';
/** What a call does to the target: nothing, changes its own player, or touches what others see. */
export type Effect = 'read' | 'own' | 'shared';
/** What the body is, by the document: JSON, not stated, or bytes. */
type Media = 'json' | 'any' | 'bytes';
/** Query parameters in documented order: a `{placeholder}`, or the fixed value of the default form. */
type QueryTemplate = Readonly<Record<string, string>>;

/** One documented operation. `id` never changes its meaning; `path` is the template without its query. */
export interface Operation<Path extends string = string, Query extends QueryTemplate = QueryTemplate> {
  readonly id: string;
  readonly area: string;
  readonly host: Host;
  readonly method: Method;
  readonly path: Path;
  readonly query: Query;
  readonly clause: string;
  readonly mayBe404: MayBe404;
  readonly effect: Effect;
  readonly media: Media;
  /** Which parameters identify what; parameters that only select or shape an answer are absent. */
  readonly identifiers: Readonly<Record<string, Identifier>>;
  readonly words: readonly WordMark[];
  /** What the call puts an end to, so that later calls lack it. */
  readonly ends?: 'session' | 'party';
  /**
   * What else a refusal of its plain call may legitimately mean. `follows`: it needs an earlier call that was not made.
   * `once`: it can be done once, and was done before.
   */
  readonly precondition?: 'follows' | 'once';
}

/** An operation as the files in `areas` write it. */
interface OperationEntry<Path extends string = string, Query extends QueryTemplate = QueryTemplate> {
  readonly method: Method;
  readonly path: Path;
  readonly query: Query;
  readonly notes: Notes;
}

export type Notes = Partial<Pick<Operation, 'mayBe404' | 'effect' | 'media' | 'ends' | 'precondition'>>;

type OperationEntries = Readonly<Record<string, OperationEntry>>;
type Area<R extends OperationEntries = OperationEntries> = {
  readonly [K in keyof R]: R[K] extends OperationEntry<infer P, infer Q> ? Operation<P, Q> : never;
};

/**
 * Writes an operation: path, query, and notes. Notes give what differs from the defaults that `area` derives from the
 * method and the parameters.
 */
const entry =
  (method: Method) =>
  <const Path extends string, const Query extends QueryTemplate = Record<never, string>>(
    path: Path,
    query: Query = {} as Query,
    notes: Notes = {},
  ): OperationEntry<Path, Query> => ({ method, path, query, notes });

export const GET = entry('GET');
export const POST = entry('POST');
export const PUT = entry('PUT');
export const DELETE = entry('DELETE');

/**
 * The operations of one heading, each with an id made from its key (`party.create`).
 * @param name the id of the area
 * @param clause the heading's clause, one of catalog/clauses
 */
export function area<const R extends OperationEntries>(
  name: string,
  clause: string,
  entries: R,
  { host = 'base' }: { readonly host?: Host } = {},
): Area<R> {
  const operations = Object.entries(entries).map(([key, { method, path, query, notes }]) => {
    const identifiers = identifiersIn(path, query);
    const operation: Operation = {
      id: `${name}.${key}`,
      area: name,
      host,
      method,
      path,
      query,
      clause,
      mayBe404: Object.keys(identifiers).length > 0 ? 'unknown id' : 'never',
      effect: method === 'GET' ? 'read' : 'own',
      media: 'json',
      identifiers,
      words: wordsIn(path),
      ...notes,
    };
    return [key, operation];
  });
  return Object.fromEntries(operations) as Area<R>;
}

export const isGet = ({ method }: Operation): boolean => method === 'GET';

/** Names of the `{placeholders}` in a template, in order. */
export function placeholders(template: string): readonly string[] {
  const known = placeholdersOf.get(template);
  if (known) return known;
  const found = Array.from(template.matchAll(/\{([^}]+)\}/g), (match) => match[1] ?? '');
  placeholdersOf.set(template, found);
  return found;
}

/** A cache by template or segment: there are a few hundred, which are read thousands of times. */
const placeholdersOf = new Map<string, readonly string[]>();

/** Names of all parameters that a caller supplies to an operation, in documented order: path first, then query. */
export function parametersOf(operation: Operation): string[] {
  const fromQuery = Object.entries(operation.query).flatMap(([key, value]) =>
    value === '<JWT>' ? [key] : placeholders(value),
  );
  return [...placeholders(operation.path), ...fromQuery];
}

function identifiersIn(path: string, query: QueryTemplate): Record<string, Identifier> {
  const names = [path, ...Object.values(query)].flatMap(placeholders);
  return Object.fromEntries(
    names.flatMap((name) => {
      const identifier = identifierOf(name);
      return identifier ? [[name, identifier]] : [];
    }),
  );
}
