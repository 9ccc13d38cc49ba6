// Reads the error sentences of libraries in many languages by their fixed words. Each sentence names its members.
import { type Finding, segmentsOf } from './complaint.ts';
import { allowedIn, demandsIn, typeOfClass, typesIn } from './demands.ts';

/**
 * The findings in a text that a known library wrote: empty where it names no member, undefined where no known library
 * wrote it.
 */
export function libraryFindings(text: string): readonly Finding[] | undefined {
  if (isAboutWholeBody.test(text)) return [];
  for (const read of sentenceReaders) {
    const found = read(text);
    if (found) return found;
  }
  const found = fixedSentences.flatMap((sentence) =>
    [...text.matchAll(sentence)].flatMap(({ groups = {} }) => findingsOf(groups)),
  );
  return found.length > 0 ? found : atJsonPath(text);
}

const isAboutWholeBody = /Required (?:request body is missing|body \[)|Go value of type/i;

/**
 * Sentences in fixed words. Groups: `missing` and `unwanted` list names, held at `below`; `place`, `goPlace`, `listPlace` are
 * paths; `word` may be a name, `title` is a name in words, `value` was sent; `class` and `wording` describe the member.
 */
const fixedSentences: readonly RegExp[] = [
  // kotlinx.serialization
  /Fields? '?\[?(?<missing>[^\]'\n]{1,200})[\]']{1,2} (?:is|are) required for type (?:[^\n]{1,200} at path:? (?<below>\$\S{0,200}))?/g,
  /unknown key '(?<unwanted>[^']{1,80})'(?: at offset \d{1,9})?(?: at path:? (?<below>\$\S{0,200}))?/g,
  /not contain element with name '(?<value>[^']{1,80})' at path:? (?<place>\$\S{1,200})/g,
  // System.Text.Json and Newtonsoft.Json
  /missing required properties,? including(?: the following)?: (?<missing>[^\n.]{1,300})/g,
  /JSON property '(?<unwanted>[^']{1,80})' could not be mapped/g,
  /converted to (?<class>[\w.`[\]]{1,200})\. Path: (?<place>\$\.[^\s|]{1,200})/g,
  /Could not convert \w{1,20} to (?<class>\w{1,40}): [^\n]{1,100}\. Path '(?<place>[^']{1,200})'/g,
  /Error converting value [^\n]{1,100} to type '(?<class>[^']{1,200})'\. Path '(?<place>[^']{1,200})'/g,
  /Could not find member '(?<unwanted>[^']{1,80})' on object/g,
  // FluentValidation writes the property `MessageIds` as two words.
  /'(?<title>[A-Z][a-z\d]{0,40}(?: [A-Z][a-z\d]{0,40}){1,3})' (?<wording>(?:must|has|is|should)\b[^\n']{1,200})/g,
  // Spring and Micronaut
  /on field '(?<place>[^']{1,120})': rejected value/g,
  /Failed to convert '(?<place>[^']{1,80})' with value/g,
  /to required type '(?<class>[^']{1,200})' for property '(?<place>[^']{1,120})'/g,
  /Required (?:constructor parameter|argument|property) \[(?<class>[\w.<>]{1,100}) (?<missing>\w{1,60})\]/g,
  /Error decoding property \[(?<class>[\w.<>]{1,100}) (?<place>\w{1,60})\]/g,
  // Rails and Ruby
  /param is missing or the value is empty(?: or invalid)?: :?(?<missing>\w{1,60})/g,
  /missing keywords?: (?<missing>:[\w:, ]{1,200})/g,
  /key not found: [:"](?<missing>\w{1,60})/g,
  /unpermitted parameters?: (?<unwanted>[:"\w, ]{1,200})/g,
  // Rails names the member, Django and Marshmallow say `choice`.
  /["'“](?<value>[^"'“”\n]{1,80})["'”] is not a valid (?<word>\w{1,60})(?<wording>[^\n]{0,200})/g,
  // PHP and Symfony
  /Undefined (?:array key|index:?|property:?) (?:[\w\\]{1,80}::)?\$?["']?(?<missing>\w{1,60})/g,
  /type of the "(?<place>[^"]{1,80})" attribute (?:for class "[^"]{1,200}" )?must be (?:one of )?"(?<class>[^"]{1,60})"/g,
  /class misses the "(?<missing>[^"]{1,80})" property/g,
  /Extra attributes are not allowed \((?<unwanted>"[^)\n]{1,200}) (?:is|are) unknown/g,
  // Vapor
  /No such key '(?<missing>[^']{1,80})' at path '(?<below>[^']{0,200})'/g,
  /Value of type '(?<class>[^']{1,80})' required for key '(?<missing>[^']{1,200})'/g,
  /Value was not of type '(?<class>[^']{1,80})' at path '(?<place>[^']{1,200})'/g,
  /from invalid \w{1,40} value (?<value>\S{1,80}) at path '(?<place>[^']{1,200})'/g,
  /(?<place>\b[A-Za-z_]\w{0,60}) is not an?(?:\(n\))? (?<class>U?Int\d{0,2}|Integer|Bool|String|Double|Array|UUID)\b/g,
  // Go: encoding/json, echo, protoc-gen-validate, grpc-gateway; JSON Schema in Go
  /Go struct field \w{1,80}\.(?<place>[\w.]{1,160}) of type (?<class>\S{1,120})/g,
  /expected=(?<class>\S{1,60}), got=\S{1,60}, field=(?<place>[\w.]{1,120})/g,
  /\binvalid [A-Z]\w{0,80}\.(?<goPlace>[\w.[\]]{1,80}): (?<wording>[^\n|]{1,300})/g,
  /invalid value for (?<class>\w{1,30}) field (?<place>[\w.]{1,80})/g,
  /(?<place>\b[A-Za-z_][\w.]{0,80}): Invalid type\. Expected: (?<class>\w{1,40}), given/g,
  /(?:\bat|Error at) ["']\/(?<place>[\w/]{1,120})["']: (?<wording>[^\n]{1,300})/g,
  /\bAdditional property ["']?(?<unwanted>\w{1,60})["']? is not allowed/g,
  // Google APIs and AWS
  /Invalid value at '(?<place>[^']{1,120})' \((?:TYPE_)?(?<class>[^)\n]{1,120})\)/g,
  /Unknown name "(?<unwanted>[^"]{1,80})"/g,
  /Value '[^'\n]{0,120}' at '(?<place>[^']{1,120})' failed to satisfy constraint: (?<wording>[^\n;]{1,300})/g,
  // Mongoose and Sequelize
  /is not a valid enum value for path `(?<place>[^`]{1,120})`/g,
  /Cast to (?<class>\w{1,40}) failed for value [^\n]{1,120} at path "(?<place>[^"]{1,120})"/g,
  /notNull Violation: \w{1,60}\.(?<missing>\w{1,60})/g,
  // Zod, Superstruct, zod-validation-error, Voluptuous, Python's KeyError and jsonschema
  /(?<wording>[^\n]{1,300})\n\s{0,8}→ at (?<place>[\w.[\]]{1,120})/g,
  /At path: (?<place>[\w.]{1,120}) -- (?<wording>[^\n]{1,300})/g,
  /(?:^|[;:] |\. )(?<wording>[A-Z][^;\n"]{1,200}|[A-Z][^;\n]{1,200}) at "(?<place>[A-Za-z_$][\w.[\]]{0,120})"/g,
  /(?<wording>\b[a-z][^\n@]{1,200}?)(?: for dictionary value)? @ data(?<place>\[[\w'[\]]{1,200}\])/g,
  /KeyError: ['"](?<missing>\w{1,60})/g,
  /'?(?<value>[^'\s]{1,80})'? is not of type '(?<class>\w{1,40})'/g,
  // nlohmann::json, Aeson, circe
  /\bkey ['"](?<missing>[^'"\n]{1,80})['"] not (?:found|present)/g,
  /DownField\((?<missing>\w{1,60})\)/g,
  // Laravel
  /\bThe selected (?<word>[\w .-]{1,60}) is invalid/g,
  // class-validator, of a list
  /each value in (?:nested property )?(?<listPlace>[A-Za-z_$][\w$.]{0,60}) (?<wording>(?:must|should)\b[^\n;]{1,200})/g,
];

type Groups = Readonly<Record<string, string | undefined>>;

function findingsOf({ listPlace, goPlace, below = '', ...groups }: Groups): readonly Finding[] {
  const { missing, unwanted, title, value, word } = groups;
  const stated = groups.class === undefined ? demandsIn([groups.wording ?? '']) : classOf(groups.class);
  const base = segmentsOf(below);
  if (unwanted !== undefined)
    return namesOf(unwanted).map((name) => ({ path: [...base, name], isUnwanted: true }));
  if (missing !== undefined)
    return namesOf(missing).map((name) => ({
      path: [...base, ...segmentsOf(name)],
      ...stated,
      isMissing: true,
    }));
  if (listPlace !== undefined) {
    const { type, of: _, ...rest } = stated;
    return [{ path: segmentsOf(listPlace), ...rest, type: 'list', ...(type && { of: type }) }];
  }
  if (title !== undefined) return [{ path: [lowerFirst(title.replaceAll(' ', ''))], word: title, ...stated }];
  const path = segmentsOf(groups.place ?? lowerFirst(goPlace ?? ''));
  return [{ path, ...stated, ...(value && { quoted: value }), ...(word && { word }) }];
}

const namesOf = (list: string): string[] =>
  list
    .split(/,| and /)
    .map((name) => name.replaceAll(/^[\s:'"`$]+|[\s'"`]+$/g, ''))
    .filter((name) => /^[\w$.-]{1,80}$/.test(name));

const lowerFirst = (name: string) => `${name.slice(0, 1).toLowerCase()}${name.slice(1)}`;

function classOf(written: string): ReturnType<typeof demandsIn> {
  const byClass = typeOfClass(written);
  // A single word may name a type in any language; a class with a package may be the server's own.
  return byClass.type === undefined && /^\w+$/.test(written) ? typesIn(written) : byClass;
}

/** Sentences with parts that may be missing or stand in any order. */
const sentenceReaders: readonly ((text: string) => readonly Finding[] | undefined)[] = [
  jackson,
  goValidator,
  oldJoi,
  serde,
];

/** Jackson: `Cannot deserialize value of type … (through reference chain: com.x.Body["logs"]->…[0])`. */
function jackson(text: string): readonly Finding[] | undefined {
  if (!isJackson.test(text)) return undefined;
  const chain = /reference chain: ([^\n]{1,600})/.exec(text)?.[1] ?? '';
  const places = [...chain.matchAll(/\["([^"\]]{1,80})"\]|\[(\d{1,6})\]/g)].map(
    ([, name, at]) => name ?? at ?? '',
  );
  const missing =
    /(?:Missing required creator property|JSON property|creator parameter) '?([\w$]{1,60})/.exec(text)?.[1];
  const unwanted = /Unrecognized field "([^"]{1,80})"/.exec(text)?.[1];
  const quoted = /(?:from String|String value|String) \(?"([^"\n]{0,80})"/.exec(text)?.[1];
  const values = /(?:Enum class|instance names): \[([^\]\n]{1,1500})\]/.exec(text)?.[1];
  const written =
    /(?:of type|into type|value to|to) [`']?(?:\[[\w ]{1,40}, \w{1,20} )?([\w.$<>,]{1,200})/.exec(text)?.[1];
  const path = places.length > 0 ? places : [missing ?? unwanted ?? []].flat();
  if (path.length === 0 && quoted === undefined) return [];
  return [
    {
      path,
      ...(quoted && { quoted }),
      ...(unwanted
        ? { isUnwanted: true }
        : {
            ...(values ? allowedIn([`one of [${values}]`]) : typeOfClass(written ?? '')),
            ...(missing && { isMissing: true }),
          }),
    },
  ];
}
const isJackson =
  /reference chain: |Cannot (?:deserialize|construct|coerce|map) |not marked as ignorable|required creator property/;

/** `Key: 'Req.Logs[0].EventType' Error:Field validation for 'EventType' failed on the 'required' tag` */
function goValidator(text: string): readonly Finding[] | undefined {
  const found = [...text.matchAll(goTag)].map(([, key = '', field = '', tag = '']): Finding => {
    // The first part is the struct. Go matches names in JSON in any letter case.
    const path = key === '' ? [field] : segmentsOf(key).slice(1);
    return { path: path.map(lowerFirst), ...demandsIn([tag]) };
  });
  return found.length > 0 ? found : undefined;
}
const goTag =
  /(?:Key: '([\w.[\]]{1,160})' Error:)?Field validation for '(\w{1,80})' failed on the '(\w{1,40})' tag/g;

/** `child "loadout" fails because [child "perks" fails because ["perks" is required]]` */
function oldJoi(text: string): readonly Finding[] | undefined {
  const path = [...text.matchAll(/child "([^"]{1,80})" fails because/g)].map(([, name = '']) => name);
  return path.length === 0 ? undefined : [{ path, ...demandsIn([text.slice(text.lastIndexOf('['))]) }];
}

/** serde: `privacyState: unknown variant `x`, expected `a` or `b``, `unknown field `x`, expected `a``; the path may be missing. */
function serde(text: string): readonly Finding[] | undefined {
  const [, place = '', kind = '', said = ''] = serdeError.exec(text) ?? [];
  const path = segmentsOf(place);
  const [first, ...allowed] = [...said.matchAll(/`([^`]{1,80})`/g)].map(([, name = '']) => name);
  if (kind.endsWith(' field'))
    return first === undefined
      ? undefined
      : [
          {
            path: [...path, first],
            ...(kind === 'missing field'
              ? { isMissing: true }
              : { isUnwanted: true, ...(allowed.length > 0 && { known: allowed }) }),
          },
        ];
  if (kind === 'unknown variant')
    return [{ path, quoted: first ?? '', ...(allowed.length > 0 && { allowed }) }];
  if (kind === 'UUID parsing failed') return path.length > 0 ? [{ path, type: 'string' }] : undefined;
  // `invalid type: string "x", expected i64 at line 1 column 9`
  const [is = '', expected] = said.split(/, expected (?:an? )?/);
  // Sentences of other libraries call a value invalid as well.
  if (expected === undefined) return undefined;
  const [, inQuotes, inBackticks] = /^ (?:string "(.*)"|\w+(?: \w+)? `(.*)`)$/.exec(is) ?? [];
  const quoted = inQuotes ?? inBackticks;
  if (path.length === 0 && quoted === undefined) return undefined;
  return [{ path, ...(quoted !== undefined && { quoted }), ...typesIn(expected) }];
}
const serdeError =
  /(?:^|: |; |\. |\n)(?:([A-Za-z_$][\w$]*(?:\.[\w$]+|\[\d+\])*): )?(missing field|unknown field|unknown variant|invalid (?:type|value|length)|UUID parsing failed)\b:?(.*)/;

/** Any other error that ends in a JSONPath: Gson, Moshi, msgspec, Aeson, kotlinx.serialization. */
function atJsonPath(text: string): readonly Finding[] | undefined {
  const match = /\$((?:\.[A-Za-z_$][\w$-]{0,60}|\[\d{1,6}\]){1,8})/.exec(text);
  if (match === null) return undefined;
  const before = text.slice(0, match.index).replaceAll('BEGIN_', '');
  const said = /\b(?:expected|parse|convert|invalid|required?)/i.test(before)
    ? before
    : text.slice(match.index);
  const missing = /Required value '([^']{1,80})' missing/.exec(before)?.[1];
  return [{ path: [...segmentsOf(match[1] ?? ''), ...(missing ? [missing] : [])], ...demandsIn([said]) }];
}
