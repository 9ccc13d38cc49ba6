// Makes the target of a run from the environment and the profile, and checks both before anything is sent.
import { randomBytes } from 'node:crypto';
import { allHosts, type Host, type Operation } from '../../catalog/operation.ts';
import type { AmbientValues } from '../../catalog/request-path.ts';
import type { Word } from '../../catalog/words.ts';
import { ConfigurationError } from '../values/configuration-error.ts';
import { quoted } from '../values/text.ts';
import { loadProfile, type Profile, profilePath } from './profile.ts';
import type { RefusalForm } from './refusal-form.ts';
import type { HostSession, OtherHost } from './session-transport.ts';
import {
  blankIn,
  blankLines,
  blankMistakes,
  type Environment,
  hostUrl,
  misnamedIn,
  misnamedLines,
  misnamedMistakes,
  variableOf,
  withDotenv,
} from './settings.ts';
import { secretsIn, type Transport, transportIn } from './transport.ts';

/** Signature algorithms of test JWTs (RFC 7518, RFC 8037): with a shared secret, or with a key pair. */
export const jwtAlgs: readonly string[] = [
  'HS256',
  'HS384',
  'HS512',
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
];

/** The hosts and settings of a run. Plain data: it is passed to the worker thread unchanged. */
export interface Target {
  /** None of the three URLs was given: the caller starts the embedded server and fills in its hosts. */
  readonly embedded: boolean;
  /** Origin and path prefix, without a trailing slash; a host left out is absent. */
  readonly hosts: Readonly<Partial<Record<Host, string>>>;
  readonly loginTokens: readonly string[];
  readonly loginTokenCommand?: string;
  /** Prints the log records that the target has stored. */
  readonly logsSinkCommand?: string;
  /** Variables of the environment itself, not of `.env`, that decide who signs in; absent: none. */
  readonly signInVariables?: readonly string[];
  /** Signature algorithm of test JWTs; overrides the profile's. */
  readonly jwtAlg?: string;
  readonly seed: string;
  /** Makes unique values of one run differ from those of every other: 8 letters and digits. */
  readonly runId: string;
  /** Path segments of the target, defaults where nothing was given. */
  readonly ambient: Required<AmbientValues>;
  /** Which of `ambient` were given, by the environment or by the profile. */
  readonly given: readonly (keyof AmbientValues)[];
  /** Known values of parameters, from the profile. */
  readonly parameters: Readonly<Record<string, string>>;
  /** Sent with every request. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** The secrets of these settings, which must not be recorded; for `redactor.learn`. */
  readonly secrets: readonly string[];
  /** Trusted certificates and proxies; absent: the system's certificates, no proxy. */
  readonly transport?: Transport;
  /** Warnings about the settings, one line each, shown before anything is sent; absent: none. */
  readonly settingRemarks?: readonly string[];
  readonly profile?: Profile;
  /** Whether the other hosts take the session, as preflight found. */
  readonly sessions?: Readonly<Partial<Record<OtherHost, HostSession>>>;
  /** Where the profile was read, as the user wrote it. */
  readonly profileFile?: string;
  /** Words that the target may use in place of neutral words for which nobody gave one. */
  readonly likelyWords?: readonly string[];
  /** What the target's own description of its API suggests; absent: it serves none. */
  readonly described?: Described;
  /** How its answers refuse a call in their body, whatever the status; absent: in no way that is known. */
  readonly refusalForm?: RefusalForm;
}

/** What an API description suggests to try. It counts only once an answer of the target confirms it. */
export interface Described {
  /** Path of the description. */
  readonly at: string;
  /** What stands in place of neutral words, the most frequent first. */
  readonly words: Readonly<Partial<Record<Word, readonly string[]>>>;
  /** What its paths have in front of those of the interface, the most frequent first. */
  readonly prefixes: readonly string[];
  /** Request bodies, by operation id. */
  readonly bodies: Readonly<Record<string, DescribedBody>>;
}

/** The members that a body must have (`isNeeded`), or where it must have none, those that it may have. */
export interface DescribedBody {
  readonly isNeeded: boolean;
  readonly members: readonly Member[];
}

/** A member of a request body. */
export interface Member {
  /** Names from the root of the body. */
  readonly path: readonly string[];
  readonly type?: MemberType;
  /** The type of a list's elements. */
  readonly of?: MemberType;
  /** The values that the member may have. */
  readonly allowed?: readonly (string | number | boolean)[];
}

export type MemberType = 'list' | 'object' | 'integer' | 'number' | 'boolean' | 'date' | 'string';

export interface TargetOptions {
  /** Path of the profile; overrides PROFILE. */
  readonly profile?: string | undefined;
  readonly seed?: string | undefined;
  /** Signature algorithm of test JWTs; overrides the profile's. */
  readonly jwtAlg?: string | undefined;
  /** Whether certificates go unchecked. */
  readonly insecure?: boolean | undefined;
  /** Where `.env` is looked for, and what a relative profile path starts from. */
  readonly cwd: string;
  readonly newRunId?: () => string;
}

/** The seed where SEED is not set: fixed, so that two plain runs make the same choices and can be compared. */
const defaultSeed = '1';

/** Defaults of the segments. Where a target serves no file under them, the report says so once (segments-unknown). */
const defaultAmbient: Required<AmbientValues> = {
  CDN_ROOT_FOLDER_PATH: 'live',
  gameVersion: '1.0.0',
  versionPattern: '1.0',
};

export const ambientVariables: readonly (readonly [variable: string, name: keyof AmbientValues])[] = [
  ['CDN_ROOT_FOLDER_PATH', 'CDN_ROOT_FOLDER_PATH'],
  ['GAME_VERSION', 'gameVersion'],
  ['VERSION_PATTERN', 'versionPattern'],
];

/** The variables of the segments, each with the value that was given for it; undefined where none was. */
export const givenSegments = ({ given, ambient }: Pick<Target, 'given' | 'ambient'>) =>
  ambientVariables.map(
    ([variable, name]) => [variable, given.includes(name) ? ambient[name] : undefined] as const,
  );

/**
 * Reads the environment, `.env` beside it (the environment wins, also where it is set to nothing), and the
 * profile. Nothing is changed and nothing is sent.
 * @throws ConfigurationError with one line per mistake
 */
export function readTarget(environment: Environment, options: TargetOptions): Target {
  const mistakes: string[] = [];
  const env = withDotenv(environment, options.cwd, mistakes);
  const hosts = hostsIn(env, mistakes);
  const profile = loadProfile(env, options, mistakes);
  const ambient = { ...segmentsIn(profile), ...ambientIn(env, mistakes) };
  const transport = transportIn(env, options, Object.values(hosts), mistakes);
  const loginTokens = env.LOGIN_TOKEN?.split(/\s+/).filter((token) => token !== '') ?? [];
  const command = env.LOGIN_TOKEN_COMMAND?.trim();
  const logsSinkCommand = env.LOGS_SINK_COMMAND?.trim();
  const seed = seedIn(env, options, mistakes);
  const { jwtAlg } = options;
  if (jwtAlg !== undefined && !jwtAlgs.includes(jwtAlg)) {
    mistakes.push(`--jwt-alg: ${quoted(jwtAlg)} is no signature algorithm; expected ${jwtAlgs.join(', ')}`);
  }
  // An option overrides the variable, so its mistakes do not matter.
  const replacing: Readonly<Record<string, unknown>> = { PROFILE: options.profile, SEED: options.seed };
  const blank = blankIn(env).filter((name) => replacing[name] === undefined);
  const embedded = Object.keys(hosts).length === 0;
  const misnamed = misnamedIn(
    environment,
    (name) => env[name] !== undefined || (name === 'PROFILE' && options.profile !== undefined),
  );
  mistakes.push(...blankMistakes(env), ...(embedded ? misnamedMistakes(misnamed, env) : []));
  if (mistakes.length > 0) throw new ConfigurationError(mistakes);
  const settingRemarks = [...misnamedLines(misnamed), ...blankLines(blank)];
  return {
    embedded,
    hosts,
    loginTokens,
    ...(command ? { loginTokenCommand: command } : {}),
    ...(logsSinkCommand ? { logsSinkCommand } : {}),
    ...signInVariablesIn(environment),
    ...(jwtAlg !== undefined && { jwtAlg }),
    seed,
    runId: (options.newRunId ?? randomRunId)(),
    ambient: { ...defaultAmbient, ...ambient },
    given: Object.keys(ambient) as (keyof AmbientValues)[],
    parameters: profile?.parameters ?? {},
    headers: profile?.headers ?? [],
    secrets: [...loginTokens, ...secretsIn(transport), ...(profile?.secrets ?? [])],
    ...(Object.keys(transport).length > 0 && { transport }),
    ...(settingRemarks.length > 0 && { settingRemarks }),
    ...(profile ? { profile, profileFile: profilePath(env, options) } : {}),
  };
}

function signInVariablesIn(environment: Environment): Pick<Target, 'signInVariables'> {
  const signInVariables = ['LOGIN_TOKEN', 'LOGIN_TOKEN_COMMAND'].filter((name) => environment[name]?.trim());
  return signInVariables.length > 0 ? { signInVariables } : {};
}

/** The target with the segments that preflight found; they count as given. */
export function withSegments(target: Target, found: AmbientValues): Target {
  const given = [...new Set([...target.given, ...(Object.keys(found) as (keyof AmbientValues)[])])];
  return { ...target, ambient: { ...target.ambient, ...found }, given };
}

function hostsIn(env: Environment, mistakes: string[]): Target['hosts'] {
  const hosts: Partial<Record<Host, string>> = {};
  for (const host of allHosts) {
    const variable = variableOf[host];
    const value = env[variable]?.trim();
    if (!value) continue;
    const read = hostUrl(value);
    if ('mistake' in read) mistakes.push(`${variable}: ${read.mistake}`);
    else hosts[host] = read.host;
  }
  return hosts;
}

function ambientIn(env: Environment, mistakes: string[]): AmbientValues {
  const found = ambientVariables.flatMap(([variable, name]) => {
    const value = env[variable]?.trim().replace(/^\/+|\/+$/g, '');
    if (!value) return [];
    if (/[\x00-\x1f\x7f]/.test(value)) {
      mistakes.push(`${variable}: ${quoted(value)} holds control characters; expected a path segment`);
    }
    return [[name, value]];
  });
  return Object.fromEntries(found);
}

function segmentsIn(profile: Profile | undefined): AmbientValues {
  const names = ambientVariables.map(([, name]) => name);
  return Object.fromEntries(
    Object.entries(profile?.parameters ?? {}).filter(([name]) => (names as string[]).includes(name)),
  );
}

function seedIn(env: Environment, options: TargetOptions, mistakes: string[]): string {
  const variable = options.seed === undefined ? 'SEED' : '--seed';
  const seed = options.seed ?? (env.SEED?.trim() || defaultSeed);
  if (!/^[A-Za-z0-9._-]{1,64}$/.test(seed)) {
    mistakes.push(
      `${variable}: ${quoted(seed)} is no seed; expected 1 to 64 letters, digits, ".", "_" or "-"`,
    );
  }
  return seed;
}

/** What all requests of an operation share, as `requestOf` takes it. @param params values for its path and query */
export function surroundingsOf(
  { hosts, ambient, headers, profile: words }: Pick<Target, 'hosts' | 'ambient' | 'headers' | 'profile'>,
  { host }: Operation,
  params: Readonly<Record<string, string>> = {},
) {
  return { host: hosts[host] ?? '', ambient, headers, words, params };
}

export function randomRunId(): string {
  return randomBytes(5).readUIntBE(0, 5).toString(36).padStart(8, '0').slice(-8);
}
