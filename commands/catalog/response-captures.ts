// Carries values between calls of an exported script: takes them out of answers into variables, and puts sessions from
// variables into later requests.
import { areas } from '../../catalog/catalog.ts';
import { keepsSlashes } from '../../catalog/request-path.ts';
import { pointed, quoted } from './body-templates.ts';
import type { Step, Who } from './itinerary.ts';
import { type Credential, type Speech, segmentSettings } from './target-speech.ts';

/** The variable of a player's nth credential, counted from 0. */
function sessionVariable(nth: number, as: Who): string {
  const name = as === 'main' ? 'session' : 'otherSession';
  return nth === 0 ? name : `${name}${nth + 1}`;
}

/** Header fields that carry a player's credentials; cookies share one. */
export function credentialHeaders(credentials: readonly Credential[], as: Who): [string, string][] {
  const cookies: string[] = [];
  const headers: [string, string][] = [];
  for (const [nth, { sentAs }] of credentials.entries()) {
    const value = `{{${sessionVariable(nth, as)}}}`;
    if ('header' in sentAs) headers.push([sentAs.header, sentAs.before + value]);
    else if ('cookie' in sentAs) cookies.push(`${sentAs.cookie}=${value}`);
  }
  return cookies.length === 0 ? headers : [...headers, ['Cookie', cookies.join('; ')]];
}

/** Query parameters that carry a player's credentials, `name=value`. */
export const credentialQuery = (credentials: readonly Credential[], as: Who): string[] =>
  credentials.flatMap(({ sentAs }, nth) =>
    'query' in sentAs ? [`${encodeURIComponent(sentAs.query)}={{${sessionVariable(nth, as)}}}`] : [],
  );

/** A value to take from a step's answer, and the variable that keeps it. */
export interface Capture {
  readonly variable: string;
  readonly from:
    | { readonly pointer: string }
    /** Names it may stand under anywhere in the answer, the surest first. */
    | { readonly names: readonly string[] }
    | { readonly header: string }
    | { readonly cookie: string };
  /** Take the value without its scheme, such as Bearer: the request adds one. */
  readonly bare?: true;
}

/** Names under which a login's answer may hold what later calls are signed with. */
const tokenNames = ['token', 'accessToken', 'access_token', 'sessionToken', 'session', 'sessionId', 'jwt'];

/** Values that differ for every player and run, so the answer's value goes before the profile's. */
const made = new Set([
  'partyId',
  'autoJoinKey',
  'matchId',
  'messageId',
  'queueToken',
  'playerId',
  'playerName',
]);
const ofPlayer: Readonly<Record<string, string>> = { playerId: 'otherId', playerName: 'otherName' };
const tellsIdentity = new Set([areas.auth.login.id, areas.playerName.get.id]);

/** What the answer to a step is asked for. */
export function capturesOf(step: Step, speech: Speech): Capture[] {
  const { operation, as, gives } = step;
  const stated = speech.operations[operation.id]?.ids ?? {};
  const names = [...new Set([...Object.keys(gives), ...Object.keys(stated)])].filter((name) => {
    if (name in ofPlayer) return tellsIdentity.has(operation.id);
    return made.has(name) || !speech.parameters[name];
  });
  const identifiers = names.map((name): Capture => {
    const pointer = stated[name];
    const variable = as === 'other' ? (ofPlayer[name] ?? name) : name;
    return {
      variable: variable.replaceAll('.', '_'),
      from: pointer === undefined ? { names: gives[name] ?? [name] } : { pointer },
    };
  });
  return operation === areas.auth.login ? [...sessionOf(step, speech), ...identifiers] : identifiers;
}

function sessionOf({ as }: Step, { credentials }: Speech): Capture[] {
  return credentials.map(({ source, sentAs }, nth) => ({
    variable: sessionVariable(nth, as),
    from: placeOf(source),
    ...('header' in sentAs && sentAs.before !== '' && { bare: true }),
  }));
}

function placeOf(source: string | undefined): Capture['from'] {
  if (source === undefined) return { names: tokenNames };
  if (source.startsWith('cookie:')) return { cookie: source.slice('cookie:'.length) };
  return source === '' || source.startsWith('/') ? { pointer: source } : { header: source };
}

// JavaScript expressions that take a value out of an answer, for every tool whose scripts are JavaScript.

/** How a tool's scripts reach into an answer: each an expression. */
export interface Reach {
  /** The parsed JSON body, undefined where it is none. */
  readonly body: string;
  readonly header: (name: string) => string;
  readonly cookie: (name: string) => string;
}

/** The captured value as an expression; undefined in the script where the answer does not hold it. */
export function taken({ from, bare }: Capture, reach: Reach): string {
  const value = found(from, reach);
  return bare ? `${value}?.replace(/^Bearer +/i, '')` : value;
}

function found(from: Capture['from'], reach: Reach): string {
  if ('pointer' in from) return pointed(reach.body, from.pointer);
  if ('header' in from) return reach.header(from.header);
  if ('cookie' in from) return reach.cookie(from.cookie);
  return `find(${reach.body}, [${from.names.map(quoted).join(', ')}])`;
}

/** A value known beforehand, as an expression; segments of client-data paths may come from the environment. */
export function begunWith(name: string, value: string, settingOf: (setting: string) => string): string {
  const setting = segmentSettings[name];
  return setting === undefined ? quoted(value) : `${settingOf(setting)} || ${quoted(value)}`;
}

/** The value of a cookie among Set-Cookie fields; `fields` is an expression for their list, undefined if there are none. */
export const cookieIn = (fields: string, name: string): string =>
  `${fields}?.find((field) => field.startsWith(${quoted(`${name}=`)}))?.slice(${name.length + 1}).split(';')[0]`;

/** Returns whether the capture searches a value by its names; the script then needs `findSource`. */
export const isSearch = ({ from }: Capture) => 'names' in from;

/** `find`: the first text or number under one of these names, the nearest to the root first. */
export const findSource = `function find(answer, names) {
  for (const name of names) {
    const open = [answer];
    for (let at = 0; at < open.length && at < 500; at += 1) {
      if (open[at] === null || typeof open[at] !== 'object') continue;
      const value = open[at][name];
      if ((typeof value === 'string' && value !== '') || typeof value === 'number') return value;
      open.push(...Object.values(open[at]));
    }
  }
}`;

/** A variable's value as a path or a query takes it, as an expression; what may name a folder keeps its slashes. */
export const encoded = (variable: string, expression: string): string =>
  keepsSlashes.has(variable)
    ? `encodeURIComponent(${expression}).replaceAll('%2F', '/')`
    : `encodeURIComponent(${expression})`;
