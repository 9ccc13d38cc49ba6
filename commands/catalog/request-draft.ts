// Drafts one request as the exports write it: texts with `{{variables}}`, its body, and the values to take from its answer.
import { type Host, type Method, type Operation, placeholders } from '../../catalog/operation.ts';
import { pathInWords } from '../../catalog/words.ts';
import { type Rename, renamedBody, variablesIn } from './body-templates.ts';
import type { Step, Who } from './itinerary.ts';
import { type Capture, capturesOf, credentialHeaders, credentialQuery } from './response-captures.ts';
import { carriesSession, hosts, type Speech, type Template } from './target-speech.ts';

interface Payload {
  readonly template: Template;
  readonly contentType: string;
  /** Nobody said: `{}`, the plainest JSON there is, or some bytes where the path says binary. */
  readonly isGuess: boolean;
}

const bytes = 'assay';

/** The profile's body; without one a guess for POST and PUT, and none for other methods. */
export function payloadOf(operation: Operation, { operations }: Speech): Payload | undefined {
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
  readonly operation: Operation;
  /** The row's id; with the reason where it is called once more. */
  readonly name: string;
  /** Whose session it carries; undefined where it carries none. */
  readonly signedBy: Who | undefined;
  readonly host: Host;
  readonly method: Method;
  /** Path and query as they go on the wire. */
  readonly path: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Body | undefined;
  /** Statuses of an answer that did what was asked; undefined: any 2xx. */
  readonly accepts: readonly number[] | undefined;
  readonly captures: readonly Capture[];
  /** Names of the variables in it. */
  readonly uses: readonly string[];
}

interface Body {
  readonly template: Template;
  readonly contentType: string;
  /** Sent as it stands rather than as JSON. */
  readonly asText: boolean;
}

/** The request of one step, as this target is spoken to. */
export function draftOf(step: Step, speech: Speech): Draft {
  const { operation, as, again } = step;
  const stated = speech.operations[operation.id] ?? {};
  const rename = (placeholder: string) => variableFor(meant(placeholder, step), as);
  const value = (parameter: string) => {
    const given = stated.parameters?.[parameter] ?? step.values[parameter];
    return given === undefined ? `{{${rename(parameter)}}}` : encodeURIComponent(given);
  };
  const isSigned = carriesSession(operation, speech);
  const signed = isSigned ? speech.credentials : [];
  const query = [...queryOf(operation, value), ...credentialQuery(signed, as)];
  const path = pathInWords(operation, speech.words).replace(/\{([^}]+)\}/g, (_, name: string) => value(name));
  const body = bodyOf(step, speech, rename);
  const headers: [string, string][] = [
    ...credentialHeaders(signed, as),
    ...speech.headers.map((header): [string, string] => [
      header.name,
      'value' in header ? header.value : `{{${header.variable}}}`,
    ]),
    ...(body ? [['Content-Type', body.contentType] as [string, string]] : []),
  ];
  const written = query.length === 0 ? path : `${path}?${query.join('&')}`;
  const texts = [written, ...headers.map(([, text]) => text), JSON.stringify(body?.template ?? null)];
  return {
    operation,
    name: again === undefined ? operation.id : `${operation.id} (${again})`,
    signedBy: isSigned ? as : undefined,
    host: operation.host,
    method: operation.method,
    path: written,
    headers,
    body,
    accepts: stated.accepts,
    captures: capturesOf(step, speech),
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
  const pair = Object.hasOwn(mirrored, placeholder) ? mirrored[placeholder] : undefined;
  return pair?.[as === 'main' ? 0 : 1] ?? placeholder.replaceAll('.', '_');
}

/** Whom a player's identifier means in this step; as in Assay's own calls, the same in path and body. */
function meant(name: string, { params }: Step): string {
  const meanings: Readonly<Record<string, string>> = {
    playerId: 'player.id',
    friendId: 'other.id',
    ...params,
  };
  return Object.hasOwn(meanings, name) ? (meanings[name] ?? name) : name;
}

function queryOf(operation: Operation, value: (parameter: string) => string): string[] {
  return Object.entries(operation.query).map(([key, template]) => {
    const [hole] = template === '<JWT>' ? [key] : placeholders(template);
    return `${key.replace('[]', '%5B%5D')}=${hole === undefined ? template : value(hole)}`;
  });
}

function bodyOf({ operation, values }: Step, speech: Speech, rename: Rename): Body | undefined {
  const payload = payloadOf(operation, speech);
  if (payload === undefined) return undefined;
  const { template, contentType } = payload;
  const literal = (text: string) =>
    Object.entries(values).reduce((filled, [name, each]) => filled.replaceAll(`{{${name}}}`, each), text);
  return {
    template: mapped(renamedBody(template, rename), literal),
    contentType,
    asText: typeof template === 'string' && !isJsonType(contentType),
  };
}

function mapped(template: Template, change: (text: string) => string): Template {
  return JSON.parse(JSON.stringify(template), (_, each) => (typeof each === 'string' ? change(each) : each));
}
