// Infers the shape of an operation's answers: names and types that hold for several of them, never a value.

import { isNested, isObject } from '../../../engine/values/json-walk.ts';
import { byName } from '../../../engine/values/members.ts';
import { isCrowdKey } from '../privacy.ts';

export interface AnswerReading {
  /** Numbers the answers from 1. */
  readonly nth: number;
  /** Whether the name of a field may stand in a file that people share. */
  readonly isShareable: (key: string) => boolean;
  /** How many places may still be added, for all answers of the operation together. */
  readonly room: { left: number };
}

/** What was seen at one place of the answers. */
export class ObservedPlace {
  readonly types = new Set<JsonType>();
  /** Answers that held anything here. */
  answers = 0;
  lastAnswer = 0;
  objects = 0;
  readonly members = new Map<string, { present: number; readonly place: ObservedPlace }>();
  /** Elements of lists. */
  items?: ObservedPlace;
  /** Values of a map: an object with too many names, or with names that cannot be shared. */
  values?: ObservedPlace;
}

type JsonType = 'null' | 'boolean' | 'number' | 'string' | 'array' | 'object';

const deepest = 8;
const mostMembers = 100;
const mostItems = 50;
/** An object with this many fields, all of one type, is a map. */
const manyAlike = 40;
/** `config.alarm22`, `level-3`, `eu:west`: names of things, where fields would have plain names. */
const isNumberedOrDotted = (name: string) => /[\d.:]/.test(name);
/** Fewest answers that a schema is made of, so that no single answer decides it. */
const leastAnswers = 2;

/**
 * Adds one answer.
 * @param key the name of the field that holds the value
 */
export function addAnswer(
  place: ObservedPlace,
  value: unknown,
  reading: AnswerReading,
  key = '',
  depth = 0,
): void {
  const { nth, isShareable, room } = reading;
  if (place.lastAnswer !== nth) place.answers += 1;
  place.lastAnswer = nth;
  place.types.add(typeOf(value));
  if (!isNested(value) || depth >= deepest) return;
  const below = (part: ObservedPlace, child: unknown, name: string) =>
    addAnswer(part, child, reading, name, depth + 1);
  if (Array.isArray(value)) {
    place.items ??= new ObservedPlace();
    for (const item of value.slice(0, mostItems)) below(place.items, item, '');
    return;
  }
  const members = Object.entries(value);
  place.objects += 1;
  if (place.values || isMap(members, key, isShareable)) {
    place.values ??= new ObservedPlace();
    for (const [, child] of members.slice(0, mostItems)) below(place.values, child, '');
    return;
  }
  for (const [name, child] of members) {
    const seenMember = place.members.get(name);
    if (!seenMember) {
      if (room.left <= 0) continue;
      room.left -= 1;
    }
    const member = seenMember ?? { present: 0, place: new ObservedPlace() };
    member.present += 1;
    place.members.set(name, member);
    below(member.place, child, name);
  }
}

/** Whether an object is a map: its keys are ids of players or things, not names of fields. */
function isMap(
  members: readonly (readonly [string, unknown])[],
  key: string,
  isShareable: AnswerReading['isShareable'],
): boolean {
  if (members.length > mostMembers || members.some(([name]) => !isShareable(name))) return true;
  const children = members.map(([, child]) => child);
  // The values are of one kind, so the keys are ids, and other ids may come later.
  const isOneKind = new Set(children.map(typeOf)).size === 1;
  const areIds = members.length > 1 && members.every(([name]) => isNumberedOrDotted(name));
  if (isOneKind && (areIds || members.length >= manyAlike)) return true;
  if (children.length === 0 || !children.every(isObject)) return false;
  const [first = '', ...others] = children.map((child) => Object.keys(child).sort().join('\n'));
  return isCrowdKey(key) || (others.length > 0 && first !== '' && others.every((each) => each === first));
}

/**
 * The place as JSON Schema 2020-12, fields in code-unit order; undefined where too few answers took part.
 * Fields that one answer alone held are left out, and all numbers are `number`: a schema must not accuse lightly.
 */
export function schemaOf(place: ObservedPlace): object | undefined {
  return place.answers < leastAnswers ? undefined : written(place);
}

function written(place: ObservedPlace): Record<string, unknown> {
  const types = [...place.types].sort();
  const members = [...place.members].filter(([, { place }]) => place.answers >= leastAnswers).sort(byName);
  // Where some answers were read as a map and others as fields, neither is written: what lies below is a mixture.
  const isMapAlone = place.members.size === 0 && (place.values?.types.size ?? 0) > 0;
  const isFields = place.values === undefined && members.length > 0;
  const required = members.filter(([, { present }]) => present === place.objects).map(([name]) => name);
  return {
    // A place that held nothing but null may have any type.
    ...(types.some((type) => type !== 'null') && { type: types.length === 1 ? types[0] : types }),
    ...(isFields && required.length > 0 && { required }),
    ...(isFields && {
      properties: Object.fromEntries(members.map(([name, { place }]) => [name, written(place)])),
    }),
    ...(isMapAlone && { additionalProperties: written(place.values as ObservedPlace) }),
    ...(place.items && place.items.types.size > 0 && { items: written(place.items) }),
  };
}

type Members = Readonly<Record<string, object>>;
interface Shape {
  readonly type?: string | readonly string[];
  readonly required?: readonly string[];
  readonly properties?: Members;
  readonly additionalProperties?: object;
  readonly items?: object;
}

/** A schema that allows what either of two learnt schemas allows: only what both require is required. */
export function eitherSchema(one: Shape, other: Shape): object {
  const types = one.type !== undefined && other.type !== undefined ? [one.type, other.type].flat() : [];
  const [type, ...more] = [...new Set(types)].sort();
  const isMap = (one.additionalProperties ?? other.additionalProperties) !== undefined;
  const required = one.required?.filter((name) => other.required?.includes(name)) ?? [];
  const within = (a: object | undefined, b: object | undefined) => (a && b ? eitherSchema(a, b) : (a ?? b));
  const values = within(one.additionalProperties, other.additionalProperties);
  const items = within(one.items, other.items);
  const isFields = !isMap && (one.properties ?? other.properties) !== undefined;
  const names = [...new Set([one, other].flatMap(({ properties = {} }) => Object.keys(properties)))].sort();
  return {
    ...(type !== undefined && { type: more.length === 0 ? type : [type, ...more] }),
    ...(!isMap && required.length > 0 && { required }),
    ...(isFields && {
      properties: Object.fromEntries(
        names.map((name) => [name, within(one.properties?.[name], other.properties?.[name])]),
      ),
    }),
    ...(isMap && !one.properties && !other.properties && { additionalProperties: values }),
    ...(items && { items }),
  };
}

function typeOf(value: unknown): JsonType {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : (typeof value as JsonType);
}
