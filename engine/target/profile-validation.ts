// Finds every mistake in a profile's text: JSON syntax, the published schema, and what a schema cannot say.

import { readFileSync } from 'node:fs';
import { areas, catalog, operationById } from '../../catalog/catalog.ts';
import { type Operation, parametersOf } from '../../catalog/operation.ts';
import {
  isNested,
  isObject,
  type JsonText,
  parentOf,
  pointerTo,
  readJson,
  shownPointer,
  valueAt,
} from '../values/json-walk.ts';
import { objectOf } from '../values/members.ts';
import { globMatches, nearest, quoted } from '../values/text.ts';
import { compileAlone, jsonSchemas, type Validate, type Violation } from './json-schemas.ts';

/** Every parameter of the document that a caller gives a value to, the login's token aside. */
export const parameterNames: readonly string[] = [
  ...new Set(catalog.filter(({ id }) => id !== 'auth.login').flatMap(parametersOf)),
];

export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

const mostMistakes = 20;

/** Makes the message of a mistake; called for reported mistakes alone, since a hostile file may hold 100,000. */
type Phrase = () => string;

/** One pass over a JSON text that goes on after a mistake, so that all mistakes are reported at once. */
export class Reading {
  /** The text's value; an empty object where it is not valid JSON. */
  readonly root: Json;
  readonly #text: JsonText;
  readonly #mistakes: { readonly offset: number; readonly phrase: Phrase }[] = [];

  constructor(text: string) {
    this.#text = readJson(text);
    const { value, wrong, repeated } = this.#text;
    this.root = (wrong ? {} : value) as Json;
    if (wrong) this.#mistakes.push({ offset: wrong.offset, phrase: () => `is not JSON: ${wrong.why}` });
    for (const pointer of wrong ? [] : repeated)
      this.report(pointer, () => `${shown(pointer)} stands there twice`);
  }

  /** How many mistakes there are. */
  get count(): number {
    return this.#mistakes.length;
  }

  /** The first 20 mistakes, in the order of the text: phrases that begin with `line:column`. */
  get mistakes(): readonly string[] {
    return this.#mistakes
      .toSorted((a, b) => a.offset - b.offset)
      .slice(0, mostMistakes)
      .map(({ offset, phrase }) => {
        const { line, column } = this.#text.spotAt(offset);
        return `${line}:${column} ${phrase()}`;
      });
  }

  /** The members of an object; reports those that are not `known`. Empty where the value is not an object. */
  object(pointer: string, known?: readonly string[]): { readonly [key: string]: Json } {
    const value = this.at(pointer);
    if (!isObject(value)) {
      this.wrong(pointer, 'an object');
      return {};
    }
    const object = value as { readonly [key: string]: Json };
    for (const key of Object.keys(object)) {
      if (known?.includes(key) === false) this.unknownKey(pointer, key, known);
    }
    return object;
  }

  /** Reports a value that is not what was expected. */
  wrong(pointer: string, expected: string): void {
    this.report(pointer, () => `${shown(pointer)} ${held(this.at(pointer))}; expected ${expected}`);
  }

  /** Reports a value that is not one of the known names. */
  unknown(pointer: string, what: string, known: readonly string[]): void {
    const value = this.at(pointer);
    if (typeof value !== 'string') this.wrong(pointer, what);
    else
      this.report(
        pointer,
        () => `${shown(pointer)} is ${quoted(value)}; expected ${what}${perhaps(value, known, ', ')}`,
      );
  }

  /** Reports a key that the schema does not name. @param known the keys that it names there */
  unknownKey(parent: string, key: string, known: readonly string[]): void {
    this.report(
      pointerTo(parent, key),
      () => `unknown key ${quoted(key)} in ${shown(parent)}${perhaps(key, known, '; ') || among(known)}`,
    );
  }

  /** Adds a mistake at a JSON Pointer; a missing member is reported at the object that should hold it. */
  report(pointer: string, phrase: Phrase): void {
    for (let at = pointer; at !== ''; at = parentOf(at)) {
      const offset = this.#text.offsetOf(at);
      if (offset === undefined) continue;
      this.#mistakes.push({ offset, phrase });
      return;
    }
    this.#mistakes.push({ offset: 0, phrase });
  }

  at(pointer: string): Json | undefined {
    return valueAt(this.root, pointer) as Json | undefined;
  }
}

export const shown = (pointer: string) => shownPointer(pointer, 'the profile');

const held = (value: Json | undefined) =>
  value === undefined ? 'is missing' : `is ${quoted(JSON.stringify(value)).slice(1, -1)}`;

/** Suggests the known word that is nearest, if one is near. */
function perhaps(word: string, known: readonly string[], before: string): string {
  const [near] = nearest(word, known, 1);
  return near === undefined ? '' : `${before}did you mean "${near}"?`;
}

/** A line lists at most this many names. */
const fewNames = 8;
const among = (known: readonly string[]) =>
  known.length > fewNames
    ? '; profile.schema.json lists what there may be'
    : `; expected ${known.map((name) => `"${name}"`).join(' or ')}`;

// Validates a profile against its published schema; each error of ajv becomes a phrase that points at its place.
type Schema = { readonly [key: string]: unknown };

let validator: { readonly validate: Validate; readonly schema: Schema } | undefined;

function published() {
  if (validator) return validator;
  const file = new URL('./profile.schema.json', import.meta.url);
  const schema = JSON.parse(readFileSync(file, 'utf8')) as Schema;
  validator = { validate: jsonSchemas().addKeyword('errorMessage').compile(schema), schema };
  return validator;
}

/** Keywords that only repeat the error of one of their parts. */
const wrappers = new Set(['anyOf', 'oneOf', 'propertyNames', 'if', '$ref']);

/**
 * Reports all that the schema does not allow, except in headers: their values must not be shown.
 * @returns JSON Pointers of what it does not allow
 */
export function validateAgainstSchema(reading: Reading): ReadonlySet<string> {
  const { validate, schema } = published();
  const pointers = new Set<string>();
  if (validate(reading.root)) return pointers;
  const errors = validate.errors ?? [];
  // Of two forms that a value may have, the one whose errors lie deeper is meant: the value's own are left out.
  const alternatives = new Set(
    errors.flatMap((each) => (each.keyword === 'anyOf' ? [each.instancePath] : [])),
  );
  const parents = new Set(errors.map((each) => placeOf(each).replace(/\/[^/]*$/, '')));
  const fitsFurther = (place: string) => alternatives.has(place) && parents.has(place);
  for (const error of errors) {
    const place = placeOf(error);
    if (fitsFurther(place)) continue;
    if (pointers.has(place) || wrappers.has(error.keyword) || /^\/headers(?:\/|$)/.test(place)) continue;
    pointers.add(place);
    reportViolation(reading, place, error, schema);
  }
  return pointers;
}

/** The pointer of an error: to the member where one is missing, unknown or badly named, else to the value. */
function placeOf({ instancePath, keyword, params, propertyName }: Violation): string {
  const name =
    keyword === 'additionalProperties'
      ? params.additionalProperty
      : keyword === 'required'
        ? params.missingProperty
        : propertyName;
  return name === undefined ? instancePath : pointerTo(instancePath, name);
}

function reportViolation(reading: Reading, place: string, error: Violation, root: Schema): void {
  const { keyword, params, parentSchema = {}, instancePath, propertyName } = error;
  const properties = (parentSchema.properties ?? {}) as Record<string, Schema>;
  const expected = expectedOf(parentSchema);
  // `wordsWithoutPlace` reports them, by the words that the operation holds.
  if (keyword === 'additionalProperties' && instancePath.startsWith('/wordsAt/')) return;
  if (keyword === 'additionalProperties') {
    reading.unknownKey(instancePath, params.additionalProperty, Object.keys(properties));
  } else if (keyword === 'required') {
    const missing = resolved(properties[params.missingProperty] ?? {}, root);
    reading.wrong(place, expectedOf(missing) ?? 'a value');
  } else if (keyword === 'discriminator') {
    const kinds = (parentSchema.oneOf as Schema[]).map((kind) => constOf(kind, params.tag));
    reading.unknown(pointerTo(place, params.tag), oneOf(kinds), kinds);
  } else if (keyword === 'enum' && propertyName !== undefined) {
    if (operationById(propertyName))
      reading.report(
        place,
        () => `${propertyName} holds no neutral word that could be another; remove it from ${instancePath}`,
      );
    else reading.unknownKey(instancePath, propertyName, params.allowedValues);
  } else if (keyword === 'enum') {
    const allowed = (params.allowedValues as unknown[]).map(String);
    reading.unknown(place, expected ?? oneOf(allowed), allowed);
  } else if (propertyName !== undefined) {
    reading.report(place, () => `${quoted(propertyName)} is no name here; expected ${expected}`);
  } else {
    reading.wrong(place, expected ?? `a value that ${error.message ?? keyword}`);
  }
}

const oneOf = (names: readonly string[]) => `one of ${names.map((name) => `"${name}"`).join(', ')}`;

function constOf(kind: Schema, tag: string): string {
  const { properties = {} } = kind as { properties?: Record<string, Schema> };
  return String(properties[tag]?.const);
}

/** The expectation in the schema's own words, which editors show too: `expected …`. */
function expectedOf({ errorMessage, enum: allowed }: Schema): string | undefined {
  if (typeof errorMessage === 'string') return errorMessage.replace(/^expected /, '');
  return Array.isArray(allowed) ? oneOf(allowed.map(String)) : undefined;
}

function resolved(schema: Schema, root: Schema): Schema {
  const ref = schema.$ref;
  if (typeof ref !== 'string' || !ref.startsWith('#/$defs/')) return schema;
  return (root.$defs as Record<string, Schema>)[ref.slice('#/$defs/'.length)] ?? schema;
}

// Mistakes that a schema cannot find: placeholders without a value, payload schemas that do not compile, unknown names.

/** Placeholders of the login's body: all that is known of a player before sign-in. */
export const ofLogin: ReadonlySet<string> = new Set(['token', 'player.name', 'unique', 'now']);

/** Most identifier names of a profile that are searched, so that a hostile file does not make the search long. */
const mostFound = 1000;

/** Placeholders of every template but the login's; identifiers of the document and of the profile's `ids` are added. */
export const always = [
  'player.id',
  'player.name',
  'other.id',
  'other.name',
  'value',
  'unique',
  'now',
] as const;

/** Identifiers that flows find in answers and that no path of the document names; with the area whose bodies may. */
export const foundByFlows: Readonly<Record<string, string>> = {
  currency: areas.general.purchase.area,
  messageId: areas.messages.list.area,
  nodeId: areas.archives.story.area,
  pageId: areas.archives.story.area,
  queueToken: areas.queue.enter.area,
};

/**
 * Reports what makes no sense in a profile although its schema allows it.
 * @param wrongPointers pointers of what the schema does not allow
 */
export function reportMeaninglessEntries(reading: Reading, wrongPointers: ReadonlySet<string>): void {
  const operations = Object.entries(objectOf<Json>(reading.at('/operations')));
  const found = operations.flatMap(([, entry]) => Object.keys(objectOf<Json>(objectOf<Json>(entry).ids)));
  const known = new Set([...always, ...parameterNames, ...found.slice(0, mostFound)]);
  const inArea = (area: string) => Object.keys(foundByFlows).filter((name) => foundByFlows[name] === area);
  templates(reading, '/session/body', reading.at('/session/body'), ofLogin);
  for (const [id, entry] of operations) {
    const at = pointerTo('/operations', id);
    const { body, contentType, ids, parameters, schema } = objectOf<Json>(entry);
    const operation = operationById(id);
    if (operation === undefined) continue;
    const isLogin = operation === areas.auth.login;
    templates(reading, `${at}/body`, body, isLogin ? ofLogin : known.union(new Set(inArea(operation.area))));
    if (operation.method === 'GET')
      for (const name of [body !== undefined && 'body', contentType !== undefined && 'contentType'])
        if (name)
          reading.report(`${at}/${name}`, () => `${shown(`${at}/${name}`)}: a GET has none; remove it`);
    names(reading, `${at}/ids`, ids);
    for (const name of Object.keys(objectOf<Json>(parameters)))
      if (!parametersOf(operation).includes(name))
        reportForeignParameter(reading, `${at}/parameters`, name, operation);
    if (schema !== undefined && ![...wrongPointers].some((place) => place.startsWith(`${at}/schema`)))
      compile(reading, `${at}/schema`, schema);
  }
  wordsWithoutPlace(reading);
  globs(reading, wrongPointers);
  sharing(reading);
}

/** Reports words of `wordsAt` that the path of their operation does not hold. */
function wordsWithoutPlace(reading: Reading): void {
  for (const [id, given] of Object.entries(objectOf<Json>(reading.at('/wordsAt')))) {
    const held: readonly string[] = operationById(id)?.words.map(({ word }) => word) ?? [];
    for (const word of Object.keys(objectOf<Json>(given)))
      if (held.length > 0 && !held.includes(word)) reading.unknownKey(pointerTo('/wordsAt', id), word, held);
  }
}

/** Reports words that stand in both `private` and `shared`. */
function sharing(reading: Reading): void {
  const [own, shared] = [reading.at('/private'), reading.at('/shared')];
  if (!Array.isArray(own) || !Array.isArray(shared)) return;
  const isPrivate = new Set(own);
  for (const [nth, word] of shared.entries()) {
    const at = `/shared/${nth}`;
    if (typeof word === 'string' && isPrivate.has(word))
      reading.report(
        at,
        () => `${shown(at)} is ${quoted(word)}, which /private names too; remove one of them`,
      );
  }
}

/** Reports globs that match no id: they would leave nothing out. */
function globs(reading: Reading, wrongPointers: ReadonlySet<string>): void {
  const omissions = reading.at('/omit');
  for (const [nth, omission] of (Array.isArray(omissions) ? omissions : []).entries()) {
    const { operation } = objectOf<Json>(omission);
    if (typeof operation !== 'string' || !/[*?]/.test(operation)) continue;
    const at = `/omit/${nth}/operation`;
    if (wrongPointers.has(at) || catalog.some(({ id }) => globMatches(operation, id))) continue;
    reading.report(at, () => `${shown(at)} is ${quoted(operation)}; no operation has such an id`);
  }
}

const marks = /\{\{(?:([^{}]*)\}\})?/g;

/** Reports placeholders of a template that never have a value. */
function templates(
  reading: Reading,
  at: string,
  template: Json | undefined,
  known: ReadonlySet<string>,
): void {
  const text = (pointer: string, value: string) => {
    for (const [, name] of value.matchAll(marks)) {
      if (name === undefined) reading.report(pointer, () => `${shown(pointer)} holds "{{" without "}}"`);
      else if (!known.has(name.replace(/:number$/, '')))
        reading.report(
          pointer,
          () =>
            `${shown(pointer)} names {{${quoted(name).slice(1, -1)}}}, which nobody knows${hereIn(name)}; ${meant(name, known)}`,
        );
    }
  };
  if (typeof template === 'string') text(at, template);
  else if (isNested(template))
    for (const [key, value] of Object.entries(template)) {
      const inner = pointerTo(at, key);
      if (!Array.isArray(template)) text(inner, key);
      templates(reading, inner, value, known);
    }
}

const hereIn = (name: string) =>
  Object.hasOwn(foundByFlows, name) ? ` here: flows find it for bodies of ${foundByFlows[name]} alone` : '';

/** Suggests the nearest name, or lists the names that are always known. */
function meant(name: string, known: ReadonlySet<string>): string {
  const [near] = nearest(name, known, 1);
  if (near !== undefined) return `did you mean "${near}"?`;
  return `expected ${known === ofLogin ? [...ofLogin].join(', ') : `${always.join(', ')} or an identifier`}`;
}

/** Reports identifier names that differ from the document's own in letter case alone. */
function names(reading: Reading, at: string, ids: Json | undefined): void {
  for (const name of Object.keys(objectOf<Json>(ids))) {
    const meant = parameterNames.find((known) => known.toLowerCase() === name.toLowerCase());
    if (meant !== undefined && meant !== name) reading.unknownKey(at, name, [meant]);
  }
}

function reportForeignParameter(reading: Reading, at: string, name: string, operation: Operation): void {
  const own = parametersOf(operation).join(', ') || 'none';
  reading.report(
    pointerTo(at, name),
    () => `${quoted(name)} is no parameter of ${operation.id}; it has ${own}`,
  );
}

function compile(reading: Reading, at: string, schema: Json): void {
  try {
    compileAlone(payloads(), schema as object);
  } catch (error) {
    reading.report(
      at,
      () => `${shown(at)} is no JSON Schema: ${quoted((error as Error).message).slice(1, -1)}`,
    );
  }
}

let shared: ReturnType<typeof jsonSchemas> | undefined;
/** The compiler that only checks whether payload schemas compile: it generates the least code. */
const payloads = () => (shared ??= jsonSchemas({ allErrors: false, verbose: false, ownProperties: false }));
