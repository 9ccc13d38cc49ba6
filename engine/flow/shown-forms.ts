// Makes bodies of a write from what its read shows, since a write most likely accepts the same form.
import { type Exchange, isSuccess, jsonValue } from '../http/exchange.ts';
import { refusesBody } from '../players/bodies.ts';
import { type Form, formOf } from '../players/body-template.ts';
import { madeUpKey } from '../players/candidate-bodies.ts';
import { complaintsIn } from '../players/refusals/refusals.ts';
import type { Json } from '../target/profile-validation.ts';
import { entriesOf, isNested, isObject } from '../values/json-walk.ts';
import { requireAnswer } from './why-refused.ts';

export type Members = Readonly<Record<string, unknown>>;

const envelope = /^(result|data|payload|response|body|content)$/i;

/** The object that a read shows, without the envelope around it; empty where there is none. */
export function shownObject(read: Exchange): Members {
  const value = jsonValue(read);
  if (!isObject(value)) return {};
  const [, inside] =
    Object.entries(value).find(([name, member]) => envelope.test(name) && isObject(member)) ?? [];
  return isObject(inside) ? inside : value;
}

/** Names of members that say when, or as which version, something was written. */
const writtenAs = /(_at|At|time|Time|stamp|version|Version|revision|etag)$|^(version|revision)$/;
/** Names of members that a server sets itself, whatever is sent. */
export const setByServer = new RegExp(`(^|_)ids?$|Ids?$|${writtenAs.source}`);

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
  if (entries.length === 0) return [{ [madeUpKey]: '{{value}}' }];
  return entries.flatMap(([key, inner]) =>
    withPlace(key, inner, levels - 1).map((changed) => ({ ...member, [key]: changed })),
  );
}

/** Most times that one body is sent with less in it. */
const mostShortened = 2;

/**
 * Sends what a read shows. Where the target refuses it, sends it again without the members that the refusal does not
 * want; where it names none, without those that say when it was written, or as which version.
 * @param send sends a body, as JSON
 * @returns the last answer, and the members that it is about
 */
export async function sendAsShown(
  send: (body: string) => Promise<Exchange>,
  members: Members,
): Promise<{ readonly answer: Exchange; readonly sent: Members }> {
  let sent = members;
  let answer = requireAnswer(await send(JSON.stringify(sent)));
  for (let nth = 0; nth < mostShortened && refusesBody(answer); nth += 1) {
    const unwanted = complaintsIn(answer).flatMap(({ path, isUnwanted }) =>
      isUnwanted ? [path.at(-1)] : [],
    );
    const isLeftOut = (name: string) =>
      unwanted.length > 0 ? unwanted.includes(name) : writtenAs.test(name);
    const shorter = without(sent, isLeftOut) as Members;
    if (JSON.stringify(shorter) === JSON.stringify(sent)) break;
    sent = shorter;
    answer = requireAnswer(await send(JSON.stringify(sent)));
  }
  return { answer, sent };
}

/** The value without the members, at any depth, whose names are to be left out. */
function without(value: unknown, isLeftOut: (name: string) => boolean, levels = deepest * 2): unknown {
  if (!isNested(value) || levels === 0) return value;
  if (Array.isArray(value)) return value.map((each) => without(each, isLeftOut, levels - 1));
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) =>
      isLeftOut(name) ? [] : [[name, without(member, isLeftOut, levels - 1)]],
    ),
  );
}
