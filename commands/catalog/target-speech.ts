// Defines what the exports know of one target: the part of a profile that files for other tools can hold.
import { areas } from '../../catalog/catalog.ts';
import type { Host, Operation } from '../../catalog/operation.ts';
import type { GivenWords } from '../../catalog/words.ts';

export type Template =
  | string
  | number
  | boolean
  | null
  | readonly Template[]
  | { readonly [key: string]: Template };

export interface Speech {
  readonly words?: GivenWords | undefined;
  /** Known values of the document's parameters, by name. */
  readonly parameters: Readonly<Record<string, string>>;
  /** Sent with every request. */
  readonly headers: readonly SpokenHeader[];
  /** How the session of a login's answer goes back; more than one are sent together. */
  readonly credentials: readonly Credential[];
  /** Hosts besides the main API's that it is sent to. */
  readonly sessionHosts: readonly Host[];
  /** By operation id. */
  readonly operations: Readonly<Record<string, SpokenOperation>>;
  /** Operations that the target does not mean to serve. */
  readonly omitted: readonly string[];
}

/** A header's value, or the variable that holds it: a secret has no other place. */
export type SpokenHeader =
  | { readonly name: string; readonly value: string }
  | { readonly name: string; readonly variable: string };

export interface Credential {
  /** JSON Pointer into the login's answer, `cookie:NAME`, or a header's name; without it a token is looked for. */
  readonly source?: string;
  readonly sentAs:
    | { readonly header: string; readonly before: string }
    | { readonly query: string }
    | { readonly cookie: string };
}

export interface SpokenOperation {
  /** Strings may hold `{{placeholders}}`; null sends no body. */
  readonly body?: Template;
  readonly contentType?: string;
  readonly accepts?: readonly number[];
  /** Identifier name → JSON Pointer into its answer. */
  readonly ids?: Readonly<Record<string, string>>;
  /** JSON Schema 2020-12 of its answer. */
  readonly schema?: object;
  readonly parameters?: Readonly<Record<string, string>>;
}

/** Of a target that nobody described: a token somewhere in the login's answer, sent back as Bearer. */
export const unspoken: Speech = {
  parameters: {},
  headers: [],
  credentials: [{ sentAs: { header: 'Authorization', before: 'Bearer ' } }],
  sessionHosts: [],
  operations: {},
  omitted: [],
};

/** Does a call of this row carry the session? */
export const carriesSession = (row: Operation, { sessionHosts }: Pick<Speech, 'sessionHosts'>): boolean =>
  row.host === 'base' ? row !== areas.auth.login : sessionHosts.includes(row.host);

/** Where the examples of every export point: the embedded server on `npm run serve -- --port 8080`. */
export const hosts = {
  base: { variable: 'base_url', setting: 'BASE_URL', url: 'http://127.0.0.1:8080' },
  cdn: { variable: 'cdn_url', setting: 'CDN_URL', url: 'http://127.0.0.1:8081' },
  gamelogs: { variable: 'gamelogs_url', setting: 'GAMELOGS_URL', url: 'http://127.0.0.1:8082' },
} as const;

/** The settings that hold the segments of client-data paths, by parameter. */
export const segmentSettings: Readonly<Record<string, string>> = {
  CDN_ROOT_FOLDER_PATH: 'CDN_ROOT_FOLDER_PATH',
  gameVersion: 'GAME_VERSION',
  versionPattern: 'VERSION_PATTERN',
};
