// Finds identifiers in answers by the names of their fields.
import { answerLeaves, type Exchange, jsonValue } from '../http/exchange.ts';
import { entriesOf, isNested, isObject } from '../values/json-walk.ts';
import { letters } from '../values/text.ts';

/** An identifier from an answer. It keeps its type, for use in bodies. */
export type Identifying = string | number;

/** Characters, as long as a token may be; a longer text fits in no path. */
const longestIdentifier = 8 * 1024;

export const isIdentifying = (value: unknown): value is Identifying =>
  (typeof value === 'string' && value !== '' && value.length <= longestIdentifier) ||
  typeof value === 'number';

/**
 * The first value under one of these names in a JSON answer, breadth first; bounded. Entries of a list that say of
 * themselves that they are closed or locked come last.
 * Only letters count, in any case: `party_id` is `partyId`. The name `nodes[]` finds the first value of a list `nodes`.
 */
export function identifierIn(exchange: Exchange, names: readonly string[]): Identifying | undefined {
  const root = jsonValue(exchange);
  for (const name of names) {
    const found = search(root, letters(name), name.endsWith('[]'));
    if (found !== undefined) return found;
  }
  return undefined;
}

const saysOpen = /^(?:is_?)?(?:open|active|enabled|available|unlocked|current|ongoing)$/i;
const saysClosed = /^(?:is_?)?(?:closed|locked|expired|ended|over|disabled|archived|finished)$/i;
const isClosedState =
  /^(?:closed|locked|expired|ended|over|inactive|disabled|archived|past|finished|unavailable|upcoming|future|scheduled|not_?(?:started|available))$/i;

/**
 * Whether an entry says that nothing can be done with it at present: a season that is over, a node that is locked. The
 * entries of a JSON:API document say so in their `attributes`.
 */
function isClosed(entry: unknown): boolean {
  return (
    isObject(entry) &&
    entriesOf(entry, 50).some(([name, value]) => {
      if (typeof value === 'boolean') return value ? saysClosed.test(name) : saysOpen.test(name);
      if (name === 'attributes') return isClosed(value);
      return typeof value === 'string' && /^(?:status|state)$/i.test(name) && isClosedState.test(value);
    })
  );
}

/** The members of an item; of a list, the entries that are closed come last. */
function membersOf(item: object): [string, unknown][] {
  const members = entriesOf(item, 50);
  return Array.isArray(item)
    ? members.toSorted(([, a], [, b]) => Number(isClosed(a)) - Number(isClosed(b)))
    : members;
}

/** Breadth first; the `id` of a `party` is a `partyId` too. */
function search(root: unknown, name: string, isList: boolean): Identifying | undefined {
  const open: { readonly holder: string; readonly item: unknown }[] = [{ holder: '', item: root }];
  for (let looked = 0; looked < open.length && looked < 500; looked += 1) {
    const { holder, item } = open[looked] as (typeof open)[number];
    if (!isNested(item)) continue;
    const members = membersOf(item);
    for (const [key, value] of members) {
      if (![key, holder + key].some((each) => letters(each) === name)) continue;
      const found: unknown = isList ? Array.isArray(value) && value[0] : value;
      if (isIdentifying(found)) return found;
    }
    open.push(
      ...members.map(([key, value]) => ({ holder: Array.isArray(item) ? holder : key, item: value })),
    );
  }
  return undefined;
}

/** The first name in a map of such resources: `S1` of `{"stories": {"S1": {…}, "S2": {…}}}` may be a `storyId`. */
export function entryNameIn(exchange: Exchange, name: string): string | undefined {
  const kind = letters(name).replace(/(?:id|name)$/, '');
  const holders = [`${kind}s`, kind.replace(/y$/, 'ies')];
  const open: unknown[] = [jsonValue(exchange)];
  for (let looked = 0; looked < open.length && looked < 50; looked += 1) {
    const item = open[looked];
    if (!isObject(item)) continue;
    for (const [key, held] of entriesOf(item, 50)) {
      if (!isObject(held)) continue;
      const entries = entriesOf(held, 50);
      const isMap = entries.length > 0 && entries.every(([, each]) => isObject(each));
      if (isMap && holders.includes(letters(key))) return entries[0]?.[0];
      open.push(held);
    }
  }
  return undefined;
}

const namesCode = /(?:redeemable|promo|gift|reward|coupon|voucher)code$/;
const isCode = /^[A-Z0-9][A-Z0-9-]{3,39}$/;
/** `Redeem WELCOME2024 for 500 shards`, `The code is FOGGY-NIGHT`. */
const codeInText =
  /\b(?:[Rr]edeem|[Cc]ode|[Cc]oupon|[Vv]oucher)\b[^A-Z\n]{1,24}([A-Z][A-Z0-9]{3,23}(?:-[A-Z0-9]{1,16}){0,3})\b/;
const longestText = 4_000;

/** A text that says that only some players get what a code gives: `FIRST3 works for the first three players`. */
const saysLimited = /\b(?:first|limited|only|last|remaining)\b/i;

/**
 * A code that an answer tells players to redeem, in a text or in a field for codes: one that all players may redeem, if
 * any. Of these, the first that ends in a number: it may be a sum of money, and what a wallet gets twice shows, while a
 * thing is owned once.
 */
export function redeemableCodeIn(exchange: Exchange): string | undefined {
  const codes = answerLeaves(exchange).flatMap(({ name, value }) => {
    if (typeof value !== 'string' || value.length > longestText) return [];
    const isStated = namesCode.test(letters(name)) && isCode.test(value);
    const code = isStated ? value : codeInText.exec(value)?.[1];
    return code === undefined ? [] : [{ code, isForAll: isStated || !saysLimited.test(value) }];
  });
  const forAll = codes.filter(({ isForAll }) => isForAll);
  const [first, ...others] = (forAll.length > 0 ? forAll : codes).map(({ code }) => code);
  return [first, ...others].find((code) => code !== undefined && /\d$/.test(code)) ?? first;
}
