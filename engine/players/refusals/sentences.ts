// Reads from plain sentences which members of a body they complain about, as frameworks and people word them.
import { type Finding, isIndex, segmentsOf } from './complaint.ts';
import { allowedIn, demandsIn, isMissingIn, isTypeWord, isUnwantedIn, oneOf, typesIn } from './demands.ts';
import { libraryFindings } from './frameworks.ts';
import type { SentBody } from './sent-body.ts';

const mostText = 2_000;

/** Whether a text complains about something, be it a member or anything else. */
export const isComplaint = (text: string): boolean => complains.test(text.slice(0, mostText));

const complains =
  /missing|requir|lacks|must|ha(?:s|ve) to|should|expect|invalid|\b(?:bad|illegal|malformed|wrong)\b|not (?:be )?(?:null|blank|empty|provided|given|present|allowed)|can(?:no|')t be|needs?\b|unknown|unrecogni|one of|failed on|unmarshal|parsing failed|\bis no\b|has no\b|\bis [\w'", ]{1,80} or /i;

const quotedName = /["'`‘“«]([A-Za-z_$][\w$.[\]-]{0,60})["'`’”»]/g;
const subject =
  /^\W*(?:(?:the|field|member|property|parameter|attribute|key|value of|body|request)[ .]+)*([A-Za-z_$][\w$]*(?:\.[\w$]+|\[\d*\])*) (?:(?:field|member|property|parameter|attribute|key|value) )?(?:is|are|must|has|have|should|needs?|cannot|can't|may|was|required)\b/i;
const named =
  /\b(?:missing|requires?|required|needs?|lacks?)(?:[ :]+(?:an?|the|value|for|required|mandatory|fields?|members?|property|properties|parameters?|keys?|attributes?|body|json|request|in|is|are|of))*[ :]+["'`]?([A-Za-z_$][\w$]*["'`]?(?:(?:, and |, | and )["'`]?[A-Za-z_$][\w$]*["'`]?)*)/i;
/** `bad field: side` */
const wrongField =
  /\b(?:bad|invalid|illegal|malformed|wrong) (?:values? )?(?:(?:for|of|in) )?(?:the )?(?:field|member|property|parameter|attribute|key|value)s?(?: (?:for|of|in))?[ :]+["'`]?([A-Za-z_$][\w$.]*)["'`]?\s*$/i;
/** `has no text under name` */
const under = /\bno (\w+) (?:under|at|in|for|called|named) ["'`]?([A-Za-z_$][\w$]*)["'`]?\s*(?:\(|$)/i;
/** `property value should not exist` and `logs.0.property note should not exist`, as class-validator words it. */
const unwantedBelow =
  /^\W*(?:([A-Za-z_$][\w$]*(?:\.[\w$]+)*)\.)?property ([A-Za-z_$][\w$]*) should not exist/;
/** `no status given`, `status not provided`, `please provide a status` */
const absent = [
  /^no (?:valid )?([A-Za-z_$][\w$.]{0,60}) (?:was |were |is )?(?:given|provided|supplied|specified)$/i,
  /^(?:the )?([A-Za-z_$][\w$.]{0,60}) (?:was |were |is )?not (?:given|provided|supplied|specified)$/i,
  /^(?:the )?(?:request )?(?:body|payload|json)(?: body)? (?:must|should) (?:contain|include|have) (?:(?:an?|the) )?(?:(?:field|key|property) )?([A-Za-z_$][\w$.]{0,60})$/i,
  /^(?:please )?(?:provide|supply|specify|include) (?:(?:an?|the) )?(?:valid )?([A-Za-z_$][\w$.]{0,60})$/i,
];
/** `give at least one of enabled, volume`, `body must contain status and mark` */
const absentOf =
  /^(?:(?:please )?(?:give|provide|supply|specify|send|include|pass)(?: at least)? (?:one of|any of|either)|(?:the )?(?:request )?(?:body|payload|json)(?: body)? (?:must|should) (?:contain|include|have)) ((?:["'`]?[A-Za-z_$][\w$.]{0,60}["'`]?(?:, (?:and |or )?| and | or )){1,9}["'`]?[A-Za-z_$][\w$.]{0,60}["'`]?)$/i;
/** These words name a member only if one of that name was sent: `invalid side`, `unknown status "READ"`. */
const wrongMember = [
  /\b(?:bad|invalid|illegal|malformed|wrong|unknown|unsupported|unrecogni[sz]ed|incorrect|disallowed) (?:values? )?(?:(?:for|of|in) )?(?:the )?["'`]?([A-Za-z_$][\w$.]{0,60})["'`]?(?: value)?\s?(?=[:,("'`]|$|must |should |expected )/i,
  /^(?:the )?["'`]?([A-Za-z_$][\w$.]{0,60})["'`]?(?: value)?(?: ["'`]?[\w.-]{1,60}["'`]?)? (?:is |was )?(?:not |isn't )(?:an? )?(?:valid|supported|recogni[sz]ed|acceptable|permitted|included|one of)\b/i,
  /\b(?:allowed|valid|accepted|possible|supported) values? (?:for|of) ["'`]?([A-Za-z_$][\w$.]{0,60})["'`]?/i,
  /\bexpected ["'`]?([A-Za-z_$][\w$.]{0,60})["'`]? (?:in|as|to be)\b/i,
];
/** The full messages of ActiveModel: `Message ids can't be blank`. */
const fullMessage =
  /^([A-Z][\w.]{0,40}(?: [a-z\d]{1,40}){0,3}) (?:can't be (?:blank|empty)|must be (?:blank|filled)|is not included in the list|is not a number|is too (?:short|long) \(|is the wrong length|must exist)/;
/** `status: required`, `body.status: must not be null` */
const beforeColon =
  /^["'`]?([A-Za-z_$][\w$]{0,60}(?:\.[\w$]{1,60}|\[\d{1,6}\]){0,8})["'`]?: ?(?=(?:is|are|must|should|has|cannot|can't|may|this (?:field|value)|value|field|required|missing|invalid|not|non|unknown|expected|too|one of)\b)(.*)$/i;
/** Names of types that are common names of members, too. */
const namesMoment = /^(?:date|datetime|timestamp)$/i;
/** Complaints without a subject: the name before the colon is the subject. */
const standsAlone =
  /^(?:(?:is |field )?(?:required|missing)$|(?:must|should) (?:not )?be\b|(?:cannot|can't|may not) be (?:blank|null|empty)|this (?:field|value)\b|value (?:is|must)\b|non zero value required)/i;
/** Error codes that stand where a name does: `forbidden: must be the leader`. */
const errorCode =
  /^(?:unauthori[sz]ed|unauthenticated|forbidden|unprocessable\w*|invalid\w*|bad\w*|failed|conflict|denied|not_?found|validation|access|permission|auth\w*)$/i;
/** `body/status must be …`, `request/body/loadout must have required property 'perks'`, `instance.status is …` */
const atRoot =
  /^["'`]?(?:request[./])?(body|data|instance|payload|input|querystring|query|params|headers)((?:[./][\w$-]{1,60}|\[\d{1,6}\]){0,8})["'`]? (?=(?:is|are|must|should|has|have|requires|does|contains)\b)(.*)$/i;
/** What stands before a complaint and is no part of it: `Validation failed: `, `TypeError: `. */
const label =
  /^(?:error|bad ?request|(?:validation|request|body|parse|binding) (?:error|failed|failure)|invalid (?:request|input|body|payload|parameters?|arguments?|json)(?: body| payload)?|[\w.]{0,80}(?:Error|Exception)|\(root\)|rpc error: code = \w{1,40} desc =):? (?=\S)/i;
/** Words that stand where a name does, and name no member. */
const noName = new Set(
  'the a an body request json object value values it this that there input field fields error validation bad invalid parameter member property must string number list you content type unexpected syntax token key one all each at least json_body and or to data_body element elements missing required requires is null undefined nan credentials authentication authorization'.split(
    ' ',
  ),
);
/** Names of classes: `com.game.MarkRequest`, `java.lang.Long`. */
const className = /^(?:com|io|jakarta|java|javax|kotlin|net|org|System)\.[\w.$]{1,200}$/;
const isName = (text: string) => !noName.has(text.toLowerCase()) && !className.test(text);

/** Finds complaints in a text of one or more sentences; reads its first 2,000 characters. */
export function findingsIn(text: string, sent: SentBody): readonly Finding[] {
  const start = text.slice(0, mostText);
  return (
    libraryFindings(start) ??
    start
      .split(/[;\n]+|\.\s+|,\s+(?=["'`]?[\w$./]+["'`]? (?:is|must|has|should|can't|cannot)\b)/)
      .map((sentence) => withoutLabel(sentence.trim()))
      .flatMap((sentence) => inSentence(sentence, sent))
  );
}

function withoutLabel(sentence: string): string {
  const bare = sentence.replace(label, '');
  // A label may stand before another one.
  return bare.replace(label, '');
}

function inSentence(sentence: string, sent: SentBody): readonly Finding[] {
  // ActiveModel writes the name of a member as a title.
  const title = fullMessage.exec(sentence)?.[1];
  if (title && isName(title))
    return [{ path: [snakeCase(title)], word: title, ...demandsIn([sentence.slice(title.length)]) }];
  const certain = isComplaint(sentence) ? ofCertainMember(sentence, sent) : [];
  return certain.length > 0 ? certain : ofMissingOrSentMember(sentence, sent);
}

/** Reads a complaint that names its member, whether or not the member was sent. */
function ofCertainMember(sentence: string, sent: SentBody): readonly Finding[] {
  const [, holder, unwanted] = unwantedBelow.exec(sentence) ?? [];
  if (unwanted) return [{ path: [...segmentsOf(holder ?? ''), unwanted], isUnwanted: true }];
  const lacking = under.exec(sentence);
  if (lacking?.[2] && isName(lacking[2])) return [{ path: [lacking[2]], ...typesIn(lacking[1] ?? '') }];
  const [place = '', element = ''] = placeBefore.exec(sentence) ?? [];
  const inElement = lackingIn(segmentsOf(element), [sentence.slice(place.length)], sent);
  if (inElement.length > 0) return inElement;
  const [, root = '', below = '', rest = ''] = atRoot.exec(sentence) ?? [];
  if (root !== '' && below !== '' && !sent.has(root))
    return sent.isElsewhere(root) ? [] : belowRoot(segmentsOf(below), rest);
  const [, front = '', said = ''] = beforeColon.exec(sentence) ?? [];
  const isFront =
    front.includes('.') || (standsAlone.test(said) && !errorCode.test(front)) || sent.has(front);
  if (isFront && isName(front) && (!isTypeWord(front) || namesMoment.test(front)) && !front.endsWith(']'))
    return [{ path: segmentsOf(front), ...demandsIn([said]) }];
  return byQuoteOrSubject(sentence, sent);
}

function belowRoot(path: readonly string[], rest: string): readonly Finding[] {
  const member = /\b(?:required property|requires property|property) ["'`]([^"'`]{1,80})["'`]/.exec(
    rest,
  )?.[1];
  if (member === undefined && isUnwantedIn(rest)) return [];
  return [{ path: [...path, ...(member ? [member] : [])], ...demandsIn([rest]) }];
}

/** Finds the members that a complaint names: in quotes, before the verb, or after `missing`. */
function byQuoteOrSubject(sentence: string, sent: SentBody): readonly Finding[] {
  const { allowed } = allowedIn([sentence]);
  const { index } = oneOf.exec(sentence) ?? { index: sentence.length };
  const head = sentence.slice(0, index);
  const quotes = [...head.matchAll(quotedName)];
  const quoted = quotes.map(([, name = '']) => name);
  const received = quotes
    .filter((each) => isBeforeReceived.test(head.slice(0, each.index)))
    .map(([, name]) => name);
  const isValue = (name: string) =>
    !sent.has(name) &&
    (sent.holding(name) !== undefined ||
      isTypeWord(name) ||
      allowed?.includes(name) ||
      received.includes(name));
  // `status (string) is required`
  const lone = (subject.exec(sentence) ?? subject.exec(sentence.replace(/ \([^()]{1,200}\) /, ' ')))?.[1];
  const listed = named.exec(head)?.[1]?.split(/, and |, | and /) ?? [];
  const [names = []] = [quoted.filter((name) => !isValue(name)), lone === undefined ? [] : [lone], listed]
    .map((each) =>
      each.map((name) => name.replaceAll(/["'`]/g, '')).filter((name) => isName(name) || sent.has(name)),
    )
    .filter((each) => each.length > 0);
  const field = wrongField.exec(sentence)?.[1];
  if (names.length === 0 && field && isName(field)) return [{ path: segmentsOf(field) }];
  const [first = ''] = names;
  const wording = sentence.slice(sentence.indexOf(first) + first.length);
  const isMissing = isMissingIn(sentence);
  const found = names.map(
    (name): Finding => ({
      path: segmentsOf(name),
      ...typesIn(wording),
      ...allowedIn([wording]),
      ...(isUnwantedIn(sentence) && { isUnwanted: true }),
      ...(isMissing && { isMissing }),
    }),
  );
  if (found.length > 0) return found;
  const value = quoted.find((name) => sent.holding(name) !== undefined);
  const known = { ...typesIn(sentence), ...(allowed && { allowed }) };
  // A quoted value may be a state of another player; one with a type or with allowed values is not.
  return value !== undefined && Object.keys(known).length > 0 ? [{ path: [], quoted: value, ...known }] : [];
}

const isBeforeReceived = /\b(?:received|got|was|actual) $/i;

const snakeCase = (title: string) => title.toLowerCase().replaceAll(' ', '_');

/** Reads a sentence which says as a whole that a member is missing, or which names a member only if that was sent. */
function ofMissingOrSentMember(sentence: string, sent: SentBody): readonly Finding[] {
  const plain = sentence.replace(/[.!\s]{1,9}$/, '');
  const missing = absent.map((pattern) => pattern.exec(plain)?.[1]).find((name) => name && isName(name));
  if (missing) return [{ path: segmentsOf(missing), isMissing: true }];
  const several = absentOf.exec(plain)?.[1]?.match(/[A-Za-z_$][\w$.]*/g) ?? [];
  // Words in capitals are values. Of alternatives one is enough, and two may contradict each other.
  const names = several.filter((name) => isName(name) && /[a-z]/.test(name));
  const meant =
    /\b(?:one of|any of|either)\b/i.test(plain) && !/\bat least\b/i.test(plain) ? 1 : names.length;
  if (names.length > 0)
    return names.slice(0, meant).map((name) => ({ path: segmentsOf(name), isMissing: true }));
  for (const pattern of wrongMember) {
    const word = pattern.exec(plain)?.[1];
    if (word && isName(word) && sent.called(word)) return [{ path: [], word, ...demandsIn([plain]) }];
  }
  return [];
}

/** The members of a list's element that texts name, where a refusal points at that element; none for other paths. */
export function lackingIn(element: readonly string[], texts: readonly string[], sent: SentBody): Finding[] {
  if (!isIndex(element.at(-1))) return [];
  return texts
    .flatMap((text) => findingsIn(text, sent))
    .flatMap((finding): Finding[] => {
      const { path } = finding;
      // The words may name the element once more, or its list alone.
      const says = path.findLastIndex(isIndex) + 1;
      const below = path.slice(says);
      const isList = says === 0 && below.length === 1 && element.includes(below[0] as string);
      return below.length === 0 || isList ? [] : [{ ...finding, path: [...element, ...below] }];
    });
}

/** The place of a list's element at the start of a sentence, before the words for what it lacks. */
const placeBefore =
  /^\W{0,4}([A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*(?:\[\d+\]|[./]\d+))["'`]?(?:\s*[:—-]\s+|\s+(?=lacks?\b|(?:is )?missing\b|[A-Za-z_$][\w$]* (?:is|must|has to|should)\b))/;
