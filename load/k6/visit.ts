// One iteration of a journey: its calls in order, each with what the earlier ones gave.
// The interpreter in k6 is slow: what does not change from iteration to iteration is made ready once by each VU.
import { bodyOf } from './body.ts';
import { withSession } from './credential.ts';
import { getterOf, type Params, paramsFor, type Response, senderOf } from './http.ts';
import type { Kind } from './kinds.ts';
import type { Call, Cast, Person, Plan } from './plan.ts';
import { validatorsIn, wrongWith } from './right.ts';
import { isFast, urlOf } from './url.ts';
import { valueAt } from './value-at.ts';

export interface Prepared {
  readonly call: Call;
  readonly id: string;
  readonly send: ReturnType<typeof senderOf>;
  readonly get: ReturnType<typeof getterOf>;
  /** Where nothing in it changes. */
  readonly url: string | undefined;
  /** Where nothing in it changes; null sends none. */
  readonly text: string | null | undefined;
  readonly params: Params;
  /** Whose credentials the headers carry. */
  signedAs: Person | undefined;
  /** Validators of what this client holds, by URL. */
  readonly cached: Record<string, Readonly<Record<string, string>>>;
}

export interface Iteration {
  readonly cast: Cast;
  /** Of the iteration, from 0. */
  readonly nth: number;
  readonly batch: (kind: string) => string;
  /** A client whose cache is empty sends no validator. */
  readonly cold: boolean;
}

/** Told of every answer. */
export interface Seen {
  readonly right: (response: Response) => void;
  readonly wrong: (id: string, kind: Kind, response: Response) => void;
}

interface Circumstances {
  /** Sessions travel in cookies. */
  readonly ownJar: boolean;
  /** No other operation is called, and all that a VU tells is tagged with this one. */
  readonly isLone: boolean;
}

export function prepare(plan: Plan, call: Call, { ownJar, isLone }: Circumstances): Prepared {
  const { operation, headers, body } = call;
  const isJarred = ownJar && call.signed;
  return {
    call,
    id: operation.id,
    send: senderOf(operation.method, isJarred),
    get: body.kind === 'none' ? getterOf(operation.method, isJarred) : undefined,
    url: isFast(plan, call) ? urlOf(plan, call, '', () => '') : undefined,
    text: body.kind === 'none' ? null : body.kind === 'text' ? body.text : undefined,
    params: paramsFor(isLone ? undefined : operation.id, headers, plan.timeoutMs),
    signedAs: undefined,
    cached: {},
  };
}

/** Calls what a journey calls, until an answer is missing what the next call needs. */
export function visit(plan: Plan, calls: readonly Prepared[], iteration: Iteration, seen: Seen): void {
  let cast: readonly Person[] = iteration.cast;
  let given: Record<string, string> | undefined;
  for (let index = 0; index < calls.length; index += 1) {
    const prepared = calls[index] as Prepared;
    const { call } = prepared;
    const person = cast[call.as] as Person;
    const valueFor =
      prepared.url !== undefined && prepared.text !== undefined
        ? nothing
        : valuer(call, cast, given, iteration);
    const url = prepared.url ?? urlOf(plan, call, person.query, valueFor);
    const conditional = sign(prepared, person, url, iteration.cold);
    const text = prepared.text === undefined ? bodyOf(call.body, valueFor, iteration.batch) : prepared.text;
    const response = prepared.send(url, text, prepared.params);
    const { status } = response;
    if (call.validators && status === 200) prepared.cached[url] = validatorsIn(response);
    let wrong = wrongWith(call, status, response, conditional);
    if (wrong === undefined && call.hands && !plan.forgiving) {
      given ??= {};
      cast = taken(call, response, cast);
      wrong = lacking(call, response, cast, given);
    }
    // A target that does nothing is asked in the very same way, and forgiven.
    if (plan.forgiving) wrong = undefined;
    if (wrong !== undefined) {
      seen.wrong(prepared.id, wrong, response);
      return;
    }
    seen.right(response);
  }
}

const nothing = () => '';

/** @returns whether the request asks only for what changed */
export function sign(prepared: Prepared, person: Person, url: string, cold: boolean): boolean {
  const { call, params, cached } = prepared;
  const conditions = call.validators && !cold ? cached[url] : undefined;
  if (prepared.signedAs === person && !call.validators) return false;
  prepared.signedAs = person;
  params.headers = { ...call.headers, ...(call.signed && person.headers), ...conditions };
  return conditions !== undefined;
}

/** The cast, in which who has just signed in has the new session. */
function taken(call: Call, response: Response, cast: readonly Person[]): readonly Person[] {
  if (!call.takes) return cast;
  const signedIn = withSession(cast[call.as] as Person, call.takes, response);
  return cast.map((person, nth) => (nth === call.as && signedIn ? signedIn : person));
}

/** Takes what the answer gives to later calls; tells what it should have given and did not. */
function lacking(
  call: Call,
  response: Response,
  cast: readonly Person[],
  given: Record<string, string>,
): Kind | undefined {
  if (call.takes && withSession(cast[call.as] as Person, call.takes, response) === undefined)
    return 'no session';
  for (const name in call.gives) {
    const value = valueAt(response.body ?? '', call.gives[name] as string);
    if (typeof value !== 'string' && typeof value !== 'number') return 'no id';
    given[name] = String(value);
  }
  return undefined;
}

/** What a name stands for in this call. */
function valuer(
  call: Call,
  cast: Cast,
  given: Readonly<Record<string, string>> = {},
  { nth }: Iteration,
): (name: string) => string {
  return (name) => {
    if (name === 'now') return new Date().toISOString();
    const { values = {} } = cast[call.as] ?? {};
    if (name === 'unique' || name === 'value') return `assay-${nth}-${values['player.name']}`;
    if (name === 'providerPlayerName') return `Assay${nth % 1_000_000}`;
    if (name === 'playerId') return cast[call.about]?.values['player.id'] ?? '';
    if (name === 'friendId') return cast[call.other]?.values['player.id'] ?? '';
    if (name.startsWith('other.')) return cast[call.other]?.values[`player.${name.slice(6)}`] ?? '';
    return given[name] ?? values[name] ?? call.params[name]?.toString() ?? 'unknown';
  };
}
