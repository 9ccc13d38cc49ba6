// Fills the bodies that a call may be sent with, and puts them in the order in which they are tried.
import { isDeepStrictEqual } from 'node:util';
import type { Operation } from '../../catalog/operation.ts';
import type { Ask } from '../http/ask.ts';
import { cannotTell } from '../judgement.ts';
import {
  type Form,
  forTwo,
  isAskedFor,
  isGuess,
  placeholdersIn,
  secondOf,
  type TemplateValues,
  write,
} from '../players/body-template.ts';
import { someCurrency } from '../players/candidate-bodies.ts';
import type { Player } from '../players/players.ts';
import type { Context } from '../probe/context.ts';
import type { Json } from '../target/profile-validation.ts';
import { isObject, leavesOf } from '../values/json-walk.ts';
import { ownMember } from '../values/members.ts';
import type { BodyAsk, BodyNeeds } from './step-context.ts';

/** The player for whom bodies are filled, and what the scenario knows. */
export interface Writer {
  readonly context: Context;
  readonly player: Player | undefined;
  /** The other players of the scenario. */
  readonly others: readonly Player[];
  readonly taken: Taken;
}

/** The forms that operations were last seen to accept, by operation id. */
export interface Taken {
  readonly get: (id: string) => Form | undefined;
  readonly has: (id: string) => boolean;
  readonly set: (id: string, form: Form) => void;
  readonly values: () => Iterable<Form>;
}

type Carried = NonNullable<BodyAsk['carry']>;

/** The calls to try, in order: with the body that was accepted before, then with the likeliest ones. */
export function asksToTry(operation: Operation, request: BodyAsk, writer: Writer): readonly Ask[] {
  const ask = askIn(request);
  return takenFirst(operation, request, writer).map((body) => ({ ...ask, ...body.ask }));
}

/** The bodies to try: first the one that this scenario saw accepted, whatever other scenarios have learnt since. */
export function takenFirst(operation: Operation, request: BodyAsk, writer: Writer): readonly Body[] {
  const known = writer.taken.get(operation.id);
  const taken = known && suited(known, request);
  const isTaken = ({ form }: Body) => form !== undefined && isDeepStrictEqual(form, taken);
  const bodies = bodiesFor(operation, request, writer).toSorted(
    (a, b) => Number(isTaken(b)) - Number(isTaken(a)),
  );
  if (known === undefined || bodies.some(isTaken)) return bodies;
  return [...writtenFrom([known], operation, request, writer).bodies, ...bodies];
}

/** The form as this call needs it; undefined where the call names two and the form has no list. */
function suited(form: Form, request: BodyAsk): Form | undefined {
  const named = namingAll(chosen(form, request), request);
  return named && asShown(named, request.shownAs);
}

/** The form with one of the values that a refusal listed: the one that the call carries, else that at its `choice`. */
function chosen(form: Form, { choice = 0, carry = {} }: BodyAsk): Form {
  const all = [form, ...(form.others ?? [])];
  const carried = all.length > 1 ? all.find((each) => holdsValue(each, carry.value)) : undefined;
  return carried ?? all[choice % all.length] ?? form;
}

/** The form with a list of two for each placeholder that the call carries twice; undefined where it has no list. */
const namingAll = (form: Form, { carry = {} }: BodyAsk): Form | undefined =>
  Object.keys(carry)
    .filter((name) => Object.hasOwn(carry, secondOf(name)))
    .reduce<Form | undefined>((made, name) => made && forTwo(made, name), form);

/**
 * The form with placeholders in its members that have a name under which answers show their values. An earlier refusal
 * may have asked for such a member, when nothing showed which value belongs there. What a profile states stays.
 */
function asShown(form: Form, names: BodyAsk['shownAs']): Form {
  if (names === undefined || !isGuess(form) || !isObject(form.template)) return form;
  const template = Object.fromEntries(
    Object.entries(form.template).map(([name, value]): [string, Json] => {
      const placeholder = ownMember(names, name);
      const isFixed = typeof value === 'number' || (typeof value === 'string' && !value.includes('{{'));
      if (placeholder === undefined || !isFixed) return [name, value];
      return [name, typeof value === 'number' ? `{{${placeholder}:number}}` : `{{${placeholder}}}`];
    }),
  );
  return isDeepStrictEqual(template, form.template)
    ? form
    : { ...form, template, carries: placeholdersIn(template) };
}

/** The call with the body that was accepted before, or else with the likeliest body. */
export const likeliestAsk = (...call: Parameters<typeof asksToTry>): Ask => asksToTry(...call)[0] as Ask;

/** Gives a call without a body the profile's body, where the profile has one. */
export function asStated(
  operation: Operation,
  ask: Ask,
  writer: Pick<Writer, 'context' | 'player' | 'others'>,
): Ask {
  const form = writer.context.flows.forms(operation).find((each) => !isGuess(each));
  if (form === undefined || ask.body !== undefined || operation.method === 'GET') return ask;
  const writing = write(form, { ...givenFor(operation, writer), ...valuesOf(operation, ask, {}, writer) });
  if (writing.ok) return { ...ask, ...writing.written };
  throw cannotTell('needs-body', unknownIn(operation, writing.missing));
}

const unknownIn = (operation: Operation, names: readonly string[]) =>
  `the profile's body of ${operation.id} needs ${names.join(', ')}, of which no value is known here`;

/** The keys of `BodyNeeds`: one that is missing here does not compile. */
const needs: Readonly<Record<keyof BodyNeeds, true>> = {
  carry: true,
  offer: true,
  shownAs: true,
  choice: true,
  anyFixed: true,
  until: true,
  untilGone: true,
  reports: true,
  madeUp: true,
  mayRefuse: true,
};

/** The part of the request that is sent as it stands. */
export const askIn = (request: BodyAsk): Ask =>
  Object.fromEntries(Object.entries(request).filter(([key]) => !Object.hasOwn(needs, key)));

export interface Body {
  /** The template that was filled; undefined for the operation's plain body. */
  readonly form?: Form;
  /** The part of the call that it sets; empty for the operation's plain body. */
  readonly ask: Pick<Ask, 'body' | 'contentType'>;
  readonly guess: boolean;
  /** Weight of the optional values that it carries, the first named weighing most; a target may refuse them. */
  readonly offers: number;
  /** Whether this run made up a value in the body or the path. */
  readonly isOurs: boolean;
}

const plain: Body = { ask: {}, guess: false, offers: 0, isOurs: false };

/** Whether the template holds the value as it stands. */
const holdsValue = ({ template }: Form, value: string | number | undefined) =>
  leavesOf(template).some((leaf) => String(leaf.value) === String(value));

/** The bodies to try, in order. Throws a Stop where no known body carries what the call has to carry. */
export function bodiesFor(operation: Operation, request: BodyAsk, writer: Writer): Body[] {
  const { carry = {}, madeUp } = request;
  const forms = writer.context.flows.forms(operation);
  if (askIn(request).body !== undefined || forms.length === 0)
    return [{ ...plain, isOurs: madeUp !== undefined }];
  const { bodies, unknown } = writtenFrom(forms, operation, request, writer);
  if (bodies.length === 0)
    throw cannotTell(
      'needs-body',
      unknown.size > 0
        ? unknownIn(operation, [...unknown])
        : `no body is known that tells ${operation.id} ${Object.keys(carry).join(', ')}`,
    );
  return bodies.toSorted((a, b) => b.offers - a.offers);
}

/** Fills the forms that can carry the call's values, with `spare` for guesses; `unknown` is what a profile lacks. */
export function writtenFrom(
  forms: readonly Form[],
  operation: Operation,
  request: BodyAsk,
  writer: Writer,
  spare: TemplateValues = {},
) {
  const { carry = {}, offer = {}, anyFixed, reports = false, madeUp } = request;
  const needed = Object.keys(carry);
  const values = valuesOf(operation, askIn(request), { ...offer, ...carry }, writer);
  const given = givenFor(operation, writer);
  const shared = writer.context.flows.given(operation);
  const offered = Object.keys(offer).toReversed();
  const canCarry = (form: Form, name: string) =>
    saysValue(form, name) || (!isGuess(form) && (anyFixed || holdsValue(form, carry[name])));
  const unknown = new Set<string>();
  const bodies = forms
    .flatMap((form) => suited(form, request) ?? [])
    .filter((form) => needed.every((name) => canCarry(form, name)))
    .flatMap((form): Body[] => {
      // A member that only a refusal named takes any text, or another player's id: also when the body is sent again.
      const guess = isGuess(form);
      const takesAny = !guess || isAskedFor(form);
      const writing = write(form, { ...(takesAny ? given : { ...spare, ...shared }), ...values });
      if (!writing.ok) {
        if (!guess) for (const name of writing.missing) unknown.add(name);
        return [];
      }
      const offers = offered.reduce(
        (sum, name, nth) => sum + (form.carries.includes(name) ? 2 ** nth : 0),
        0,
      );
      const body = { form: writing.form, ask: writing.written };
      const isOurs =
        madeUp !== undefined && (needed.length === 0 || needed.some((name) => saysValue(form, name)));
      const isInVain = (guess || isOurs) && (reports || needed.length > 0);
      return [{ ...body, guess: isInVain, offers: guess ? offers : 0, isOurs }];
    });
  return { bodies, unknown };
}

/** Values for placeholders in a profile's body that the call does not carry. */
export const givenFor = (
  operation: Operation,
  { context, others }: Pick<Writer, 'context' | 'others'>,
): TemplateValues => ({
  value: context.flows.unique('assay', operation.id),
  'other.id': others.find(({ id }) => id !== undefined)?.id,
  ...context.flows.given(operation),
});

function valuesOf(
  operation: Operation,
  { params = {} }: Ask,
  carry: Carried,
  { player, context }: Pick<Writer, 'context' | 'player'>,
): TemplateValues {
  const own = { 'player.id': player?.id, 'player.name': player?.name };
  // The body means the same player as the path or the query.
  const other = [params.playerId, params.friendId].find((id) => id !== undefined && id !== player?.id);
  const unique = carry.value ?? context.flows.unique('body', operation.id);
  const now = new Date().toISOString();
  return {
    ...own,
    ...(other !== undefined && { 'other.id': other }),
    unique,
    now,
    currency: someCurrency,
    ...params,
    ...carry,
  };
}

/** Whether the form has a place for the placeholder; `unique` is a place for `value`, too. */
export const saysValue = ({ carries }: Form, placeholder: string): boolean =>
  carries.includes(placeholder) || (placeholder === 'value' && carries.includes('unique'));
