// Reads the JSON of a refusal: lists of complaints that each name a place, and maps of members to what is wrong with them.
import { entriesOf, isObject, parsedJson } from '../values/json-walk.ts';
import { type Description, type Finding, isScalar, isText, segmentsOf } from './complaint.ts';
import { libraryFindings } from './framework-wordings.ts';
import { findingsIn, isComplaint, lackingIn } from './refusal-sentences.ts';
import type { SentBody } from './sent-body.ts';
import { allowedIn, isMissingIn, isUnwantedIn, typesIn, wordedIn } from './worded-types.ts';

type Node = Readonly<Record<string, unknown>>;

const mostNodes = 200;
const mostEntries = 12;
const deepestMap = 5;
/** All texts of one refusal that are read as sentences, in characters. */
const mostTexts = 20_000;

/**
 * ajv, zod, pydantic, Spring, ASP.NET, Laravel, Rails, Django, Marshmallow, express-validator, class-validator, RFC 9457,
 * JSON:API. Sentences are read where no object names the member that they are about.
 */
export function findingsInJson(root: unknown, sent: SentBody): readonly Finding[] {
  const found: Finding[] = [];
  const ofTexts: Finding[] = [];
  const open: { readonly value: unknown; readonly isMap?: boolean }[] = [{ value: root }];
  let characters = 0;
  for (let at = 0; at < Math.min(open.length, mostNodes); at += 1) {
    const { value: node, isMap = false } = open[at] as (typeof open)[number];
    if (isText(node)) {
      // Zod's own message is a list in JSON.
      const inner = /^\s*[[{]/.test(node) ? parsedJson(node) : undefined;
      if (inner !== undefined) open.push({ value: inner });
      else if (characters < mostTexts) ofTexts.push(...findingsIn(node, sent));
      characters += node.length;
    } else if (Array.isArray(node)) {
      open.push(...node.slice(0, mostNodes).map((value) => ({ value })));
    } else if (isObject(node)) {
      const isOfMembers = isMap && !wordsItself(node) && !isEnvelope(node, sent);
      const own = isOfMembers ? mapped(node, [], sent) : inObject(node, sent);
      found.push(...own.found);
      open.push(...own.open.map(([name, value]) => ({ value, isMap: isDeclared(name, value, node) })));
    }
  }
  const known = new Set(found.map(({ path }) => lettersOf(path)));
  // `message_ids` of a sentence is `messageIds` of the map beside it.
  return [...found, ...ofTexts.filter(({ path }) => path.length === 0 || !known.has(lettersOf(path)))];
}

const lettersOf = (path: readonly string[]) =>
  path
    .join('/')
    .toLowerCase()
    .replaceAll(/[^a-z\d/]/g, '');

/** What an object says, and the entries in which more may stand. */
interface Read {
  readonly found: readonly Finding[];
  readonly open: readonly (readonly [string, unknown])[];
}

/** An object that names one member, or an envelope or map; an object that names a member is not searched for others. */
function inObject(node: Node, sent: SentBody): Read {
  const entry = entryIn(node, sent);
  if (entry === 'elsewhere') return { found: [], open: [] };
  const found = entry.length > 0 ? entry : undeclared(node, sent);
  return { found, open: found.length > 0 ? [] : entriesOf(node, mostNodes) };
}

/** Names under which a map of members stands. */
const isMapName =
  /^(?:errors|field_?errors|error_?details|validation_?errors|invalid_?(?:fields|params)|errors?_?by_?field|model_?state|violations|messages|invalid|fields)$/i;
/** Complaints about the holder itself, in a map of its members. */
const isOfHolder =
  /^(?:_?errors?|_schema|non_?field_?errors|form_?errors|__all__|base|body|request_body|root|_root|_|\*|\$|)$/i;
/** Parts of a request that stand above the names of members. */
const isPart = /^(?:json|body|form|data|payload|body_params)$/i;
const isOtherPart = /^(?:query|query_?string|headers?|params|path|cookies)$/i;
/** Names under which an object in a map words what is wrong with its member, in one text or in several. */
const wordsWhy = /^(?:messages?|msg|errors?|details?|description|reason|text|title|code|rule|validator)$/i;
const listsWhy = /^(?:_?errors|msgs?|messages?)$/i;

/** Whether the name of an object says that it is a map of members, or it can be one and reads like one. */
function isDeclared(name: string, value: unknown, holder: Node): boolean {
  if (!isObject(value)) return false;
  // Zod's tree has the complaints of an object beside its members.
  if (name === 'properties') return Array.isArray(holder.errors);
  if (isMapName.test(name)) return true;
  const words = entriesOf(value, mostNodes).map(([, each]) => [each].flat().filter(isText));
  const isWorded = words.length > 0 && words.every((texts) => texts.length > 0 && texts.every(isPredicate));
  return /^(?:error|details?|data|validation)$/i.test(name) && isWorded && !wordsItself(value);
}

/** An object under `errors` that has a code and a message of its own instead of members. */
function wordsItself(node: Node): boolean {
  const texts = entriesOf(node, mostNodes).filter(([, value]) => isText(value)) as [string, string][];
  const isWorded = texts.some(([name]) =>
    /^(?:message|msg|detail|description|reason|text|error)$/i.test(name),
  );
  const isCode = ([name, text]: [string, string]) =>
    /^(?:code|type|status)$/i.test(name) && /^[A-Z][A-Z\d_]*$/.test(text);
  if (texts.length > 0 && texts.every(isCode)) return true;
  return isWorded && (texts.length === 1 || !texts.every(([, text]) => isPredicate(text)));
}

/** A complaint that leaves its subject to the name before it. */
const isPredicate = (text: string): boolean =>
  /^(?:is|are|must|should|has|cannot|can't|can not|may|does|doesn't|this (?:field|value)|field)\b|^(?:required|missing|invalid)\W{0,3}$/i.test(
    text,
  );

/** A declared map: whatever its names and words are, they are members and what is wrong with them. */
function mapped(node: Node, base: readonly string[], sent: SentBody): Read {
  const entries = entriesOf(node, mostNodes);
  const open: (readonly [string, unknown])[] = [];
  // The names without `$` are the parameters of the controller, in ASP.NET.
  const isRooted = base.length === 0 && entries.some(([name]) => /^\$(?:\.|$)/.test(name));
  const found = entries.flatMap(([name, value]): readonly Finding[] => {
    const texts = textsOf(value);
    const isWrapper = base.length === 0 && isPart.test(name) && isObject(value) && !sent.has(name);
    if (isOfHolder.test(name) && !isWrapper && !sent.has(name)) {
      if (base.length > 0 && texts.length > 0) return [{ path: base, ...describedBy(texts) }];
      open.push([name, value]);
      return [];
    }
    if (isOtherPart.test(name) && base.length === 0 && isObject(value) && !sent.has(name)) return [];
    if (isRooted && !name.startsWith('$')) return [];
    if (!isMemberName.test(name) || base.length > deepestMap) return [];
    const isHeading =
      isWrapper || (isObject(value) && /^(?:properties|items)$/.test(name) && !sent.has(name));
    const path = isHeading ? base : [...base, ...segmentsOf(name)];
    return ofMember(path, value, sent);
  });
  return { found, open };
}

const isMemberName = /^[\w$.[\]/'-]{1,80}$/;

/** What a map says of one member: in texts, in objects that word it, or in a map of what is below the member. */
function ofMember(path: readonly string[], value: unknown, sent: SentBody): readonly Finding[] {
  const texts = textsOf(value);
  if (texts.length > 0) {
    const lacking = lackingIn(path, texts, sent);
    return lacking.length > 0 ? lacking : path.length > 0 ? [{ path, ...describedBy(texts) }] : [];
  }
  if (Array.isArray(value))
    return value
      .slice(0, mostEntries)
      .flatMap((each, at) => (isObject(each) ? mapped(each, [...path, String(at)], sent).found : []));
  if (!isObject(value)) return [];
  return placeIn(inCamelCase(value), sent) === 'elsewhere' ? [] : mapped(value, path, sent).found;
}

/** Texts of an entry, also of objects that each word one: `[{"message": "CHECK_FAILED"}]`, `{"_errors": ["Required"]}`. */
function textsOf(value: unknown): readonly string[] {
  return [value]
    .flat()
    .slice(0, mostEntries)
    .flatMap((each): readonly string[] => {
      if (isText(each)) return [each];
      if (!isObject(each)) return [];
      return entriesOf(each, mostNodes)
        .filter(([name, said]) => (Array.isArray(said) ? listsWhy : wordsWhy).test(name))
        .flatMap(([, said]) => said)
        .filter(isText);
    });
}

/** What texts say of a member that is known: libraries word it with its place, others do not. */
function describedBy(texts: readonly string[]): Description {
  const [byLibrary] = texts.flatMap((text) => libraryFindings(text.slice(0, 500)) ?? []);
  if (byLibrary === undefined) return wordedIn(texts.map((text) => text.slice(0, 500)));
  const { path: _, quoted: __, word: ___, ...known } = byLibrary;
  return known;
}

/** Names that an answer has anyway; a member may have them too. */
const envelope =
  /^(?:messages?|msg|errors?|details?|issues|violations|code|status|statuscode|title|type|instance|trace_?id|request_?id|timestamp|path|success|ok|error_?(?:message|code|description|text|name|type))$/i;
/** Lists of sentences about any member. */
const listsTexts =
  /^(?:messages?|msgs?|errors?|error_?messages?|full_?messages|details?|issues|violations|warnings|form_?errors|non_?field_?errors|stack|trace)$/i;
/** Names under which an envelope words its complaint; a member may have them too. */
const wordsIt = /^(?:text|reason|description|explanation|summary|hint|fault|problem)$/i;

/**
 * Whether an object is an envelope, and no map of members: it holds a list of complaints, or words one about a member
 * that it does not hold.
 */
const isEnvelope = (node: Node, sent: SentBody): boolean =>
  entriesOf(node, mostNodes).some(([name, value]) => {
    if (Array.isArray(value)) return value.slice(0, mostEntries).some((entry) => namesMember(entry, sent));
    if (isObject(value)) return isMapName.test(name) && isDeclared(name, value, node) && !sent.has(name);
    if (!wordsIt.test(name) || !isText(value)) return false;
    return findingsIn(value, sent).some(
      ({ path: [first] }) => first !== undefined && !Object.hasOwn(node, first),
    );
  });

const namesMember = (entry: unknown, sent: SentBody): boolean =>
  isObject(entry) && placeIn(inCamelCase(entry), sent) !== undefined;

/** An object that nothing declares a map: it is one as far as its entries read like complaints about their names. */
function undeclared(node: Node, sent: SentBody): readonly Finding[] {
  if (isEnvelope(node, sent)) return [];
  return entriesOf(node, mostNodes).flatMap(([name, value]) =>
    isMemberName.test(name) && isAboutName(name, value, sent) ? ofMember(segmentsOf(name), value, sent) : [],
  );
}

function isAboutName(name: string, value: unknown, sent: SentBody): boolean {
  if (isText(value)) {
    if (envelope.test(name) || isAddressed.test(value) || !isComplaint(value)) return false;
    return !wordsIt.test(name) || isPredicate(value);
  }
  if (listsTexts.test(name) || isOfHolder.test(name)) return false;
  if (!Array.isArray(value)) return isObject(value) && sent.has(name) && !envelope.test(name);
  const [first] = value;
  // Javalin's complaints have the arguments of their text beside it.
  if (isObject(first)) return sent.has(name) || ('args' in first && ('message' in first || 'msg' in first));
  const texts = value.slice(0, mostEntries).filter(isText);
  return texts.some(
    (text) => isComplaint(text) || (text.includes(' ') && sent.has(name)) || isOfChoice.test(text),
  );
}

/** A sentence to the player is about no member. */
const isAddressed = /^(?:you|we|they|he|she|please)\b/i;
const isOfChoice =
  /^(?:["“].{1,80}["”] is )?not a valid \w+|^may not be|^this field may not be|^this (?:field|value) /i;

/** Complaints in one object that names one place, or several keys at one. */
function entryIn(asWritten: Node, sent: SentBody): readonly Finding[] | 'elsewhere' {
  const node = inCamelCase(asWritten);
  const path = placeIn(node, sent);
  if (path === 'elsewhere') return path;
  const params = isObject(node.params) ? node.params : {};
  const keys = [node.keys, params.keys].find(Array.isArray)?.filter(isText) ?? [];
  // hapi says beside its message where the keys are.
  if (keys.length > 0 && isText(node.source)) {
    const said = isText(node.message) ? findingsIn(node.message, sent) : [];
    return said.length > 0 ? said : keys.map((key) => ({ path: segmentsOf(key) }));
  }
  if (keys.length > 0)
    return keys.map((key) => ({ path: [...(path ?? []), key], isUnwanted: true as const }));
  const inside = [params.missingProperty, params.additionalProperty].find(isText);
  const member = inside === undefined ? path : [...(path ?? []), inside];
  if (member === undefined || member.length === 0) return [];
  const constraints = isObject(node.constraints) ? Object.values(node.constraints) : [];
  const worded = [
    node.expected,
    params.type,
    ...whyNames.map((name) => node[name]),
    ...constraints,
    node.type,
  ].filter(isText);
  const rules = [...ruleNames.map((name) => node[name]), ...worded].filter(isText);
  const lacking = inside === undefined ? lackingIn(member, worded, sent) : [];
  if (lacking.length > 0) return lacking;
  if (isText(params.additionalProperty) || rules.some(isUnwantedIn))
    return [{ path: member, isUnwanted: true }];
  const context = isObject(node.ctx) ? node.ctx : {};
  const allowed = choicesBeside(node);
  const isMissing = isText(params.missingProperty) || rules.some(isMissingIn);
  return [
    {
      path: member,
      ...typesIn(worded.join('; ')),
      ...(allowed ? { allowed } : allowedIn([context.expected, ...worded].filter(isText))),
      ...(isMissing && { isMissing: true }),
    },
  ];
}

/** The values that an object lists as data, beside what it words. */
function choicesBeside(node: Node): readonly (string | number | boolean)[] | undefined {
  const [params, ctx, context, meta, schema, properties] = (
    ['params', 'ctx', 'context', 'meta', 'schema', 'properties'] as const
  ).map((name) => (isObject(node[name]) ? node[name] : {})) as [Node, Node, Node, Node, Node, Node];
  const consts = Array.isArray(schema.anyOf)
    ? schema.anyOf.slice(0, mostNodes).map((each) => (isObject(each) ? each.const : undefined))
    : undefined;
  const list = [
    node.options,
    node.values,
    node.allowed,
    node.allowedValues,
    node.choices,
    node.enum,
    params.allowedValues,
    ctx.enum_values,
    context.valids,
    meta.choices,
    properties.enumValues,
    schema.enum,
    consts,
  ].find(Array.isArray);
  const scalars = list?.filter(isScalar) ?? [];
  return scalars.length > 0 ? scalars : undefined;
}

/** The same entries under the names that this reader knows: `FieldName` and `field_name` are `fieldName`. */
const inCamelCase = (node: Node): Node =>
  Object.fromEntries(
    entriesOf(node, mostNodes).map(([name, value]) => [
      name
        .replace(/[_-]+([a-z])/gi, (_, letter: string) => letter.toUpperCase())
        .replace(/^[A-Z]/, (letter) => letter.toLowerCase()),
      value,
    ]),
  );

const whyNames = [
  'message',
  'msg',
  'reason',
  'detail',
  'description',
  'defaultMessage',
  'error',
  'title',
  'problem',
] as const;

/** Where a service of its own says which of its rules a member breaks. */
const ruleNames = ['rule', 'code', 'constraint', 'validator', 'issue', 'violation'] as const;

/** The path that an entry of a list of errors names; `elsewhere`: not in the body. */
function placeIn(node: Node, sent: SentBody): readonly string[] | 'elsewhere' | undefined {
  const { source, loc, path, validation } = node;
  const part = isObject(validation) ? validation.source : undefined;
  const location = [node.location, node.in, node.on, source, part].find(isText);
  if (location !== undefined && /^(?:quer|param|header|cookie|path)/i.test(location)) return 'elsewhere';
  if (Array.isArray(loc)) {
    const [first, ...rest] = loc.map(String);
    if (first === undefined) return undefined;
    if (/^(?:query|path|header|cookie)$/.test(first)) return 'elsewhere';
    return first === 'body' ? rest : [first, ...rest];
  }
  const isTold =
    whyNames.some((name) => isText(node[name])) ||
    'keyword' in node ||
    isObject(node.constraints) ||
    (isText(node.field ?? node.param ?? node.property ?? node.pointer) &&
      ruleNames.some((name) => isText(node[name])));
  if (!isTold) return undefined;
  // Valibot's path is of objects.
  if (Array.isArray(path))
    return path
      .map((part) => (isObject(part) ? part.key : part))
      .filter(isScalar)
      .map(String);
  if (isObject(source) && isText(source.parameter)) return 'elsewhere';
  const pointer = [
    node.instancePath,
    node.pointer,
    node.dataPath,
    isObject(source) ? source.pointer : undefined,
  ];
  const stated = pointer.find((each) => typeof each === 'string');
  if (stated !== undefined) return segmentsOf(stated.replace(/^#|^\/data\/attributes(?=\/)/g, ''));
  const { key } = node;
  const isOfBody = isText(key) && (location === 'body' || sent.has(key));
  const named = [
    node.field,
    node.fieldPath,
    node.propertyPath,
    node.param,
    node.property,
    node.fieldName,
    path,
    node.name,
    node.target,
    node.attribute,
    isOfBody ? key : undefined,
  ].find(isText);
  // The name of an error is that of its class.
  if (named === undefined || !/^[\w$.[\]/-]{1,80}$/.test(named) || /.(?:Error|Exception)$/.test(named))
    return undefined;
  // The path of the request itself is no member.
  return named.startsWith('/') && named.split('/').length > 3 ? undefined : segmentsOf(named);
}
