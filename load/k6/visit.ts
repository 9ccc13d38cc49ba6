// Plays one iteration of a journey in k6: sends its calls in order, passes on what answers give, and makes players
// leave what they entered, however the journey ends.
import { type Kind, valueAt, wrongWith } from './answers.ts';
import type { Opened } from './effects.ts';
import type { Response } from './http.ts';
import type { Call, Inside, Plan, ShownMember, ShownWaiting } from './plan.ts';
import {
  type Given,
  type Iteration,
  isLate,
  lacking,
  type Prepared,
  put,
  type State,
  stateOf,
  take,
  waitFor,
} from './send-call.ts';

/** What a group of actors may still be in, and the calls of its journey, some of which leave it. */
export interface StillInside extends Omit<Inside, 'visit'> {
  readonly calls: readonly Prepared[];
}

/** How a journey ended: as planned, early with everybody out, or at once because its players could not enter. */
export type Ended = 'whole' | 'early' | 'stuck';

/**
 * Makes the journey's calls in order. After a wrong answer, players leave what they entered.
 * @returns how it ended, or what its players may still be in
 */
export async function visit(
  plan: Plan,
  calls: readonly Prepared[],
  iteration: Iteration,
): Promise<StillInside | Ended> {
  const state = stateOf(plan, calls, iteration);
  let at = 0;
  while (at < calls.length) {
    const next = await playFrom(at, state);
    if (typeof next !== 'number') return next;
    at = next;
  }
  return 'whole';
}

/**
 * Makes the call at this place, or several at one moment.
 * @returns the place of the next call, which may be this one again; or the result of `visit`
 */
async function playFrom(at: number, state: State): Promise<number | StillInside | Ended> {
  const { plan, calls, iteration } = state;
  const prepared = calls[at] as Prepared;
  const { call } = prepared;
  if (isLeftOut(call, state.given) || (call.leaves && !isInside(call, state))) return at + 1;
  if (call.leaves && isStaying(iteration) && !plan.forgiving && state.inside !== 0)
    return { calls, given: state.given, inside: state.inside, sure: state.sure, isStaying: true };
  if (call.leaves !== true && isLate(iteration)) return (await leaveAll(0, state)) ?? 'early';
  if (call.atOnce) {
    const end = endOfGroup(calls, at);
    return (await putAtOnce(calls.slice(at, end), state)) ? end : ((await leaveAll(at, state)) ?? 'early');
  }
  if (call.meets !== undefined) seek(state);
  const opened = call.keeps ? openedIn(prepared, iteration) : undefined;
  const response = await put(prepared, state);
  const { status } = response;
  if (call.enters) enter(call, status, state);
  let wrong = wrongWith(call, status, response, state.isConditional);
  if (wrong === undefined && call.hands && !plan.forgiving) wrong = lacking(call, response, state);
  // The null target gets the same calls, and its wrong answers are ignored.
  if (plan.forgiving) wrong = undefined;
  opened?.ends(wrong === undefined && status < 300);
  if (wrong === undefined) {
    iteration.seen.right(prepared.id, response);
    if (call.leaves) leave(call, state);
    const waitMs = waitIn(call, response, state);
    if (waitMs === undefined) return at + 1;
    await iteration.pause(waitMs);
    return at;
  }
  if (call.enters && iteration.isStuck && isRefused(status)) {
    iteration.seen.right(prepared.id, response);
    return (await leaveAll(at + 1, state)) ?? 'stuck';
  }
  const isRefusal = call.leaves === true && isRefused(status);
  const isRight = isRefusal && (await isExplained(call, state));
  note(prepared, isRight ? undefined : wrong, response, state);
  if (call.leaves && !isRefusal) doubt(call, state);
  // Calls that have just failed are not repeated at once.
  return (await leaveAll(isRefusal ? 0 : at + 1, state)) ?? 'early';
}

/** Counts an answer. */
function note({ id }: Prepared, wrong: Kind | undefined, response: Response, state: State): void {
  const { seen } = state.iteration;
  if (wrong === undefined) seen.right(id, response);
  else seen.wrong(id, wrong, response, waitFor(state));
}

/** The place of the first call after the group of simultaneous calls that begins at `from`. */
function endOfGroup(calls: readonly Prepared[], from: number): number {
  const end = calls.findIndex(({ call }, at) => at >= from && !call.atOnce);
  return end < 0 ? calls.length : end;
}

/** Makes calls at one moment; resolves to false where an answer was wrong, which a refusal is not. */
async function putAtOnce(group: readonly Prepared[], state: State): Promise<boolean> {
  const outcomes = group.map(async (prepared) => {
    const { call } = prepared;
    const response = await put(prepared, state);
    if (call.enters) enter(call, response.status, state);
    const wrong = state.plan.forgiving ? undefined : wrongWith(call, response.status, response, false);
    const isRight = wrong === undefined || isRefused(response.status);
    note(prepared, isRight ? undefined : wrong, response, state);
    return isRight;
  });
  return (await Promise.all(outcomes)).every(Boolean);
}

const isInside = ({ as }: Call, { inside }: Pick<State, 'inside'>) => (inside & (1 << as)) !== 0;

/** Notes that the player looks for others from now on. */
function seek(state: State): void {
  if (state.soughtAt !== undefined) return;
  const { clock, seen } = state.iteration;
  state.soughtAt = clock();
  seen.notes.count('sought');
}

/** Notes that the player has found others, the first time that an answer says so. */
function find(id: string | undefined, state: State): void {
  if (id === undefined || state.hasMet || state.soughtAt === undefined) return;
  const { clock, seen } = state.iteration;
  state.hasMet = true;
  const waitedMs = clock() - state.soughtAt;
  seen.notes.count('met');
  seen.notes.time('meeting', waitedMs);
  if (state.expectedMs !== undefined) {
    seen.notes.time('expected', state.expectedMs);
    seen.notes.time('expected off', Math.abs(state.expectedMs - waitedMs));
  }
  seen.notes.record('meeting', id);
}

/** Returns after how many ms the call is made again; undefined where it is not. */
function waitIn({ meets, waits, shows }: Call, response: Response, state: State) {
  if (meets === undefined) return undefined;
  const id = state.given[meets];
  find(id, state);
  if (id === undefined && shows !== undefined) noteShown(shows, response, state);
  if (id !== undefined || state.plan.forgiving || isLate(state.iteration)) return undefined;
  const waitMs = waits?.[state.asked];
  if (waitMs !== undefined) state.asked += 1;
  return waitMs;
}

/** Notes how far off the waiting time in the answer is, and keeps the first estimate of the whole wait. */
function noteShown({ waited, expected }: ShownWaiting, { body }: Response, state: State): void {
  if (state.soughtAt === undefined) return;
  const { clock, seen } = state.iteration;
  const waitedMs = clock() - state.soughtAt;
  const shownMs = ({ pointer, unitMs }: ShownMember): number | undefined => {
    const value = valueAt(body ?? '', pointer);
    return typeof value === 'number' ? value * unitMs : undefined;
  };
  const shown = waited && shownMs(waited);
  if (shown !== undefined) seen.notes.time('waited off', Math.abs(shown - waitedMs));
  if (expected) state.expectedMs ??= shownMs(expected);
}

const isStaying = ({ staysAt }: Iteration) => staysAt < Infinity && Date.now() >= staysAt;

function openedIn({ call, id }: Prepared, { recorder, place, batchPlace, nth }: Iteration): Opened {
  const at = call.body.kind === 'batch' ? batchPlace(call.body.of) : place;
  return recorder.begins(at, call.as, id, nth);
}

/**
 * Makes players leave what they may still be in. A refusal is no error here: they may have left already.
 * @returns `out`; `stuck`, where leaving needs an identifier that is missing; or what they may still be in
 */
export async function leaveFirst(
  plan: Plan,
  before: StillInside,
  iteration: Iteration,
): Promise<StillInside | 'out' | 'stuck'> {
  const { calls } = before;
  const still = await leaveAll(0, stateOf(plan, calls, iteration, before));
  if (still === undefined) return 'out';
  return calls.some(({ call }) => canLeave(call, still)) ? still : 'stuck';
}

/** The state of players about whom nothing is known: they may be in whatever the journey enters. */
export function possiblyInside(calls: readonly Prepared[], isSure: boolean): StillInside {
  let inside = 0;
  for (const { call } of calls) if (call.leaves) inside |= 1 << call.as;
  return { calls, given: {}, inside, sure: isSure ? inside : 0 };
}

/** Leaves by the calls from this place on; returns what players may still be in, or undefined where that is nothing. */
async function leaveAll(from: number, state: State): Promise<StillInside | undefined> {
  const { calls } = state;
  for (let index = from; index < calls.length; index += 1) {
    const { call } = calls[index] as Prepared;
    if (canLeave(call, state) && !(await getOut(call.as, state))) break;
  }
  const { given, inside, sure, unanswered } = state;
  const all = inside | unanswered;
  return all === 0 ? undefined : { calls, given, inside: all, sure };
}

/** Calls by which one player may try to leave: two refused cancels, if a match is found in between, and then a quit. */
const mostTries = 3;

/**
 * Makes one actor leave, by the call that fits their state.
 * @returns false where there was no answer: the next call would have none either
 */
async function getOut(as: number, state: State): Promise<boolean> {
  for (let tries = 0; tries < mostTries; tries += 1) {
    const prepared = state.calls.find(({ call }) => call.as === as && canLeave(call, state));
    if (prepared === undefined) return true;
    const { call } = prepared;
    const response = await put(prepared, state);
    const wrong = wrongWith(call, response.status, response, state.isConditional);
    if (wrong !== undefined && !isRefused(response.status)) {
      note(prepared, wrong, response, state);
      doubt(call, state);
      return response.status !== 0;
    }
    const isSure = (state.sure & (1 << as)) !== 0;
    if (wrong === undefined || !isSure || identifierSourceFor(call, state) === undefined) {
      note(prepared, undefined, response, state);
      leave(call, state);
      return true;
    }
    note(prepared, (await isExplained(call, state)) ? undefined : wrong, response, state);
  }
  return true;
}

function canLeave(call: Call, state: StillInside): boolean {
  const { calls, given } = state;
  if (call.leaves !== true || !isInside(call, state) || isLeftOut(call, given)) return false;
  const isGiven = (name: string) =>
    calls.some(({ call: { gives, mayGive } }) => gives[name] !== undefined || mayGive?.[name] !== undefined);
  return call.from.every((name) => given[name] !== undefined || !isGiven(name));
}

export const isLeftOut = ({ when, unless }: Pick<Call, 'when' | 'unless'>, given: Given): boolean =>
  (when !== undefined && given[when] === undefined) || (unless !== undefined && given[unless] !== undefined);

/**
 * Whether the status refuses the call because of the player's state. 401 means that the caller is unknown, 408 and 429
 * that the target will not answer now.
 */
const isRefused = (status: number): boolean =>
  status >= 400 && status < 500 && status !== 401 && status !== 408 && status !== 429;

function enter({ as }: Call, status: number, state: State): void {
  const who = 1 << as;
  if (status >= 400 && status < 500) return;
  state.inside |= who;
  if (status === 0) state.unanswered |= who;
  else if (status < 400) state.sure |= who;
}

function leave(call: Call, state: State): void {
  state.inside &= ~(1 << call.as);
  doubt(call, state);
}

/** Notes that the actor may be out: the call may have taken effect, whatever its answer. */
function doubt({ as }: Call, state: State): void {
  state.sure &= ~(1 << as);
}

/** The last call of the same caller whose answer shows their state. */
const identifierSourceFor = ({ as }: Call, { calls }: State): Prepared | undefined =>
  calls.filter(({ call }) => call.as === as && call.mayGive !== undefined).at(-1);

/**
 * Asks for the caller's state after leaving was refused. A match that was found in the meantime explains why the queue
 * cannot be left; another match, or none, explains why a match cannot be left. Where the target does not answer, the
 * refusal counts as explained.
 */
async function isExplained(call: Call, state: State): Promise<boolean> {
  const source = identifierSourceFor(call, state);
  if (source === undefined) return false;
  const before = { ...state.given };
  const response = await put(source, state);
  const wrong = wrongWith(source.call, response.status, response, state.isConditional);
  enter(source.call, response.status, state);
  const isAnswer = wrong === undefined || isRefused(response.status);
  note(source, isAnswer ? undefined : wrong, response, state);
  if (wrong !== undefined) return true;
  take(source.call, response, state);
  const { meets, mayGive = {} } = source.call;
  if (meets !== undefined) find(state.given[meets], state);
  if (call.when !== undefined) return state.given[call.when] !== before[call.when];
  return Object.keys(mayGive).some((name) => state.given[name] !== undefined);
}
