// Collects what the exports need of one target: the part of its profile that files for other tools can express.
import { areas } from '../../catalog/catalog.ts';
import type { Host, Operation } from '../../catalog/operation.ts';
import type { GivenWords } from '../../catalog/words.ts';
import { isCredentialHeader } from '../../engine/http/redact.ts';
import { choicesFor } from '../../engine/probe/parameters.ts';
import type { Profile } from '../../engine/target/profile.ts';
import type { SessionTransport } from '../../engine/target/session-transport.ts';
import type { Environment } from '../../engine/target/settings.ts';
import { ConfigurationError } from '../../engine/values/configuration-error.ts';

export interface TargetFacts {
  readonly words?: GivenWords | undefined;
  /** Known values of the document's parameters, by name. */
  readonly parameters: Readonly<Record<string, string>>;
  /** Sent with every request. */
  readonly headers: readonly GivenHeader[];
  /** How the session of a login's answer goes back; more than one are sent together. */
  readonly credentials: readonly Credential[];
  /** Hosts besides the main API's that the session is sent to. */
  readonly sessionHosts: readonly Host[];
  /** By operation id. */
  readonly operations: Profile['operations'];
  /** Operations that the target does not mean to serve. */
  readonly omitted: readonly string[];
}

/** A header's value, or the variable that holds it: exports never write out a secret. */
type GivenHeader =
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

/** The facts of a target without a profile: a token somewhere in the login's answer is sent back as Bearer. */
export const unknownTarget: TargetFacts = {
  parameters: {},
  headers: [],
  credentials: [{ sentAs: { header: 'Authorization', before: 'Bearer ' } }],
  sessionHosts: [],
  operations: {},
  omitted: [],
};

/** Whether a call of this operation carries the session. */
export const carriesSession = (
  operation: Operation,
  { sessionHosts }: Pick<TargetFacts, 'sessionHosts'>,
): boolean =>
  operation.host === 'base' ? operation !== areas.auth.login : sessionHosts.includes(operation.host);

/** Where the examples of every export point: the embedded server on `npm run serve -- --port 8080`. */
export const hosts = {
  base: { variable: 'base_url', setting: 'BASE_URL', url: 'http://127.0.0.1:8080' },
  cdn: { variable: 'cdn_url', setting: 'CDN_URL', url: 'http://127.0.0.1:8081' },
  gamelogs: { variable: 'gamelogs_url', setting: 'GAMELOGS_URL', url: 'http://127.0.0.1:8082' },
} as const;

/**
 * An environment in which every variable holds its own mention: an export names secrets and never has their values,
 * so that nobody needs them to make one.
 */
export const environmentOfNames: Environment = new Proxy<Environment>(
  {},
  { get: (_, name) => mention(String(name)) },
);

const mention = (variable: string) => `{{${variable}}}`;

/** @param profile read with `environmentOfNames`; undefined where there is none */
export function factsOf(profile: Profile | undefined): TargetFacts {
  if (profile === undefined) return { ...unknownTarget, parameters: choicesFor(undefined) };
  const { session, operations, omitted, headers, parameters } = profile;
  refuseBraces(profile);
  const login = operations['auth.login'];
  return {
    words: { words: profile.words, wordsAt: profile.wordsAt },
    parameters: { ...choicesFor(profile), ...parameters },
    headers: headers.map((header) => given(header, profile)),
    sessionHosts: (['cdn', 'gamelogs'] as const).filter((host) => session?.hosts?.[host] === true),
    credentials: session?.transport ? credentialsOf(session.transport) : unknownTarget.credentials,
    operations:
      session?.body === undefined
        ? operations
        : { ...operations, 'auth.login': { ...login, body: session.body } },
    omitted: [...omitted.keys()],
  };
}

/**
 * Refuses values that hold `{{`: in a file with `{{variables}}`, some tools would run them.
 * @throws ConfigurationError naming where it stands
 */
function refuseBraces({ headers, operations, parameters, secrets }: Profile): void {
  const literal = headers.flatMap(([name, value]) =>
    secrets.includes(value) ? [] : [[`/headers/${name}`, value]],
  );
  const types = Object.entries(operations).map(([id, { contentType }]) => [
    `/operations/${id}/contentType`,
    contentType,
  ]);
  const values = Object.entries(parameters).map(([name, value]) => [`/parameters/${name}`, value]);
  const wrong = [...literal, ...types, ...values].filter(([, value]) => value?.includes('{{'));
  if (wrong.length > 0)
    throw new ConfigurationError(
      wrong.map(
        ([at]) =>
          `--profile: ${at} holds "{{", which the exported file would read as a variable; take it out`,
      ),
    );
}

/** Puts a header that carries credentials into a variable, also where the profile spells its value out. */
function given([name, value]: readonly [string, string], { variables = {} }: Profile): GivenHeader {
  const variable = Object.keys(variables).find((each) => mention(each) === value);
  if (variable !== undefined) return { name, variable };
  const isSecret = /^(proxy-)?authorization$|^cookie$/i.test(name) || isCredentialHeader(name.toLowerCase());
  return isSecret ? { name, variable: secretName(name) } : { name, value };
}

/** A variable's name begins with a letter. */
const secretName = (header: string) =>
  header
    .toUpperCase()
    .replace(/[^A-Z0-9]/g, '_')
    .replace(/^(?![A-Z])/, 'HEADER_');

function credentialsOf(transport: SessionTransport): Credential[] {
  switch (transport.kind) {
    case 'cookie':
      return transport.names.map((name) => ({ source: `cookie:${name}`, sentAs: { cookie: name } }));
    case 'bearer':
      return [
        {
          source: transport.source,
          sentAs: { header: 'Authorization', before: `${transport.scheme ?? 'Bearer'} ` },
        },
      ];
    case 'header':
      return [{ source: transport.source, sentAs: { header: transport.name, before: '' } }];
    case 'query':
      return [{ source: transport.source, sentAs: { query: transport.name } }];
    case 'combined':
      return transport.parts.flatMap(credentialsOf);
  }
}
