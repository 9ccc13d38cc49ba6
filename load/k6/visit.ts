// Plays one iteration of a journey in k6: sends its calls in order, passes on what answers give, and makes players leave
// what they entered, however the journey ends.
import { type Kind, validatorsIn, valueAt, withSession, wrongWith } from './answers.ts';
import type { Jar, Params, Response, Send } from './http.ts';
import { type Ledger, type Opened, ownName, ownValue } from './ledger.ts';
import type { Actors, Call, Person, Plan } from './plan.ts';
import { bodyOf, findPointer, ownUrl, urlOf } from './request.ts';
import type { Notes } from './tally.ts';

// The interpreter in k6 is slow, so what does not change between journeys is prepared once.
export interface Prepared {
  readonly call: Call;
  readonly id: string;
  readonly send: Send;
  /** Where nothing in it changes. */
  readonly url: string | undefined;
  /** Where the port begins in its URL, if every player has a connection of their own. */
  readonly port: number | undefined;
  /** The body where nothing in it changes; null sends none. */
  readonly text: string | null | undefined;
  readonly params: Params;
  /** By whose session they carry. */
  readonly headersBy: WeakMap<Person, Record<string, string>>;
  /** Validators of what this client holds, by URL. */
  readonly cached: Record<string, Readonly<Record<string, string>>>;
}

export interface Iteration {
  /** Who plays: known once they are chosen, or others have taken their place. */
  actors: Actors;
  /** Of the iteration, from 0. */
  readonly nth: number;
  readonly batch: (kind: string) => string;
  /** A client whose cache is empty sends no validator. */
  readonly cold: boolean;
  /** Time from which only leaving calls are made, in ms since the epoch: k6 is about to end. */
  readonly leavesAt: number;
  /** A jar for each of the actors: what the target sets is theirs, and of this journey. */
  readonly jars: Jar[];
  readonly newJar: () => Jar;
  readonly seen: Seen;
  /** Of the actors among all casts. */
  place: number;
  /** Which of the batches of a kind it sends. */
  readonly batchPlace: (kind: string) => number;
  /** In ms. */
  readonly clock: () => number;
  readonly pause: (ms: number) => Promise<void>;
  /** Takes down who was acknowledged. */
  readonly ledger: Ledger;
  /** The players may be in something that no known call leaves, so a refusal to enter is justified. */
  isStuck: boolean;
}

/** Receives every answer of a journey, and what the journey notes. */
export interface Seen {
  readonly right: (id: string, response: Response) => void;
  /** @param waitedMs how long an answer was waited for at most */
  readonly wrong: (id: string, kind: Kind, response: Response, waitedMs: number) => void;
  readonly notes: Notes;
}

/** What the people of a group of actors may still be in, and the calls among which are those that leave it. */
export interface StillInside {
  readonly calls: readonly Prepared[];
  readonly given: Given;
  /** Which actors may be in something: a bit for each. */
  readonly inside: number;
  /** Of those, who was answered so. */
  readonly sure: number;
}

/** Timeout of a call near the end, as k6 ends longer ones. */
const lateTimeoutMs = 2_000;

type Given = Readonly<Record<string, string | undefined>>;

interface State {
  actors: readonly Person[];
  given: Record<string, string | undefined>;
  inside: number;
  sure: number;
  /** An entering call was not answered, so it may still take effect. */
  unanswered: number;
  /** The last call asked only for what changed. */
  isConditional: boolean;
  /** Since when the player has waited for others, and how often the call was made again. */
  soughtAt: number | undefined;
  hasMet: boolean;
  asked: number;
}

const untouched = {
  ...{ inside: 0, sure: 0, unanswered: 0, isConditional: false },
  ...{ soughtAt: undefined, hasMet: false, asked: 0 },
};

/** A journey came to its end, ended early with everybody out, or its people could not enter. */
export type Ended = 'whole' | 'early' | 'stuck';

/**
 * Makes the journey's calls until an answer lacks what the next call needs; then players who entered leave.
 * @returns how it ended, or what is still owed
 */
export async function visit(
  plan: Plan,
  calls: readonly Prepared[],
  iteration: Iteration,
): Promise<StillInside | Ended> {
  const { seen } = iteration;
  const state: State = { ...untouched, actors: iteration.actors, given: {} };
  for (let index = 0; index < calls.length; index += 1) {
    const prepared = calls[index] as Prepared;
    const { call } = prepared;
    if (isLeftOut(call, state.given)) continue;
    if (call.leaves !== true && isLate(iteration))
      return (await leaveAll(plan, calls, 0, state, iteration)) ?? 'early';
    if (call.meets !== undefined) seek(state, iteration);
    const opened = call.keeps ? openedIn(prepared, iteration) : undefined;
    const response = await put(plan, prepared, state, iteration);
    const { status } = response;
    if (call.enters) enter(call, status, state);
    let wrong = wrongWith(call, status, response, state.isConditional);
    if (wrong === undefined && call.hands && !plan.forgiving) {
      state.actors = taken(call, response, state.actors);
      wrong = lacking(call, response, state);
    }
    // The null target gets the same calls, and its wrong answers are ignored.
    if (plan.forgiving) wrong = undefined;
    opened?.ends(wrong === undefined && status < 300);
    if (wrong === undefined) {
      seen.right(prepared.id, response);
      if (call.leaves) leave(call, state);
      const waitMs = waitIn(plan, call, state, iteration);
      if (waitMs === undefined) continue;
      await iteration.pause(waitMs);
      index -= 1;
      continue;
    }
    if (call.enters && iteration.isStuck && isRefused(status)) {
      seen.right(prepared.id, response);
      return (await leaveAll(plan, calls, index + 1, state, iteration)) ?? 'stuck';
    }
    const isRefusal = call.leaves === true && isRefused(status);
    if (isRefusal && (await isExplained(plan, calls, call, state, iteration)))
      seen.right(prepared.id, response);
    else seen.wrong(prepared.id, wrong, response, waitFor(plan, iteration));
    if (call.leaves && !isRefusal) state.sure &= ~(1 << call.as);
    // Calls that have just failed are not repeated at once.
    return (await leaveAll(plan, calls, isRefusal ? 0 : index + 1, state, iteration)) ?? 'early';
  }
  return 'whole';
}

/** Notes that the player looks for others from now on. */
function seek(state: State, { clock, seen }: Iteration): void {
  if (state.soughtAt !== undefined) return;
  state.soughtAt = clock();
  seen.notes.count('sought');
}

/** Notes that the player has found others, the first time that an answer says so. */
function find(id: string | undefined, state: State, { clock, seen }: Iteration): void {
  if (id === undefined || state.hasMet || state.soughtAt === undefined) return;
  state.hasMet = true;
  seen.notes.count('met');
  seen.notes.time('meeting', clock() - state.soughtAt);
  seen.notes.record('meeting', id);
}

/** After how many ms the call is to be made again; undefined where it is not. */
function waitIn({ forgiving }: Plan, { meets, waits }: Call, state: State, iteration: Iteration) {
  if (meets === undefined) return undefined;
  const id = state.given[meets];
  find(id, state, iteration);
  if (id !== undefined || forgiving || isLate(iteration)) return undefined;
  const waitMs = waits?.[state.asked];
  if (waitMs !== undefined) state.asked += 1;
  return waitMs;
}

function openedIn({ call, id }: Prepared, { ledger, place, batchPlace, nth }: Iteration): Opened {
  const at = call.body.kind === 'batch' ? batchPlace(call.body.of) : place;
  return ledger.begins(at, call.as, id, nth);
}

/**
 * Makes players leave what they may still be in. A refusal is no error here: they may have left already.
 * @returns what is still owed; `out`; or `stuck`, where an identifier is missing that leaving needs
 */
export async function leaveFirst(
  plan: Plan,
  before: StillInside,
  iteration: Iteration,
): Promise<StillInside | 'out' | 'stuck'> {
  const { calls, given, inside, sure } = before;
  const state: State = { ...untouched, actors: iteration.actors, given: { ...given }, inside, sure };
  const still = await leaveAll(plan, calls, 0, state, iteration);
  if (still === undefined) return 'out';
  return calls.some(({ call }) => canLeave(call, still, calls)) ? still : 'stuck';
}

/** For players of unknown state: they may be in whatever the journey enters. */
export function possiblyInside(calls: readonly Prepared[], isSure: boolean): StillInside {
  let inside = 0;
  for (const { call } of calls) if (call.leaves) inside |= 1 << call.as;
  return { calls, given: {}, inside, sure: isSure ? inside : 0 };
}

/** @param from which calls have not just been tried */
async function leaveAll(
  plan: Plan,
  calls: readonly Prepared[],
  from: number,
  state: State,
  iteration: Iteration,
): Promise<StillInside | undefined> {
  for (let index = from; index < calls.length; index += 1) {
    const prepared = calls[index] as Prepared;
    const { call } = prepared;
    if (!canLeave(call, state, calls)) continue;
    if (!(await getOut(plan, calls, call.as, state, iteration))) break;
  }
  const { given, inside, sure, unanswered } = state;
  const all = inside | unanswered;
  return all === 0 ? undefined : { calls, given, inside: all, sure };
}

/** Cancelling is refused, the player waits again, is matched before the next cancelling is refused, and then quits. */
const mostTries = 3;

/**
 * One of the actors leaves, by the call that fits how it stands with them.
 * @returns false where there was no answer: the next would have none either
 */
async function getOut(
  plan: Plan,
  calls: readonly Prepared[],
  as: number,
  state: State,
  iteration: Iteration,
): Promise<boolean> {
  const { seen } = iteration;
  for (let tries = 0; tries < mostTries; tries += 1) {
    const prepared = calls.find(({ call }) => call.as === as && canLeave(call, state, calls));
    if (prepared === undefined) return true;
    const { call } = prepared;
    const response = await put(plan, prepared, state, iteration);
    const wrong = wrongWith(call, response.status, response, state.isConditional);
    if (wrong !== undefined && !isRefused(response.status)) {
      seen.wrong(prepared.id, wrong, response, waitFor(plan, iteration));
      // The call may have taken effect all the same.
      state.sure &= ~(1 << as);
      return response.status !== 0;
    }
    const isSure = (state.sure & (1 << as)) !== 0;
    if (wrong === undefined || !isSure || identifierSourceFor(call, calls) === undefined) {
      seen.right(prepared.id, response);
      leave(call, state);
      return true;
    }
    if (await isExplained(plan, calls, call, state, iteration)) seen.right(prepared.id, response);
    else seen.wrong(prepared.id, wrong, response, waitFor(plan, iteration));
  }
  return true;
}

const isLate = ({ leavesAt }: Iteration) => leavesAt < Infinity && Date.now() >= leavesAt;

/** Nothing may take long any more when k6 is about to end. */
const waitFor = ({ timeoutMs }: Plan, iteration: Iteration): number =>
  isLate(iteration) ? Math.min(lateTimeoutMs, timeoutMs) : timeoutMs;

function canLeave(
  call: Call,
  { inside, given }: Pick<State, 'inside'> & { given: Given },
  calls: readonly Prepared[],
) {
  if (call.leaves !== true || (inside & (1 << call.as)) === 0 || isLeftOut(call, given)) return false;
  const isGiven = (name: string) =>
    calls.some(({ call: { gives, mayGive } }) => gives[name] !== undefined || mayGive?.[name] !== undefined);
  return call.from.every((name) => given[name] !== undefined || !isGiven(name));
}

const isLeftOut = ({ when, unless }: Call, given: Given): boolean =>
  (when !== undefined && given[when] === undefined) || (unless !== undefined && given[unless] !== undefined);

/**
 * A status by which a target says that something is not so, or not allowed. 401 says that it does not know who asks, 408
 * and 429 that it will not answer now.
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

function leave({ as }: Call, state: State): void {
  state.inside &= ~(1 << as);
  state.sure &= ~(1 << as);
}

/** The last call of the same caller whose answer shows their state. */
function identifierSourceFor({ as }: Call, calls: readonly Prepared[]): Prepared | undefined {
  for (let index = calls.length - 1; index >= 0; index -= 1) {
    const prepared = calls[index] as Prepared;
    if (prepared.call.as === as && prepared.call.mayGive !== undefined) return prepared;
  }
  return undefined;
}

/**
 * Leaving was refused: asks how it stands with the caller. A match that was found in the meantime explains why the queue
 * cannot be left; another match, or none, explains why a match cannot. Where the target does not answer that, the refusal
 * counts as explained.
 */
async function isExplained(
  plan: Plan,
  calls: readonly Prepared[],
  call: Call,
  state: State,
  iteration: Iteration,
): Promise<boolean> {
  const { seen } = iteration;
  const identifierSource = identifierSourceFor(call, calls);
  if (identifierSource === undefined) return false;
  const before = { ...state.given };
  const response = await put(plan, identifierSource, state, iteration);
  const wrong = wrongWith(identifierSource.call, response.status, response, state.isConditional);
  enter(identifierSource.call, response.status, state);
  if (wrong !== undefined && !isRefused(response.status)) {
    seen.wrong(identifierSource.id, wrong, response, waitFor(plan, iteration));
    return true;
  }
  seen.right(identifierSource.id, response);
  if (wrong !== undefined) return true;
  take(identifierSource.call, response, state);
  const { meets } = identifierSource.call;
  if (meets !== undefined) find(state.given[meets], state, iteration);
  if (call.when !== undefined) return state.given[call.when] !== before[call.when];
  return Object.keys(identifierSource.call.mayGive ?? {}).some((name) => state.given[name] !== undefined);
}

const nothing = () => '';

/**
 * Sends a call as it is to be sent now. All of it is set before the request leaves, as other journeys use the same
 * parameters.
 */
function put(plan: Plan, prepared: Prepared, state: State, iteration: Iteration): Promise<Response> {
  const { actors, given } = state;
  const { call, params, url: sameUrl, text: sameText, port } = prepared;
  const person = actors[call.as] as Person;
  const isSame = sameUrl !== undefined && sameText !== undefined;
  const valueFor = isSame ? nothing : valuer(plan, call, actors, given, iteration);
  const anyUrl = sameUrl ?? urlOf(plan, call, person.query, valueFor);
  const url = port === undefined ? anyUrl : ownUrl(anyUrl, port, iteration.place * actors.length + call.as);
  const text = sameText === undefined ? bodyOf(call.body, valueFor, iteration.batch) : sameText;
  params.headers = headersOf(prepared, person);
  params.timeout = waitFor(plan, iteration);
  params.jar = jarOf(iteration, call, person);
  state.isConditional = false;
  return call.validators
    ? putWithValidators(prepared, url, text, state, iteration)
    : prepared.send(url, text, params);
}

/** As a client with a cache sends it: asks only for what changed. */
async function putWithValidators(
  { cached, params, send }: Prepared,
  url: string,
  text: string | null,
  state: State,
  { cold }: Iteration,
): Promise<Response> {
  const conditions = cold ? undefined : cached[url];
  state.isConditional = conditions !== undefined;
  if (conditions) params.headers = { ...params.headers, ...conditions };
  const response = await send(url, text, params);
  if (response.status === 200) cached[url] = validatorsIn(response);
  return response;
}

/** Made once for each person: it costs as much as a request. */
function headersOf({ call, headersBy }: Prepared, person: Person): Record<string, string> {
  const whose = call.signed ? person : everybody;
  const made = headersBy.get(whose) ?? { ...call.headers, ...whose.headers };
  headersBy.set(whose, made);
  return made;
}

const everybody: Person = { headers: {}, query: '', values: {} };

/** A session in a cookie is sent as a header; what the target sets in its answer must not be sent beside it. */
function jarOf({ jars, newJar }: Iteration, { as, signed }: Call, person: Person): Jar {
  if (signed && person.headers.cookie !== undefined) return newJar();
  jars[as] ??= newJar();
  return jars[as];
}

/** The actors, with the new session of the one who has just signed in. */
function taken(call: Call, response: Response, actors: readonly Person[]): readonly Person[] {
  if (!call.takes) return actors;
  const signedIn = withSession(actors[call.as] as Person, call.takes, response);
  return actors.map((person, nth) => (nth === call.as && signedIn ? signedIn : person));
}

/** Stores the values that the answer gives to later calls; returns the kind of error where one is missing. */
function lacking(call: Call, response: Response, state: State): Kind | undefined {
  if (call.takes && withSession(state.actors[call.as] as Person, call.takes, response) === undefined)
    return 'no session';
  for (const name in call.gives) {
    const value = valueAt(response.body ?? '', call.gives[name] as string);
    if (typeof value !== 'string' && typeof value !== 'number') return 'no id';
    state.given[name] = String(value);
  }
  take(call, response, state);
  return undefined;
}

/** Stores the values that an answer may give; a value that it lacks no longer holds. */
function take({ mayGive }: Call, { body }: Response, { given }: State): void {
  for (const name in mayGive) given[name] = identifierAt(body ?? '', mayGive[name] ?? []);
}

/** Reads an identifier; a missing one, an empty text and 0 count as none. */
function identifierAt(text: string, where: string | readonly string[]): string | undefined {
  const pointer = typeof where === 'string' ? where : findPointer(valueAt(text, ''), where);
  const value = pointer === undefined ? undefined : valueAt(text, pointer);
  return (typeof value === 'string' || typeof value === 'number') && value !== '' && value !== 0
    ? String(value)
    : undefined;
}

/** What a name stands for in this call. */
function valuer(
  { mark }: Plan,
  call: Call,
  actors: Actors,
  given: Given,
  { nth }: Iteration,
): (name: string) => string {
  return (name) => {
    if (name === 'now') return new Date().toISOString();
    const { values = {} } = actors[call.as] ?? {};
    if (name === 'unique' || name === 'value') return ownValue(mark, nth, values['player.name']);
    if (name === 'providerPlayerName') return ownName(mark, nth);
    if (name === 'playerId') return actors[call.about]?.values['player.id'] ?? '';
    if (name === 'friendId') return actors[call.other]?.values['player.id'] ?? '';
    if (name.startsWith('other.')) return actors[call.other]?.values[`player.${name.slice(6)}`] ?? '';
    return given[name] ?? values[name] ?? call.params[name]?.toString() ?? 'unknown';
  };
}

// The fast path: a journey of one call whose URL never changes. Here every property access counts.

/** @returns the function of one journey, by one of its people; it resolves when the answer has been judged */
export function plainVisit(
  { forgiving, timeoutMs }: Plan,
  prepared: Prepared,
  newJar: () => Jar,
  batch: (kind: string, nth: number) => string,
): (nth: number, place: number, person: Person, seen: Seen) => Promise<Ended> {
  const { call, id, send, url = '', text = null, params, port } = prepared;
  const { accepts, begins, unlike, body } = call;
  const isSimple = accepts.length === 0 && unlike === undefined && begins !== '';
  const judge = (response: Response, { right, wrong }: Seen): Ended => {
    const { status } = response;
    if (isSimple && status > 199 && status < 300 && response.body?.[0] === begins) right(id, response);
    else {
      const kind = forgiving ? undefined : wrongWith(call, status, response, false);
      if (kind === undefined) right(id, response);
      else wrong(id, kind, response, timeoutMs);
    }
    return 'whole';
  };
  return (nth, place, person, seen) => {
    params.headers = headersOf(prepared, person);
    params.jar = newJar();
    const sent = body.kind === 'batch' ? batch(body.of, nth) : text;
    const to = port === undefined ? url : ownUrl(url, port, place);
    return send(to, sent, params).then((response) => judge(response, seen));
  };
}
