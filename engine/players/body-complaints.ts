// Reads which members of a body a refusal names, in the format of any framework.
import { type Exchange, json } from '../http/exchange.ts';
import type { Json } from '../target/profile-validation.ts';
import { entriesOf, isObject, keysIn, type Leaf, leavesOf, parsedJson } from '../values/json-walk.ts';
import { allowedIn, oneOf, type Type, typesIn } from './worded-types.ts';

/** The complaint of a refusal about one member. */
export interface Complaint {
  /** Names from the root of the body; of an element of a list, its index. */
  readonly path: readonly string[];
  readonly type?: Type;
  /** Of the elements of a list. */
  readonly of?: Type;
  /** The values that it takes. */
  readonly allowed?: readonly Json[];
  /** The target takes no such member. */
  readonly isUnwanted?: true;
}

const mostText = 2_000;
const mostNodes = 200;
const mostComplaints = 12;

/**
 * The members that a refusal names, each once; none where it is a page or names none. A refusal that quotes a value alone
 * means the member that was sent with it.
 */
export function complaintsIn({
  request,
  response,
}: Pick<Exchange, 'request' | 'response'>): readonly Complaint[] {
  if (response === undefined) return [];
  const parsed = json(response);
  const text = () => new TextDecoder().decode(response.body.subarray(0, mostText));
  const named = parsed.ok ? structured(parsed.value) : /^\s*</.test(text()) ? [] : sentences(text());
  const found = named.flatMap((each) => {
    const { quoted: _, word: __, ...complaint } = each;
    if (complaint.path.length > 0) return [complaint];
    return pathsOf(each, request.body).map((path) => ({ ...complaint, path }));
  });
  const byPath = Map.groupBy(found, ({ path }) => path.join('/'));
  // Of several complaints about one member, the most detailed one counts.
  const most = [...byPath.values()].map(
    (same) => same.toSorted((a, b) => Object.keys(b).length - Object.keys(a).length)[0] as Complaint,
  );
  return most.slice(0, mostComplaints);
}

/** A complaint about a value that the refusal quotes, or about a word that may name a member, as long as that is not known. */
interface Quoting extends Complaint {
  readonly quoted?: string;
  readonly word?: string;
}

/** The path of the one member that was sent with this value, or under this name. */
function pathsOf({ quoted, word }: Quoting, body: unknown): readonly (readonly string[])[] {
  const isMeant = ({ name, value }: Leaf) =>
    word === undefined ? quoted !== undefined && String(value) === quoted : name === word;
  const sent = typeof body === 'string' ? leavesOf(parsedJson(body)) : [];
  const [one, ...others] = sent.filter(isMeant);
  return one === undefined || others.length > 0 ? [] : [keysIn(one.pointer)];
}

type Node = Readonly<Record<string, unknown>>;

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

/** ajv, zod, pydantic, Spring, ASP.NET, Laravel, Rails, express-validator, class-validator, RFC 9457, JSON:API. */
function structured(root: unknown): Quoting[] {
  const found: Quoting[] = [];
  const open: unknown[] = [root];
  for (let at = 0; at < Math.min(open.length, mostNodes); at += 1) {
    const node = open[at];
    if (isText(node)) found.push(...sentences(node));
    else if (Array.isArray(node)) open.push(...node.slice(0, mostNodes));
    else if (isObject(node)) {
      const own = complaintsOf(node);
      found.push(...own);
      // An object that names a member is not searched for further ones.
      if (own.length === 0) for (const [, value] of entriesOf(node, mostNodes)) open.push(value);
    }
  }
  return found;
}

/** Complaints in one object: it names one member, or maps members to what is wrong with each. */
function complaintsOf(asWritten: Node): Complaint[] {
  const node = inCamelCase(asWritten);
  const path = placeIn(node);
  const params = isObject(node.params) ? node.params : {};
  const keys = [node.keys, params.keys].find(Array.isArray)?.filter(isText) ?? [];
  if (path === 'elsewhere') return [];
  if (keys.length > 0)
    return keys.map((key) => ({ path: [...(path ?? []), key], isUnwanted: true as const }));
  const inside = [params.missingProperty, params.additionalProperty].find(isText);
  const member = inside === undefined ? path : [...(path ?? []), inside];
  if (member === undefined || member.length === 0) return mapOf(asWritten);
  const context = isObject(node.ctx) ? node.ctx : {};
  const constraints = isObject(node.constraints) ? Object.values(node.constraints) : [];
  const worded = [
    node.expected,
    params.type,
    ...whyNames.map((name) => node[name]),
    ...constraints,
    node.type,
  ].filter(isText);
  const rules = [...ruleNames.map((name) => node[name]), ...worded].filter(isText);
  const lacking = inside === undefined ? lackingIn(member, worded) : [];
  if (lacking.length > 0) return lacking;
  if (isText(params.additionalProperty) || rules.some((rule) => isUnwantedText.test(rule)))
    return [{ path: member, isUnwanted: true }];
  const allowed = [node.options, node.values, node.allowed, params.allowedValues, node.enum].find(
    Array.isArray,
  );
  return [
    {
      path: member,
      ...typesIn(worded.join('; ')),
      ...(allowed
        ? { allowed: allowed.filter(isScalar) }
        : allowedIn([context.expected, ...worded].filter(isText))),
    },
  ];
}

/** Where a refusal points at an element of a list, the members of that element that its words name. */
function lackingIn(element: readonly string[], texts: readonly string[]): Complaint[] {
  if (!isIndex(element.at(-1))) return [];
  return texts.flatMap(sentences).flatMap((complaint): Complaint[] => {
    const { path } = complaint;
    // The words may name the element once more, or its list alone.
    const says = path.findLastIndex(isIndex) + 1;
    const below = path.slice(says);
    const isList = says === 0 && below.length === 1 && element.includes(below[0] as string);
    return below.length === 0 || isList ? [] : [{ ...complaint, path: [...element, ...below] }];
  });
}

/** Whether a part of a path is a place in a list. */
export const isIndex = (part: string | undefined): boolean => part !== undefined && /^\d+$/.test(part);

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

export const isScalar = (value: unknown): value is string | number | boolean =>
  ['string', 'number', 'boolean'].includes(typeof value);

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
function placeIn(node: Node): readonly string[] | 'elsewhere' | undefined {
  const { source, loc, path } = node;
  const location = node.location ?? node.in;
  if (isText(location) && /^(?:quer|param|header|cookie|path)/i.test(location)) return 'elsewhere';
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
  if (Array.isArray(path)) return path.map(String);
  const pointer = [
    node.instancePath,
    node.pointer,
    node.dataPath,
    isObject(source) ? source.pointer : undefined,
  ];
  const stated = pointer.find((each) => typeof each === 'string');
  if (stated !== undefined) return segmentsOf(stated.replace(/^#|^\/data\/attributes(?=\/)/g, ''));
  const named = [node.field, node.param, node.property, node.fieldName, path, node.name, node.target].find(
    isText,
  );
  if (named === undefined || !/^[\w$.[\]/-]{1,80}$/.test(named)) return undefined;
  // The path of the request itself is no member.
  return named.startsWith('/') && named.split('/').length > 3 ? undefined : segmentsOf(named);
}

const segmentsOf = (place: string): string[] =>
  place
    .split(/[/.[\]]+/)
    .filter((part) => part !== '' && part !== '$' && part !== 'body')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));

const envelope =
  /^(?:messages?|msg|errors?|details?|issues|violations|code|status|statuscode|title|type|instance|trace_?id|request_?id|timestamp|path|success|ok)$/i;

/** Names under which an envelope words its complaint; a member may have them too. */
const wordsIt = /^(?:text|reason|description|explanation|summary|hint|fault|problem)$/i;

/**
 * Whether an object is an envelope, and no map of members: it holds a list of complaints, or words one about a member
 * that it does not hold.
 */
const isEnvelope = (node: Node): boolean =>
  entriesOf(node, mostNodes).some(([name, value]) => {
    if (Array.isArray(value)) return value.slice(0, mostComplaints).some(namesMember);
    if (!wordsIt.test(name) || !isText(value)) return false;
    return sentences(value).some(({ path: [first] }) => first !== undefined && !Object.hasOwn(node, first));
  });

const namesMember = (entry: unknown): boolean => isObject(entry) && placeIn(inCamelCase(entry)) !== undefined;

/** `{"name": ["is required"]}`, as a map of members is worded. */
function mapOf(node: Node): Complaint[] {
  if (isEnvelope(node)) return [];
  return entriesOf(node, mostNodes).flatMap(([name, value]) => {
    const texts = [value].flat().filter(isText);
    if (envelope.test(name) || texts.length === 0 || !/^[\w$.[\]-]{1,60}$/.test(name)) return [];
    if (!texts.some((text) => isComplaint.test(text))) return [];
    const wording = texts.join('; ');
    const lacking = lackingIn(segmentsOf(name), texts);
    if (lacking.length > 0) return lacking;
    return [{ path: segmentsOf(name), ...typesIn(wording), ...allowedIn(texts), ...unwantedIn(wording) }];
  });
}

const isComplaint =
  /missing|requir|lacks|must|ha(?:s|ve) to|should|expect|invalid|\b(?:bad|illegal|malformed|wrong)\b|not (?:be )?(?:null|blank|empty|provided|given|present|allowed)|can(?:no|')t be|needs?\b|unknown|unrecogni|one of|failed on|unmarshal|parsing failed|\bis no\b|has no\b|\bis [\w'", ]+ or /i;
const isUnwantedText =
  /(?:unknown|unrecogni[sz]ed|unexpected|additional|extra)[ _-]?(?:field|member|property|properties|key|input|parameter)s?|extra_forbidden|whitelist|should not exist|is not (?:allowed|permitted)\b(?! to)/i;
const unwantedIn = (text: string) => (isUnwantedText.test(text) ? { isUnwanted: true as const } : {});

const quotedName = /["'`‘“«]([A-Za-z_$][\w$.[\]-]{0,60})["'`’”»]/g;
const subject =
  /^\W*(?:(?:the|field|member|property|parameter|attribute|key|value of|body|request)[ .]+)*([A-Za-z_$][\w$]*(?:\.[\w$]+|\[\d*\])*) (?:(?:field|member|property|parameter|attribute|key|value) )?(?:is|are|must|has|have|should|needs?|cannot|can't|may|was|required)\b/i;
const named =
  /\b(?:missing|requires?|required|needs?|lacks?)(?:[ :]+(?:an?|the|value|for|required|mandatory|fields?|members?|property|properties|parameters?|keys?|attributes?|body|json|request|in|is|are|of))*[ :]+["'`]?([A-Za-z_$][\w$]*["'`]?(?:(?:, and |, | and )["'`]?[A-Za-z_$][\w$]*["'`]?)*)/i;
/** `bad field: side`; `invalid side`, where a member of that name was sent. */
const wrongMember =
  /\b(?:bad|invalid|illegal|malformed|wrong) (?:values? )?(?:(?:for|of|in) )?(?:the )?(?:(field|member|property|parameter|attribute|key|value)s?(?: (?:for|of|in))?[ :]+)?["'`]?([A-Za-z_$][\w$.]*)["'`]?\s*$/i;
/** `has no text under name` */
const under = /\bno (\w+) (?:under|at|in|for|called|named) ["'`]?([A-Za-z_$][\w$]*)["'`]?\s*(?:\(|$)/i;
const goField = /Field validation for '(\w+)' failed on the '(\w+)' tag/;
const goType = /Go struct field (?:\w+\.)*(\w+) of type (\S+)/;
/** `property value should not exist` and `logs.0.property note should not exist`, as class-validator words it. */
const unwantedBelow =
  /^\W*(?:([A-Za-z_$][\w$]*(?:\.[\w$]+)*)\.)?property ([A-Za-z_$][\w$]*) should not exist/;
/** They stand where a name does, and name no member. */
const noName = new Set(
  'the a an body request json object value values it this that there input field fields error validation bad invalid parameter member property must string number list you content type unexpected syntax token key one all each at least json_body and or to data_body element elements missing required requires is'.split(
    ' ',
  ),
);
const isName = (text: string) => !noName.has(text.toLowerCase());

/** Finds complaints in plain sentences. */
function sentences(text: string): Quoting[] {
  return text
    .slice(0, mostText)
    .split(/[;\n]+|\.\s+|,\s+(?=["'`]?[\w$.]+["'`]? (?:is|must|has|should)\b)/)
    .filter((sentence) => isComplaint.test(sentence))
    .flatMap(complaintsInSentence);
}

/** `privacyState: unknown variant `x`, expected `a` or `b``, as serde words it; the path may be missing. */
const serde =
  /(?:^|: )(?:([A-Za-z_$][\w$]*(?:\.[\w$]+|\[\d+\])*): )?(missing field|unknown field|unknown variant|invalid (?:type|value|length)|UUID parsing failed)\b:?(.*)$/;
const inBackticks = /`([^`]{1,80})`/g;

function serdeComplaint(sentence: string): Quoting | undefined {
  const [, place = '', kind = '', said = ''] = serde.exec(sentence) ?? [];
  const path = segmentsOf(place);
  const [first, ...choices] = [...said.matchAll(inBackticks)].map(([, name = '']) => name);
  switch (kind) {
    case 'missing field':
      return first === undefined ? undefined : { path: [...path, first] };
    case 'unknown field':
      return first === undefined ? undefined : { path: [...path, first], isUnwanted: true };
    case 'unknown variant':
      return { path, quoted: first ?? '', allowed: choices };
    case 'UUID parsing failed':
      return { path, type: 'string' };
    case '':
      return undefined;
    default: {
      // `invalid type: string "x", expected i64 at line 1 column 9`
      const [is = '', expected = ''] = said.split(/, expected (?:an? )?/);
      const quoted = /^ (?:string "(.*)"|\w+(?: \w+)? `(.*)`)$/.exec(is);
      return { path, ...(quoted && { quoted: quoted[1] ?? quoted[2] ?? '' }), ...typesIn(expected) };
    }
  }
}

function complaintsInSentence(sentence: string): Quoting[] {
  const bySerde = serdeComplaint(sentence);
  if (bySerde) return [bySerde];
  const go = goField.exec(sentence) ?? goType.exec(sentence);
  // Go's names are matched in any case.
  if (go) {
    const name = `${go[1]?.[0]?.toLowerCase()}${go[1]?.slice(1)}`;
    return [{ path: [name], ...typesIn(go[2] ?? '') }];
  }
  const [, holder, unwanted] = unwantedBelow.exec(sentence) ?? [];
  if (unwanted) return [{ path: [...segmentsOf(holder ?? ''), unwanted], isUnwanted: true }];
  const lacking = under.exec(sentence);
  if (lacking?.[2] && isName(lacking[2])) return [{ path: [lacking[2]], ...typesIn(lacking[1] ?? '') }];
  const [place = '', element = ''] = placeBefore.exec(sentence) ?? [];
  const inElement = lackingIn(segmentsOf(element), [sentence.slice(place.length)]);
  if (inElement.length > 0) return inElement;
  const { index } = oneOf.exec(sentence) ?? { index: sentence.length };
  const head = sentence.slice(0, index);
  const quoted = [...head.matchAll(quotedName)].map(([, name = '']) => name);
  const lone = subject.exec(sentence)?.[1];
  const listed = named.exec(head)?.[1]?.split(/, and |, | and /) ?? [];
  const [names = []] = [quoted, lone === undefined ? [] : [lone], listed]
    .map((each) => each.map((name) => name.replaceAll(/["'`]/g, '')).filter(isName))
    .filter((each) => each.length > 0);
  if (names.length === 0) {
    const [, field, word] = wrongMember.exec(sentence) ?? [];
    if (word && isName(word)) return [field ? { path: segmentsOf(word) } : { path: [], word }];
  }
  const [first = ''] = names;
  const wording = sentence.slice(sentence.indexOf(first) + first.length);
  return names.map((name) => ({
    path: segmentsOf(name),
    ...typesIn(wording),
    ...allowedIn([wording]),
    ...unwantedIn(sentence),
  }));
}

/** The place of an element of a list, before what it lacks. */
const placeBefore =
  /^\W{0,4}([A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*(?:\[\d+\]|[./]\d+))["'`]?(?:\s*[:—-]\s+|\s+(?=lacks?\b|(?:is )?missing\b|[A-Za-z_$][\w$]* (?:is|must|has to|should)\b))/;
