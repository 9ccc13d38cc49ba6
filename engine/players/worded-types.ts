// Reads from the wording of a complaint which type a member is to have, and which values it takes.

const types = {
  list: /\b(?:array|list|sequence|slice|vec|sets?)\b|\[\]/i,
  object: /\b(?:objects?|map|dict(?:ionary)?|record|struct|hash|mapping)\b/i,
  integer: /\b(?:integers?|int(?:32|64|eger)?|long|whole number|[iu](?:8|16|32|64|128|size))\b/i,
  number: /\b(?:numbers?|numeric|float(?:32|64)?|f32|f64|double|decimal)\b/i,
  boolean: /\bbool(?:ean)?\b|\btrue or false\b/i,
  date: /\b(?:date(?:-?time)?|iso.?8601|timestamp|rfc.?3339)\b/i,
  string: /\b(?:strings?|texts?|str|characters?|uuid|guid)\b/i,
} as const;
export type Type = keyof typeof types;

/** What a wording says of a member's value. */
interface Worded {
  readonly type?: Type;
  /** Of the elements of a list. */
  readonly of?: Type;
  readonly allowed?: readonly string[];
}

const contrasted = /\b(?:received|got|but|found|instead|not)\b/i;
/** `is read or unread` */
const isEither = /^["'`\s]*(?:is|be) (["'`]?\w+["'`]?(?:, ["'`]?\w+["'`]?)*,? or ["'`]?\w+["'`]?)$/i;

/** The type that a text names first, and that of the elements where it is a list. */
export function typesIn(text: string): Pick<Worded, 'type' | 'of'> {
  const [wanted = ''] = text.split(contrasted).filter((part) => typeAt(part) !== undefined);
  const first = typeAt(wanted);
  if (first === undefined) return {};
  if (first.type !== 'list') return { type: first.type };
  // An array of strings, a list of at most 1000 objects.
  const element = typeAt(/^[^;]*?\bof\b([^;]*)/.exec(wanted.slice(first.end))?.[1] ?? '');
  return { type: 'list', ...(element && { of: element.type }) };
}

function typeAt(
  text: string,
): { readonly type: Type; readonly at: number; readonly end: number } | undefined {
  const found = (Object.keys(types) as Type[]).flatMap((type) => {
    const match = types[type].exec(text);
    return match ? [{ type, at: match.index, end: match.index + match[0].length }] : [];
  });
  return found.toSorted((a, b) => a.at - b.at)[0];
}

/** What stands before a list of the values that are taken. */
export const oneOf =
  /\b(?:(?:expected |must be |has to be |should be )?(?:one|any) of(?: the following(?: values)?)?|either|allowed values?(?: are)?|possible values?(?: are)?|valid values?(?: are)?)\b/i;

/** The values that the first of these texts lists. */
export function allowedIn(texts: readonly string[]): Pick<Worded, 'allowed'> {
  for (const text of texts) {
    const match = oneOf.exec(text);
    const either = isEither.exec(text)?.[1] ?? quotedChoice.exec(text)?.[1] ?? '';
    const list = match ? text.slice(match.index + match[0].length) : isWord.test(either) ? '' : either;
    // Go prints a list as `[a b]`.
    const values = (printedList.exec(list)?.[1]?.replaceAll(' ', ',') ?? list)
      .split(/,\s*(?:or |and )?|\s+or\s+|\s*\|\s*|\s+and\s+/)
      .map((each) => each.replaceAll(/^[\s:=[("'`]+|[\s\])."'`]+$/g, ''))
      .filter((each) => /^[\w.-]{1,40}$/.test(each) && !/^(?:the|following|values?)$/i.test(each));
    if (values.length > 0) return { allowed: values };
  }
  return {};
}

const printedList = /^[\s:]*\[([\w.-]+(?: [\w.-]+)+)\]/;
/** `'a', 'b' or 'c'`, alone or after `Input should be`. */
const quotedChoice = /(?:^|\b(?:should|must|has to) be )('[^']{1,40}'(?:,? (?:or )?'[^']{1,40}')+)$/i;
/** Words of a refusal that are no values. */
const isWord = /\b(?:missing|required|empty|null|invalid|blank|absent|undefined|wrong|unknown|not|no|too)\b/i;
