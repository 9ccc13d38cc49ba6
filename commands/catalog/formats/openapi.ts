// Writes the interface as an OpenAPI 3.1 document, with values, bodies and schemas from the profile where there is one.

import { type Host, type Operation, placeholders } from '../../../catalog/operation.ts';
import { pathInWords } from '../../../catalog/words.ts';
import type { Template } from '../../../engine/target/profile.ts';
import { withTexts } from '../../../engine/values/json-walk.ts';
import { payloadOf } from '../request-draft.ts';
import { carriesSession, hosts, type TargetFacts } from '../target-facts.ts';

/** Path parameters, then query parameters; a query parameter is required where every operation has it. */
function parametersOfRows(rows: readonly [Operation, ...Operation[]], facts: TargetFacts) {
  const [first] = rows;
  const inPath = [...new Set(placeholders(first.path))].map((name) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
    ...example(knownValue(name, first, facts)),
  }));
  const names = new Set(rows.flatMap(({ query }) => Object.keys(query)));
  return [...inPath, ...Array.from(names, (name) => inQuery(name, rows, facts))];
}

function inQuery(name: string, rows: readonly Operation[], facts: TargetFacts) {
  const having = rows.filter(({ query }) => query[name] !== undefined);
  const isList = name.endsWith('[]');
  const examples = having.flatMap((row) => {
    const template = row.query[name] ?? '';
    const [hole] = template === '<JWT>' ? [name] : placeholders(template);
    const value = hole === undefined ? template : knownValue(hole, row, facts);
    return value === undefined ? [] : [[row.id, { value: isList ? [value] : value }] as const];
  });
  return {
    name,
    in: 'query',
    required: having.length === rows.length,
    ...(isList
      ? { schema: { type: 'array', items: { type: 'string' }, minItems: 1 }, style: 'form', explode: true }
      : { schema: { type: 'string' } }),
    ...(rows.length === 1
      ? example(examples[0]?.[1].value)
      : examples.length > 0 && { examples: Object.fromEntries(examples) }),
  };
}

/** The known value of a parameter; never a token. */
function knownValue(
  name: string,
  row: Operation,
  { operations, parameters }: TargetFacts,
): string | undefined {
  const ownParameters = operations[row.id]?.parameters ?? {};
  if (name === 'token') return undefined;
  return Object.hasOwn(ownParameters, name)
    ? ownParameters[name]
    : Object.hasOwn(parameters, name)
      ? parameters[name]
      : undefined;
}

const example = (value: unknown) => (value === undefined ? {} : { example: value });

/** OpenAPI describes these headers elsewhere and ignores them as parameters. */
const elsewhere = new Set(['authorization', 'accept', 'content-type']);

const spokenHeaders = ({ headers }: TargetFacts) =>
  headers.filter(({ name }) => !elsewhere.has(name.toLowerCase()));

/** Names of the components that are the target's own headers. */
const namesHeaders = (facts: TargetFacts): string[] =>
  spokenHeaders(facts).map(({ name }) => componentName(name));

/** The headers that every request carries; a secret one has no example. */
const headerParameters = (facts: TargetFacts) =>
  Object.fromEntries(
    spokenHeaders(facts).map((header) => [
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
function bodyOf(row: Operation, facts: TargetFacts) {
  const payload = payloadOf(row, facts);
  if (payload === undefined) return {};
  const { template, contentType, isGuess } = payload;
  // Bytes without a description have no example.
  const content =
    isGuess && typeof template === 'string' ? {} : { schema: {}, example: exampleOf(template, facts) };
  return { requestBody: { content: { [contentType]: content } } };
}

/** What placeholders stand for in an example. */
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
  const value = (name: string) => (Object.hasOwn(values, name) ? values[name] : undefined);
  const [, number] = /^\{\{([\w.]+):number\}\}$/.exec(text) ?? [];
  if (number !== undefined) return Number(value(number)) || 1;
  return text.replace(/\{\{([\w.]+)\}\}/g, (mark, name: string) => value(name) ?? mark);
}

/** Responses by accepted status where the profile states them; else one without a schema: the document shows none. */
function responsesOf(rows: readonly Operation[], { operations }: TargetFacts) {
  const accepts = new Set(rows.flatMap(({ id }) => operations[id]?.accepts ?? []));
  if (accepts.size === 0) return { default: { description: 'Not shown.' } };
  const schemas = rows.flatMap(({ id }) => (operations[id]?.schema ? [{ $ref: schemaPath(id) }] : []));
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
function schemasOf(rows: readonly Operation[], { operations }: TargetFacts) {
  const schemas = rows.flatMap(({ id }) => {
    const { schema } = operations[id] ?? {};
    return schema === undefined ? [] : [[id, moved(schema, schemaPath(id))] as const];
  });
  return Object.fromEntries(schemas);
}

const moved = (schema: object, to: string): object =>
  JSON.parse(JSON.stringify(schema), (key, each) =>
    key === '$ref' && typeof each === 'string' && each.startsWith('#') ? to + each.slice(1) : each,
  );

/**
 * One operation per method and path; operations that share them are its examples, their ids in `x-assay-ids`. Payloads are
 * empty schemas unless a profile reports them: the document shows none.
 */
export function catalogOpenapi(selected: readonly Operation[], facts: TargetFacts): string {
  const rows = selected.filter(({ id }) => !facts.omitted.includes(id));
  const paths: Record<string, Record<string, unknown>> = {};
  for (const row of rows) {
    const path = pathInWords(row, facts.words);
    const method = row.method.toLowerCase();
    const pathItem = paths[path] ?? { ...(row.host !== 'base' && { servers: [serverOf(row.host)] }) };
    paths[path] = pathItem;
    const alike = rows.filter((each) => each.path === row.path && each.method === row.method);
    pathItem[method] ??= operation(alike as [Operation, ...Operation[]], facts);
  }
  const document = {
    openapi: '3.1.0',
    info: { title: 'Game backend', version: '1', description: 'Main API, client data and logging API.' },
    servers: [serverOf('base')],
    tags: [...new Set(rows.map(({ area }) => area))].map((name) => ({ name })),
    paths,
    components: {
      parameters: headerParameters(facts),
      schemas: schemasOf(rows, facts),
      securitySchemes: securitySchemes(facts),
    },
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

function operation(rows: readonly [Operation, ...Operation[]], facts: TargetFacts) {
  const [first] = rows;
  const isSigned = carriesSession(first, facts);
  const schemes = Object.keys(securitySchemes(facts));
  return {
    operationId: first.id,
    'x-assay-ids': rows.map(({ id }) => id),
    tags: [first.area],
    parameters: [
      ...parametersOfRows(rows, facts),
      ...namesHeaders(facts).map((name) => ({ $ref: `#/components/parameters/${name}` })),
    ],
    ...bodyOf(first, facts),
    responses: responsesOf(rows, facts),
    ...(isSigned &&
      schemes.length > 0 && { security: [Object.fromEntries(schemes.map((name) => [name, []]))] }),
  };
}

function serverOf(host: Host) {
  const { variable, url } = hosts[host];
  return { url: `{${variable}}`, variables: { [variable]: { default: url } } };
}

/** How a session travels, where the profile says: the document does not. */
function securitySchemes({ credentials }: TargetFacts) {
  const stated = credentials.filter(({ source }) => source !== undefined);
  return Object.fromEntries(
    stated.map(({ sentAs }, nth) => [`session${nth === 0 ? '' : nth + 1}`, scheme(sentAs)]),
  );
}

function scheme(sentAs: TargetFacts['credentials'][number]['sentAs']) {
  if ('query' in sentAs) return { type: 'apiKey', in: 'query', name: sentAs.query };
  if ('cookie' in sentAs) return { type: 'apiKey', in: 'cookie', name: sentAs.cookie };
  return sentAs.before === ''
    ? { type: 'apiKey', in: 'header', name: sentAs.header }
    : { type: 'http', scheme: 'bearer' };
}
