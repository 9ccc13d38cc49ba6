// Rehearses a journey once in Node before any load: finds the bodies that the target takes and where answers hold ids,
// and checks that every call is served.

import { setTimeout as pause } from 'node:timers/promises';
import { type Operation, parametersOf } from '../../catalog/operation.ts';
import { isAmbient } from '../../catalog/request-path.ts';
import { requestOf } from '../../engine/http/ask.ts';
import type { Client } from '../../engine/http/client.ts';
import { type Exchange, jsonValue, statusInWords, statusOf } from '../../engine/http/exchange.ts';
import type { Redactor } from '../../engine/http/redact.ts';
import { createBodies } from '../../engine/players/bodies.ts';
import { type Form, formOf, isGuess, write } from '../../engine/players/body-template.ts';
import type { Recipe } from '../../engine/players/sign-in.ts';
import { whyOmitted } from '../../engine/target/profile.ts';
import { markedFrom } from '../../engine/target/refusal-form.ts';
import { isWall, remedyFor } from '../../engine/target/session-transport.ts';
import { variableOf } from '../../engine/target/settings.ts';
import type { Target } from '../../engine/target/target.ts';
import { cut, printable } from '../../engine/values/text.ts';
import type { Journey, JourneyStop } from '../journeys/journeys.ts';
import type { Actors, Body, Call, Person, ShownWaiting } from '../k6/plan.ts';
import { nobody, type Roles } from '../k6/send-call.ts';
import { isLeftOut } from '../k6/visit.ts';
import { batchBodies, bodyFor, ofEachIteration, ownValues, sharedValues } from './bodies.ts';
import { around, callOf, controlsFor, idsIn, isTaken, isUnrouted, signedAs } from './calls.ts';
import { gapMs, numbersIn, waitingIn } from './waiting.ts';

const mostForms = 16;

/** The candidate bodies of a call, likeliest first; an operation without any is called without a body. */
function formsFor({ operation, says = [] }: JourneyStop, target: Target): readonly Form[] {
  const isBinary = operation.path.endsWith('/binary') && operation.method === 'POST';
  const forms = createBodies(target).forms(operation);
  if (forms.length === 0)
    return [isBinary ? formOf('assay', 'guess', 'application/octet-stream') : formOf(null, 'guess')];
  const saying = forms.filter((form) => !isGuess(form) || says.every((name) => form.carries.includes(name)));
  return saying.slice(0, mostForms);
}

export interface RehearsalOptions {
  readonly client: Client;
  readonly target: Target;
  readonly redactor: Pick<Redactor, 'record'>;
  /** How players sign in here. */
  readonly recipe: Recipe | undefined;
  /** The players who play the journey. */
  readonly actors: readonly Person[];
  /** Finds the value that a conformance run would use for a parameter without one; undefined where it knows none. */
  readonly find: (operation: Operation, name: string) => Promise<string | undefined>;
  /** Prepare the call without making it, with its likeliest body. */
  readonly isUnseen?: true;
}

type Tried =
  | {
      readonly call: Call;
      readonly batch?: readonly string[];
      readonly given: Readonly<Record<string, string>>;
      readonly answer?: Exchange;
      /** Two groups of players met so that it could be tried. */
      readonly hasMet?: true;
    }
  | { readonly mistake: string };

/** The id of the run, which marks log records where a command shows what is stored. */
const runOf = ({ logsSinkCommand, runId }: Target) => (logsSinkCommand === undefined ? undefined : runId);

/** @param given identifiers that earlier calls of the journey gave */
async function rehearseStop(
  stop: JourneyStop,
  given: Readonly<Record<string, string>>,
  options: RehearsalOptions,
): Promise<Tried> {
  const { operation, as = 0 } = stop;
  const { client, target, actors } = options;
  const mistake = whyNot(operation, target);
  if (mistake !== undefined) return { mistake };
  const person = actors[as] ?? nobody;
  const next = actors.length > 1 ? (as + 1) % actors.length : as;
  const roles: Roles = { as, other: stop.other ?? next, about: stop.other ?? as };
  const each = new Set([...ofEachIteration, ...Object.keys(given)]);
  const personal = ownValues(actors, roles, given, target.runId);
  const shared = { ...sharedValues(operation, target), ...stop.fixed };
  const fail = (why: string): Tried => ({ mistake: `${operation.id}: ${why}` });

  const params: Record<string, string> = {};
  const from: string[] = [];
  for (const name of parametersOf(operation)) {
    if (isAmbient(name)) continue;
    if (each.has(name)) from.push(name);
    const value = personal[name] ?? shared[name] ?? (await options.find(operation, name));
    if (value === undefined) return fail(`needs a value for {${name}}; say one in the profile's parameters`);
    params[name] = value;
  }

  let refused: Exchange | undefined;
  for (const form of formsFor(stop, target)) {
    const values = Object.fromEntries(form.carries.map((name) => [name, personal[name] ?? shared[name]]));
    const writing = write(form, values);
    const batch = stop.batch && batchBodies(form, stop.batch, runOf(target));
    const body: Body | undefined = batch
      ? { kind: 'batch', of: stop.batch as string }
      : bodyFor(form, values, each);
    if (!writing.ok || !body || (stop.batch && !batch)) continue;
    const attempt = { stop, roles, params, from, body, form, target, recipe: options.recipe };
    if (options.isUnseen) return { call: callOf(attempt), given: {} };
    const { contentType } = writing.written;
    const put = async (path?: string): Promise<Exchange> => {
      const saying = {
        body: batch?.[0] ?? writing.written.body,
        ...(contentType !== undefined && { contentType }),
        ...(path !== undefined && { path }),
      };
      const request = requestOf(operation, saying, { ...around(operation, target), params });
      const answer = await client.send(signedAs(person, operation, target, request), { priority: 0 });
      return markedFrom(operation.host, target.refusalForm, answer);
    };
    const exchange = await put();
    if (!isTaken(exchange, operation, target)) {
      refused ??= exchange;
      continue;
    }
    const controls = await controlsFor(operation, target, params, put);
    if (isUnrouted(exchange, controls))
      return fail(`answered ${statusOf(exchange)} in the very way that a path without a route is`);
    const ids = idsIn(stop, exchange, target);
    const call = callOf({ ...attempt, exchange, controls, ids });
    return { call, given: ids.values, answer: exchange, ...(batch && { batch }) };
  }
  return fail(refusal(refused, operation, options));
}

const mostShown = 200;

function refusal(
  exchange: Exchange | undefined,
  { host }: Operation,
  { target: { sessions }, redactor }: RehearsalOptions,
): string {
  if (!exchange) return 'no body could be written for it; say it in the profile';
  if (exchange.error) return `was not answered (${exchange.error.kind})`;
  const wall = host === 'base' ? undefined : sessions?.[host];
  if (host !== 'base' && isWall(wall) && wall.status === statusOf(exchange))
    return `answered ${statusOf(exchange)} when the journey was tried; ${remedyFor(host, wall)}`;
  const { request, response } = redactor.record(exchange);
  const shown = (text = '') => printable(cut(text.trim(), mostShown));
  return `answered ${statusInWords(exchange)} when the journey was tried: ${shown(response?.body) || 'no text'}; sent was ${shown(request.body) || 'no body'}; only what answers right is loaded (a profile can say its body and accepted statuses)`;
}

interface Rehearsed {
  readonly calls: readonly Call[];
  /** Bodies by kind of log record. */
  readonly batches: Readonly<Record<string, readonly string[]>>;
  /** Calls that the journey leaves out, and why. */
  readonly leftOut: readonly string[];
  /** Two groups of players met. */
  readonly hasMet?: boolean;
  /** Why it cannot be played; it has no calls then. */
  readonly mistake?: string;
}

type Given = Readonly<Record<string, string>>;

/**
 * Plays the journey stop by stop; never throws because of an answer. Players leave what they entered.
 * @param others a second group, for calls that can be made only once two groups have met
 */
export async function rehearse(
  journey: Journey,
  options: RehearsalOptions,
  others?: Actors,
): Promise<Rehearsed> {
  const { stops } = journey;
  const calls: (Call | undefined)[] = [];
  const batches: Record<string, readonly string[]> = {};
  const leftOut: string[] = [];
  const inside = new Set<number>();
  let hasMet = false;
  let given: Given = {};
  let shows: ShownWaiting = {};
  for (const [at, stop] of stops.entries()) {
    if (isLeftOut(stop, given)) continue;
    const tried = await rehearseStop(stop, given, options);
    if ('call' in tried) {
      given = { ...given, ...tried.given };
      calls[at] = tried.call;
      if (tried.batch && stop.batch) batches[stop.batch] = tried.batch;
      if (stop.enters) inside.add(stop.as ?? 0);
      if (stop.leaves) inside.delete(stop.as ?? 0);
      if (stop.waits && given[stop.meets ?? ''] === undefined) {
        const looked = await lookedAtWaiting(tried.answer, () => rehearseStop(stop, given, options));
        ({ shows } = looked);
        given = { ...given, ...looked.given };
      }
    } else if (stop.optional) leftOut.push(tried.mistake);
    else {
      await leave(stops.slice(at + 1), inside, given, options);
      // The value in `when` was given to one player alone, and the call that needs it fails: it is no evidence.
      if (stop.when !== undefined) return rehearse(withoutConditions(journey, false), options);
      return { calls: [], batches, leftOut, mistake: tried.mistake };
    }
  }
  for (const [at, stop] of stops.entries()) {
    if (!isLeftOut(stop, given)) continue;
    const tried = await rehearseMet(stops, stop, given, options, others);
    if (!('call' in tried)) return rehearse(withoutConditions(journey, true), options);
    calls[at] = tried.call;
    hasMet ||= tried.hasMet === true;
  }
  const mistake = await whyNotAgain(journey, options, given);
  if (mistake !== undefined) return { calls: [], batches, leftOut, mistake };
  const played = calls
    .flatMap((call, at) => (call && stops[at]?.each ? oncePerActor(call, journey) : (call ?? [])))
    .map((call) => (call.meets === undefined ? call : { ...call, shows }));
  if (played.length === 0) return { calls: played, batches, leftOut: [], mistake: leftOut.join('; ') };
  return { calls: played, batches, leftOut, hasMet };
}

/** Repeats the call for each actor but the first. */
const oncePerActor = (call: Call, { actors }: Journey): Call[] =>
  Array.from({ length: actors - 1 }, (_, before) => {
    const moved = (as: number) => (as === 1 ? before + 1 : as);
    const { as, other, about, enters } = call;
    return {
      ...call,
      as: moved(as),
      other: moved(other),
      about: moved(about),
      ...(enters && { atOnce: true as const }),
    };
  });

/** Asks twice more as a player who waits, and finds the fields of the answers that state a waiting time. */
async function lookedAtWaiting(
  begun: Exchange | undefined,
  ask: () => Promise<Tried>,
): Promise<{ readonly shows: ShownWaiting; readonly given: Given }> {
  const numbersOf = (answer: Exchange | undefined) => numbersIn(answer && jsonValue(answer));
  const first = numbersOf(begun);
  if (first.size === 0) return { shows: {}, given: {} };
  const since = performance.now();
  await pause(gapMs);
  const later = await ask();
  const waitedMs = performance.now() - since;
  const atOnce = await ask();
  if (!('call' in later && 'call' in atOnce)) return { shows: {}, given: {} };
  const shows = waitingIn([first, numbersOf(later.answer), numbersOf(atOnce.answer)], waitedMs);
  return { shows, given: { ...later.given, ...atOnce.given } };
}

/** Repeats a single changing operation that nothing undoes; returns why the same player cannot make it again. */
async function whyNotAgain(
  { name, stops: [stop, ...others] }: Journey,
  options: RehearsalOptions,
  given: Given,
): Promise<string | undefined> {
  if (stop === undefined || others.length > 0 || stop.operation.id !== name || stop.batch) return undefined;
  if (stop.operation.effect === 'read') return undefined;
  const again = await rehearseStop(stop, given, options);
  return 'call' in again
    ? undefined
    : `${again.mistake}: it was taken once, and the same player cannot make it again; load a journey that takes it back`;
}

/** States which variable has to be set before the operation can be called. */
export const withoutHost = ({ id, host }: Operation): string =>
  `${id}: ${variableOf[host]} is not set; set it to the URL of the host that this call goes to`;

/** Why a call cannot be made at all. */
function whyNot(operation: Operation, { profile, hosts }: Target): string | undefined {
  const reason = profile?.omitted.get(operation.id);
  if (reason !== undefined) return `${operation.id}: ${whyOmitted(reason)}`;
  return hosts[operation.host] === undefined ? withoutHost(operation) : undefined;
}

/**
 * The journey without the calls that depend on what an answer reported.
 * @param keepsMayGive keeps the values that an answer may give, because they may explain a refusal
 */
const withoutConditions = (journey: Journey, keepsMayGive: boolean): Journey => ({
  ...journey,
  stops: journey.stops
    .filter(({ when }) => when === undefined)
    .map(({ mayGive, unless: _, ...stop }) => ({ ...stop, ...(keepsMayGive && mayGive && { mayGive }) })),
});

/** Makes players who entered leave, whatever the answer. */
async function leave(
  stops: readonly JourneyStop[],
  inside: ReadonlySet<number>,
  given: Given,
  options: RehearsalOptions,
): Promise<void> {
  for (const stop of stops)
    if (stop.leaves && inside.has(stop.as ?? 0) && !isLeftOut(stop, given))
      await rehearseStop(stop, given, options);
}

const polls = 10;
const betweenPollsMs = 150;

/**
 * Rehearses a call that needs two players to meet: the actors and another group enter together. Where they do not meet,
 * the call is prepared without being tried.
 */
async function rehearseMet(
  stops: readonly JourneyStop[],
  stop: JourneyStop,
  alone: Given,
  options: RehearsalOptions,
  others: Actors | undefined,
): Promise<Tried> {
  const name = stop.when ?? stop.unless ?? '';
  const last = stops.findLastIndex(({ mayGive }) => mayGive?.[name] !== undefined);
  const both = others && stop.when !== undefined ? [options, { ...options, actors: others }] : [];
  const given: Given[] = both.map(() => ({}));
  const play = async (each: readonly JourneyStop[]) => {
    for (const [who, as] of both.entries())
      for (const entering of each) {
        const tried = await rehearseStop(entering, given[who] ?? {}, as);
        if ('call' in tried) given[who] = { ...given[who], ...tried.given };
      }
  };
  await play(stops.slice(0, last + 1));
  for (let nth = 0; nth < polls && both.length > 0 && given[0]?.[name] === undefined; nth += 1) {
    await pause(betweenPollsMs);
    await play(stops.slice(last, last + 1));
  }
  const met = given[0]?.[name] !== undefined;
  const tried = met ? await rehearseStop(stop, given[0] ?? {}, options) : undefined;
  for (const [who, as] of both.entries())
    if (!(who === 0 && tried && 'call' in tried))
      await leave(stops.slice(last + 1), new Set([stop.as ?? 0]), given[who] ?? {}, as);
  if (tried && 'call' in tried) return { ...tried, hasMet: true };
  return tried ?? rehearseStop(stop, { ...alone, [name]: 'unknown' }, { ...options, isUnseen: true });
}
