// Makes bodies of a write from what its read shows, since a write most likely accepts the same form.
import { type Exchange, isSuccess, jsonValue } from '../http/exchange.ts';
import { type Form, formOf } from '../players/body-template.ts';
import type { Json } from '../target/profile-validation.ts';
import { entriesOf, isObject } from '../values/json-walk.ts';

type Members = Readonly<Record<string, unknown>>;

const envelope = /^(result|data|payload|response|body|content)$/i;

/** The object that a read shows, without the envelope around it; empty where there is none. */
export function shownObject(read: Exchange): Members {
  const value = jsonValue(read);
  if (!isObject(value)) return {};
  const [, inside] =
    Object.entries(value).find(([name, member]) => envelope.test(name) && isObject(member)) ?? [];
  return isObject(inside) ? inside : value;
}

/** Names of members that a server sets itself, whatever is sent. */
export const setByServer =
  /(^|_)ids?$|Ids?$|(_at|At|time|Time|stamp|version|Version|revision|etag)$|^(version|revision)$/;

/** Names of members that say which player the data belongs to; that player did not write them. */
const namesPlayer = /^(?:player|user|account|display|owner)_?names?$/i;

/** Most bodies to try: each costs a write. */
const mostForms = 4;
const mostMembers = 100;
/** Names of maps that hold whatever a client keeps in them. */
const anything = /state|settings?|data|attributes|properties|custom|options/i;
/** Levels of the read in which a place for the value is looked for. */
const deepest = 3;
/** A larger read is not sent back: it would write too much that the step does not mean to change. */
const mostBytes = 8_192;

/**
 * Bodies with `{{value}}` as the only entry of a map that the read shows empty, which has room for anything, or in
 * place of a text or of null. Each comes with the member that holds it alone, and then with all that the read shows.
 */
export function formsAsShown(read: Exchange): readonly Form[] {
  const root = shownObject(read);
  if (!isSuccess(read) || (read.response?.body.length ?? 0) > mostBytes) return [];
  const roomIn = (name: string, member: unknown) =>
    isObject(member) && Object.keys(member).length === 0 ? 1 + Number(anything.test(name)) : 0;
  const members = entriesOf(root, mostMembers).toSorted((a, b) => roomIn(...b) - roomIn(...a));
  const filled = members.flatMap(([name, member]) =>
    withPlace(name, member, deepest).map((changed) => ({ [name]: changed })),
  );
  const isWhole = Object.keys(root).length < 2;
  const templates = filled.flatMap((one) => (isWhole ? [one] : [one, { ...root, ...one }]));
  return templates
    .map((template) => formOf(template as Json, 'read'))
    .filter(({ carries }) => carries.length === 1)
    .slice(0, mostForms);
}

/** The member with the placeholder in it, in each way that it has room for one. */
function withPlace(name: string, member: unknown, levels: number): readonly unknown[] {
  if (setByServer.test(name) || namesPlayer.test(name)) return [];
  if (member === null || typeof member === 'string') return ['{{value}}'];
  if (!isObject(member) || levels === 1) return [];
  const entries = entriesOf(member, mostMembers);
  if (entries.length === 0) return [{ assay: '{{value}}' }];
  return entries.flatMap(([key, inner]) =>
    withPlace(key, inner, levels - 1).map((changed) => ({ ...member, [key]: changed })),
  );
}
