// Reads a profile: the JSON file in which one target states what the interface leaves open. `profile.schema.json` lists
// its keys.
import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { readSync } from 'node:fs';
import { resolve } from 'node:path';
import { areas, catalog } from '../../catalog/catalog.ts';
import type { Effect, Operation } from '../../catalog/operation.ts';
import type { GivenWords } from '../../catalog/words.ts';
import { readRegularFile, whyUnreadable, withRegularFile } from '../files.ts';
import { isObject, pointerTo } from '../values/json-walk.ts';
import { globMatches, quoted } from '../values/text.ts';
import { typed } from '../values/typed-command.ts';
import {
  type Json,
  Reading,
  reportMeaninglessEntries,
  shown,
  validateAgainstSchema,
} from './profile-validation.ts';
import type { OtherHost, SessionTransport } from './session-transport.ts';
import type { Environment } from './settings.ts';
import type { SharingLists } from './sharing.ts';

interface ProfileHeaders {
  /** Sent with every request to every host, names as written. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Header values that were read from the environment. */
  readonly secrets: readonly string[];
  /** The same values by the names of their variables; a printed command shows the variable instead of the value. */
  readonly variables?: Readonly<Record<string, string>>;
}

const validName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const validValue =
  /^[\x21-\x7e\x80-\u{10ffff}](?:[\t\x20-\x7e\x80-\u{10ffff}]*[\x21-\x7e\x80-\u{10ffff}])?$/u;
/** Header fields that frame a request or name its host. The client sets them, so a profile must not. */
const framing = new Set([
  'host',
  'content-length',
  'transfer-encoding',
  'connection',
  'upgrade',
  'te',
  'expect',
]);

/** Reads the profile's `headers`: values, or the variables that hold them. No message repeats a value. */
function headersIn(reading: Reading, value: Json | undefined, env: Environment): ProfileHeaders {
  const headers: [string, string][] = [];
  const secrets: string[] = [];
  const variables: Record<string, string> = {};
  if (value === undefined) return { headers, secrets };
  for (const [name, given] of Object.entries(reading.object('/headers'))) {
    const pointer = pointerTo('/headers', name);
    if (!validName.test(name)) reading.report(pointer, () => `${shown(pointer)} is no header name`);
    if (framing.has(name.toLowerCase()))
      reading.report(pointer, () => `${shown(pointer)} is set by the client itself; remove it`);
    if (typeof given === 'string') {
      if (!validValue.test(given))
        reading.report(pointer, () => `${shown(pointer)} is no header value; expected one line`);
      headers.push([name, given]);
      continue;
    }
    const secret = fromEnvironment(reading, pointer, given, env);
    if (secret === undefined) continue;
    headers.push([name, secret.value]);
    secrets.push(secret.value);
    variables[secret.variable] = secret.value;
  }
  return { headers, secrets, ...(secrets.length > 0 && { variables }) };
}

function fromEnvironment(
  reading: Reading,
  pointer: string,
  given: Json | undefined,
  env: Environment,
): { readonly variable: string; readonly value: string } | undefined {
  const wrong = (what: string) => {
    reading.report(pointer, () => `${shown(pointer)} ${what}`);
    return undefined;
  };
  if (!isObject(given)) {
    return wrong('is neither a string nor { "env": "NAME" }');
  }
  const name = reading.object(pointer, ['env']).env;
  if (typeof name !== 'string' || !/^\w+$/.test(name)) {
    return wrong('names no variable; expected { "env": "NAME" }');
  }
  const value = env[name]?.trim();
  if (!value) return wrong(`takes its value from ${name}, which is not set`);
  return validValue.test(value)
    ? { variable: name, value }
    : wrong(`takes its value from ${name}, which holds more than one line`);
}

/** A JSON value whose strings may hold `{{placeholders}}`: of the player, of the step, of earlier answers. */
export type Template = Json;

export interface Profile extends ProfileHeaders, GivenWords, SharingLists {
  /** A comment for readers of the file. */
  readonly name?: string;
  /** First 8 hex digits of the SHA-256 of the file's text. */
  readonly digest?: string;
  /** Known values of the document's parameters, by name: identifiers, `types`, `locale`, segments. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly session?: SessionProfile;
  /** Bodies, statuses, identifiers and schemas of the target, by operation id. */
  readonly operations: Readonly<Record<string, OperationProfile>>;
  /** Why this target does not mean to serve an operation, by its id: `omit` of the file. */
  readonly omitted: ReadonlyMap<string, string>;
  /** Checks that may fail for a while. */
  readonly waivers: readonly Waiver[];
  /** The behaviour of open points, by check id or glob of ids. */
  readonly expects?: Readonly<Record<string, string>>;
  /** The last day, YYYY-MM-DD, on which an entry of `expects` holds. */
  readonly expectsUntil?: Readonly<Record<string, string>>;
  /** Where entries come from, by JSON Pointer into the file: written by `learn`. */
  readonly sources?: Readonly<Record<string, string>>;
}

/** The profile of a target that has none. */
export const silentProfile: Profile = {
  words: {},
  wordsAt: {},
  parameters: {},
  headers: [],
  secrets: [],
  operations: {},
  omitted: new Map(),
  waivers: [],
};

/** Ids of the operations that the profile says change something. */
export const changingIn = ({ operations }: Pick<Profile, 'operations'>): ReadonlySet<string> =>
  new Set(Object.keys(operations).filter((id) => (operations[id]?.effect ?? 'read') !== 'read'));

/** Why a call of an operation is not made. */
export const whyOmitted = (reason: string): string => `the profile leaves it out: ${reason}`;

export interface SessionProfile {
  /** The body of the login request; null sends none. */
  readonly body?: Template;
  /** Where the login's answer holds the credential and how it is sent back. */
  readonly transport?: SessionTransport;
  /** Whether the other hosts get the session too. Where nothing is stated, it is tried after a 401 or 403. */
  readonly hosts?: Readonly<Partial<Record<OtherHost, boolean>>>;
  /** How test JWTs are made. */
  readonly jwt?: { readonly alg?: string; readonly claims?: Readonly<Record<string, Json>> };
}

/** What the target chose for one operation. */
export interface OperationProfile {
  readonly body?: Template;
  readonly contentType?: string;
  /** Statuses that count as success; default: any 2xx. */
  readonly accepts?: readonly number[];
  /** Where its answer holds identifiers: identifier name → JSON Pointer. */
  readonly ids?: Readonly<Record<string, string>>;
  /** JSON Schema 2020-12 of its JSON answer. */
  readonly schema?: object;
  readonly effect?: Effect;
  /** This operation's own values. */
  readonly parameters?: Readonly<Record<string, string>>;
}

export interface Waiver {
  /** A check's id, or a glob of ids. */
  readonly check: string;
  readonly reason: string;
  readonly link: string;
  /** The last day it holds, YYYY-MM-DD. */
  readonly expires: string;
}

type ProfileResult =
  | { readonly profile: Profile }
  /** Phrases that begin with `line:column`; the first 20, and how many more there are. */
  | { readonly mistakes: readonly string[]; readonly more: number };

/** A profile as its file writes it, after validation. */
type Written = Partial<Omit<Profile, keyof ProfileHeaders | 'omitted' | 'expects' | 'expectsUntil'>> & {
  readonly omit?: readonly Omission[];
  readonly expects?: Readonly<Record<string, WrittenPin>>;
};

type WrittenPin = string | { readonly behaviour: string; readonly until: string };

export interface Omission {
  /** An id, or a glob of ids. */
  readonly operation: string;
  readonly reason: string;
}

/**
 * Reads a profile's text.
 * @param env where `{ "env": "NAME" }` of a header finds its value
 * @returns the profile, or every mistake
 */
export function readProfile(text: string, env: Environment): ProfileResult {
  const reading = new Reading(text);
  const mistakes = () => ({ mistakes: reading.mistakes, more: reading.count - reading.mistakes.length });
  if (reading.count > 0) return mistakes();
  const wrongPointers = validateAgainstSchema(reading);
  const headers = headersIn(reading, reading.at('/headers'), env);
  reportMeaninglessEntries(reading, wrongPointers);
  return reading.count > 0 ? mistakes() : { profile: profileOf(reading.root as Written, headers) };
}

function profileOf(written: Written, headers: ProfileHeaders): Profile {
  const { name, words = {}, wordsAt = {}, parameters = {}, session, operations = {}, sources } = written;
  const operationEntries = Object.entries(operations).map(([id, { parameters, ...rest }]) => [
    id,
    { ...rest, ...(parameters && { parameters: strings(parameters) }) },
  ]);
  return {
    ...(name !== undefined && { name }),
    words,
    wordsAt,
    parameters: strings(parameters),
    ...headers,
    ...(session && { session }),
    operations: Object.fromEntries(operationEntries),
    omitted: omittedBy(written.omit ?? []),
    waivers: written.waivers ?? [],
    ...(written.expects && pinsOf(written.expects)),
    ...(written.private && { private: written.private }),
    ...(written.shared && { shared: written.shared }),
    ...(sources && { sources }),
  };
}

function pinsOf(expects: Readonly<Record<string, WrittenPin>>): Pick<Profile, 'expects' | 'expectsUntil'> {
  const pins = Object.entries(expects);
  const dated = pins.flatMap(([id, pin]) => (typeof pin === 'string' ? [] : [[id, pin.until] as const]));
  return {
    expects: Object.fromEntries(pins.map(([id, pin]) => [id, typeof pin === 'string' ? pin : pin.behaviour])),
    ...(dated.length > 0 && { expectsUntil: Object.fromEntries(dated) }),
  };
}

/** Expands the omissions to operation ids; the first one that matches counts. */
function omittedBy(omissions: readonly Omission[]): ReadonlyMap<string, string> {
  const found = catalog.flatMap(({ id }) => {
    const omission = omissions.find(({ operation }) => globMatches(operation, id));
    return omission ? [[id, omission.reason] as const] : [];
  });
  return new Map(found);
}

interface Profiled {
  readonly profile?: Pick<Profile, 'omitted'> | undefined;
}

/** Operations of the catalog that the profile does not leave out. */
export const meantOperations = ({ profile }: Profiled): Operation[] =>
  catalog.filter(({ id }) => !profile?.omitted.has(id));

/**
 * What to leave out further, an area as one glob; never the login, which all the rest needs.
 * @param missing ids of operations that are not served, or that cannot be decided
 */
export function omissionsFrom(
  missing: ReadonlySet<string>,
  target: Profiled,
  reason = 'not served',
): Omission[] {
  const byArea = Map.groupBy(meantOperations(target), ({ area }) => area);
  return [...byArea].flatMap(([area, ofArea]) => {
    const gone = ofArea
      .filter((operation) => missing.has(operation.id) && operation !== areas.auth.login)
      .map(({ id }) => id);
    const operations = gone.length > 1 && gone.length === ofArea.length ? [`${area}.*`] : gone;
    return operations.map((operation) => ({ operation, reason }));
  });
}

const strings = (values: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]));

const mostBytes = 1024 * 1024;

interface ProfileOptions {
  readonly profile?: string | undefined;
}

/** The path that `--profile`, or else PROFILE, names; empty where neither does. */
export const profilePath = (env: Environment, { profile }: ProfileOptions): string =>
  profile ?? env.PROFILE?.trim() ?? '';

/** The profile that `--profile`, or else PROFILE, names; undefined where neither does, or with a mistake. */
export function loadProfile(
  env: Environment,
  options: ProfileOptions & { readonly cwd: string },
  mistakes: string[],
): Profile | undefined {
  const variable = options.profile === undefined ? 'PROFILE' : '--profile';
  const path = profilePath(env, options);
  if (!path) return undefined;
  const wrong = (what: string) => {
    mistakes.push(`${variable}: ${quoted(path)} ${what}`);
    return undefined;
  };
  const file = resolve(options.cwd, path);
  let text: string;
  try {
    const other = writerOf(file);
    if (other !== undefined)
      return wrong(
        `is a result${other === 'result' ? '' : ` of ${other}`}, not a profile; ${typed('learn')} writes one`,
      );
    text = decoded(readRegularFile(file, mostBytes));
  } catch (error) {
    return wrong(`${whyUnreadable(error)}; expected a JSON file in UTF-8 of at most 1 MiB`);
  }
  const read = readProfile(text, env);
  if ('profile' in read) return { ...read.profile, digest: digestOf(text) };
  for (const mistake of read.mistakes) wrong(`at ${mistake}`);
  if (read.more > 0) wrong(`and ${read.more} more`);
  return undefined;
}

const headBytes = 256;

/**
 * The kind of Assay output this file is (result, load, capacity), from the schema member in its first 256 bytes;
 * undefined for any other file.
 */
const writerOf = (path: string): string | undefined =>
  withRegularFile(path, Number.POSITIVE_INFINITY, (file) => {
    const head = Buffer.alloc(headBytes);
    readSync(file, head);
    return /^\s*\{\s*"schema":\s*"assay\.(\w+)\/\d+"/.exec(head.toString('latin1'))?.[1];
  });

const digestOf = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 8);

/** @throws Error for bytes that are not UTF-8, which decoding would silently replace */
function decoded(bytes: Uint8Array): string {
  if (/^(?:fffe|feff)/.test(Buffer.from(bytes.subarray(0, 2)).toString('hex'))) throw new Error('UTF-16');
  if (!isUtf8(bytes)) throw new Error('not UTF-8');
  return Buffer.from(bytes).toString('utf8');
}
