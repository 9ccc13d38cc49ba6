// Writes the interface as an OpenAPI 3.1 document, with values, bodies and schemas from the profile where there is one.

import { type Host, type Operation, placeholders } from '../../../catalog/operation.ts';
import { pathInWords } from '../../../catalog/words.ts';
import type { Template } from '../../../engine/target/profile.ts';
import { withTexts } from '../../../engine/values/json-walk.ts';
import { ownMember } from '../../../engine/values/members.ts';
import { payloadOf } from '../request-draft.ts';
import { carriesSession, hosts, type TargetFacts } from '../target-facts.ts';

/** @param operations that share a method and path. A query parameter is required where all of them have it. */
function parametersOf(operations: readonly [Operation, ...Operation[]], facts: TargetFacts) {
  const [first] = operations;
  const inPath = [...new Set(placeholders(first.path))].map((name) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
    ...example(knownValue(name, first, facts)),
  }));
  const names = new Set(operations.flatMap(({ query }) => Object.keys(query)));
  return [...inPath, ...Array.from(names, (name) => inQuery(name, operations, facts))];
}

function inQuery(name: string, operations: readonly Operation[], facts: TargetFacts) {
  const carrying = operations.filter(({ query }) => query[name] !== undefined);
  const isList = name.endsWith('[]');
  const examples = carrying.flatMap((operation) => {
    const template = operation.query[name] ?? '';
    const [hole] = template === '<JWT>' ? [name] : placeholders(template);
    const value = hole === undefined ? template : knownValue(hole, operation, facts);
    return value === undefined ? [] : [[operation.id, { value: isList ? [value] : value }] as const];
  });
  return {
    name,
    in: 'query',
    required: carrying.length === operations.length,
    ...(isList
      ? { schema: { type: 'array', items: { type: 'string' }, minItems: 1 }, style: 'form', explode: true }
      : { schema: { type: 'string' } }),
    ...(operations.length === 1
      ? example(examples[0]?.[1].value)
      : examples.length > 0 && { examples: Object.fromEntries(examples) }),
  };
}

/** The known value of a parameter; never a token. */
function knownValue(
  name: string,
  operation: Operation,
  { operations: stated, parameters }: TargetFacts,
): string | undefined {
  if (name === 'token') return undefined;
  return ownMember(stated[operation.id]?.parameters ?? {}, name) ?? ownMember(parameters, name);
}

const example = (value: unknown) => (value === undefined ? {} : { example: value });

/** Headers that OpenAPI describes in other places; it ignores parameters of these names. */
const elsewhere = new Set(['authorization', 'accept', 'content-type']);

const ownHeaders = ({ headers }: TargetFacts) =>
  headers.filter(({ name }) => !elsewhere.has(name.toLowerCase()));

/** Names of the components that hold the headers of the profile, for `$ref`. */
const headerComponentNames = (facts: TargetFacts): string[] =>
  ownHeaders(facts).map(({ name }) => componentName(name));

/** The headers of the profile, which every request carries; a secret one has no example. */
const headerParameters = (facts: TargetFacts) =>
  Object.fromEntries(
    ownHeaders(facts).map((header) => [
      componentName(header.name),
      {
        name: header.name,
        in: 'header',
        required: true,
        schema: { type: 'string' },
        ...('value' in header && { example: header.value }),
      },
    ]),
  );

const componentName = (name: string) => name.replace(/[^A-Za-z0-9._-]/g, '_');

/** The request body of an operation that has one. */
function bodyOf(operation: Operation, facts: TargetFacts) {
  const payload = payloadOf(operation, facts);
  if (payload === undefined) return {};
  const { template, contentType, isGuess } = payload;
  // Bytes without a description have no example.
  const content =
    isGuess && typeof template === 'string' ? {} : { schema: {}, example: exampleOf(template, facts) };
  return { requestBody: { content: { [contentType]: content } } };
}

/** What an example shows in the place of a placeholder. */
const exampleValues: Readonly<Record<string, string>> = {
  'player.name': 'Player',
  'other.name': 'Another player',
  value: 'text',
  unique: 'text-1',
  now: '2026-01-01T00:00:00.000Z',
};

const exampleOf = (template: Template, facts: TargetFacts): Template =>
  withTexts(
    template,
    (text) => inText(text, facts),
    (name) => String(inText(name, facts)),
  );

/** Keeps a placeholder without a known value, so that the reader sees what belongs there. */
function inText(text: string, { parameters }: TargetFacts): string | number {
  const values: Readonly<Record<string, string | undefined>> = {
    ...exampleValues,
    'player.id': parameters.playerId,
    'other.id': parameters.friendId ?? parameters.playerId,
    ...parameters,
  };
  const value = (name: string) => ownMember(values, name);
  const [, number] = /^\{\{([\w.]+):number\}\}$/.exec(text) ?? [];
  if (number !== undefined) return Number(value(number)) || 1;
  return text.replace(/\{\{([\w.]+)\}\}/g, (mark, name: string) => value(name) ?? mark);
}

/** Responses by accepted status where the profile states them; else one without a schema: the document shows none. */
function responsesOf(operations: readonly Operation[], { operations: stated }: TargetFacts) {
  const accepts = new Set(operations.flatMap(({ id }) => stated[id]?.accepts ?? []));
  if (accepts.size === 0) return { default: { description: 'Not shown.' } };
  const schemas = operations.flatMap(({ id }) => (stated[id]?.schema ? [{ $ref: schemaPath(id) }] : []));
  const schema = schemas.length > 1 ? { anyOf: schemas } : schemas[0];
  return Object.fromEntries(
    [...accepts].map((status) => [
      String(status),
      {
        description: 'Did what was asked.',
        ...(schema && status !== 204 && { content: { 'application/json': { schema } } }),
      },
    ]),
  );
}

const schemaPath = (id: string) => `#/components/schemas/${id}`;

/** The payload schemas of these operations by id; references inside a schema are moved with it. */
function schemasOf(operations: readonly Operation[], { operations: stated }: TargetFacts) {
  const schemas = operations.flatMap(({ id }) => {
    const { schema } = stated[id] ?? {};
    return schema === undefined ? [] : [[id, moved(schema, schemaPath(id))] as const];
  });
  return Object.fromEntries(schemas);
}

const moved = (schema: object, to: string): object =>
  JSON.parse(JSON.stringify(schema), (key, each) =>
    key === '$ref' && typeof each === 'string' && each.startsWith('#') ? to + each.slice(1) : each,
  );

/**
 * One operation object per method and path; catalog operations that share both become its examples, with their ids in
 * `x-assay-ids`. Payloads have empty schemas unless the profile states one: the interface document shows none.
 */
export function catalogOpenapi(selected: readonly Operation[], facts: TargetFacts): string {
  const operations = selected.filter(({ id }) => !facts.omitted.includes(id));
  const paths: Record<string, Record<string, unknown>> = {};
  for (const operation of operations) {
    const path = pathInWords(operation, facts.words);
    const method = operation.method.toLowerCase();
    const pathItem = paths[path] ?? {
      ...(operation.host !== 'base' && { servers: [serverOf(operation.host)] }),
    };
    paths[path] = pathItem;
    const alike = operations.filter(
      (each) => each.path === operation.path && each.method === operation.method,
    );
    pathItem[method] ??= operationObject(alike as [Operation, ...Operation[]], facts);
  }
  const document = {
    openapi: '3.1.0',
    info: { title: 'Game backend', version: '1', description: 'Main API, client data and logging API.' },
    servers: [serverOf('base')],
    tags: [...new Set(operations.map(({ area }) => area))].map((name) => ({ name })),
    paths,
    components: {
      parameters: headerParameters(facts),
      schemas: schemasOf(operations, facts),
      securitySchemes: securitySchemes(facts),
    },
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

function operationObject(operations: readonly [Operation, ...Operation[]], facts: TargetFacts) {
  const [first] = operations;
  const isSigned = carriesSession(first, facts);
  const schemes = Object.keys(securitySchemes(facts));
  return {
    operationId: first.id,
    'x-assay-ids': operations.map(({ id }) => id),
    tags: [first.area],
    parameters: [
      ...parametersOf(operations, facts),
      ...headerComponentNames(facts).map((name) => ({ $ref: `#/components/parameters/${name}` })),
    ],
    ...bodyOf(first, facts),
    responses: responsesOf(operations, facts),
    ...(isSigned &&
      schemes.length > 0 && { security: [Object.fromEntries(schemes.map((name) => [name, []]))] }),
  };
}

function serverOf(host: Host) {
  const { variable, url } = hosts[host];
  return { url: `{${variable}}`, variables: { [variable]: { default: url } } };
}

/** How a session is sent, where the profile states it; the interface document does not. */
function securitySchemes({ credentials }: TargetFacts) {
  const known = credentials.filter(({ source }) => source !== undefined);
  return Object.fromEntries(
    known.map(({ sentAs }, nth) => [`session${nth === 0 ? '' : nth + 1}`, scheme(sentAs)]),
  );
}

function scheme(sentAs: TargetFacts['credentials'][number]['sentAs']) {
  if ('query' in sentAs) return { type: 'apiKey', in: 'query', name: sentAs.query };
  if ('cookie' in sentAs) return { type: 'apiKey', in: 'cookie', name: sentAs.cookie };
  return sentAs.before === ''
    ? { type: 'apiKey', in: 'header', name: sentAs.header }
    : { type: 'http', scheme: 'bearer' };
}
