// Reads the API description that a target serves: it suggests words and bodies to try, and never decides a check.

import { catalog } from '../../catalog/catalog.ts';
import type { Operation } from '../../catalog/operation.ts';
import { onHost } from '../../catalog/request-path.ts';
import { type Word, words } from '../../catalog/words.ts';
import type { Client } from '../http/client.ts';
import { type Exchange, isSuccess, json } from '../http/exchange.ts';
import type { Described, DescribedBody, Member, MemberType, Target } from '../target/target.ts';
import { byFrequency } from '../values/by-frequency.ts';
import { isObject, keysIn } from '../values/json-walk.ts';
import { ownMember } from '../values/members.ts';
import { scramble } from '../values/nonexistent.ts';
import { randomFrom } from '../values/random.ts';

/** Paths at which frameworks serve a description. */
const places = ['/openapi.json', '/swagger.json', '/v3/api-docs'] as const;
const largest = 4 * 1024 * 1024;
const mostPaths = 2_000;
const mostMembers = 24;
/** Most references and parts in a row, since a description may refer to itself. */
const deepest = 6;

type Node = Readonly<Record<string, unknown>>;

const own = (node: unknown, name: string): unknown => (isObject(node) ? ownMember(node, name) : undefined);
const nodeAt = (node: unknown, name: string): Node => {
  const found = own(node, name);
  return isObject(found) ? found : {};
};
const textsIn = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];

/** Asks the main API's origin for it, without a credential: at most three calls and a control. Never rejects. */
export async function findDescription(client: Client, target: Target): Promise<Described | undefined> {
  const random = randomFrom(target.seed, target.runId, 'description');
  const put = (path: string) =>
    client.send(
      {
        method: 'GET',
        url: onHost(target.hosts.base ?? '', path),
        headers: [['accept', 'application/json'], ['user-agent', 'assay'], ...target.headers],
      },
      { priority: 0 },
    );
  for (const at of places) {
    const answer = await put(at);
    if (!answer.response) return undefined;
    const document = documentIn(answer);
    if (document === undefined) continue;
    // A target may answer every path with the same document.
    if (documentIn(await put(`/${scramble('description', random)}.json`))) return undefined;
    return describedBy(at, document);
  }
  return undefined;
}

function documentIn(exchange: Exchange): Node | undefined {
  const { response } = exchange;
  if (!response || !isSuccess(exchange) || response.body.length > largest) return undefined;
  const parsed = json(response);
  if (!parsed.ok || !isObject(parsed.value)) return undefined;
  const version = own(parsed.value, 'openapi') ?? own(parsed.value, 'swagger');
  return typeof version === 'string' && isObject(own(parsed.value, 'paths')) ? parsed.value : undefined;
}

function describedBy(at: string, document: Node): Described {
  const paths = Object.keys(nodeAt(document, 'paths')).slice(0, mostPaths);
  const found = new Map<Word, string[]>();
  const before: string[] = [];
  const base = own(document, 'basePath');
  const shared = typeof base === 'string' && /^(?:\/[\w.-]+)+\/?$/.test(base) ? base.replace(/\/$/, '') : '';
  const bodies: Record<string, DescribedBody> = {};
  for (const operation of catalog.filter(({ host }) => host !== 'cdn')) {
    const pattern = patternOf(operation);
    for (const path of paths) {
      const match = pattern.exec(path);
      const call = match
        ? own(nodeAt(nodeAt(document, 'paths'), path), operation.method.toLowerCase())
        : undefined;
      if (!match || !isObject(call)) continue;
      const leading = `${shared}${match.groups?.before ?? ''}`;
      if (leading.endsWith(versionPrefix)) before.push(leading.slice(0, -versionPrefix.length));
      for (const word of words) {
        const ownWord = match.groups?.[word];
        if (ownWord !== undefined && ownWord !== word) found.set(word, [...(found.get(word) ?? []), ownWord]);
      }
      const schema = bodyOf(call, document);
      const members = membersOf(schema, document);
      const isNeeded = partsOf(schema, document, 0).some((part) => textsIn(own(part, 'required')).length > 0);
      if (members.length > 0) bodies[operation.id] ??= { isNeeded, members };
    }
  }
  return {
    at,
    words: Object.fromEntries([...found].map(([word, words]) => [word, frequentFirst(words)])),
    prefixes: frequentFirst(before.filter((prefix) => prefix !== '')),
    bodies,
  };
}

const frequentFirst = (words: readonly string[]) => byFrequency(words).map(([word]) => word);

const versionPrefix = '/api/v1';

/** Matches an operation's path in a description: any names of parameters, any word for a neutral one, any prefix. */
function patternOf({ path, words: marks }: Operation): RegExp {
  const plain = path.split('?')[0] ?? '';
  const named = new Set<Word>();
  let from = plain.startsWith(versionPrefix) ? versionPrefix.length : 0;
  let source = '';
  for (const { index, word, open } of marks.filter((mark) => mark.index < plain.length)) {
    if (open || named.has(word)) continue;
    named.add(word);
    source += `${escaped(plain.slice(from, index))}(?<${word}>[A-Za-z0-9_-]{1,40}?)`;
    from = index + word.length;
  }
  return new RegExp(`^(?<before>/[^{}?]{0,100})?${source}${escaped(plain.slice(from))}$`);
}

const escaped = (text: string) =>
  text.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{[^}]*\}/g, '\\{[^{}/]{1,60}\\}');

/** The schema of a call's body, in OpenAPI 3 or in Swagger 2. */
function bodyOf(call: Node, document: Node): unknown {
  const content = nodeAt(resolved(own(call, 'requestBody'), document), 'content');
  const type = Object.keys(content).find((each) => /json/i.test(each));
  if (type !== undefined) return own(content[type], 'schema');
  const parameters = own(call, 'parameters');
  const inBody = Array.isArray(parameters)
    ? parameters.find((each) => own(each, 'in') === 'body')
    : undefined;
  return own(inBody, 'schema');
}

/** Follows references within the document; undefined for any other reference. */
function resolved(value: unknown, document: Node): unknown {
  let now = value;
  for (let hop = 0; hop < deepest; hop += 1) {
    const reference = own(now, '$ref');
    if (reference === undefined) return now;
    if (typeof reference !== 'string' || !reference.startsWith('#/')) return undefined;
    now = keysIn(reference).reduce<unknown>(own, document);
  }
  return undefined;
}

/** The members that a body must have; where it must have none, all that it may have. */
function membersOf(schema: unknown, document: Node, path: readonly string[] = []): readonly Member[] {
  if (path.length > deepest) return [];
  const all = partsOf(schema, document, 0);
  const properties = new Map(
    all.flatMap((part) => Object.entries(nodeAt(part, 'properties')).slice(0, mostMembers)),
  );
  const required = all
    .flatMap((part) => textsIn(own(part, 'required')))
    .filter((name) => properties.has(name));
  const names = required.length > 0 || path.length > 0 ? required : [...properties.keys()];
  return names.slice(0, mostMembers).flatMap((name): readonly Member[] => {
    const [member = {}, ...more] = partsOf(properties.get(name), document, 0);
    const here = [...path, name];
    const below = membersOf(properties.get(name), document, here);
    if (below.length > 0) return below;
    const type = [member, ...more].map(typeOf).find((each) => each !== undefined);
    const of = type === 'list' ? typeOf(partsOf(own(member, 'items'), document, 0)[0] ?? {}) : undefined;
    const allowed = valuesOf(
      own(member, 'enum') ?? own(partsOf(own(member, 'items'), document, 0)[0], 'enum'),
    );
    return [{ path: here, ...(type && { type }), ...(of && { of }), ...(allowed && { allowed }) }];
  });
}

/** A schema and its parts: all of its `allOf`, the first of its `oneOf` or `anyOf`. */
function partsOf(schema: unknown, document: Node, depth: number): readonly Node[] {
  const found = resolved(schema, document);
  if (!isObject(found) || depth > deepest) return [];
  const [either] = [own(found, 'oneOf'), own(found, 'anyOf')].filter(Array.isArray);
  const parts = [...(Array.isArray(found.allOf) ? found.allOf : []), ...(either ?? []).slice(0, 1)];
  return [found, ...parts.slice(0, mostMembers).flatMap((part) => partsOf(part, document, depth + 1))];
}

const typeNames: Readonly<Record<string, MemberType>> = {
  array: 'list',
  object: 'object',
  integer: 'integer',
  number: 'number',
  boolean: 'boolean',
  string: 'string',
};

function typeOf(schema: Node): MemberType | undefined {
  const [type] = [own(schema, 'type')].flat().filter((each) => each !== 'null');
  if (type === 'string' && /^date/.test(String(own(schema, 'format')))) return 'date';
  return typeof type === 'string' ? ownMember(typeNames, type) : undefined;
}

function valuesOf(values: unknown): Member['allowed'] {
  const found = Array.isArray(values)
    ? values.filter((each) => ['string', 'number', 'boolean'].includes(typeof each)).slice(0, mostMembers)
    : [];
  return found.length > 0 ? (found as string[]) : undefined;
}
