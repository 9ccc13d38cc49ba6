// Drafts one request for the exports: texts with `{{variables}}`, its body, and the values to take from its answer.

import { areas } from '../../catalog/catalog.ts';
import { type Host, type Method, type Operation, placeholders } from '../../catalog/operation.ts';
import { keepsSlashes } from '../../catalog/request-path.ts';
import { pathInWords } from '../../catalog/words.ts';
import { placeholder, placeholderAlone } from '../../engine/players/body-template.ts';
import type { Template } from '../../engine/target/profile.ts';
import { ambientVariables } from '../../engine/target/target.ts';
import { isNested, keysIn, withTexts } from '../../engine/values/json-walk.ts';
import { ownMember } from '../../engine/values/members.ts';
import { unicodeEscape } from '../../engine/values/text.ts';
import type { Step, Who } from './call-order.ts';
import { type Credential, carriesSession, hosts, type TargetFacts } from './target-facts.ts';

interface Payload {
  readonly template: Template;
  readonly contentType: string;
  /** The profile states no body: this is `{}`, or some bytes where the path ends in /binary. */
  readonly isGuess: boolean;
}

const bytes = 'assay';

/** The profile's body; without one a guess for POST and PUT, and none for other methods. */
export function payloadOf(operation: Operation, { operations }: TargetFacts): Payload | undefined {
  const { body: stated, contentType } = operations[operation.id] ?? {};
  const isBodied = operation.method === 'POST' || operation.method === 'PUT';
  if (stated === null || (stated === undefined && !isBodied)) return undefined;
  const isBinary = operation.path.endsWith('/binary');
  return {
    template: stated ?? (isBinary ? bytes : {}),
    contentType: contentType ?? (isBinary ? 'application/octet-stream' : 'application/json'),
    isGuess: stated === undefined,
  };
}

const isJsonType = (contentType: string) => /\bjson\b/i.test(contentType);

export interface Draft {
  /** The operation's id, with the reason where it is called once more. */
  readonly name: string;
  /** Whose session it carries; undefined where it carries none. */
  readonly signedBy: Who | undefined;
  readonly host: Host;
  readonly method: Method;
  /** Path and query as they go on the wire. */
  readonly path: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Body | undefined;
  /** Statuses that count as success; undefined for any 2xx. */
  readonly accepts: readonly number[] | undefined;
  readonly captures: readonly Capture[];
  /** Names of the variables that the request uses. */
  readonly uses: readonly string[];
}

interface Body {
  readonly template: Template;
  readonly contentType: string;
  /** Sent as it stands rather than as JSON. */
  readonly asText: boolean;
}

/** Drafts the request of one step for this target, in its words and with its headers and session. */
export function draftOf(step: Step, facts: TargetFacts): Draft {
  const { operation, as, again } = step;
  const stated = facts.operations[operation.id] ?? {};
  const rename = (placeholder: string) => variableFor(meant(placeholder, step), as);
  const value = (parameter: string) => {
    const given = stated.parameters?.[parameter] ?? step.values[parameter];
    return given === undefined ? `{{${rename(parameter)}}}` : encodeURIComponent(given);
  };
  const isSigned = carriesSession(operation, facts);
  const signed = isSigned ? facts.credentials : [];
  const query = [...queryOf(operation, value), ...credentialQuery(signed, as)];
  const path = pathInWords(operation, facts.words).replace(/\{([^}]+)\}/g, (_, name: string) => value(name));
  const body = bodyOf(step, facts, rename);
  const headers: [string, string][] = [
    ...credentialHeaders(signed, as),
    ...facts.headers.map((header): [string, string] => [
      header.name,
      'value' in header ? header.value : `{{${header.variable}}}`,
    ]),
    ...(body ? [['Content-Type', body.contentType] as [string, string]] : []),
  ];
  const written = query.length === 0 ? path : `${path}?${query.join('&')}`;
  const texts = [written, ...headers.map(([, text]) => text), JSON.stringify(body?.template ?? null)];
  return {
    name: again === undefined ? operation.id : `${operation.id} (${again})`,
    signedBy: isSigned ? as : undefined,
    host: operation.host,
    method: operation.method,
    path: written,
    headers,
    body,
    accepts: stated.accepts,
    captures: capturesOf(step, facts),
    uses: [hosts[operation.host].variable, ...new Set(texts.flatMap(variablesIn))],
  };
}

/** The variable that a placeholder stands for when this player calls. */
function variableFor(placeholder: string, as: Who): string {
  const mirrored: Readonly<Record<string, readonly [main: string, other: string]>> = {
    'player.id': ['playerId', 'otherId'],
    'player.name': ['playerName', 'otherName'],
    'other.id': ['otherId', 'playerId'],
    'other.name': ['otherName', 'playerName'],
    token: ['loginToken', 'otherLoginToken'],
  };
  const pair = ownMember(mirrored, placeholder);
  return pair?.[as === 'main' ? 0 : 1] ?? placeholder.replaceAll('.', '_');
}

/** What a parameter stands for in this step, in the path as in the body: `friendId` is the id of the other player. */
function meant(name: string, { params }: Step): string {
  const meanings: Readonly<Record<string, string>> = {
    playerId: 'player.id',
    friendId: 'other.id',
    ...params,
  };
  return ownMember(meanings, name) ?? name;
}

function queryOf(operation: Operation, value: (parameter: string) => string): string[] {
  return Object.entries(operation.query).map(([key, template]) => {
    const [hole] = template === '<JWT>' ? [key] : placeholders(template);
    return `${key.replace('[]', '%5B%5D')}=${hole === undefined ? template : value(hole)}`;
  });
}

function bodyOf({ operation, values }: Step, facts: TargetFacts, rename: Rename): Body | undefined {
  const payload = payloadOf(operation, facts);
  if (payload === undefined) return undefined;
  const { template, contentType } = payload;
  const literal = (text: string) =>
    Object.entries(values).reduce((filled, [name, each]) => filled.replaceAll(`{{${name}}}`, each), text);
  return {
    template: withTexts(
      template,
      (text) => literal(renamed(text, rename)),
      (name) => renamed(name, rename),
    ),
    contentType,
    asText: typeof template === 'string' && !isJsonType(contentType),
  };
}

// Carries values between the calls of an exported script: from answers into variables, and sessions from variables into
// later requests.

/** The variable of a player's nth credential, counted from 0. */
function sessionVariable(nth: number, as: Who): string {
  const name = as === 'main' ? 'session' : 'otherSession';
  return nth === 0 ? name : `${name}${nth + 1}`;
}

/** Header fields that carry a player's credentials; cookies share one. */
function credentialHeaders(credentials: readonly Credential[], as: Who): [string, string][] {
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
const credentialQuery = (credentials: readonly Credential[], as: Who): string[] =>
  credentials.flatMap(({ sentAs }, nth) =>
    'query' in sentAs ? [`${encodeURIComponent(sentAs.query)}={{${sessionVariable(nth, as)}}}`] : [],
  );

/** A value to take from a step's answer, and the variable that keeps it. */
export interface Capture {
  readonly variable: string;
  readonly from:
    | { readonly pointer: string }
    /** Names of fields that may hold it anywhere in the answer, the surest first. */
    | { readonly names: readonly string[] }
    | { readonly header: string }
    | { readonly cookie: string };
  /** Take the value without its scheme, such as Bearer: the request adds one. */
  readonly bare?: true;
}

/** Names under which a login's answer may hold what later calls are signed with. */
const tokenNames = ['token', 'accessToken', 'access_token', 'sessionToken', 'session', 'sessionId', 'jwt'];

/** Values that differ for every player and run, so the answer's value takes precedence over the profile's. */
const ofOnePlayer = new Set([
  'partyId',
  'autoJoinKey',
  'matchId',
  'messageId',
  'queueToken',
  'playerId',
  'playerName',
]);
const ofPlayer: Readonly<Record<string, string>> = { playerId: 'otherId', playerName: 'otherName' };
const showsIdentity = new Set([areas.auth.login.id, areas.playerName.get.id]);

/** The values to take from the answer to a step. */
function capturesOf(step: Step, facts: TargetFacts): Capture[] {
  const { operation, as, gives } = step;
  const stated = facts.operations[operation.id]?.ids ?? {};
  const names = [...new Set([...Object.keys(gives), ...Object.keys(stated)])].filter((name) => {
    if (name in ofPlayer) return showsIdentity.has(operation.id);
    return ofOnePlayer.has(name) || !facts.parameters[name];
  });
  const identifiers = names.map((name): Capture => {
    const pointer = stated[name];
    const variable = as === 'other' ? (ofPlayer[name] ?? name) : name;
    return {
      variable: variable.replaceAll('.', '_'),
      from: pointer === undefined ? { names: gives[name] ?? [name] } : { pointer },
    };
  });
  return operation === areas.auth.login ? [...sessionOf(step, facts), ...identifiers] : identifiers;
}

function sessionOf({ as }: Step, { credentials }: TargetFacts): Capture[] {
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

/** Expressions with which the scripts of a tool read an answer. */
export interface AnswerAccess {
  /** The parsed JSON body, undefined where it is none. */
  readonly body: string;
  readonly header: (name: string) => string;
  readonly cookie: (name: string) => string;
}

/** The captured value as an expression; undefined in the script where the answer does not hold it. */
export function captureExpression({ from, bare }: Capture, access: AnswerAccess): string {
  const value = found(from, access);
  return bare ? `${value}?.replace(/^Bearer +/i, '')` : value;
}

function found(from: Capture['from'], access: AnswerAccess): string {
  if ('pointer' in from) return pointed(access.body, from.pointer);
  if ('header' in from) return access.header(from.header);
  if ('cookie' in from) return access.cookie(from.cookie);
  return `find(${access.body}, [${from.names.map(quoted).join(', ')}])`;
}

/** A value known beforehand, as an expression; segments of client-data paths may come from the environment. */
export function initialValue(name: string, value: string, settingOf: (setting: string) => string): string {
  const [setting] = ambientVariables.find(([, segment]) => segment === name) ?? [];
  return setting === undefined ? quoted(value) : `${settingOf(setting)} || ${quoted(value)}`;
}

/** The value of a cookie among Set-Cookie fields; `fields` is an expression for their list or undefined. */
export const cookieIn = (fields: string, name: string): string =>
  `${fields}?.find((field) => field.startsWith(${quoted(`${name}=`)}))?.slice(${name.length + 1}).split(';')[0]`;

/** Whether the capture searches a value by its names: the script then needs `findSource`. */
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

/** An expression that encodes a variable for a path or a query; a value that may name a folder keeps its slashes. */
export const encoded = (variable: string, expression: string): string =>
  keepsSlashes.has(variable)
    ? `encodeURIComponent(${expression}).replaceAll('%2F', '/')`
    : `encodeURIComponent(${expression})`;

// Texts with `{{variables}}`, and bodies made of them.

type Rename = (placeholder: string) => string;

const variablesIn = (text: string): string[] =>
  Array.from(text.matchAll(placeholder), ([, name = '']) => name);

/** Renames the placeholders of a text. */
const renamed = (text: string, rename: Rename): string =>
  text.replace(placeholder, (_, name: string, asNumber = '') => `{{${rename(name)}${asNumber}}}`);

const isList = (template: Template): template is readonly Template[] => Array.isArray(template);

/** As JSON for a tool that puts variables in as text: `"{{n:number}}"` loses its quotes. */
export const jsonText = (template: Template): string =>
  asPlainText(JSON.stringify(template, null, 2).replace(/"\{\{([A-Za-z][\w.]*):number\}\}"/g, '{{$1}}'));

/** Writes `{{n:number}}` as `{{n}}`, since within a longer text a number is written as any other value. */
export const asPlainText = (text: string): string =>
  text.replace(/\{\{([A-Za-z][\w.]*):number\}\}/g, '{{$1}}');

/** A text as an expression of JavaScript. */
export function textExpression(text: string, expressionOf: (variable: string) => string): string {
  const [, name] = placeholderAlone.exec(text) ?? [];
  if (name !== undefined) return expressionOf(name);
  if (variablesIn(text).length === 0) return quoted(text);
  const pieces = text.split(/(\{\{[A-Za-z][\w.]*(?::number)?\}\})/g).map((piece) => {
    const [, variable] = placeholderAlone.exec(piece) ?? [];
    return variable === undefined ? escaped(piece).replace(/[`$]/g, '\\$&') : `\${${expressionOf(variable)}}`;
  });
  return `\`${pieces.join('')}\``;
}

/** A body as an expression of JavaScript, in which each `{{name:number}}` is a number. */
export function bodyExpression(template: Template, expressionOf: (variable: string) => string): string {
  if (typeof template === 'string') {
    const asNumber = placeholderAlone.exec(template)?.[2] !== undefined;
    const expression = textExpression(template, expressionOf);
    return asNumber ? `Number(${expression})` : expression;
  }
  if (!isNested(template)) return JSON.stringify(template);
  if (isList(template)) return `[${template.map((each) => bodyExpression(each, expressionOf)).join(', ')}]`;
  const members = Object.entries(template).map(([key, each]) => {
    return `${memberName(key, expressionOf)}: ${bodyExpression(each, expressionOf)}`;
  });
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}

export function memberName(key: string, expressionOf: (variable: string) => string): string {
  if (variablesIn(key).length > 0) return `[${textExpression(key, expressionOf)}]`;
  // As a literal, this one name would set the prototype instead.
  if (key === '__proto__') return "['__proto__']";
  return isName(key) ? key : quoted(key);
}

const isName = (text: string) => /^[A-Za-z_$][\w$]*$/.test(text);

/** A string literal in single quotes; escapes all that could end it, a line or a script. */
export const quoted = (text: string): string => `'${escaped(text).replaceAll("'", "\\'")}'`;

/** Escapes for a string literal. Other tools would read two braces as the start or end of a variable. */
const escaped = (text: string): string =>
  JSON.stringify(text)
    .slice(1, -1)
    .replaceAll('\\"', '"')
    .replace(/[\u2028\u2029]|\{(?=\{)|\}(?=\})/g, unicodeEscape);

/** Where a JSON Pointer leads, as an expression that is undefined where it leads nowhere. */
export function pointed(answer: string, pointer: string): string {
  return keysIn(pointer).reduce((expression, name) => {
    if (/^(0|[1-9]\d*)$/.test(name)) return `${expression}?.[${name}]`;
    return isName(name) ? `${expression}?.${name}` : `${expression}?.[${quoted(name)}]`;
  }, answer);
}
