// Changes one setting in what a read shows and sends the whole back, for a target whose settings have no place for a
// text of this run: a write most likely takes what its read shows.
import type { Operation } from '../../catalog/operation.ts';
import { pollAnswered } from '../../engine/flow/polling.ts';
import { requireAnswer } from '../../engine/flow/refusal.ts';
import { setByServer, shownObject } from '../../engine/flow/shown-forms.ts';
import type { StepContext } from '../../engine/flow/step-context.ts';
import { answerLeaves, type Exchange, isSuccess, statusOf } from '../../engine/http/exchange.ts';
import { Stop, violation } from '../../engine/judgement.ts';
import { isObject, keysIn, leavesOf, valueAt } from '../../engine/values/json-walk.ts';

type Role = 'player' | 'other';
type Members = Readonly<Record<string, unknown>>;

/** Most settings that are tried: each costs a write, and a wait where the change is lost. */
const mostTried = 4;
/** A setting that a player changed, and what the other player read right after it. */
export interface ChangedSetting {
  /** All settings as the read showed them before the change. */
  readonly shown: Members;
  /** Where the setting stands among them, as a JSON Pointer. */
  readonly pointer: string;
  readonly name: string;
  readonly before: number | boolean;
  readonly changed: number | boolean;
  readonly othersAnswer: Exchange;
}

/**
 * Changes the settings of the read that are numbers or booleans, one at a time and four at most, and reads each back.
 * Ends the step as a violation where the write's answer shows a change that the read then lacks, and as inconclusive
 * where no change is kept.
 * @returns the first change that was kept
 */
export async function expectSettingsKept(
  context: StepContext<Role>,
  write: Operation,
  read: Operation,
): Promise<ChangedSetting> {
  const shown = shownObject(requireAnswer(await context.send('player', read)));
  const settings = leavesOf(shown)
    .filter(({ name, value }) => ['number', 'boolean'].includes(typeof value) && !setByServer.test(name))
    .slice(0, mostTried);
  if (settings.length === 0)
    return context.notTriggered(`${read.id} shows no setting that is a number or a boolean`);
  let refused: Exchange | undefined;
  let kept: ChangedSetting | undefined;
  for (const { pointer, name, value } of settings) {
    const before = value as number | boolean;
    const changed = otherThan(before);
    const body = withValue(shown, pointer, changed);
    const answer = requireAnswer(await context.send('player', write, { body: JSON.stringify(body) }));
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
        kept = { shown, pointer, name, before, changed, othersAnswer };
      }
    } else if (shows(answer, name, changed) && !(await echoes(context, write, body)))
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

/**
 * Expects that a setting which a player changes stays as it is for the other player. Reads right after each write:
 * where all players share one setting, other checks may soon change it back.
 */
export async function expectNotShared(
  context: StepContext<Role>,
  write: Operation,
  read: Operation,
  { shown, pointer, name, before, changed, othersAnswer }: ChangedSetting,
): Promise<void> {
  if (valueAt(shownObject(othersAnswer), pointer) !== changed) return;
  // The other player may have had this value all along, so it has to follow the first player's twice more.
  let others = othersAnswer;
  for (const value of [before, changed]) {
    const body = JSON.stringify(withValue(shown, pointer, value));
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

function withValue(root: Members, pointer: string, value: number | boolean): Members {
  const copy = structuredClone(root);
  const keys = keysIn(pointer);
  const holder = keys.slice(0, -1).reduce<unknown>((at, key) => isObject(at) && at[key], copy);
  const last = keys.at(-1);
  if (isObject(holder) && last !== undefined) (holder as Record<string, unknown>)[last] = value;
  return copy;
}

const shows = (answer: Exchange, name: string, value: number | boolean) =>
  answerLeaves(answer).some((leaf) => leaf.name === name && leaf.value === value);

/** Whether the write's answer shows even an unknown field: it then repeats the body, whatever was understood. */
export async function echoes(context: StepContext<Role>, write: Operation, body: Members): Promise<boolean> {
  const unknown = context.unique('assayunknown');
  const sent = JSON.stringify({ ...body, [context.unique('assaymember')]: unknown });
  const answer = requireAnswer(await context.send('player', write, { body: sent }));
  return isSuccess(answer) && context.mentions(answer, unknown);
}
