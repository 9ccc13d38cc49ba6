// Decides which values of recorded calls may stand in a profile that people share: finds identifiers, credentials and
// personal data, and keeps them out.

import { withoutScheme } from '../../engine/players/session.ts';
import { leavesOf } from '../../engine/values/json-walk.ts';
import { letters } from '../../engine/values/text.ts';
import type { CallMatch } from './match/match-call.ts';
import { cookiesIn, hasSucceeded, jsonOf, type ObservedCall, type Side } from './observed-call.ts';

/** Identifiers of what a player has; the rest of the document's parameters name content or shape an answer. */
const identifierNames = ['partyId', 'matchId', 'autoJoinKey', 'playerId', 'friendId'] as const;
export type IdentifierName = Exclude<(typeof identifierNames)[number], 'friendId'>;

const byLetters = new Map(identifierNames.map((name) => [letters(name), name]));
const longestName = 40;

/** What a parameter or field of this name identifies (`party_id` is `partyId`); undefined for any other name. */
function identifierNamed(name: string): IdentifierName | undefined {
  const identifier = name.length > longestName ? undefined : byLetters.get(letters(name));
  return identifier === 'friendId' ? 'playerId' : identifier;
}

/** A UUID, a long number or hexadecimal text: what servers name people and things by. */
export const looksLikeIdentifier = (text: string) =>
  /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(text) ||
  /^\d{6,20}$/.test(text) ||
  /^[0-9a-f]{12,64}$/i.test(text);

// Field names that mark personal values.

const personal = new Set(
  `account address auth avatar birth birthday city cookie credential credentials device display email
  fingerprint friend guid handle hardware hwid id ids identity imei ip key lat location login lon mac machine mail name
  names nick nickname owner password phone player pwd secret serial session signature street tag ticket title token user
  username uuid`.split(/\s+/),
);
const naming = new Set('name names nick nickname username handle display email mail login'.split(' '));
const crowd = new Set(
  `accounts blocked contacts friends invitations invited members owners people players profiles users roster`.split(
    /\s+/,
  ),
);

/** `playerName`, `player_name` and `PlayerName` are the words player and name. */
const wordsOf = (key: string) =>
  key
    .slice(0, 200)
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/);

/** Caches decisions by key: the few hundred names of a file come up again and again. */
export function remembered(decide: (key: string) => boolean): (key: string) => boolean {
  const answers = new Map<string, boolean>();
  return (key) => {
    const answer = answers.get(key) ?? decide(key);
    if (answers.size < 10_000) answers.set(key, answer);
    return answer;
  };
}
const hintedBy = (hints: ReadonlySet<string>) =>
  remembered((key) => wordsOf(key).some((word) => hints.has(word)));

/** The field's values may be personal. */
export const isPersonalKey = hintedBy(personal);

/** The field's values are names of people. */
const isNamingKey = hintedBy(naming);

/** The object below the field may have ids or names of players as its keys. */
export const isCrowdKey = hintedBy(crowd);

// Values that may stand in a shared file: words and versions, never personal ones.

/** Short, of letters, with at most three digits and single separators: `S1-story`, `FullProfile`, `en-US`, `v2`. */
export function isPlainWord(text: string): boolean {
  if (text.length > 40 || !/^[A-Za-z][A-Za-z0-9]*(?:[_.:-][A-Za-z0-9]+)*$/.test(text)) return false;
  return (text.match(/\d/g)?.length ?? 0) <= 3 && !isBlob(text);
}

/** Letters of one case and separators alone: what an enumeration looks like, `online`, `PRIVATE`, `in-lobby`. */
export function isEnumWord(text: string): boolean {
  return (
    text.length <= 40 && /^(?:[a-z]+(?:[_.-][a-z]+)*|[A-Z]+(?:[_.-][A-Z]+)*)$/.test(text) && !isBlob(text)
  );
}

/** `7.2`, `7.2.0_1`, `8.5.0-rc1`; four numbers could be an address. */
export function isVersion(text: string): boolean {
  return /^\d{1,4}(?:\.\d{1,5}){0,2}(?:[._-][A-Za-z0-9]{1,12}){0,2}$/.test(text) && !isAddress(text);
}

/** A folder of plain words and versions. */
export function isPlainPath(text: string): boolean {
  const segments = text.split('/');
  return segments.length <= 8 && segments.every((segment) => isPlainWord(segment) || isVersion(segment));
}

/** What programmers call a field: `playerId`, `max_players`, `$type`. */
export function isFieldName(text: string): boolean {
  if (text.length > 60 || !/^[A-Za-z_$@][A-Za-z0-9_$]*(?:[.:-][A-Za-z0-9_$]+)*$/.test(text)) return false;
  return (text.match(/\d/g)?.length ?? 0) <= 4 && !isBlob(text);
}

const isAddress = (text: string) => /^\d{1,3}(?:\.\d{1,3}){3}$/.test(text);

/** Whether a text looks random: hexadecimal digits, many consonants in a row, or frequent changes of case or digits. */
function isBlob(text: string): boolean {
  if (/[0-9a-f]{8,}/i.test(text) && /\d/.test(text)) return true;
  if (/[bcdfghjklmnpqrstvwxz]{7,}/i.test(text)) return true;
  const turns = text.match(/[a-z][A-Z]|[A-Za-z]\d|\d[A-Za-z]/g)?.length ?? 0;
  return text.length >= 12 && turns > text.length / 3;
}

// Values that work as an identifier: a call that carries one succeeds, and a call with a made-up value does not.
export interface Use {
  /** Id of the operation. */
  readonly operation: string;
  /** What the parameter that carried it identifies. */
  readonly name: IdentifierName;
  readonly value: string;
  readonly isSuccess: boolean;
  /** We made the value up ourselves, so it identifies nothing unless the call created it. */
  readonly isInvented: boolean;
}

const mostValues = 50_000;
const mostPlaces = 40;

export function createWorkingValues() {
  /** By value: the operations and names that it succeeded with, the first use first. */
  const taken = new Map<string, Map<string, IdentifierName>>();
  /** Operations and names that accept any value. */
  const careless = new Set<string>();
  return {
    note({ operation, name, value, isSuccess, isInvented }: Use): void {
      if (!isSuccess) return;
      const place = `${operation} ${name}`;
      if (isInvented) careless.add(place);
      else {
        const places = taken.get(value) ?? new Map<string, IdentifierName>();
        if (places.size < mostPlaces) places.set(place, name);
        if (taken.size < mostValues) taken.set(value, places);
      }
    },
    /** What the value works as, once all calls are noted. */
    worksAs: (value: string): IdentifierName | undefined =>
      taken
        .get(value)
        ?.entries()
        .find(([place]) => !careless.has(place))?.[1],
  };
}

/** Most values that are read of one body, the objects and lists that hold them included. */
const mostLeaves = 20_000;

/** The scalars of one body. */
export const leavesIn = (side: Pick<Side, 'body'>) => leavesOf(jsonOf(side), mostLeaves);

const shortest = 4;
const longest = 300;
/** Shorter names are not searched within longer texts. */
const shortestWithin = 6;
const mostWithin = 2_000;

/** Parameters whose values are kept out of the profile as players' names are. */
const nameParameters = ['providerPlayerName', 'playerName', 'redeemableCode'];

export type KnownValues = ReturnType<typeof createKnownValues>;

/**
 * Collects in a first pass which values are personal, so that the second pass keeps them out.
 * @param isInvented returns whether we made a value up ourselves: it is not personal, but must not be reported either
 */
export function createKnownValues(isInvented: (text: string) => boolean = () => false) {
  /** Values sent or received as an identifier; they are never reported, whether they are one or not. */
  const ids = new Set<string>();
  const named = new Map<string, IdentifierName>();
  const working = createWorkingValues();
  const names = new Set<string>();
  const secrets = new Set<string>();

  const put = (set: Set<string>, value: string) => {
    if (value.length >= shortest && value.length <= 8_192 && set.size < mostValues) set.add(value);
  };
  /** Values of our own that were sent as an identifier; an answer that repeats one does not reveal it. */
  const invented = new Set<string>();
  const isFull = () => ids.size >= mostValues && names.size >= mostValues;
  /** @returns its text, where it may be an identifier by its length */
  const noteId = (value: unknown): string | undefined => {
    const text = typeof value === 'number' ? String(value) : value;
    if (typeof text !== 'string' || text.length < shortest || text.length > longest) return undefined;
    if (ids.size < mostValues) ids.add(text);
    return text;
  };
  const noteName = (value: unknown, name: string) => {
    if (typeof value === 'string' && value.length <= longest && isNamingKey(name)) put(names, value);
  };
  const noteAnswered = (value: unknown, name: string) => {
    noteName(value, name);
    const identifier = identifierNamed(name);
    const text = identifier && noteId(value);
    if (identifier && text !== undefined && !named.has(text) && !invented.has(text))
      named.set(text, identifier);
  };
  const noteSent = (value: unknown, name: string, { operation }: CallMatch, observedCall: ObservedCall) => {
    noteName(value, name);
    const identifier = identifierNamed(name);
    const text = identifier && noteId(value);
    if (!identifier || text === undefined) return;
    const isOurs = isInvented(text);
    if (isOurs) put(invented, text);
    const use = { operation: operation.id, name: identifier, value: text };
    working.note({ ...use, isSuccess: hasSucceeded(observedCall), isInvented: isOurs });
  };
  const noteHeaders = ({ headers }: Side) => {
    for (const [name, value] of headers) {
      if (name === 'cookie' || name === 'set-cookie') {
        for (const [, held] of cookiesIn(value)) put(secrets, held);
      } else if (/auth|token|secret|session|api-?key/.test(name)) put(secrets, withoutScheme(value));
    }
  };

  return {
    note(observedCall: ObservedCall, match: CallMatch | undefined): void {
      const { request, answer, url } = observedCall;
      for (const side of [request, answer]) noteHeaders(side);
      // A call outside of the interface adds nothing to the profile.
      if (match && !isFull()) {
        for (const { value, name } of leavesIn(request)) noteSent(value, name, match, observedCall);
        for (const [name, value] of Object.entries(match.params)) noteSent(value, name, match, observedCall);
        for (const { value, name } of leavesIn(answer)) noteAnswered(value, name);
      }
      for (const [name, value] of Object.entries(match?.params ?? {}))
        if (nameParameters.includes(name)) put(names, value);
      const token = url.searchParams.get('token');
      if (token !== null) put(secrets, token);
    },
    /** What this value identifies: as an answer names it, or as it worked in a call. */
    identifies: (value: string): IdentifierName | undefined => named.get(value) ?? working.worksAs(value),
    /** Whether this value was seen as somebody's name, mail address or the like. */
    isName: (value: string) => names.has(value),
    /** Whether a text is made up, or is or holds an identifier, a name or a secret. */
    isPersonal: (text: string): boolean => {
      const isKnown = (part: string) => ids.has(part) || names.has(part) || secrets.has(part);
      if (isInvented(text) || isKnown(text)) return true;
      const parts = text.split(/[^\p{L}\p{N}@.]+/u).filter((part) => part.length >= shortestWithin);
      return parts.slice(0, mostWithin).some(isKnown);
    },
  };
}
