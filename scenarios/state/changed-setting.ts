// Changes one setting of what a read shows, and sends the whole back: the write takes what its own read shows where no text
// of ours has a place in it.
import type { Operation } from '../../catalog/operation.ts';
import { pollAnswered } from '../../engine/flow/polling.ts';
import { requireAnswer } from '../../engine/flow/refusal.ts';
import type { StepContext } from '../../engine/flow/step-context.ts';
import { answerLeaves, type Exchange, isSuccess, jsonValue, statusOf } from '../../engine/http/exchange.ts';
import { Stop, violation } from '../../engine/judgement.ts';
import { isObject, keysIn, leavesOf, valueAt } from '../../engine/values/json-walk.ts';

type Role = 'player' | 'other';
type Members = Readonly<Record<string, unknown>>;

/** Each costs a write, and a wait where it is lost. */
const mostTried = 4;
/** What a server writes itself, whatever is sent. */
const written =
  /(^|_)ids?$|Ids?$|(_at|At|time|Time|stamp|version|Version|revision|etag)$|^(version|revision)$/;

/**
 * Expects of each setting of the read that is a number or a boolean, up to four, that it is kept once the write's answer
 * shows it changed; and that one is kept at least.
 */
export async function expectSettingsKept(
  context: StepContext<Role>,
  write: Operation,
  read: Operation,
): Promise<void> {
  const before = requireAnswer(await context.put('player', read));
  const shown = settingsIn(before);
  const settings = leavesOf(shown)
    .filter(({ name, value }) => ['number', 'boolean'].includes(typeof value) && !written.test(name))
    .slice(0, mostTried);
  if (settings.length === 0)
    return context.notTriggered(`${read.id} shows no setting that is a number or a boolean`);
  let refused: Exchange | undefined;
  let kept = 0;
  for (const { pointer, name, value } of settings) {
    const changed = typeof value === 'boolean' ? !value : beside(Number(value));
    const body = withValue(shown, pointer, changed);
    const answer = requireAnswer(await context.put('player', write, { body: JSON.stringify(body) }));
    if (!isSuccess(answer)) {
      refused = answer;
      continue;
    }
    const { holds, last } = await pollAnswered(
      () => context.put('player', read),
      (now) => valueAt(settingsIn(now), pointer) === changed,
    );
    if (holds) kept += 1;
    else if (says(answer, name, changed) && !(await repeats(context, write, body)))
      throw new Stop({
        ...violation(
          `${read.id} with ${name} ${changed}, as the answer to ${write.id} says`,
          `${name} ${valueAt(settingsIn(last), pointer)}`,
          last,
        ),
        // The body is ours, whatever a profile says of another one.
        level: 'inferred',
      });
  }
  if (kept > 0) return;
  context.cannotTell(
    'needs-body',
    refused === undefined
      ? `${write.id} took what ${read.id} shows, and changed nothing`
      : `${write.id} is answered ${statusOf(refused)} with what ${read.id} shows`,
  );
}

const envelope = /^(result|data|payload|response|body|content)$/i;

/** Another number that a range which holds this one most likely holds. */
const beside = (number: number): number => (number >= 1 ? number - 1 : number > 0 ? number / 2 : 1);

/** The object that an answer shows, without the envelope around it; empty where there is none. */
function settingsIn(answer: Exchange): Members {
  const value = jsonValue(answer);
  if (!isObject(value) || Array.isArray(value)) return {};
  const inside = Object.entries(value).find(([name, member]) => envelope.test(name) && isObject(member));
  return inside && !Array.isArray(inside[1]) ? (inside[1] as Members) : value;
}

function withValue(root: Members, pointer: string, value: number | boolean): Members {
  const copy = structuredClone(root);
  const keys = keysIn(pointer);
  const holder = keys.slice(0, -1).reduce<unknown>((at, key) => isObject(at) && at[key], copy);
  const last = keys.at(-1);
  if (isObject(holder) && last !== undefined) (holder as Record<string, unknown>)[last] = value;
  return copy;
}

const says = (answer: Exchange, name: string, value: number | boolean) =>
  answerLeaves(answer).some((leaf) => leaf.name === name && leaf.value === value);

/** Whether the write's answer shows whatever was sent: it does not show then what was understood. */
async function repeats(context: StepContext<Role>, write: Operation, body: Members): Promise<boolean> {
  const unknown = context.unique('assayunknown');
  const sent = JSON.stringify({ ...body, [context.unique('assaymember')]: unknown });
  const answer = requireAnswer(await context.put('player', write, { body: sent }));
  return isSuccess(answer) && context.mentioned(answer, unknown);
}
