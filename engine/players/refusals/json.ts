// Reads the JSON of a refusal: objects that each name one member, and maps of members to what is wrong with them.
import { entriesOf, isObject, parsedJson } from '../../values/json-walk.ts';
import { letters } from '../../values/text.ts';
import { type Finding, isIndex, isScalar, isText, segmentsOf } from './complaint.ts';
import { allowedIn, demandsIn, isMissingIn, isUnwantedIn, typesIn } from './demands.ts';
import { libraryFindings } from './frameworks.ts';
import { heldAs, isCalled, isOtherPart, type Lettered } from './names.ts';
import type { SentBody } from './sent-body.ts';
import { findingsIn, isComplaint, lackingIn } from './sentences.ts';

type JsonObject = Readonly<Record<string, unknown>>;

const mostNodes = 200;
const mostEntries = 12;
const deepestMap = 5;
/** Most characters of one refusal that are read as sentences. */
const mostTexts = 20_000;
const mostWording = 500;

/**
 * Reads the formats of ajv, zod, pydantic, Spring, ASP.NET, Laravel, Rails, Django, Marshmallow, express-validator,
 * class-validator, RFC 9457 and JSON:API. A finding of a sentence counts where no object names its member.
 */
export function findingsInJson(root: unknown, sent: SentBody): readonly Finding[] {
  const found: Finding[] = [];
  const ofTexts: Finding[] = [];
  const isCamel = writesCamelCase(root);
  const open: { readonly value: unknown; readonly isMap?: boolean }[] = [{ value: root }];
  let characters = 0;
  for (let at = 0; at < Math.min(open.length, mostNodes); at += 1) {
    const { value: node, isMap = false } = open[at] as (typeof open)[number];
    if (isText(node)) {
      // Zod's message is itself a list in JSON.
      const inner = /^\s*[[{]/.test(node) ? parsedJson(node) : undefined;
      if (inner !== undefined) open.push({ value: inner });
      else if (characters < mostTexts) ofTexts.push(...findingsIn(node, sent));
      characters += node.length;
    } else if (Array.isArray(node)) {
      for (const entry of node.slice(0, mostNodes))
        open.push({ value: isObject(entry) ? withFieldAndMessage(recordCode(entry, isCamel), sent) : entry });
    } else if (isObject(node)) {
      const isOfMembers = isMap && !wordsItself(node) && !isEnvelope(node, sent);
      const own = isOfMembers ? findingsInMap(node, [], sent) : findingsInObject(node, sent);
      if (own === 'elsewhere') continue;
      for (const each of own) found.push(each);
      for (const [name, value] of entriesOf(node, mostNodes)) {
        // Where an object itself names members, the values in it are not searched.
        const isSearched = isOfMembers
          ? isOfHolder(name, sent) && !isPart(name, value, sent)
          : own.length === 0;
        if (isSearched) open.push({ value, isMap: isDeclared(name, value, node) });
      }
    }
  }
  // `message_ids` of a sentence and `messageIds` of the map beside it are one member.
  const spellingOf = ({ path }: Finding) =>
    path.map((part) => (isIndex(part) ? part : letters(part))).join('/');
  const known = new Set(found.map(spellingOf));
  return [...found, ...ofTexts.filter((each) => each.path.length === 0 || !known.has(spellingOf(each)))];
}

/**
 * Reads an object that is no map of members: as an entry about one member, then as complaints under the members' own
 * names, then as lists of members and choices. `elsewhere` where it is about another part of the request.
 */
function findingsInObject(node: JsonObject, sent: SentBody): readonly Finding[] | 'elsewhere' {
  const entry = entryIn(node, sent);
  if (entry.length > 0) return entry;
  const byName = undeclared(node, sent);
  if (byName.length > 0) return byName;
  return [...inLists(node, sent), ...withChoices(node, sent)];
}

/** Whether an answer writes the names of its own members in camel case. */
function writesCamelCase(root: unknown): boolean {
  const names = isObject(root) ? entriesOf(root, mostNodes).map(([name]) => name) : [];
  return names.some((name) => /[a-z][A-Z]/.test(name)) && !names.some((name) => name.includes('_'));
}

/** Codes that name a member: `event_type_missing`, `level_required`. */
const codeOfMember = /^([a-z]\w{0,60}?)_(?:is_)?(missing|required)$/i;

/** Rewrites an entry `{"index": 3, "code": "event_type_missing"}` as one with `field` and `message`. */
function recordCode(entry: JsonObject, isCamel: boolean): JsonObject {
  const { index, ...others } = entry;
  const [code, ...more] = Object.values(others);
  if (!Number.isSafeInteger(index) || !isText(code) || more.length > 0) return entry;
  const name = codeOfMember.exec(code)?.[1];
  if (name === undefined) return entry;
  const lower = name.toLowerCase();
  const member = isCamel ? lower.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()) : lower;
  return { field: `${index}/${member}`, message: 'is missing' };
}

/** Whether an object is a map of members by its name, or by a vaguer name and texts that read like complaints. */
function isDeclared(name: string, value: unknown, holder: JsonObject): boolean {
  if (!isObject(value)) return false;
  // Zod's tree has the complaints of an object beside its members.
  if (name === 'properties') return Array.isArray(holder.errors);
  if (isCalled(name, 'map')) return true;
  const words = entriesOf(value, mostNodes).map(([, each]) => [each].flat().filter(isText));
  const isWorded = words.length > 0 && words.every((texts) => texts.length > 0 && texts.every(isPredicate));
  return isCalled(name, 'mayBeMap') && isWorded && !wordsItself(value);
}

/** Whether an object under `errors` is one complaint with a code and a message, and no map of members. */
function wordsItself(node: JsonObject): boolean {
  const texts = entriesOf(node, mostNodes).filter(([, value]) => isText(value)) as [string, string][];
  const isCode = ([name, text]: [string, string]) => isCalled(name, 'aside') && /^[A-Z][A-Z\d_]*$/.test(text);
  if (texts.length > 0 && texts.every(isCode)) return true;
  const isWorded = texts.some(([name]) => isCalled(name, 'words', 'mayWord'));
  return isWorded && (texts.length === 1 || !texts.every(([, text]) => isPredicate(text)));
}

/** Whether a text is a complaint without a subject, such as `is required`: the name before it is the subject. */
const isPredicate = (text: string): boolean =>
  /^(?:is|are|must|should|has|cannot|can't|can not|may|does|doesn't|this (?:field|value)|field)\b|^(?:required|missing|invalid)\W{0,3}$/i.test(
    text,
  );

/** Whether a name means the object that holds the members: `_schema` of Marshmallow, `__all__` of Django, no name. */
const isOfHolder = (name: string, sent: SentBody) =>
  (isCalled(name, 'holder') || /^(?:_schema|__all__|[_*$]?)$/.test(name)) && !sent.has(name);

/** Whether an entry of a map holds the members of one part of the request, such as its body or its query. */
const isPart = (name: string, value: unknown, sent: SentBody) =>
  isObject(value) && (isCalled(name, 'part') || isOtherPart(name)) && !sent.has(name);

/** Reads a declared map: every name is a member's, and its value says what is wrong with that member. */
function findingsInMap(node: JsonObject, base: readonly string[], sent: SentBody): readonly Finding[] {
  const entries = entriesOf(node, mostNodes);
  // Where some names begin with `$`, the others are parameters of the controller, in ASP.NET.
  const isRooted = base.length === 0 && entries.some(([name]) => /^\$(?:\.|$)/.test(name));
  return entries.flatMap(([name, value]): readonly Finding[] => {
    const isWrapper = base.length === 0 && isPart(name, value, sent);
    if (isOfHolder(name, sent) && !isWrapper) return base.length > 0 ? described(base, textsOf(value)) : [];
    if ((isWrapper && sent.isElsewhere(name)) || (isRooted && !name.startsWith('$'))) return [];
    if (!memberName.test(name) || base.length > deepestMap) return [];
    const isHeading =
      isWrapper || (isObject(value) && /^(?:properties|items)$/.test(name) && !sent.has(name));
    return ofMember(isHeading ? base : [...base, ...segmentsOf(name)], value, sent);
  });
}

const memberName = /^[\w$.[\]/'-]{1,80}$/;

/** Reads what a map says of one member: texts, objects that hold texts, or a map of the members below it. */
function ofMember(path: readonly string[], value: unknown, sent: SentBody): readonly Finding[] {
  const texts = textsOf(value);
  if (texts.length > 0) {
    const lacking = lackingIn(path, texts, sent);
    return lacking.length > 0 ? lacking : path.length > 0 ? described(path, texts) : [];
  }
  if (Array.isArray(value))
    return value
      .slice(0, mostEntries)
      .flatMap((each, at) => (isObject(each) ? findingsInMap(each, [...path, String(at)], sent) : []));
  if (!isObject(value)) return [];
  return placeIn(byLetters(value), sent) === 'elsewhere' ? [] : findingsInMap(value, path, sent);
}

/** The texts of an entry, also those in its objects: `[{"message": "CHECK_FAILED"}]`, `{"_errors": ["Required"]}`. */
function textsOf(value: unknown): readonly string[] {
  return [value]
    .flat()
    .slice(0, mostEntries)
    .flatMap((each): readonly unknown[] => {
      if (!isObject(each)) return [each];
      return entriesOf(each, mostNodes)
        .filter(
          ([name, said]) => isCalled(name, 'words') || (isText(said) && isCalled(name, 'mayWord', 'rule')),
        )
        .flatMap(([, said]) => [said].flat().slice(0, mostEntries));
    })
    .filter(isText);
}

/** Reads what texts say of the member at a path. Any path that a library's wording states is ignored. */
function described(path: readonly string[], long: readonly string[]): readonly Finding[] {
  const texts = long.map((text) => text.slice(0, mostWording));
  const [byLibrary] = texts.flatMap((text) => libraryFindings(text) ?? []);
  const { quoted: _, word: __, ...known }: Partial<Finding> = byLibrary ?? demandsIn(texts);
  return texts.length > 0 ? [{ ...known, path }] : [];
}

/**
 * Whether an object is an envelope around complaints and no map of members: it holds a list or a map of complaints, or
 * a text about a member that it does not hold.
 */
const isEnvelope = (node: JsonObject, sent: SentBody): boolean =>
  entriesOf(node, mostNodes).some(([name, value]) => {
    if (Array.isArray(value)) return value.slice(0, mostEntries).some((entry) => namesMember(entry, sent));
    if (isObject(value)) return isCalled(name, 'map') && !sent.has(name);
    if (!isCalled(name, 'mayWord') || !isText(value)) return false;
    return findingsIn(value, sent).some(
      ({ path: [first] }) => first !== undefined && !Object.hasOwn(node, first),
    );
  });

const namesMember = (entry: unknown, sent: SentBody): boolean =>
  isObject(entry) && placeIn(byLetters(withFieldAndMessage(entry, sent)), sent) !== undefined;

/** Reads an object that no name declares a map: the entries that read like complaints about their own names. */
function undeclared(node: JsonObject, sent: SentBody): readonly Finding[] {
  if (isEnvelope(node, sent)) return [];
  return entriesOf(node, mostNodes).flatMap(([name, value]) =>
    memberName.test(name) && isAboutName(name, value, sent) ? ofMember(segmentsOf(name), value, sent) : [],
  );
}

function isAboutName(name: string, value: unknown, sent: SentBody): boolean {
  if (isText(value)) {
    if (isCalled(name, 'words', 'aside') || addressesPlayer.test(value) || !isComplaint(value)) return false;
    return !isCalled(name, 'mayWord') || isPredicate(value);
  }
  if (isCalled(name, 'words') || isOfHolder(name, sent)) return false;
  if (!Array.isArray(value)) return isObject(value) && sent.has(name) && !isCalled(name, 'aside');
  const [first] = value;
  // Javalin's complaints hold the arguments of their message (`args`) beside it.
  if (isObject(first)) return sent.has(name) || ('args' in first && ('message' in first || 'msg' in first));
  const texts = value.slice(0, mostEntries).filter(isText);
  return texts.some(
    (text) => isComplaint(text) || (text.includes(' ') && sent.has(name)) || complaintOfValue.test(text),
  );
}

/** A sentence that addresses the player is about no member. */
const addressesPlayer = /^(?:you|we|they|he|she|please)\b/i;
/** `"READ" is not a valid choice.`, `This field may not be blank.` of Django */
const complaintOfValue = /^(?:["“].{1,80}["”] is )?not a valid \w+|^may not be|^this (?:field|value) /i;

const jsonPointer = /^(?:#?\/|\$[.[]?)[\w$.[\]/~-]{0,80}$/;
const loneName = /^[A-Za-z_$][\w$.[\]-]{0,60}$/;
/** One-word rules which say that the target does not take a member. */
const unwantedRule = /^(?:unknown|unexpected|unrecogni[sz]ed|additional|extra|superfluous)$/i;

/**
 * Rewrites an entry with names of its own, `{"at": "/status", "says": "must be …"}`, as one with `field` and `message`.
 * The member's place is the text under a name for a place, a JSON Pointer, or the only name beside a sentence that
 * names no member. A code and a value that was sent are no places.
 */
function withFieldAndMessage(entry: JsonObject, sent: SentBody): JsonObject {
  const node = byLetters(entry);
  const isWorded =
    heldAs(node, 'words', 'mayWord').some(isText) || 'constraints' in node || 'keyword' in node;
  if (isWorded && heldAs(node, 'pointer', 'member').some(isText)) return entry;
  const all = entriesOf(entry, mostNodes).filter((each): each is [string, string] => isText(each[1]));
  const texts = all.slice(0, mostEntries).map(([name, text]) => [name, text.slice(0, mostWording)] as const);
  const isPlace = ([name, text]: readonly [string, string]) =>
    sent.has(text) || (!isCalled(name, 'aside', 'rule', 'words') && sent.holding(text) === undefined);
  const lone = texts.filter((each) => loneName.test(each[1]) && isPlace(each));
  const place =
    texts.find(
      (each) =>
        isCalled(each[0], 'entry', 'pointer', 'member') &&
        (loneName.test(each[1]) || jsonPointer.test(each[1])) &&
        isPlace(each),
    ) ??
    texts.find(([name, text]) => jsonPointer.test(text) && name !== 'instance') ??
    (lone.length === 1 && texts.some(([, text]) => text.includes(' ') && isComplaint(text))
      ? lone[0]
      : undefined);
  const said = texts.filter((each) => each !== place).map(([, text]) => text);
  if (place === undefined || said.length === 0) return entry;
  // A sentence that names its member needs no place: the name beside it may be a rule's.
  if (
    !jsonPointer.test(place[1]) &&
    !sent.has(place[1]) &&
    said.some((text) => findingsIn(text, sent).length > 0)
  )
    return entry;
  const besides = entriesOf(entry, mostNodes).filter(([, value]) => !isText(value));
  // `{"index": 3, "at": "/level"}`
  const element = [node.index, node.position, node.row].find((at) => Number.isSafeInteger(at));
  const below = segmentsOf(place[1]);
  const field =
    element === undefined || isIndex(below[0]) || isIndex(below[1])
      ? place[1]
      : [element, ...below].join('/');
  const message = said.map((text) => (unwantedRule.test(text) ? `${text} member` : text)).join('; ');
  return { ...Object.fromEntries(besides), field, message };
}

/** Members that an object lists by name: `{"missing": ["status"]}`. */
const inLists = (node: JsonObject, sent: SentBody): readonly Finding[] =>
  entriesOf(node, mostNodes).flatMap(([name, value]): readonly Finding[] => {
    if (!Array.isArray(value) || value.length > mostEntries) return [];
    const members = value.filter(isText).filter((text) => loneName.test(text));
    if (members.length < value.length) return [];
    const isKnown = members.some((member) => sent.has(member));
    // These names may list anything, such as `required` roles or `extra` information.
    if (/^(?:required|extra|unknown|unexpected)$/.test(letters(name)) && !isKnown) return [];
    const paths = members.map(segmentsOf);
    // A list of all required members also names those that were sent.
    if (isCalled(name, 'missing'))
      return paths
        .filter((_, at) => !sent.has(members[at] as string))
        .map((path) => ({ path, isMissing: true }));
    if (isCalled(name, 'unwanted')) return paths.map((path) => ({ path, isUnwanted: true }));
    return isCalled(name, 'wrong') ? paths.map((path) => ({ path })) : [];
  });

/** The finding of a sentence about one member, with the allowed values that the object lists as data. */
function withChoices(asWritten: JsonObject, sent: SentBody): readonly Finding[] {
  // `options` and `supported` may list what the caller can do next.
  const { options: _, supported: __, ...node } = byLetters(asWritten);
  const allowed = choicesBeside(node);
  if (allowed === undefined) return [];
  const found = heldAs(node, 'words', 'mayWord')
    .filter(isText)
    .flatMap((text) => findingsIn(text, sent));
  // A list of choices says nothing about a member that is missing.
  return found.length === 1 && !found[0]?.isMissing ? found.map((one) => ({ ...one, allowed })) : [];
}

/** Reads an object that names one member, or several keys of one object; `elsewhere` where they are not in the body. */
function entryIn(asWritten: JsonObject, sent: SentBody): readonly Finding[] | 'elsewhere' {
  const node = byLetters(asWritten);
  const path = placeIn(node, sent);
  if (path === 'elsewhere') return path;
  const keys = Array.isArray(node.keys) ? node.keys.filter(isText) : [];
  // hapi states in `source` which part of the request holds the keys.
  if (keys.length > 0 && isText(node.source)) {
    const said = isText(node.message) ? findingsIn(node.message, sent) : [];
    return said.length > 0 ? said : keys.map((key) => ({ path: segmentsOf(key) }));
  }
  if (keys.length > 0)
    return keys.map((key) => ({ path: [...(path ?? []), key], isUnwanted: true as const }));
  // ajv states the path of an object, and in `params` which of its members it means.
  const params = objectIn(node.params);
  const isMissing = isText(params.missingproperty);
  const inside = [params.missingproperty, params.additionalproperty].find(isText);
  const member = inside === undefined ? path : [...(path ?? []), inside];
  if (member === undefined || member.length === 0) return [];
  const worded = [
    node.expected,
    params.type,
    ...heldAs(node, 'words', 'mayWord'),
    ...Object.values(objectIn(node.constraints)),
    node.type,
  ].filter(isText);
  const lacking = inside === undefined ? lackingIn(member, worded, sent) : [];
  if (lacking.length > 0) return lacking;
  const rules = [...heldAs(node, 'rule').filter(isText), ...worded];
  if (isText(params.additionalproperty) || rules.some(isUnwantedIn))
    return [{ path: member, isUnwanted: true }];
  const allowed = choicesBeside(node);
  return [
    {
      path: member,
      ...typesIn(worded.join('; ')),
      ...(allowed ? { allowed } : allowedIn([objectIn(node.ctx).expected, ...worded].filter(isText))),
      ...((isMissing || rules.some(isMissingIn)) && { isMissing: true }),
    },
  ];
}

/** The allowed values that an object lists as data, beside its texts. */
function choicesBeside(node: Lettered): readonly (string | number | boolean)[] | undefined {
  const holders = [node, ...heldAs(node, 'more').map(objectIn)];
  const { anyof } = objectIn(node.schema);
  const consts = Array.isArray(anyof) ? anyof.slice(0, mostNodes).map((each) => objectIn(each).const) : [];
  const list = [...holders.flatMap((holder) => heldAs(holder, 'values')), consts].find(Array.isArray);
  const scalars = list?.filter(isScalar) ?? [];
  return scalars.length > 0 ? scalars : undefined;
}

const byLetters = (node: JsonObject): Lettered =>
  Object.fromEntries(entriesOf(node, mostNodes).map(([name, value]) => [letters(name), value]));

const objectIn = (value: unknown): Lettered => (isObject(value) ? byLetters(value) : {});

/** The path that an entry names; `elsewhere` where it is not in the body, undefined where the entry names none. */
function placeIn(node: Lettered, sent: SentBody): readonly string[] | 'elsewhere' | undefined {
  const { source, loc, path, key } = node;
  const location = [...heldAs(node, 'location'), objectIn(node.validation).source].find(isText);
  if (location !== undefined && sent.isElsewhere(location)) return 'elsewhere';
  if (Array.isArray(loc)) {
    const [first, ...rest] = loc.map(String);
    if (first === undefined) return undefined;
    if (sent.isElsewhere(first)) return 'elsewhere';
    return first === 'body' || isOtherPart(first) ? rest : [first, ...rest];
  }
  const isTold =
    heldAs(node, 'words', 'mayWord').some(isText) ||
    'keyword' in node ||
    isObject(node.constraints) ||
    (isText(node.field ?? node.param ?? node.property ?? node.pointer) && heldAs(node, 'rule').some(isText));
  if (!isTold) return undefined;
  // Valibot's path is a list of objects with a `key` each.
  if (Array.isArray(path))
    return path
      .map((part) => (isObject(part) ? part.key : part))
      .filter(isScalar)
      .map(String);
  const { parameter } = objectIn(source);
  if (isText(parameter)) return sent.isElsewhere('query') ? 'elsewhere' : [parameter];
  const stated = [...heldAs(node, 'pointer'), objectIn(source).pointer].find(
    (each) => typeof each === 'string',
  );
  if (stated !== undefined) return segmentsOf(stated.replace(/^#?(?:\/data\/attributes(?=\/))?/, ''));
  const isOfBody = isText(key) && (location === 'body' || sent.has(key));
  const named = [...heldAs(node, 'member'), isOfBody ? key : undefined].find(isText);
  if (named === undefined || !/^[\w$.[\]/-]{1,80}$/.test(named)) return undefined;
  // A `name` such as `TypeError`, or beside a status, is the class of the error.
  const hasStatus = [node.status, node.statuscode].some(Number.isInteger);
  const isClass = named === node.name && hasStatus && !sent.has(named);
  if (isClass || /.(?:Error|Exception)$/.test(named)) return undefined;
  // A longer path from the root is that of the request itself, not of a member.
  return named.startsWith('/') && named.split('/').length > 3 ? undefined : segmentsOf(named);
}
