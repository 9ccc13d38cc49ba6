// Makes candidate bodies from what a target asks for: in the refusal of another body, or in its own description.
import type { Operation } from '../../catalog/operation.ts';
import { answerLeaves, type Exchange, text } from '../http/exchange.ts';
import type { Json } from '../target/profile-validation.ts';
import type { MemberType } from '../target/target.ts';
import { isNested, isObject, leavesOf, withTexts } from '../values/json-walk.ts';
import { at } from '../values/members.ts';
import { letters } from '../values/text.ts';
import { type Form, formOf, isAskedFor, isDigits, isId } from './body-template.ts';
import { guessesFor, madeUpKey, record } from './candidate-bodies.ts';
import { type Complaint, hasType, isIndex, isScalar, mostDetailed } from './refusals/complaint.ts';
import { complaintsIn } from './refusals/refusals.ts';

/** Finds the value that the target shows under a name, or the id for `other.id`; undefined where there is none. */
export type Look = (operation: Operation, name: string) => Promise<Json | undefined>;

type ShownAs = Readonly<Record<string, string>>;

/**
 * The candidate body that a refusal asks for; undefined where it names nothing that would change the refused one.
 * @param look finds a value under the member's own name
 * @param shownAs placeholders by the names under which the target's answers show their values
 */
export async function mended(
  operation: Operation,
  refused: Form,
  refusal: Exchange,
  look: Look,
  shownAs: ShownAs = {},
): Promise<Form | undefined> {
  const keyed = await withCharacterAsKey(operation, refused, refusal, look);
  if (keyed !== undefined) return keyed;
  const stated = complaintsIn(refusal);
  const complaints = stated.length > 0 ? stated : complaintOfSide(refused);
  const before = refused.unwanted ?? [];
  const named = complaints.flatMap((complaint) =>
    complaint.isUnwanted
      ? unwantedBeside(refused.template, placeIn(operation, complaint, refused.template), complaint).flatMap(
          (path) => path.at(-1) ?? [],
        )
      : [],
  );
  const unwanted = [...new Set([...before, ...named])];
  const isNew = unwanted.length > before.length;
  const form =
    (await asked(operation, refused.template, complaints, look, { from: 'refusal', shownAs })) ??
    // The records that were sent may have held the unwanted members, although the form does not.
    (isNew && isNested(refused.template) ? { ...refused, from: 'refusal' as const } : undefined);
  if (form === undefined) return undefined;
  const all = (made: Form): Form => ({
    ...made,
    ...(unwanted.length > 0 && { unwanted }),
    ...(refused.fixed && { fixed: refused.fixed }),
    answers: [...(refused.answers ?? []), ...(made.answers ?? [])],
  });
  return { ...all(form), ...(form.others && { others: form.others.map(all) }) };
}

/** A text that is the made-up key, or that names it beside the word `character`. */
const isWord = new RegExp(
  `^${madeUpKey}$|character\\W{1,3}(?:named )?${madeUpKey}\\b|\\b${madeUpKey}\\b[^.]{1,30}character`,
  'i',
);

/** Whether a refusal repeats the key that was made up for a map, and speaks of characters. */
export function wantsCharacterAsKey(refusal: Exchange): boolean {
  if (refusal.response === undefined || !/character/i.test(text(refusal.response))) return false;
  return (
    complaintsIn(refusal).some(({ path }) => path.at(-1) === madeUpKey) ||
    answerLeaves(refusal).some(({ value }) => isWord.test(String(value)))
  );
}

/**
 * The form with the name of a character as the key of a map, where its refusal wants that; undefined where it does not, or
 * where no name is known.
 */
async function withCharacterAsKey(
  operation: Operation,
  refused: Form,
  refusal: Exchange,
  look: Look,
): Promise<Form | undefined> {
  if (!wantsCharacterAsKey(refusal)) return undefined;
  const name = await look(operation, 'characterName');
  if (typeof name !== 'string') return undefined;
  const template = withTexts(
    refused.template,
    (text) => text,
    (key) => (key === madeUpKey ? name : key),
  );
  return JSON.stringify(template) === JSON.stringify(refused.template)
    ? undefined
    : { ...refused, ...formOf(template, 'refusal'), answers: [] };
}

/** Returns a body changed as the complaints ask; undefined where that changes nothing. */
export async function asked(
  operation: Operation,
  template: Json,
  complaints: readonly Complaint[],
  look: Look,
  { from, shownAs = {} }: { readonly from: 'refusal' | 'description'; readonly shownAs?: ShownAs },
): Promise<Form | undefined> {
  if (complaints.length === 0 || isScalar(template)) return undefined;
  // A list stays one only where a complaint names its elements; otherwise the body becomes an object.
  const isList = Array.isArray(template) && complaints.some(({ path }) => isIndex(path[0]));
  const sent = (isList || isObject(template) ? template : {}) as Readonly<Record<string, Json>>;
  const next = structuredClone(sent) as Record<string, Json>;
  const answers: Json[] = [];
  let open: { readonly path: readonly string[]; readonly values: readonly Json[] } | undefined;
  const places = Map.groupBy(complaints, (complaint) => JSON.stringify(placeIn(operation, complaint, sent)));
  const isListNamed = complaints.some(({ path }) => path.length === 1 && listName.test(path[0] ?? ''));
  // Complaints about the same member of several records are about one place of the form.
  for (const [place, alike] of places) {
    const complaint = mostDetailed(alike);
    const { isUnwanted } = complaint;
    const path = JSON.parse(place) as readonly string[];
    const name = path.findLast((part) => !isIndex(part));
    if (name === undefined || path.length > 4 || path.some((part) => part in Object.prototype)) continue;
    if (isUnwanted)
      for (const each of unwantedBeside(next, path, complaint)) change(next, each, () => undefined);
    else {
      const value = isBatch(operation, path, complaint, next, isListNamed)
        ? [record]
        : Object.hasOwn(shownAs, name)
          ? `{{${shownAs[name]}}}`
          : await valueFor(operation, name, complaint, look);
      change(next, path, (old) => {
        const [usual, ...others] =
          isSaid(old, complaint) && isMadeUp(old) ? (sides[letters(name)] ?? []) : [];
        const said = usual ?? (isSaid(old, complaint) ? otherValue(name, old, complaint) : value);
        // A number under a name that names no player may mean something else, so it does not count as a player's id.
        const isNamed = said !== '{{other.id:number}}' || namesSomeone.test(letters(name));
        if (usual !== undefined) open ??= { path, values: others };
        else if (complaint.allowed === undefined) answers.push(isNamed ? said : 1);
        else if (said === value) open ??= { path, values: choicesFor(operation, name, complaint).slice(1) };
        return said;
      });
    }
  }
  if (JSON.stringify(next) === JSON.stringify(template)) return undefined;
  if (operation.host === 'gamelogs') {
    renameBatch(next, sent);
    // Where the target asks for the list under another name, the old one is no part of the batch.
    const isAsked = Object.keys(next).some(
      (name) => !Object.hasOwn(sent, name) && isListOfRecords(next[name]),
    );
    for (const name of Object.keys(sent)) if (isAsked && isListOfRecords(sent[name])) delete next[name];
  }
  const formWith = (body: Json): Form => ({ ...formOf(body, from), answers });
  const { path = [], values = [] } = open ?? {};
  const others = values.slice(0, mostOthers).map((value) => {
    const other = structuredClone(next);
    change(other, path, () => value);
    return formWith(other);
  });
  return { ...formWith(next), ...(others.length > 0 && { others }) };
}

/** The place of a complaint in the body: of a batch of logs, in its one record. */
const placeIn = (operation: Operation, complaint: Complaint, body: Json): readonly string[] =>
  operation.host === 'gamelogs' && isNested(body)
    ? placeOf(complaint, body as Readonly<Record<string, Json>>)
    : complaint.path;

/** The path of an unwanted member, and those of the members beside it that the target does not list as known. */
function unwantedBeside(
  body: Json,
  path: readonly string[],
  { known }: Complaint,
): readonly (readonly string[])[] {
  const holder = path.slice(0, -1);
  const beside = at(body, ...holder);
  const others = known !== undefined && isObject(beside) ? Object.keys(beside) : [];
  return [path, ...others.filter((name) => !known?.includes(name)).map((name) => [...holder, name])];
}

/** Sides of a game by a member's name, tried where a made-up word is refused and the refusal lists no values. */
const sides: Readonly<Record<string, readonly Json[]>> = {
  side: ['A', 'B', 'left', 'right'],
  team: ['A', 'B', 'red', 'blue'],
  role: ['killer', 'survivor', 'attacker', 'defender'],
};

/**
 * Returns the opposite of the side that a member of this name holds: `B` for `A`, `survivor` for `killer`, in the same
 * letter case. Undefined where the word is no known side.
 */
export function otherSide(name: string, word: string): string | undefined {
  const words = (sides[letters(name)] ?? []).map(String);
  const at = words.findIndex((each) => each.toLowerCase() === word.toLowerCase());
  const other = at < 0 ? undefined : words[at % 2 === 0 ? at + 1 : at - 1];
  if (other === undefined) return undefined;
  if (word === word.toUpperCase()) return other.toUpperCase();
  return word === word.toLowerCase()
    ? other.toLowerCase()
    : `${other.charAt(0).toUpperCase()}${other.slice(1).toLowerCase()}`;
}

/** Makes a complaint about a member that names a side by a made-up word, for a refusal that names no member. */
function complaintOfSide(refused: Form): readonly Complaint[] {
  const { template } = refused;
  const members = isAskedFor(refused) && isObject(template) ? Object.entries(template) : [];
  const [name] = members.find(([name, value]) => isMadeUp(value as Json) && sides[letters(name)]) ?? [];
  return name === undefined ? [] : [{ path: [name] }];
}

const isMadeUp = (sent: Json) => typeof sent === 'string' && sent.startsWith('{{');

/** Most values of a list that are tried after the first. */
const mostOthers = 4;

/**
 * Returns the path of a complaint in a batch of logs. A candidate batch has one record, so the path leads into that
 * record, whichever record was refused; a member that was not sent belongs there, too.
 */
function placeOf({ path, isMissing }: Complaint, body: Readonly<Record<string, Json>>): readonly string[] {
  if (Array.isArray(body)) return isIndex(path[0]) ? ['0', ...path.slice(1)] : path;
  const [batch, another] = Object.entries(body).filter(([, value]) => isListOfRecords(value));
  if (batch === undefined || another !== undefined) return path;
  const [list] = batch;
  const [name = '', ...below] = path;
  if (below.length === 0 && !Object.hasOwn(body, name)) {
    const isOfBatch = batchIdName.test(letters(name)) || (isMissing && listName.test(name));
    return isOfBatch ? path : [list, '0', name];
  }
  const at = path.slice(0, 2).findIndex(isIndex);
  const isOfRecord = at >= 0 && at < path.length - 1 && (at === 0 || name === list);
  return isOfRecord ? [list, '0', ...path.slice(at + 1)] : path;
}

/**
 * Whether the target asks for the batch itself: for a member with the name of a list; or, where no complaint names such
 * a member and the body holds no list of records, for any member that may be one.
 */
const isBatch = (
  { host }: Operation,
  path: readonly string[],
  { type, of, allowed }: Complaint,
  body: Readonly<Record<string, Json>>,
  isListNamed: boolean,
): boolean =>
  host === 'gamelogs' &&
  path.length === 1 &&
  (type === undefined || type === 'list') &&
  (of === undefined || of === 'object') &&
  allowed === undefined &&
  !batchIdName.test(letters(path[0] ?? '')) &&
  (listName.test(path[0] ?? '') || !(isListNamed || Object.values(body).some(isListOfRecords)));

const isListOfRecords = (value: Json | undefined): boolean => Array.isArray(value) && isObject(value[0]);

/** Names of the list of a batch. */
const listName = /^(?:logs?|events?|records|entries|items|lines|messages|batch|data)$/i;

/** Whether the member was sent, and the refusal asks for no other type and no other values. */
function isSaid(sent: Json | undefined, { type, allowed }: Complaint): sent is Json {
  if (sent === undefined || sent === null) return false;
  if (allowed !== undefined) return isScalar(sent) && allowed.includes(sent);
  return type === undefined || hasType(sent, type);
}

/**
 * Another value for a member whose value was refused for no stated reason: 1 for 0, a number for a made-up text under
 * the name of a quantity and a list for any other one, and the word of an enumeration in another letter case.
 */
function otherValue(name: string, sent: Json, { type, isMissing, allowed }: Complaint): Json {
  // The sent value is allowed: the refused one stood elsewhere, as in another record.
  if (allowed !== undefined) return sent;
  if (sent === 0) return 1;
  if (type === undefined && isMadeUp(sent)) {
    const plain = letters(name);
    return money.test(plain) ? someMoney : quantity.test(plain) ? 1 : [sent];
  }
  if (typeof sent !== 'string' || !/^[A-Za-z]{1,40}(?:[_-][A-Za-z]{1,40}){0,4}$/.test(sent)) return sent;
  if (sent === sent.toUpperCase()) return sent.toLowerCase();
  // A target that calls the member missing has not looked at its value.
  if (isMissing) return sent;
  // From `read` to `Read` to `READ` to `read`, so that each case is tried, whichever was the first.
  const isLower = sent === sent.toLowerCase();
  return isLower ? `${sent.slice(0, 1).toUpperCase()}${sent.slice(1)}` : sent.toUpperCase();
}

/** Sets the member at a path to what `made` returns; removes it where that is undefined. */
function change(
  root: Record<string, Json>,
  path: readonly string[],
  made: (sent: Json | undefined) => Json | undefined,
): void {
  let holder: Record<string, Json> = root;
  for (const part of path.slice(0, -1)) {
    const below = holder[part];
    const isHolder = isNested(below);
    const next: Json = isHolder ? below : {};
    holder[part] = next;
    holder = next as Record<string, Json>;
  }
  const last = path.at(-1) as string;
  const value = made(holder[last]);
  if (value === undefined) delete holder[last];
  else holder[last] = value;
}

const someone =
  /^(?:other|target|to|invitee|invited|friend|player|user|account|recipient|blocked|member)*(?:(?:player|user|friend|account|profile|invitee|recipient|target)s?ids?|uids?)$/;
const currency = /^currency(?:id|code|key|name|type)?$/;
const namesSomeone = new RegExp(`${someone.source}|^ids?$`);
/** Names of sums of money, and a sum that buys something and that a new player may have. */
const money = /points$|coins$|shards$|credits$|gold$|money|budget|spend/;
const someMoney = 5_000;
/** Names of numbers that are no identifiers. */
const quantity =
  /amount|count|delta|duration|expir|index|level|limit|max|min|offset|order|page|port|position|priority|quantity|rank|role|score|size|slot|time|total|version|weight/;
const placeholders = [
  'partyId',
  'matchId',
  'messageId',
  'autoJoinKey',
  'queueToken',
  'storyId',
  'archiveId',
  'pageId',
  'nodeId',
  'characterName',
  'stateName',
  'redeemableCode',
] as const;

/** Names of the member of a record that names its event. A target may check the form of that name. */
const eventName = /^(?:event)?(?:name|type|kind|key)$/;

/** The one identifier in the candidate bodies of an operation, if it is the only one: an `id` in them means it. */
function theOneId(guesses: readonly Form[]): string | undefined {
  const [only, another] = new Set(guesses.flatMap(({ carries }) => carries.filter(isId)));
  return another === undefined ? only : undefined;
}

/** The value that a candidate body has under a name, or under the name without its ending for a side (`playersA`). */
function guessedAs(operation: Operation, name: string): Json | undefined {
  const leaves = guessesFor(operation).flatMap(({ template }) => leavesOf(template));
  const under = (plain: string) =>
    leaves.find((leaf) => letters(leaf.name) === plain)?.value as Json | undefined;
  return under(letters(name)) ?? under(letters(name.replace(/(?:[_-]?[A-Z\d]|[_-][a-z])$/, '')));
}

/** The listed value that a candidate body has under that name; all listed values where no candidate has one of them. */
function choicesFor(
  operation: Operation,
  name: string,
  { allowed = [] }: { readonly allowed?: readonly Json[] | undefined },
): readonly Json[] {
  const guessed = letters(String(guessedAs(operation, name) ?? 'assay'));
  const same = allowed.find((each) => letters(String(each)) === guessed);
  return same === undefined ? allowed : [same];
}

async function valueFor(
  operation: Operation,
  name: string,
  { type, of, allowed }: Complaint,
  look: Look,
): Promise<Json> {
  const plain = letters(name);
  const one = plain.replace(/s$/, '');
  const guesses = guessesFor(operation);
  const guessed = guessedAs(operation, name);
  const [choice] = choicesFor(operation, name, { allowed });
  if (choice !== undefined) return type === 'list' ? [choice] : choice;
  const isOther = guesses.some(({ carries }) => carries.includes('other.id'));
  const known =
    placeholders.find((each) => letters(each) === one || letters(each) === plain) ??
    (someone.test(plain) ? (isOther ? 'other.id' : 'player.id') : undefined) ??
    (currency.test(plain) ? 'currency' : undefined) ??
    (/^ids?$/.test(plain) ? theOneId(guesses) : undefined);
  const element = type === 'list' ? of : type;
  const asNumber = element === 'integer' || element === 'number';
  const scalar = (): Json | undefined => {
    if (element === 'object' || element === 'boolean') return undefined;
    if (asNumber && momentName.test(plain)) return '{{now:number}}';
    // A batch that is sent again under the same id may be answered as the first one was, and a record left out.
    const isNew = operation.host === 'gamelogs' && !asNumber;
    if (isNew && (batchIdName.test(plain) || recordIdName.test(plain))) return '{{unique}}';
    if (known !== undefined) return `{{${known}${asNumber && isId(known) ? ':number' : ''}}}`;
    const isWord = typeof guessed === 'string' && /[A-Za-z]/.test(guessed);
    if (isWord && !asNumber) return guessed;
    return operation.host === 'gamelogs' && eventName.test(plain) && !asNumber ? record.event : undefined;
  };
  // In a call about another player, an unknown member gets that player's id; a number only where ids are numbers.
  const takesId =
    element === undefined ||
    element === 'string' ||
    (asNumber && !quantity.test(plain) && isDigits(await look(operation, 'other.id')));
  const whom =
    isOther && takesId && guessed === undefined ? `{{other.id${asNumber ? ':number' : ''}}}` : undefined;
  const lookUp = async () => {
    const shown = await look(operation, name);
    return oppositeOf(shown, guesses) ?? shown;
  };
  const value = scalar() ?? (await lookUp()) ?? whom ?? plainOf(element, plain);
  return type === 'list' && !Array.isArray(value) ? [value] : value;
}

/** Names of the member that identifies a batch. */
const batchIdName = /^(?:batch|request|upload|idempotency)(?:id|key|uuid)$/;

/** Names of the member that identifies a record. */
const recordIdName = /^(?:event|record|log|entry|message)?(?:id|uuid|guid)$/;

/** Gives a batch another id than the refused batch had: under the same id the target may repeat its refusal. */
function renameBatch(next: Record<string, Json>, refused: Readonly<Record<string, Json>>): void {
  for (const [name, value] of Object.entries(next)) {
    const [, nth = '1'] = /^\{\{unique\}\}(?:-(\d+))?$/.exec(String(value)) ?? [];
    if (batchIdName.test(letters(name)) && value === refused[name])
      next[name] = `{{unique}}-${Number(nth) + 1}`;
  }
}

/** Names of a point in time. Where it has to be a number, it is one of seconds. */
const momentName =
  /^(?:client|event|log|server|sent|created|occurred|logged|happened)?(?:timestamp|time|date|at|ts)$/;

/** Returns `read` for `unread`, where a candidate body has that word: sending the shown value changes nothing. */
function oppositeOf(shown: Json | undefined, guesses: readonly Form[]): Json | undefined {
  if (typeof shown !== 'string' || !/^un/i.test(shown)) return undefined;
  const words = guesses.flatMap(({ template }) => leavesOf(template).map(({ value }) => String(value)));
  const isMeant = words.some((word) => letters(`un${word}`) === letters(shown));
  const bare = shown.slice(2);
  return isMeant
    ? /^U[a-z]/.test(shown)
      ? `${bare.slice(0, 1).toUpperCase()}${bare.slice(1)}`
      : bare
    : undefined;
}

function plainOf(type: MemberType | undefined, name: string): Json {
  switch (type) {
    case 'object':
      return /log|event|entr|record|batch/.test(name) ? record : { [madeUpKey]: '{{value}}' };
    case 'integer':
    case 'number':
      return 1;
    case 'boolean':
      return true;
    case 'date':
      return '{{now}}';
    case 'list':
    case 'string':
    case undefined:
      return '{{value}}';
  }
}
