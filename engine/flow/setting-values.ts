// Sets a value of a player and waits until a read shows it: a value of Assay's own where the body has a place for one,
// else one of the values that the profile's body fixes.
import type { Operation } from '../../catalog/operation.ts';
import { answerLeaves, type Exchange, isSuccess } from '../http/exchange.ts';
import { cannotTell, Stop } from '../judgement.ts';
import { type Form, isGuess } from '../players/body-template.ts';
import { type Leaf, leavesOf } from '../values/json-walk.ts';
import { saysValue } from './bodies-to-try.ts';
import { placesOf } from './places.ts';
import { pollAnswered } from './polling.ts';
import { choicesIn } from './send-with-body.ts';
import type { BodyAsk, Kept, StepContext } from './step-context.ts';
import { readBy, readOnce, type View } from './views.ts';
import { requireAnswer } from './why-refused.ts';

type Leaves = readonly Pick<Leaf, 'name' | 'value'>[];

/**
 * The values that the profile's body fixes: its texts, numbers and truth values. None where the body has a place for
 * the value, or where no profile gives a body.
 */
export function fixedIn([form]: readonly Form[], placeholder: string): Leaves {
  if (form === undefined || isGuess(form) || saysValue(form, placeholder)) return [];
  return leavesOf(form.template).filter(
    ({ value }) => value !== null && value !== '' && !String(value).includes('{{'),
  );
}

/** The value that was set. Ends the step where the profile's body fixes it: it does not show who set it, or when. */
export function ownValue({ id }: Operation, { value, isOwn }: Kept): string {
  if (!isOwn)
    throw cannotTell(
      'needs-body',
      `the profile fixes what ${id} sets, which does not show who set it, or when`,
    );
  return value;
}

/** Makes `context.sets`. */
export const createSets =
  (context: StepContext): StepContext['sets'] =>
  async (role, operation, { as: placeholder = 'value', value, shownIn, ...ask }): Promise<Kept> => {
    // A value that the call names anyway, such as an id in its path, would not show that it was set.
    const sentValues = new Set(
      [...Object.values(ask.carry ?? {}), ...Object.values(ask.params ?? {})].map(String),
    );
    const fixed = fixedIn(context.forms(operation), placeholder).filter(
      (leaf) => !sentValues.has(String(leaf.value)),
    );
    // A body without a place for Assay's own value can only be recognized by the values that it fixes.
    return fixed.length === 0
      ? setOwnValue(context, { role, operation, ask, shownIn }, { placeholder, value })
      : setFixedValues(context, { role, operation, ask, shownIn }, fixed);
  };

interface Sent {
  readonly role: string | undefined;
  readonly operation: Operation;
  readonly ask: BodyAsk;
  readonly shownIn: (value: string) => View;
}

/** Sets Assay's own value; where a refusal lists the values that are allowed, one of those. */
async function setOwnValue(
  context: StepContext,
  { role, operation, ask, shownIn }: Sent,
  { placeholder, value }: { readonly placeholder: string; readonly value: string },
): Promise<Kept> {
  const set = async (text: string): Promise<void> => {
    const until = shownIn(text);
    await context.mustSucceed(role, operation, {
      ...ask,
      carry: { ...ask.carry, [placeholder]: text },
      until,
    });
    await context.sees(role, until);
  };
  try {
    await set(value);
    return { value, isOwn: true };
  } catch (error) {
    const refusal =
      error instanceof Stop && error.judgement.kind === 'inconclusive' && error.judgement.evidence;
    const choices = refusal ? choicesIn(refusal, value) : [];
    if (choices[0] === undefined) throw error;
    const before = requireAnswer(await readOnce(context, readBy(role, shownIn(choices[0]))));
    // A choice that the view already shows would not show that it was set.
    const other = choices.find((choice) => !context.mentions(before, choice));
    if (other === undefined) throw error;
    await set(other);
    return { value: other, isOwn: false, choices };
  }
}

/** Sends the profile's body as it is, and waits until a read shows one of the values that it fixes. */
async function setFixedValues(
  context: StepContext,
  { role, operation, ask, shownIn }: Sent,
  fixed: Leaves,
): Promise<Kept> {
  // The body holds nothing that this run made up.
  const { madeUp: _, ...asFixed } = ask;
  const view = shownIn(String(fixed[0]?.value));
  const read = () => readOnce(context, readBy(role, view));
  const before = requireAnswer(await read());
  await context.mustSucceed(role, operation, asFixed);
  const isNew = (leaf: Leaves[number], answer: Exchange) => {
    const was = saidIn(before, leaf);
    return [...saidIn(answer, leaf)].some(([path, times]) => times > (was.get(path) ?? 0));
  };
  const { last } = await pollAnswered(read, (answer) => fixed.some((leaf) => isNew(leaf, answer)));
  const shown = fixed.find((leaf) => isNew(leaf, last));
  if (shown !== undefined) return { value: String(shown.value), isOwn: false };
  if (fixed.some((leaf) => [...saidIn(last, leaf).values()].some((times) => times > 0)))
    return context.cannotTell(
      'needs-state',
      `${view.operation.id} already showed, before the call, what the profile's body of ${operation.id} fixes`,
    );
  const text = fixed.find((leaf) => typeof leaf.value === 'string');
  // A number or a boolean may be written differently in another answer.
  if (text === undefined)
    return context.cannotTell(
      'needs-body',
      `the profile's body of ${operation.id} fixes no text, and nothing of it stands in ${view.operation.id}`,
    );
  const what = `"${text.value}", which the profile's body of ${operation.id} fixes`;
  await context.sees(role, { ...view, value: String(text.value), what });
  return { value: String(text.value), isOwn: false };
}

/** Where an answer holds the value, and how often: a text in any place, a number or a boolean under its own name. */
function saidIn(answer: Exchange, { name, value }: Leaves[number]): ReadonlyMap<string, number> {
  if (!answer.response || !isSuccess(answer)) return new Map();
  if (typeof value === 'string')
    return new Map([...placesOf(answer, value)].map(([path, { times }]) => [path, times]));
  const same = answerLeaves(answer).filter((leaf) => leaf.name === name && leaf.value === value);
  // Only the count matters, so all stand under one key.
  return new Map([['', same.length]]);
}
