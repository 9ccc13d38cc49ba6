// Reads what words demand of a member: its type, one of some values, or that it is there or is not.

import type { MemberType } from '../../target/target.ts';
import type { Demands } from './complaint.ts';

const types: Readonly<Record<MemberType, RegExp>> = {
  list: /\b(?:array|(?<!\b(?:in|in the|enum|value) )(?:list|sets?)|sequence|slice|vec)\b|\[\]/i,
  object: /\b(?:objects?(?! (?:does|with|not)\b)|map|dict(?:ionary)?|record|struct|hash|mapping)\b/i,
  integer:
    /\b(?:integers?|int(?:32|64|eger)?|(?<!\btoo )long(?! enough)|whole number|(?:unix|epoch)(?:[ -](?:time(?:stamp)?|epoch|seconds))?|seconds since|[iu](?:8|16|32|64|128|size))\b/i,
  number: /\b(?:numbers?|numeric|float(?:32|64)?|f32|f64|double|decimal)\b/i,
  boolean: /\bbool(?:ean)?\b|\btrue or false\b/i,
  date: /\b(?:date(?:-?time)?|iso.?8601|timestamp|rfc.?3339)\b/i,
  string: /\b(?:strings?|texts?|str|characters?|quotation mark|uuid|guid)\b/i,
};

type Typed = Pick<Demands, 'type' | 'of'>;

const contrasted = /\b(?:received|got|but|found|given|actual|instead|not)\b/i;

/** The type that a text names first, and where it is a list, the type of its elements. */
export function typesIn(text: string): Typed {
  const [wanted = ''] = text.split(contrasted).filter((part) => typeAt(part) !== undefined);
  const first = typeAt(wanted);
  if (first === undefined) return isCompared.test(text) && !isLength.test(text) ? { type: 'number' } : {};
  if (first.type !== 'list') return { type: first.type };
  // An array of strings, a list of at most 1000 objects.
  const element = typeAt(/^[^;]*?\bof\b([^;]*)/.exec(wanted.slice(first.end))?.[1] ?? '');
  return { type: 'list', ...(element && { of: element.type }) };
}

function typeAt(
  text: string,
): { readonly type: MemberType; readonly at: number; readonly end: number } | undefined {
  const found = (Object.keys(types) as MemberType[]).flatMap((type) => {
    const match = types[type].exec(text);
    return match ? [{ type, at: match.index, end: match.index + match[0].length }] : [];
  });
  return found.toSorted((a, b) => a.at - b.at)[0];
}

/** `must be greater than 0`, though not `than 2020-01-01` or `than 3 items`. */
const isCompared = /\b(?:greater|less) than (?:or equal to )?-?\d{1,15}(?:\.\d{1,9})?(?![\w-])/i;
const isLength = /length|size|items|elements|entries/i;

/** Classes of Java, Kotlin, C#, Swift and Go by the last part of their name. */
const classes: Readonly<Record<MemberType, RegExp>> = {
  list: /(?:List|Set|Array|Collection|Iterable|Sequence)$/,
  object: /(?:Map|Dictionary|JsonObject)$/,
  integer: /^(?:u?int\d{0,2}|integer|biginteger|long|short|byte)$/i,
  number: /^(?:float(?:32|64)?|double|(?:big)?decimal|number|single)$/i,
  boolean: /^bool(?:ean)?$/i,
  date: /^(?:Instant|(?:Local|Offset|Zoned)?Date(?:Time)?(?:Offset)?|DateOnly)$/,
  string: /^(?:string|uuid|guid|char|charsequence|str)$/i,
};

/** The type of a class as an error names it: `java.util.List<java.lang.Long>`, `System.Int32[]`, `[]int64`. */
export function typeOfClass(written: string): Typed {
  const name = written
    .replace(/^\*/, '')
    .replace(/^(?:System\.)?Nullable`1\[(.{1,200})\]$/, '$1')
    .replace(/[?!*]$/, '');
  const [, before, after] = /^\[\](.{1,200})$|^(.{1,200})\[\]$/.exec(name) ?? [];
  const element = before ?? after;
  const [, outer = name, inner = element] = /^([\w.$]{1,200})(?:`\d)?[<[](.{1,200})[>\]]$/.exec(name) ?? [];
  const simple = outer.replace(/^.*[.$]/, '');
  const type =
    element === undefined
      ? (Object.keys(classes) as MemberType[]).find((each) => classes[each].test(simple))
      : 'list';
  if (type === undefined) return {};
  const of = type === 'list' && inner !== undefined ? typeOfClass(inner).type : undefined;
  return { type, ...(of && { of }) };
}

/** The words before a list of allowed values. */
export const oneOf =
  /\b(?:(?:expected |must be |has to be |should be )?(?:one|any) of(?: the)?(?: (?:following|enum|allowed|accepted|permitted|supported|valid))?(?: (?:values?|options?|choices?))?|either|(?:allowed|possible|valid|accepted|supported|permitted) values?(?: are)?|(?:allowed|permitted|accepted|supported|known|options|choices|choose from|enum list|enum value set)(?: are)?:)/i;

/** The values that the first of these texts lists. */
export function allowedIn(texts: readonly string[]): { readonly allowed?: readonly string[] } {
  for (const text of texts) {
    // Django lists the formats of a date in these words.
    if (/\bone of (?:these|the following) formats\b/.test(text)) continue;
    const values = listReaders.map((read) => read(text)).find((found) => found.length > 0);
    if (values) return { allowed: values };
  }
  return {};
}

/** Readers of the ways to list values, the plainest way first. */
const listReaders: readonly ((text: string) => readonly string[])[] = [
  (text) => {
    const match = oneOf.exec(text);
    return match ? valuesIn(text.slice(match.index + match[0].length)) : [];
  },
  // `in [a, b]`; two numbers are a range.
  (text) => {
    const match = bracketed.exec(text);
    const values = match ? valuesIn(text.slice(match.index + match[0].length - 1)) : [];
    return values.every((value) => /^[\d.-]+$/.test(value)) ? [] : values;
  },
  // Zod's and TypeScript's `'a' | 'b'`.
  (text) => choicesOf([...text.matchAll(besidePipe)].map(([value]) => value)),
  (text) => {
    const list = untilTail((beforeList.exec(text)?.[1] ?? quotedChoice.exec(text)?.[1] ?? '').trim());
    const isChoice = / or |\//.test(list) || /^'/.test(list);
    // A media type has a slash too.
    if (!isChoice || isWord.test(list) || /^["'`]?(?:application|text|image)\//.test(list)) return [];
    return choicesOf(list.split(/,\s?(?:or )?|\sor\s|\//));
  },
  (text) => choicesOf([literal.exec(text)?.[1] ?? '']),
];

const bracketed = /\b(?:in|in list|in set|from|among|use|be|expected|value)\s?:?\s?[[({]/i;
const besidePipe = /["'`]?[\w.-]{1,40}["'`]?(?=\s?\|)|(?<=\|\s?)["'`]?[\w.-]{1,40}["'`]?/g;
/** `is a or b`, `must be a/b`, `use a or b`. */
const beforeList =
  /\b(?:is|be|only|use|try|expected|accepts?|takes?)\s((?:["'`]?[\w.-]{1,40}["'`]?)(?:,\s?| or |\/).{1,300})$/i;
/** `'a', 'b' or 'c'`, alone or after `Input should be`. */
const quotedChoice = /(?:^|\b(?:should|must|has to) be )('[^']{1,40}'(?:,? (?:or )?'[^']{1,40}')+)$/i;
const literal = /\b(?:literal value, |invalid input: )expected ["'`]([\w.-]{1,40})["'`]/i;
/** Words of a refusal that are no values. */
const isWord =
  /\b(?:missing|required|empty|null|invalid|blank|absent|undefined|wrong|unknown|not|no|too|positive|negative|zero|past|present|greater|less|lower|higher|equal|more|fewer)\b/i;

/** The values of a list, in brackets or up to where the sentence goes on. */
function valuesIn(rest: string): readonly string[] {
  const list = rest.replace(/^[\s:=]+/, '').replace(/^[\w ]{1,40}: ?(?=\S)/, '');
  const closing = { '[': ']', '(': ')', '{': '}' }[list[0] ?? ''];
  const end = closing === undefined ? -1 : list.indexOf(closing);
  const inner = end > 0 ? list.slice(1, end) : untilTail(list);
  // Go prints a list as `[a b]`.
  return choicesOf(
    inner.split(end > 0 && !/[,|]/.test(inner) ? /\s/ : /,\s*(?:or |and )?|\s+or\s+|\s*\|\s*|\s+and\s+/),
  );
}

/** The list up to where the refusal quotes the sent value or states its place. */
const untilTail = (list: string): string =>
  list.split(/(?!^)\s?\(|;|\.\s|,?\s(?:but|got|received|found|actual|was|instead|given)\b|\sat\s/)[0] ?? '';

function choicesOf(parts: readonly string[]): readonly string[] {
  const values = parts
    .map((each) => each.replace(/^[\s:=[("'`“‘]+/, '').replace(/[\s\])."'`”’]+$/, ''))
    .filter((each) => /^[\w.-]{1,40}$/.test(each) && !/^(?:the|following|values?|these)$/i.test(each));
  // `object or array`, `string | null`, `true or false`
  const isOfType = (each: string) => isTypeWord(each) || /^(?:null|undefined|true|false)$/.test(each);
  return values.every(isOfType) ? [] : values;
}

/** Whether a word is the name of a type, as in "of type 'integer'". */
export function isTypeWord(word: string): boolean {
  const found = typeAt(word);
  return found?.at === 0 && found.end === word.length;
}

const isUnwantedText =
  /(?:unknown|unrecogni[sz]ed|unexpected|additional|extra)[ _-]?(?:field|member|attribute|property|properties|key|input|parameter)s?|extra_forbidden|whitelist|should not exist|is not (?:part of|allowed|permitted)\b(?! to)/i;
const isMissingText =
  /\b(?:missing|required?|requires|lacks?|needs?|undefined|must exist)\b|\b(?:not|no longer|cannot|can't) (?:be )?(?:null|blank|empty|provided|given|present|supplied|specified)\b/i;

export const isUnwantedIn = (text: string): boolean => isUnwantedText.test(text);
/** `A valid integer is required` is about a value that is there. */
export const isMissingIn = (text: string): boolean => isMissingText.test(text) && !/\bvalid\b/i.test(text);

/** All that texts demand of the member that they are about. */
export const demandsIn = (texts: readonly string[]) => {
  const wording = texts.join('; ');
  return {
    ...typesIn(wording),
    ...allowedIn(texts),
    ...(isUnwantedIn(wording) && { isUnwanted: true as const }),
    ...(isMissingIn(wording) && { isMissing: true as const }),
  };
};
