// Infers what an operation is asked with: the template of its bodies, where constant values stay and personal ones
// become placeholders, and the values of its parameters.

import { catalog } from '../../../catalog/catalog.ts';
import { isAmbient } from '../../../catalog/request-path.ts';
import { asNumbers, placeholdersIn } from '../../../engine/players/body-template.ts';
import type { Json } from '../../../engine/target/profile-validation.ts';
import { isNested, withTexts } from '../../../engine/values/json-walk.ts';
import { byName } from '../../../engine/values/members.ts';
import {
  type IdentifierName,
  isEnumWord,
  isPersonalKey,
  isPlainPath,
  isPlainWord,
  isVersion,
  type KnownValues,
  looksLikeIdentifier,
} from '../privacy.ts';
import { Tally } from '../tally.ts';

/** What a template holds in place of a value (a leaf) of a body; nothing in it is personal. */
interface ShareableValue {
  /** A placeholder, or a value that may be shared; as JSON. */
  readonly json: Json;
  /** It counts as a constant only where several players sent it. */
  readonly needsAgreement: boolean;
}

/** What was seen at one place of the bodies. */
export class BodyPart {
  seen = 0;
  objects = 0;
  lists = 0;
  readonly members = new Map<string, BodyPart>();
  items?: BodyPart;
  /** The leaves, by their JSON. */
  readonly valuesSeen = new Map<
    string,
    { readonly value: ShareableValue; count: number; readonly people: Set<string> }
  >();
}

interface BodyReading {
  readonly toShareable: (value: string | number | boolean | null, key: string) => ShareableValue;
  readonly isShareable: (key: string) => boolean;
  /** The key of the player who sent the request. */
  readonly person: string;
}

const deepest = 8;
const mostMembers = 60;
const mostItems = 20;
const mostValues = 50;

/** Adds one request's body. */
export function addBody(part: BodyPart, value: unknown, reading: BodyReading, key = '', depth = 0): void {
  part.seen += 1;
  if (Array.isArray(value)) {
    part.lists += 1;
    if (depth >= deepest) return;
    part.items ??= new BodyPart();
    for (const item of value.slice(0, mostItems)) addBody(part.items, item, reading, key, depth + 1);
  } else if (isNested(value)) {
    part.objects += 1;
    if (depth >= deepest) return;
    for (const [name, child] of Object.entries(value)) {
      if (!reading.isShareable(name)) continue;
      const member = part.members.get(name) ?? new BodyPart();
      if (!part.members.has(name) && part.members.size >= mostMembers) continue;
      part.members.set(name, member);
      addBody(member, child, reading, name, depth + 1);
    }
  } else {
    const shareable = reading.toShareable(value as string | number | boolean | null, key);
    const text = JSON.stringify(shareable.json);
    const entry = part.valuesSeen.get(text) ?? { value: shareable, count: 0, people: new Set<string>() };
    if (!part.valuesSeen.has(text) && part.valuesSeen.size >= mostValues) return;
    entry.count += 1;
    entry.people.add(reading.person);
    part.valuesSeen.set(text, entry);
  }
}

/** The template of all added bodies, with the fields that all of them hold, in code-unit order. */
export function templateOf(part: BodyPart): Json {
  if (part.objects > 0 && part.objects >= part.lists) {
    const members = [...part.members].filter(([, member]) => member.seen >= part.objects);
    const sorted = members.sort(byName);
    return Object.fromEntries(sorted.map(([name, member]) => [name, templateOf(member)]));
  }
  if (part.lists > 0) return part.items && part.items.seen > 0 ? [templateOf(part.items)] : [];
  return leafOf(part);
}

/** The most frequent value; values that may not stay count as `{{value}}`, or as 1 where they are numbers. */
function leafOf({ valuesSeen }: BodyPart): Json {
  const tally = new Tally();
  for (const [text, { value, count, people }] of valuesSeen) {
    const isAgreed = count >= 2 && people.size >= 2;
    tally.add(value.needsAgreement && !isAgreed ? replacementFor(value.json) : text, count);
  }
  return JSON.parse(tally.first ?? 'null') as Json;
}

const replacementFor = (json: Json) => (typeof json === 'number' ? '1' : '"{{value}}"');

/** Placeholders that can be filled before the player has signed in. */
const loginPlaceholders = new Set(['token', 'unique', 'player.name', 'now']);

/** A template for the login's body: placeholders that need a signed-in player become `{{unique}}`. */
export const loginTemplate = (template: Json): Json =>
  withTexts(template, (text) =>
    text.replace(/\{\{([^{}]*)\}\}/g, (all, name: string) =>
      loginPlaceholders.has(name) ? all : '{{unique}}',
    ),
  );

// Turns one value of a body into what a template may hold: a placeholder, or a value that may be shared.
interface SharingContext {
  readonly known: KnownValues;
  readonly caller: { readonly id?: string; readonly name?: string };
  /** The `token` of the query, with which a login signs in. */
  readonly token: string | null;
  /** Values of the document's parameters that the profile gives: a body that holds one names the parameter. */
  readonly parameters: Readonly<Record<string, string>>;
}

/** Parameters whose values a profile may hold, also where a body has a field of that name. */
const shareableParameters = new Set(
  `CDN_ROOT_FOLDER_PATH gameVersion versionPattern archiveId storyId characterName newsUrl locale language platform types
  filter limit schemaVersion stateName version`.split(/\s+/),
);

/** Named states and the like: words that the document itself writes. */
const documented = new Set(
  catalog.flatMap(({ path }) => path.split('/')).filter((segment) => /^[A-Z][A-Za-z_]+$/.test(segment)),
);

/** A number up to this one is too short to be a player's id. */
const mostPlain = 999;

export function toShareable(
  value: string | number | boolean | null,
  key: string,
  context: SharingContext,
): ShareableValue {
  if (value === null || typeof value === 'boolean') return shareable(value);
  if (typeof value === 'number') return shareableNumber(value, key, context);
  return shareableText(value, key, context);
}

const shareable = (json: string | number | boolean | null, needsAgreement = false): ShareableValue => ({
  json,
  needsAgreement,
});
const freeValue = shareable('{{value}}');

function shareableNumber(value: number, key: string, { known, caller }: SharingContext): ShareableValue {
  const identified = shareableIdentifier(String(value), known, caller.id);
  if (identified) return { ...identified, json: asNumbers(identified.json, placeholdersIn(identified.json)) };
  if (isPersonalKey(key) || !Number.isInteger(value) || Math.abs(value) > mostPlain) return shareable(1);
  return shareable(value, Math.abs(value) > 9);
}

function shareableText(
  value: string,
  key: string,
  { known, caller, token, parameters }: SharingContext,
): ShareableValue {
  if (value === '') return shareable('');
  if (value === token) return shareable('{{token}}');
  const identified = shareableIdentifier(value, known, caller.id);
  if (identified) return identified;
  if (value === caller.name) return shareable('{{player.name}}');
  const isParameter = shareableParameters.has(key);
  const given = isParameter && Object.hasOwn(parameters, key) ? parameters[key] : undefined;
  if (given !== undefined && given === value) return shareable(`{{${key}}}`);
  if (documented.has(value)) return shareable(value);
  if (/^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(value)) return shareable('{{now}}');
  if (looksLikeIdentifier(value) && /player|friend|user|member/i.test(key)) return shareable('{{other.id}}');
  if (known.isName(value) && /player|friend|user|member/i.test(key)) return shareable('{{other.name}}');
  if (known.isPersonal(value) || (isPersonalKey(key) && !isParameter)) return freeValue;
  if (isEnumWord(value)) return shareable(value);
  return isPlainWord(value) ? shareable(value, true) : freeValue;
}

/** The placeholder for the id of the caller, another player, a party or a match; undefined for any other value. */
function shareableIdentifier(
  value: string,
  known: KnownValues,
  callerId: string | undefined,
): ShareableValue | undefined {
  if (callerId !== undefined && value === callerId) return shareable('{{player.id}}');
  const name: IdentifierName | undefined = known.identifies(value);
  if (name === undefined) return undefined;
  return shareable(name === 'playerId' ? '{{other.id}}' : `{{${name}}}`);
}

// Values of the document's parameters, of calls that were answered with success.

/** The number of calls, by `operation parameter` and then by value. */
export type ParameterValues = Map<string, Tally>;

/** Adds the parameters of one successful call. */
export function addParameters(
  values: ParameterValues,
  operation: string,
  params: Readonly<Record<string, string>>,
): void {
  for (const [name, value] of Object.entries(params)) {
    if (isAmbient(name) || !isShareable(name, value)) continue;
    const key = `${operation} ${name}`;
    const tally = values.get(key) ?? new Tally();
    values.set(key, tally);
    tally.add(value);
  }
}

export interface FoundParameter {
  readonly value: string;
  readonly calls: number;
}

type IsPersonal = (text: string) => boolean;

function mostOften(tally: Tally, isPersonal: IsPersonal): FoundParameter[] {
  const [value, calls] = tally.ranked().find(([text]) => !isPersonal(text)) ?? [];
  return value === undefined || calls === undefined ? [] : [{ value, calls }];
}

/** By parameter, sorted: the operations that took it, each with its values. */
const byParameter = (values: ParameterValues) =>
  Map.groupBy(
    Array.from(values, ([key, tally]) => {
      const [operation = '', name = ''] = key.split(' ');
      return { operation, name, tally };
    }).sort((a, b) => (a.name < b.name ? -1 : 1)),
    ({ name }) => name,
  );

/** The most frequent value of each parameter, with the number of its calls. */
export function parametersFound(
  values: ParameterValues,
  isPersonal: IsPersonal,
): Map<string, FoundParameter> {
  const found = Array.from(byParameter(values), ([name, places]) => {
    const sum = new Tally();
    for (const { tally } of places) for (const [value, calls] of tally.ranked()) sum.add(value, calls);
    return mostOften(sum, isPersonal).map((most) => [name, most] as const);
  });
  return new Map(found.flat());
}

/** Values that an operation needs for itself: of parameters whose common value it never took, or that have none. */
export function ownParameters(
  values: ParameterValues,
  operation: string,
  common: ReadonlyMap<string, { readonly value: string }>,
  isPersonal: IsPersonal,
): Map<string, FoundParameter> {
  const own = Array.from(byParameter(values), ([name, places]) => {
    const [usual, tally] = [
      common.get(name)?.value,
      places.find((place) => place.operation === operation)?.tally,
    ];
    if (!tally || (usual !== undefined && tally.of(usual) > 0)) return [];
    return mostOften(tally, isPersonal).map((most) => [name, most] as const);
  });
  return new Map(own.flat());
}

/** The only operation whose path or query took the parameter; undefined where several did. */
export function onlyOperationWith(values: ParameterValues, parameter: string): string | undefined {
  const places = byParameter(values).get(parameter) ?? [];
  return places.length === 1 ? places[0]?.operation : undefined;
}

function isShareable(name: string, value: string): boolean {
  if (!shareableParameters.has(name)) return false;
  return isVersion(value) || (name === 'newsUrl' ? isPlainPath(value) : isPlainWord(value));
}

/** Whether a profile may hold this segment of a public file's path: all but what looks like an address or a key. */
export const isShareableSegment = (value: string) =>
  value.length <= 64 &&
  value.split('/').every((part) => /^[\w.~+-]{1,24}$/.test(part) && !looksLikeIdentifier(part));
