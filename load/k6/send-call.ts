// Sends the calls of a journey in k6, each as it is to be sent now, and takes from answers what later calls need.
import { type Kind, validatorsIn, valueAt, withSession, wrongWith } from './answers.ts';
import { type EffectRecorder, ownName, ownValue } from './effects.ts';
import type { Jar, Params, Response, Send } from './http.ts';
import type { Actors, Call, Person, Plan } from './plan.ts';
import { bodyOf, findPointer, ownUrl, urlOf } from './request.ts';
import type { CohortTally } from './tally.ts';

// The interpreter in k6 is slow, so what does not change between journeys is prepared once.
export interface Prepared {
  readonly call: Call;
  readonly id: string;
  readonly send: Send;
  /** The URL, where nothing in it changes. */
  readonly url: string | undefined;
  /** Index of the port in the URL, if every player has a connection of their own. */
  readonly port: number | undefined;
  /** The body where nothing in it changes; null sends none. */
  readonly text: string | null | undefined;
  readonly params: Params;
  /** Complete headers, by the person whose session they carry. */
  readonly headersBy: WeakMap<Person, Record<string, string>>;
  /** Validators of what this client holds, by URL. */
  readonly cached: Record<string, Readonly<Record<string, string>>>;
}

export interface Iteration {
  /** The players; set again when a group is chosen, or when another group takes its place. */
  actors: Actors;
  /** The number of the iteration, from 0. */
  readonly nth: number;
  readonly batch: (kind: string) => string;
  /** A client whose cache is empty sends no validator. */
  readonly cold: boolean;
  /** Time from which only leaving calls are made, in ms since the epoch: k6 is about to end. */
  readonly leavesAt: number;
  /** Time from which nobody leaves what they entered, in ms since the epoch. */
  readonly staysAt: number;
  /** A cookie jar for each actor, so that cookies stay with this player and this journey. */
  readonly jars: Jar[];
  readonly newJar: () => Jar;
  readonly seen: Seen;
  /** The place of these actors among all groups. */
  place: number;
  /** The index of the batch of a kind that this iteration sends. */
  readonly batchPlace: (kind: string) => number;
  /** In ms. */
  readonly clock: () => number;
  readonly pause: (ms: number) => Promise<void>;
  /** Records which calls with a lasting effect were acknowledged. */
  readonly recorder: EffectRecorder;
  /** The players may be in something that no known call leaves, so a refusal to enter is justified. */
  isStuck: boolean;
}

/** Receives every answer of a journey, and what the journey notes. */
type Seen = Pick<CohortTally, 'right' | 'wrong' | 'notes'>;

/** Timeout in ms of a call near the end of the load, when k6 would cut off a longer one. */
const lateTimeoutMs = 2_000;

export type Given = Readonly<Record<string, string | undefined>>;

/** The state of the actors of an iteration. `inside`, `sure` and `unanswered` hold a bit for each actor. */
export interface State {
  readonly plan: Plan;
  /** The calls of the journey. */
  readonly calls: readonly Prepared[];
  readonly iteration: Iteration;
  actors: Actors;
  given: Record<string, string | undefined>;
  inside: number;
  sure: number;
  /** Actors whose entering call was not answered, so that it may still take effect. */
  unanswered: number;
  /** The last call carried validators, so 304 is a right answer to it. */
  isConditional: boolean;
  /** Since when the player has waited for others, by `clock`; `asked` counts how often the call was made again. */
  soughtAt: number | undefined;
  /** The whole wait in ms, as the first answer estimated it. */
  expectedMs: number | undefined;
  hasMet: boolean;
  asked: number;
}

export const stateOf = (
  plan: Plan,
  calls: readonly Prepared[],
  iteration: Iteration,
  { given, inside, sure }: Pick<State, 'given' | 'inside' | 'sure'> = { given: {}, inside: 0, sure: 0 },
): State => ({
  plan,
  calls,
  iteration,
  actors: iteration.actors,
  given: { ...given },
  inside,
  sure,
  unanswered: 0,
  isConditional: false,
  soughtAt: undefined,
  expectedMs: undefined,
  hasMet: false,
  asked: 0,
});

export const isLate = ({ leavesAt }: Iteration) => leavesAt < Infinity && Date.now() >= leavesAt;

/** The timeout of the next call in ms: shorter when k6 is about to end. */
export const waitFor = ({ plan: { timeoutMs }, iteration }: State): number =>
  isLate(iteration) ? Math.min(lateTimeoutMs, timeoutMs) : timeoutMs;

const nothing = () => '';

/**
 * Sends a call with the values of now. All of `params` is set before the request leaves, because other journeys use the
 * same object.
 */
export function put(prepared: Prepared, state: State): Promise<Response> {
  const { plan, actors, given, iteration } = state;
  const { call, params, url: sameUrl, text: sameText, port, cached } = prepared;
  const person = actors[call.as] as Person;
  const isSame = sameUrl !== undefined && sameText !== undefined;
  const valueFor = isSame ? nothing : valuer(plan, call, actors, given, iteration);
  const anyUrl = sameUrl ?? urlOf(plan, call, person.query, valueFor);
  const url = port === undefined ? anyUrl : ownUrl(anyUrl, port, iteration.place * actors.length + call.as);
  const text = sameText === undefined ? bodyOf(call.body, valueFor, iteration.batch) : sameText;
  // A client with a cache asks only for what changed.
  const conditions = call.validators && !iteration.cold ? cached[url] : undefined;
  const headers = headersOf(prepared, person);
  params.headers = conditions ? { ...headers, ...conditions } : headers;
  params.timeout = waitFor(state);
  params.jar = jarOf(iteration, call, person);
  state.isConditional = conditions !== undefined;
  const sent = prepared.send(url, text, params);
  if (!call.validators) return sent;
  return sent.then((response) => {
    if (response.status === 200) cached[url] = validatorsIn(response);
    return response;
  });
}

/** Made once for each person: it costs as much as a request. */
function headersOf({ call, headersBy }: Prepared, person: Person): Record<string, string> {
  const whose = call.signed ? person : nobody;
  const made = headersBy.get(whose) ?? { ...call.headers, ...whose.headers };
  headersBy.set(whose, made);
  return made;
}

/** The anonymous caller, where nobody signs in. */
export const nobody: Person = { headers: {}, query: '', values: {} };

/** A session in a cookie is sent as a header; what the target sets in its answer must not be sent beside it. */
function jarOf({ jars, newJar }: Iteration, { as, signed }: Call, person: Person): Jar {
  if (signed && person.headers.cookie !== undefined) return newJar();
  jars[as] ??= newJar();
  return jars[as];
}

/** Keeps what an answer gives later calls, such as a new session; returns the kind of error if something is missing. */
export function lacking(call: Call, response: Response, state: State): Kind | undefined {
  if (call.takes) {
    const signedIn = withSession(state.actors[call.as] as Person, call.takes, response);
    if (signedIn === undefined) return 'no session';
    state.actors = state.actors.map((person, nth) => (nth === call.as ? signedIn : person));
  }
  for (const name in call.gives) {
    const value = valueAt(response.body ?? '', call.gives[name] as string);
    if (typeof value !== 'string' && typeof value !== 'number') return 'no id';
    state.given[name] = String(value);
  }
  take(call, response, state);
  return undefined;
}

/** Stores the values that an answer may give; a value that it lacks no longer holds. */
export function take({ mayGive }: Call, { body }: Response, { given }: State): void {
  for (const name in mayGive) given[name] = identifierAt(body ?? '', mayGive[name] ?? []);
}

/** Reads an identifier; a missing one, an empty text and 0 count as none. */
export function identifierAt(text: string, where: string | readonly string[]): string | undefined {
  const pointer = typeof where === 'string' ? where : findPointer(valueAt(text, ''), where);
  const value = pointer === undefined ? undefined : valueAt(text, pointer);
  return (typeof value === 'string' || typeof value === 'number') && value !== '' && value !== 0
    ? String(value)
    : undefined;
}

/** Which of the actors a call is made by, sent to, and about. */
export type Roles = Pick<Call, 'as' | 'other' | 'about'>;

/** The value of a parameter or placeholder that belongs to a player; undefined for other names. */
export function valueOfPlayers(
  name: string,
  { as, other, about }: Roles,
  actors: Actors,
): string | undefined {
  if (name === 'playerId') return actors[about]?.values['player.id'];
  if (name === 'friendId') return actors[other]?.values['player.id'];
  if (name.startsWith('other.')) return actors[other]?.values[`player.${name.slice(6)}`];
  return actors[as]?.values[name];
}

const ofOthers = /^(?:playerId|friendId|other\..*)$/;

/** Returns a function that gives the value of each parameter or placeholder of this call. */
export function valuer(
  { mark }: Pick<Plan, 'mark'>,
  call: Call,
  actors: Actors,
  given: Given,
  { nth }: Pick<Iteration, 'nth'>,
): (name: string) => string {
  return (name) => {
    if (name === 'now') return new Date().toISOString();
    if (name === 'unique' || name === 'value')
      return ownValue(mark, nth, actors[call.as]?.values['player.name']);
    if (name === 'providerPlayerName') return ownName(mark, nth);
    const ofPlayers = valueOfPlayers(name, call, actors);
    if (ofOthers.test(name)) return ofPlayers ?? '';
    return given[name] ?? ofPlayers ?? call.params[name]?.toString() ?? 'unknown';
  };
}

// The fast path: a journey of one call whose URL never changes. Here every property access counts.

/** @returns a function that plays one journey as one person, and resolves when the answer has been judged */
export function plainVisit(
  { forgiving, timeoutMs }: Plan,
  prepared: Prepared,
  newJar: () => Jar,
  batch: (kind: string, nth: number) => string,
): (nth: number, place: number, person: Person, seen: Seen) => Promise<'whole'> {
  const { call, id, send, url = '', text = null, params, port } = prepared;
  const { accepts, begins, unlike, body } = call;
  const isSimple = accepts.length === 0 && unlike === undefined && begins !== '';
  const judge = (response: Response, { right, wrong }: Seen): 'whole' => {
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
