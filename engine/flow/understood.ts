// Decides whether the target has read what a guessed body carries.
import type { Operation } from '../../catalog/operation.ts';
import type { Ask } from '../http/ask.ts';
import { answerLeaves, type Exchange } from '../http/exchange.ts';
import { refusesBody } from '../players/bodies.ts';
import { type Form, firstOf, placeholdersIn } from '../players/body-template.ts';
import { holdsOne } from '../players/own-names.ts';
import type { Context } from '../probe/context.ts';
import { isObject, keysIn, leavesOf, parsedJson } from '../values/json-walk.ts';
import { switchPoint } from '../values/switch-points.ts';
import { mentions, placesOf } from './places.ts';
import { accepted } from './refusal.ts';
import type { BodyAsk } from './step-context.ts';

/** Values of a body that the target's own answers gave. */
const ids: ReadonlySet<string> = new Set(['other.id', 'messageId', 'pageId', 'partyId', 'matchId']);
/** The call needs only an id of the target's, and the body has a place for it. */
export const namesOnlyIds = (form: Form, { carry = {}, madeUp, reports }: BodyAsk): boolean =>
  madeUp === undefined &&
  !reports &&
  Object.keys(carry).length > 0 &&
  Object.keys(carry).every((name) => ids.has(firstOf(name)) && form.carries.includes(name)) &&
  answersWith(form, Object.keys(carry));

/** A target reads the member that it asked for: where none of those holds the id, the call may name somebody else. */
export const answersWith = switchPoint(({ answers = [] }: Form, names: readonly string[]): boolean => {
  const scalars = answers.filter((answer) => !isObject(answer) && typeof answer !== 'boolean');
  return (
    scalars.length === 0 ||
    scalars.some((answer) => placeholdersIn(answer).some((name) => names.includes(name)))
  );
});

/** A guess that was accepted. */
export interface Tried {
  readonly form: Form | undefined;
  readonly body: Ask['body'];
  /** Which of the values that it carries the answer shows. */
  readonly shown: readonly string[];
  /** The answer, and the last read in which its effect was looked for; none where nothing was. */
  readonly sought?: { readonly answer: Exchange; readonly read: Exchange };
}

/** The value that a call carries, or else the ids. */
export function carriedBy({ carry = {} }: BodyAsk): readonly string[] {
  const { value, ...names } = carry;
  return (value === undefined ? Object.values(names) : [value]).map(String);
}

interface Asking {
  readonly context: Context;
  /** Sends the same call with these members. */
  readonly send: (members: object) => Promise<Exchange>;
}

/** Whether the target reads what an accepted guess carries, by its answers to that guess without it, or with more beside it. */
export async function isUnderstood(
  operation: Operation,
  request: BodyAsk,
  { form, body, shown, sought }: Tried,
  { send, context }: Asking,
): Promise<boolean> {
  const parsed = typeof body === 'string' ? parsedJson(body) : undefined;
  if (!isObject(parsed) || Array.isArray(parsed)) return false;
  const sent: object = parsed;
  const hasIdsAlone = form !== undefined && namesOnlyIds(form, request);
  const isText = typeof request.carry?.value === 'string';
  if (!hasIdsAlone && !isText && !(sought && showUnderOneName(sought, shown))) return false;
  if (hasIdsAlone || !isText) {
    const answer = await send(without(sent, carriedBy(request)));
    if (hasIdsAlone && refusesBody(answer)) return true;
    // What it answers anyway does not come from the body.
    if (shown.some((value) => mentions(answer, value))) return false;
  }
  return shown.length > 0 && (await showsWhatItKnows());

  /** It refuses or leaves out a member that nobody knows. An answer that shows that one, too, repeats whatever comes. */
  async function showsWhatItKnows(): Promise<boolean> {
    const [name, unknown] = [context.flows.unique('assaymember'), context.flows.unique('assayunknown')];
    const answer = await send({ ...sent, [name]: unknown });
    if (!accepted(operation, answer, context)) return refusesBody(answer);
    return shown.every((value) => mentions(answer, value)) && !mentions(answer, unknown);
  }
}

/**
 * Whether the answer shows each of the values in a member that the read names as well, or just below it: both then tell of
 * one thing, and the answer says that it is as it was sent.
 */
function showUnderOneName({ answer, read }: NonNullable<Tried['sought']>, shown: readonly string[]): boolean {
  const names = new Set(answerLeaves(read).flatMap(({ pointer }) => keysIn(pointer)));
  const isNamed = (path: string) =>
    keysIn(path)
      .slice(-2)
      .some((name) => name !== '#' && !holdsOne.test(name) && names.has(name));
  return shown.length > 0 && shown.every((value) => [...placesOf(answer, value).keys()].some(isNamed));
}

/** The members in which none of the values stands. */
const without = (members: object, values: readonly string[]) =>
  Object.fromEntries(
    Object.entries(members).filter(
      ([, member]) => !leavesOf(member).some((leaf) => values.includes(String(leaf.value))),
    ),
  );
