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
export class Skeleton {
  readonly types = new Set<JsonType>();
  /** Answers that held anything here. */
  answers = 0;
  lastAnswer = 0;
  objects = 0;
  readonly members = new Map<string, { present: number; readonly skeleton: Skeleton }>();
  /** Elements of lists. */
  items?: Skeleton;
  /** Values of a map: an object with too many names, or with names that cannot be shared. */
  values?: Skeleton;
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
  skeleton: Skeleton,
  value: unknown,
  reading: AnswerReading,
  key = '',
  depth = 0,
): void {
  const { nth, isShareable, room } = reading;
  if (skeleton.lastAnswer !== nth) skeleton.answers += 1;
  skeleton.lastAnswer = nth;
  skeleton.types.add(typeOf(value));
  if (!isNested(value) || depth >= deepest) return;
  const below = (part: Skeleton, child: unknown, name: string) =>
    addAnswer(part, child, reading, name, depth + 1);
  if (Array.isArray(value)) {
    skeleton.items ??= new Skeleton();
    for (const item of value.slice(0, mostItems)) below(skeleton.items, item, '');
    return;
  }
  const members = Object.entries(value);
  skeleton.objects += 1;
  if (skeleton.values || isMap(members, key, isShareable)) {
    skeleton.values ??= new Skeleton();
    for (const [, child] of members.slice(0, mostItems)) below(skeleton.values, child, '');
    return;
  }
  for (const [name, child] of members) {
    const seenMember = skeleton.members.get(name);
    if (!seenMember && room.left-- <= 0) continue;
    const member = seenMember ?? { present: 0, skeleton: new Skeleton() };
    member.present += 1;
    skeleton.members.set(name, member);
    below(member.skeleton, child, name);
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
 * The skeleton as JSON Schema 2020-12, fields in code-unit order; undefined where too few answers took part.
 * Fields that one answer alone held are left out, and all numbers are `number`: a schema must not accuse lightly.
 */
export function schemaOf(skeleton: Skeleton): object | undefined {
  return skeleton.answers < leastAnswers ? undefined : written(skeleton);
}

function written(skeleton: Skeleton): Record<string, unknown> {
  const types = [...skeleton.types].sort();
  const members = [...skeleton.members]
    .filter(([, { skeleton }]) => skeleton.answers >= leastAnswers)
    .sort(byName);
  // Where some answers were read as a map and others as fields, neither is written: what lies below is a mixture.
  const isMapAlone = skeleton.members.size === 0 && (skeleton.values?.types.size ?? 0) > 0;
  const isFields = skeleton.values === undefined && members.length > 0;
  const required = members.filter(([, { present }]) => present === skeleton.objects).map(([name]) => name);
  return {
    // A place that held nothing but null may have any type.
    ...(types.some((type) => type !== 'null') && { type: types.length === 1 ? types[0] : types }),
    ...(isFields && required.length > 0 && { required }),
    ...(isFields && {
      properties: Object.fromEntries(members.map(([name, { skeleton }]) => [name, written(skeleton)])),
    }),
    ...(isMapAlone && { additionalProperties: written(skeleton.values as Skeleton) }),
    ...(skeleton.items && skeleton.items.types.size > 0 && { items: written(skeleton.items) }),
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
