// Changes one setting in what a read shows and sends the whole back, for a target whose settings have no place for a
// text of this run: a write most likely takes what its read shows.
import type { Operation } from '../../catalog/operation.ts';
import { pollAnswered } from '../../engine/flow/polling.ts';
import { type Members, sendAsShown, setByServer, shownObject } from '../../engine/flow/shown-forms.ts';
import type { StepContext } from '../../engine/flow/step-context.ts';
import { requireAnswer } from '../../engine/flow/why-refused.ts';
import { answerLeaves, type Exchange, isSuccess, statusOf } from '../../engine/http/exchange.ts';
import { Stop, violation } from '../../engine/judgement.ts';
import {
  isObject,
  keysIn,
  leavesOf,
  parentOf,
  valueAt,
  withoutPositions,
} from '../../engine/values/json-walk.ts';

type Role = 'player' | 'other';
type Setting = number | boolean | string;

/** Most settings that are tried: each costs a write, and a wait where the change is lost. */
const mostTried = 4;
/** Names of the list of values that the member beside it may have. */
const listsOptions = /^(?:available|allowed|options|choices|supported|possible|valid)/i;

/** A setting in what a read shows, and another value for it. */
interface Place {
  /** Where the setting stands, as a JSON Pointer. */
  readonly pointer: string;
  readonly name: string;
  readonly before: Setting;
  readonly changed: Setting;
}

/** A setting that a player changed, and what the other player read right after it. */
export interface ChangedSetting extends Place {
  /** The members that the write took, with this value in place of the setting. */
  readonly bodyWith: (value: Setting) => Members;
  readonly othersAnswer: Exchange;
  /** The same setting of another entry, where the write takes one entry of a list at a time. */
  readonly next: (Place & { readonly body: Members }) | undefined;
}

/**
 * Changes settings that the read shows, one at a time and four at most, and reads each back: numbers, booleans, and
 * texts beside which the read lists the values that they may have. Ends the step as a violation where the write's
 * answer shows a change that the read then lacks, and as inconclusive where no change is kept.
 * @returns the first change that was kept
 */
export async function expectSettingsKept(
  context: StepContext<Role>,
  write: Operation,
  read: Operation,
): Promise<ChangedSetting> {
  const shown = shownObject(requireAnswer(await context.send('player', read)));
  const settings = settingsIn(shown).slice(0, mostTried);
  if (settings.length === 0)
    return context.notTriggered(`${read.id} shows no setting that is a number, a boolean or one of a list`);
  let refused: Exchange | undefined;
  let kept: ChangedSetting | undefined;
  for (const place of settings)
    for (const holder of holdersOf(shown, place)) {
      const { pointer, name, changed } = place;
      const { answer, sent } = await sendAsShown(
        (body) => context.send('player', write, { body }),
        holder.bodyWith(changed),
      );
      if (!isSuccess(answer)) {
        refused = answer;
        continue;
      }
      const { holds, last } = await pollAnswered(
        () => context.send('player', read),
        (now) => valueAt(shownObject(now), pointer) === changed,
      );
      if (holds) {
        if (kept === undefined) {
          const othersAnswer = requireAnswer(await context.send('other', read));
          const bodyWith = (value: Setting) => withValue(sent, holder.pointer, value);
          kept = { ...place, bodyWith, othersAnswer, next: nextOf(shown, place, holder) };
        }
        break;
      }
      if (shows(answer, name, changed) && !(await echoes(context, write, sent)))
        throw new Stop({
          ...violation(
            `${read.id} with ${name} ${changed}, as the answer to ${write.id} says`,
            `${name} ${valueAt(shownObject(last), pointer)}`,
            last,
          ),
          // This run made the body, so the level is not that of a body which the profile states.
          level: 'inferred',
        });
    }
  if (kept !== undefined) return kept;
  return context.cannotTell(
    'needs-body',
    refused === undefined
      ? `${write.id} took what ${read.id} shows, and changed nothing`
      : `${write.id} is answered ${statusOf(refused)} with what ${read.id} shows`,
  );
}

/** The settings that a read shows, each with another value that it may have. */
function settingsIn(shown: Members): readonly Place[] {
  return leavesOf(shown).flatMap(({ pointer, name, value }): Place[] => {
    if (typeof value === 'number' || typeof value === 'boolean')
      return setByServer.test(name) ? [] : [{ pointer, name, before: value, changed: otherThan(value) }];
    if (typeof value !== 'string') return [];
    const holder = valueAt(shown, parentOf(pointer));
    const options = isObject(holder)
      ? Object.entries(holder).flatMap(([beside, list]) =>
          listsOptions.test(beside) && Array.isArray(list) && list.includes(value) ? list : [],
        )
      : [];
    const changed: unknown = options.find((option) => option !== value);
    return typeof changed === 'string' ? [{ pointer, name, before: value, changed }] : [];
  });
}

interface Holder {
  readonly pointer: string;
  readonly bodyWith: (value: Setting) => Members;
}

/** What may be sent to change a setting: all that the read shows, or the entry of a list that holds the setting. */
function holdersOf(shown: Members, { pointer }: Place): readonly Holder[] {
  const whole = { pointer, bodyWith: (value: Setting) => withValue(shown, pointer, value) };
  const entry = /^(.*\/\d+)(\/.+)$/.exec(pointer);
  const members = entry ? valueAt(shown, entry[1] as string) : undefined;
  if (!entry || !isObject(members)) return [whole];
  const within = entry[2] as string;
  return [{ pointer: within, bodyWith: (value) => withValue(members, within, value) }, whole];
}

/** The same setting of another entry of the list, where this one was changed by its entry alone. */
function nextOf(shown: Members, { pointer }: Place, holder: Holder): ChangedSetting['next'] {
  if (holder.pointer === pointer) return undefined;
  const alike = (one: Place) => withoutPositions(one.pointer, '#') === withoutPositions(pointer, '#');
  const place = settingsIn(shown).find((one) => one.pointer !== pointer && alike(one));
  const [entry] = place ? holdersOf(shown, place) : [];
  return place && entry && { ...place, body: entry.bodyWith(place.changed) };
}

/** Expects that a setting which was kept stays when the same setting of another entry is changed. */
export async function expectKeptBeside(
  context: StepContext<Role>,
  write: Operation,
  read: Operation,
  { pointer, name, changed, next }: ChangedSetting,
): Promise<void> {
  if (next === undefined)
    return context.notTriggered(`${write.id} does not take one entry of a list at a time`);
  const { answer } = await sendAsShown((body) => context.send('player', write, { body }), next.body);
  const { holds, last } = await pollAnswered(
    () => context.send('player', read),
    (now) => valueAt(shownObject(now), next.pointer) === next.changed,
  );
  if (!isSuccess(answer) || !holds)
    return context.cannotTell('needs-body', `${write.id} did not take the setting of another entry`);
  const now = valueAt(shownObject(last), pointer);
  context.expect(
    now === changed,
    `${name} ${changed}, as it was saved before the other one`,
    `${name} ${now}`,
    last,
  );
}

/**
 * Expects that a setting which a player changes stays as it is for the other player. Reads right after each write:
 * where all players share one setting, other checks may soon change it back.
 */
export async function expectNotShared(
  context: StepContext<Role>,
  write: Operation,
  read: Operation,
  { bodyWith, pointer, name, before, changed, othersAnswer }: ChangedSetting,
): Promise<void> {
  if (valueAt(shownObject(othersAnswer), pointer) !== changed) return;
  // The other player may have had this value all along, so it has to follow the first player's twice more.
  let others = othersAnswer;
  for (const value of [before, changed]) {
    const body = JSON.stringify(bodyWith(value));
    if (!isSuccess(requireAnswer(await context.send('player', write, { body })))) return;
    others = requireAnswer(await context.send('other', read));
    if (valueAt(shownObject(others), pointer) !== value) return;
  }
  context.expect(
    false,
    `${name} of the other player as it was, whatever the first one saves`,
    `${name} ${before}, then ${changed}, as the first one saved them`,
    others,
  );
}

/** Another value. Instead of a number, one that is most likely in the valid range as well. */
function otherThan(value: number | boolean): number | boolean {
  if (typeof value === 'boolean') return !value;
  if (value >= 1) return value - 1;
  return value > 0 ? value / 2 : 1;
}

function withValue(root: Members, pointer: string, value: Setting): Members {
  const copy = structuredClone(root);
  const holder = valueAt(copy, parentOf(pointer));
  const last = keysIn(pointer).at(-1);
  if (isObject(holder) && last !== undefined) (holder as Record<string, unknown>)[last] = value;
  return copy;
}

const shows = (answer: Exchange, name: string, value: Setting) =>
  answerLeaves(answer).some((leaf) => leaf.name === name && leaf.value === value);

/** Whether the write's answer shows even an unknown field: it then repeats the body, whatever was understood. */
export async function echoes(context: StepContext<Role>, write: Operation, body: Members): Promise<boolean> {
  const unknown = context.unique('assayunknown');
  const sent = JSON.stringify({ ...body, [context.unique('assaymember')]: unknown });
  const answer = requireAnswer(await context.send('player', write, { body: sent }));
  return isSuccess(answer) && context.mentions(answer, unknown);
}
