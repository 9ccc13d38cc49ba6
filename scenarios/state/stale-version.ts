// Checks that a write which names an older version than the one that is stored does not replace it.
import { players } from '../../catalog/areas/players.ts';
import { poll } from '../../engine/flow/polling.ts';
import type { StepContext } from '../../engine/flow/step-context.ts';
import { answerLeaves, type Exchange, isSuccess, statusOf } from '../../engine/http/exchange.ts';
import { namesVersion } from '../../engine/players/refusals/version-conflict.ts';
import { isObject, parsedJson } from '../../engine/values/json-walk.ts';
import { type NamedState, namedStates } from './named-states.ts';

/** A right server shows nothing of the write, so this wait is shorter than that for a required effect. */
const showsWithinMs = 600;

/** The number of the version that a read shows, and the name of its field. */
const versionIn = (answer: Exchange) =>
  answerLeaves(answer).find(
    (leaf): leaf is typeof leaf & { value: number } =>
      namesVersion(leaf.name) && Number.isSafeInteger(leaf.value),
  );

/**
 * Writes a state at its present version, or the next, whichever the target asks for, then at an older one.
 * Not triggered where reads show no version, or where a write may name anything as its version.
 * @throws Stop
 */
export async function expectStaleRefused(context: StepContext<'player' | 'other'>): Promise<void> {
  const [{ stateName, read }]: readonly [NamedState, ...unknown[]] = namedStates;
  const shown = versionIn(await context.send('player', read));
  if (shown === undefined) return context.notTriggered(`${read.id} shows no version`);
  const writeAt = async (version: unknown) => {
    const value = context.unique('assaystate');
    const ask = context.likeliestAsk('player', players.setState, { carry: { stateName, value } });
    const members = typeof ask.body === 'string' ? parsedJson(ask.body) : undefined;
    if (!isObject(members)) return context.cannotTell('needs-body', 'the body of a write is no object');
    const name = Object.keys(members).find(namesVersion) ?? shown.name;
    const body = JSON.stringify({ ...members, [name]: version });
    return { value, answer: await context.send('player', players.setState, { ...ask, body }) };
  };
  if (isSuccess((await writeAt('assay')).answer))
    return context.notTriggered('a write may name anything as its version');
  let present = shown.value;
  let { answer } = await writeAt(present);
  if (!isSuccess(answer)) {
    present += 1;
    ({ answer } = await writeAt(present));
  }
  if (!isSuccess(answer))
    context.cannotTell('needs-body', `a write at version ${present} is answered ${statusOf(answer)}`);
  const stands = versionIn(await context.send('player', read))?.value ?? present;
  const older = Math.min(present, stands - 1);
  const stale = await writeAt(older);
  if (!isSuccess(stale.answer)) return context.note(`it is answered ${statusOf(stale.answer)}`);
  const { last, holds } = await poll(
    () => context.send('player', read),
    (seen) => context.mentions(seen, stale.value),
    showsWithinMs,
  );
  context.expect(!holds, `what was written at version ${stands}`, `what was written at ${older}`, last);
}
