// Decides whether an answer reports a version. The payload is not documented, so the evidence is weighed: the form of a
// value, its name, and whether it stays. A status, an error and the id of a request are values too, but no versions.
import { type Exchange, type Response, text } from '../../http/exchange.ts';
import { type Leaf, leavesOf } from '../../values/json-walk.ts';
import { switchPoint } from '../../values/switch-points.ts';
import { jsonIn, type Value, valuesOf } from './json.ts';

type VersionReport =
  | { readonly kind: 'version'; readonly value: string }
  /** The answer holds a text or a number, and none looks like a version. */
  | { readonly kind: 'other' | 'error'; readonly value: string }
  /** The answer holds no text and no number. */
  | { readonly kind: 'nothing' };

/** Characters; a longer text is no version. */
const longest = 200;
const dotted = /^v?\d+(\.\d+)+([._+~-][\w.+~-]*)?$/i;
/** A version within a sentence: "Server version 12.3". */
const inProse = /\b(v|ver|version|build|release|rev|revision)\b[ :="'#-]{0,4}v?\d/i;
const id =
  /^([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|[0-9a-f]{16,}|[0-9A-HJKMNP-TV-Z]{26})$/i;
const isAddress = /^\d+(\.\d+){3}(:\d+)?$/;
const commit = /^[0-9a-f]{40}$/;
const moment = /^\d{4}-\d\d-\d\d([T ]|$)|^1[4-9]\d{8}(\d{3})?$/;

const wordsOf = (name: string): string[] =>
  name
    .slice(0, longest)
    .replace(/([a-z\d])(?=[A-Z])/g, '$1 ')
    .toLowerCase()
    .split(/[^a-z]+/);
const oneOf = (words: string) => {
  const known = new Set(words.split(' '));
  return (name: string) => wordsOf(name).some((word) => known.has(word));
};

const namesVersion = oneOf(
  'version versions ver semver build release revision rev commit sha tag patch major minor changelist branch latest current',
);
const namesRequest = oneOf(
  'trace request correlation span session nonce uuid guid etag csrf token transaction rid',
);
const namesTime = oneOf('time date timestamp now uptime at duration took elapsed latency expires expiry ms');
const namesPlace = oneOf('ip host hostname address addr remote peer node server url uri path region');
const namesStatus = oneOf(
  'status state code message msg result ok success health healthy reason detail details description',
);
const namesThing = oneOf(
  'id ids name service env environment instance pod container zone cluster stage realm',
);
const namesError = oneOf('error errors err exception fault failure failed');
const aboutError = new Set(
  'error errors err exception fault failure failed code message msg type name id status reason title'.split(
    ' ',
  ),
);
const isError = (name: string) => namesError(name) && wordsOf(name).every((word) => aboutError.has(word));
/** A field about errors with this value says that there is none. */
const noError = /^(0|none|no( error)?s?|ok|success|false)$/i;

const saysStatus =
  /^(ok(ay)?|up|down|alive|healthy|unhealthy|ready|running|online|success(ful)?|succeeded|done|pass(ed)?|true|false|yes|no|none|null|nil|undefined|unknown|n\/a|error|fail(ed|ure)?|invalid|not[ _-]?found|forbidden|unauthorized|bad[ _-]?request|internal[ _-](server[ _-])?error|pong)[.!]?$/i;

/**
 * What an answer reports.
 * @param repeats further answers to the same call: a value that differs in each identifies the call, and is no version
 * @param acceptsVerdict whether a yes or no counts as a report: then the call checks a version instead of naming one
 */
export const versionIn = switchPoint(function versionIn(
  response: Response,
  {
    repeats = [],
    acceptsVerdict = false,
  }: { readonly repeats?: readonly Response[]; readonly acceptsVerdict?: boolean } = {},
): VersionReport {
  const leaves = leavesIn(response);
  const others = repeats.map((each) => new Map(leavesIn(each).map(({ pointer, value }) => [pointer, value])));
  const stated = leaves.filter(({ value }) => isStated(value));
  const wrong = leaves.find(saysError);
  if (wrong) return { kind: 'error', value: describeLeaf(wrong) };
  const stays = ({ pointer, value }: Leaf) => {
    const seen = others.map((other) => other.get(pointer));
    return seen.length < 2 || seen.some((each) => each === value) || new Set(seen).size < seen.length;
  };
  const named = stated.filter((leaf) => isNamed(leaf) && mayBeNamed(leaf));
  const version =
    named.find(({ value }) => isDotted(String(value).trim())) ??
    named.find(stays) ??
    stated.find((leaf) => looksLikeOne(leaf) && stays(leaf));
  if (version) return { kind: 'version', value: String(version.value).trim().slice(0, longest) };
  const key = leaves.flatMap(({ pointer }) => pointer.split('/')).find((part) => isDotted(part));
  if (key !== undefined) return { kind: 'version', value: key };
  const verdict =
    leaves.find(({ value }) => typeof value === 'boolean') ?? stated.find(({ name }) => namesStatus(name));
  if (acceptsVerdict && verdict) return { kind: 'version', value: String(verdict.value).slice(0, longest) };
  const [first] = stated;
  return first ? { kind: 'other', value: describeLeaf(first) } : { kind: 'nothing' };
});

/** Whether one answer is enough: it holds a version of the usual form under a usual name. */
export function isCertain(response: Response): boolean {
  return leavesIn(response).some(
    (leaf) => isNamed(leaf) && typeof leaf.value === 'string' && isDotted(leaf.value.trim()),
  );
}

const leavesIn = (response: Response): Leaf[] => {
  const parsed = jsonIn(response);
  const stated =
    'value' in parsed
      ? parsed.value
      : text(response)
          .slice(0, longest + 1)
          .trim();
  return leavesOf(stated).filter(({ pointer }) => pointer.length <= longestPointer);
};
/** Characters; a value that stands deeper, or under longer names, is no version. */
const longestPointer = 1_000;

const isStated = (value: unknown) =>
  typeof value === 'number' || (typeof value === 'string' && value.trim() !== '');
const isDotted = (value: string) => value.length <= longest && dotted.test(value);

/** A word with a number in it, and neither an id nor an address. */
const isToken = (text: string) => /^[\w.+~/-]+$/.test(text) && /\d/.test(text) && !id.test(text);

/** Whether it stands under a name for a version, or below one. */
const isNamed = ({ pointer }: Leaf) => pointer.split('/').some(namesVersion);

/** Under such a name, anything short that is no status may be a version: a word, a number, a hash, a date. */
function mayBeNamed({ name, value }: Leaf): boolean {
  const text = String(value).trim();
  if (text.length > longest || saysStatus.test(text) || /\s.*\s.*\s/.test(text)) return false;
  if (namesTime(name) && moment.test(text)) return false;
  // Below such a name, a request id or a status is about the version.
  return namesVersion(name) || !(namesRequest(name) || (namesStatus(name) && !isDotted(text)));
}

/** Without such a name, only its form can show that it is a version. */
function looksLikeOne({ pointer, name, value }: Leaf): boolean {
  const text = String(value).trim();
  // The whole answer is this one value, or it is not JSON.
  if (pointer === '' && typeof value === 'string' && inProse.test(text.slice(0, longest)))
    return !text.startsWith('<');
  if (text.length > longest || saysStatus.test(text) || moment.test(text)) return false;
  if (pointer === '')
    return typeof value === 'number' || isDotted(text) || isToken(text) || commit.test(text);
  if (namesRequest(name) || namesTime(name)) return false;
  // Under a name for a server, the value is its address, or the version that it runs.
  if (namesPlace(name)) return isDotted(text) && !isAddress.test(text);
  if (typeof value === 'number') return false;
  if (isDotted(text) || inProse.test(text)) return true;
  return !namesStatus(name) && !namesThing(name) && isToken(text);
}

/** Whether a JSON answer reports an error, whatever its status: at the top, or in what wraps all of the answer. */
export const reportsError = (value: unknown): boolean =>
  !Array.isArray(value) &&
  leavesOf(value)
    .filter(({ pointer }) => pointer.split('/').length <= 3)
    .some(saysError);

/** Whether a value reports an error: at the top, or in what wraps all of the answer. */
function saysError(leaf: Leaf, _: number, all: readonly Leaf[]): boolean {
  const { pointer, name, value } = leaf;
  const text = String(value ?? '')
    .slice(0, longest)
    .trim();
  if (value === false) return /^(ok|success|successful)$/i.test(name);
  const isSaying = typeof value === 'string' ? text !== '' && !noError.test(text) : Number(value) >= 100;
  if (isSaying && pointer.split('/', 3).some(isError)) return true;
  if (!namesStatus(name) || isNamed(leaf)) return false;
  if (typeof value === 'number')
    return value >= 400 && value <= 599 && (wordsOf(name).includes('status') || !all.some(isNamed));
  return saysFailure.test(text);
}
const saysFailure =
  /^(error|fail(ed|ure)?|(not[ _-]?found|bad[ _-]?request|unauthorized|forbidden|internal([ _-]server)?[ _-]error))$/i;

const describeLeaf = ({ pointer, value }: Leaf) =>
  `${pointer === '' ? '' : `${pointer.slice(0, longest)}: `}${String(value).slice(0, 60)}`;

const most = 64;
const longestVersion = 64;
const dottedVersion = /^v?\d+(\.\d+)+([._+-][\w.+-]*)?$/;
const isVersion = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= longestVersion && dottedVersion.test(value);

/** In a map of versions, the version may be the name of a field or its value. */
export const sidesOf = switchPoint(({ name, value }: Value): unknown[] => [value, name]);

/**
 * Versions with dots that an answer reports and that could be a folder, each once; shallow ones first. In a map of
 * versions the folder may be the name or the value, so names of fields count too.
 */
export const namedVersions = switchPoint(function namedVersions({ response }: Exchange): string[] {
  if (!response) return [];
  const versions = new Set<string>();
  // JSON reads a bare 12.0 as the number 12, so the text is examined too.
  for (const value of [
    text(response)
      .slice(0, longestVersion + 1)
      .trim(),
    ...valuesOf(response).flatMap((each) => sidesOf(each)),
  ])
    if (isVersion(value) && versions.size < most) versions.add(value);
  return [...versions];
});

/** Most versions that are tried. */
const mostTried = 8;

/** The versions to try. Of too many, the first and the last, since a list may be sorted by age in either direction. */
export const versionsToTry = (versions: readonly string[]): readonly string[] =>
  versions.length <= mostTried
    ? versions
    : [...versions.slice(0, mostTried / 2), ...versions.slice(-mostTried / 2)];
