// Decides whether the target uses the values that a guessed body carries.
import { areas } from '../../catalog/catalog.ts';
import type { Operation } from '../../catalog/operation.ts';
import type { Ask } from '../http/ask.ts';
import { answerLeaves, type Exchange, statusOf } from '../http/exchange.ts';
import { refusesBody } from '../players/bodies.ts';
import { type Form, firstOf, placeholdersIn } from '../players/body-template.ts';
import { holdsOne } from '../players/own-names.ts';
import type { Context } from '../probe/context.ts';
import { isObject, keysIn, leavesOf, parsedJson } from '../values/json-walk.ts';
import { switchPoint } from '../values/switch-points.ts';
import { isDenied } from './agreement.ts';
import { mentions, placesOf } from './places.ts';
import type { BodyAsk } from './step-context.ts';
import { accepted } from './why-refused.ts';

/** Placeholders whose values the target's own answers gave. */
const idPlaceholders: ReadonlySet<string> = new Set([
  'other.id',
  'messageId',
  'pageId',
  'partyId',
  'matchId',
  'characterName',
]);
/** Whether the call needs nothing but ids that the target gave, and the body has a place for each. */
export const namesOnlyIds = (form: Form, { carry = {}, madeUp, reports }: BodyAsk): boolean =>
  madeUp === undefined &&
  !reports &&
  Object.keys(carry).length > 0 &&
  Object.keys(carry).every((name) => idPlaceholders.has(firstOf(name)) && form.carries.includes(name)) &&
  askedMembersHold(form, Object.keys(carry));

/**
 * Whether the members that refusals asked for hold one of these placeholders. A target reads the members that it asks
 * for: where none of them holds the id, the call may name another player or thing.
 */
export const askedMembersHold = switchPoint(({ answers = [] }: Form, names: readonly string[]): boolean => {
  const scalars = answers.filter((answer) => !isObject(answer) && typeof answer !== 'boolean');
  return (
    scalars.length === 0 ||
    scalars.some((answer) => placeholdersIn(answer).some((name) => names.includes(name)))
  );
});

/** A guess that was accepted. */
export interface AcceptedGuess {
  readonly form: Form | undefined;
  readonly body: Ask['body'];
  /** The carried values that the answer shows. */
  readonly shown: readonly string[];
  /** The answer, and the last read that was searched for its effect; undefined where none was. */
  readonly sought?: { readonly answer: Exchange; readonly read: Exchange };
}

/** Whether the answer shows a carried value on a thing that the read shows without it. */
export const isStatedOtherwise = ({ shown, sought }: Pick<AcceptedGuess, 'shown' | 'sought'>): boolean =>
  sought !== undefined && shown.some((value) => isDenied(sought.answer, sought.read, value));

/** The value that a call carries; if it carries none, the ids. */
export function carriedBy({ carry = {} }: BodyAsk): readonly string[] {
  const { value, ...names } = carry;
  return (value === undefined ? Object.values(names) : [value]).map(String);
}

interface Asking {
  readonly context: Context;
  /** Sends the same call with these members as its body. */
  readonly send: (members: object) => Promise<Exchange>;
}

/**
 * Whether the target uses the values of an accepted guess. Sends the guess again, without these values or with an
 * unknown member, and compares the answers.
 */
export async function isUnderstood(
  operation: Operation,
  request: BodyAsk,
  { form, body, shown, sought }: AcceptedGuess,
  { send, context }: Asking,
): Promise<boolean> {
  const parsed = typeof body === 'string' ? parsedJson(body) : undefined;
  if (!isObject(parsed) || Array.isArray(parsed)) return false;
  const sent: object = parsed;
  if (sought && isStatedOtherwise({ shown, sought })) return true;
  const carriesOnlyIds = form !== undefined && namesOnlyIds(form, request);
  const carriesText = typeof request.carry?.value === 'string';
  if (!carriesOnlyIds && !carriesText && !(sought && showUnderSharedName(sought, shown))) return false;
  if (carriesText && sought && isUnknownThen(operation, sent, sought.read) && (await demandsValue()))
    return true;
  if (carriesText && isKeptWhole(operation, sent, String(request.carry?.value)) && (await takesNothingElse()))
    return true;
  if (carriesOnlyIds || !carriesText) {
    const answer = await send(without(sent, carriedBy(request)));
    if (carriesOnlyIds && refusesBody(answer)) return true;
    // A value that the answer shows without being sent does not come from the body.
    if (shown.some((value) => mentions(answer, value))) return false;
  }
  return shown.length > 0 && (await ignoresUnknown());

  async function demandsValue(): Promise<boolean> {
    return refusesBody(await send(without(sent, carriedBy(request))));
  }

  /** Whether the body has to be just that: it is refused without the value, and with one member more. */
  async function takesNothingElse(): Promise<boolean> {
    if (!(await demandsValue())) return false;
    return refusesBody(await send({ ...sent, [context.flows.unique('assaymember')]: '' }));
  }

  /** Whether the target refuses or ignores an unknown member. An answer that shows it merely repeats the body. */
  async function ignoresUnknown(): Promise<boolean> {
    const [name, unknown] = [context.flows.unique('assaymember'), context.flows.unique('assayunknown')];
    const answer = await send({ ...sent, [name]: unknown });
    if (!accepted(operation, answer, context)) return refusesBody(answer);
    return shown.every((value) => mentions(answer, value)) && !mentions(answer, unknown);
  }
}

/** Whether the target accepted a state and then has none of that name: whatever it read, it kept nothing. */
const isUnknownThen = ({ id }: Operation, sent: object, read: Exchange): boolean =>
  id === areas.players.setState.id &&
  statusOf(read) === 404 &&
  leavesOf(sent).some(({ value }) => read.request.url.split(/[/?]/).includes(String(value)));

/**
 * Whether the value is stored whole, so that no part of it can be left out: it is the entire text of a member, or in a
 * named state, whose content only the client understands.
 */
const isKeptWhole = ({ id }: Operation, members: object, value: string): boolean =>
  id === areas.players.setState.id || Object.values(members).includes(value);

/**
 * Whether the answer shows each of the values in a member that the read has as well, or just below such a member. Both
 * then describe the same thing, and the answer shows it as it was sent.
 */
function showUnderSharedName(
  { answer, read }: NonNullable<AcceptedGuess['sought']>,
  shown: readonly string[],
): boolean {
  const names = new Set(answerLeaves(read).flatMap(({ pointer }) => keysIn(pointer)));
  const isNamed = (path: string) =>
    keysIn(path)
      .slice(-2)
      .some((name) => name !== '#' && !holdsOne.test(name) && names.has(name));
  return shown.length > 0 && shown.every((value) => [...placesOf(answer, value).keys()].some(isNamed));
}

/** The members that hold none of the values. */
const without = (members: object, values: readonly string[]) =>
  Object.fromEntries(
    Object.entries(members).filter(
      ([, member]) => !leavesOf(member).some((leaf) => values.includes(String(leaf.value))),
    ),
  );
