// One call of a journey, tried until a body is taken, and made ready for k6.
import { areas } from '../../fixtures/catalog/catalog.ts';
import { type Operation, parametersOf } from '../../fixtures/catalog/operation.ts';
import { ambientParameters } from '../../fixtures/catalog/request-path.ts';
import { requestOf } from '../../fixtures/check/evidence/ask.ts';
import type { Client } from '../../fixtures/client/client.ts';
import { type Exchange, statusOf } from '../../fixtures/client/exchange.ts';
import { write } from '../../fixtures/players/bodies/form.ts';
import type { Recipe } from '../../fixtures/players/sign-in.ts';
import { isWall, remedyFor } from '../../fixtures/target/session-hosts.ts';
import type { Target } from '../../fixtures/target/target.ts';
import type { Stop } from '../journeys/journey.ts';
import type { Body, Call, Person } from '../k6/plan.ts';
import { batchBodies } from './batches.ts';
import { callOf } from './call-of.ts';
import { controlsFor, isUnrouted } from './controls.ts';
import { formsFor } from './forms.ts';
import { idsIn } from './ids.ts';
import { bodyFor } from './pieces.ts';
import { around, signedAs } from './put.ts';
import { ofEachIteration, ownValues, type Roles, sharedValues } from './values.ts';

export interface RehearsalOptions {
  readonly client: Client;
  readonly target: Target;
  /** How players sign in here. */
  readonly recipe: Recipe | undefined;
  /** Who plays it. */
  readonly cast: readonly Person[];
  /** Of batches. */
  readonly seed: number;
  /** What a run of conformance would put for a parameter that nobody gave; undefined where it knows none either. */
  readonly find: (operation: Operation, name: string) => Promise<string | undefined>;
  /** It is made ready without being called: its likeliest body is taken. */
  readonly isUnseen?: true;
}

export type Tried =
  | {
      readonly call: Call;
      readonly batch?: readonly string[];
      readonly given: Readonly<Record<string, string>>;
    }
  | { readonly mistake: string };

const ambient: readonly string[] = ambientParameters;
const nobody: Person = { headers: {}, query: '', values: {} };

/** @param given identifiers that earlier calls of the journey gave */
export async function rehearseStop(
  stop: Stop,
  given: Readonly<Record<string, string>>,
  options: RehearsalOptions,
): Promise<Tried> {
  const { operation, as = 0 } = stop;
  const { client, target, cast, seed } = options;
  const person = cast[as] ?? nobody;
  const next = cast.length > 1 ? (as + 1) % cast.length : as;
  const roles: Roles = { as, other: stop.other ?? next, about: stop.other ?? as };
  const each = new Set([...ofEachIteration, ...Object.keys(given)]);
  const own = ownValues(cast, roles, given, target.runId);
  const shared = sharedValues(operation, target);
  const fail = (why: string): Tried => ({ mistake: `${operation.id}: ${why}` });

  const params: Record<string, string> = {};
  const from: string[] = [];
  for (const name of parametersOf(operation)) {
    if (ambient.includes(name)) continue;
    if (each.has(name)) from.push(name);
    const value = own[name] ?? shared[name] ?? (await options.find(operation, name));
    if (value === undefined) return fail(`needs a value for {${name}}; say one in the profile's parameters`);
    params[name] = value;
  }

  let refused: Exchange | undefined;
  for (const form of formsFor(stop, target)) {
    const values = Object.fromEntries(form.carries.map((name) => [name, own[name] ?? shared[name]]));
    const writing = write(form, values);
    const batch = stop.batch && batchBodies(form, stop.batch, seed);
    const body: Body | undefined = batch
      ? { kind: 'batch', of: stop.batch as string }
      : bodyFor(form, values, each);
    if (!writing.ok || !body || (stop.batch && !batch)) continue;
    const known = { stop, roles, params, from, body, form, target, recipe: options.recipe };
    if (options.isUnseen) {
      const unseen = { exchange: undefined, controls: undefined, told: { pointers: {}, values: {} } };
      return { call: callOf({ ...known, ...unseen }), given: {} };
    }
    const { contentType } = writing.written;
    const put = (path?: string): Promise<Exchange> => {
      const saying = {
        body: batch?.[0] ?? writing.written.body,
        ...(contentType !== undefined && { contentType }),
        ...(path !== undefined && { path }),
      };
      const request = requestOf(operation, saying, { ...around(operation, target), params });
      return client.send(signedAs(person, operation, target, request), { priority: 0 });
    };
    const exchange = await put();
    if (!isAccepted(exchange, operation, target)) {
      refused ??= exchange;
      continue;
    }
    const controls = await controlsFor({ operation, target, params, put, isRight: isAccepted });
    if (isUnrouted(exchange, controls))
      return fail(`answered ${statusOf(exchange)} in the very way that a path without a route is`);
    const told = idsIn(stop, exchange, target);
    const call = callOf({ ...known, exchange, controls, told });
    return { call, given: told.values, ...(batch && { batch }) };
  }
  return fail(refusal(refused, operation, target));
}

/** A login may answer by a redirect that carries the cookies. */
function isAccepted(exchange: Exchange, operation: Operation, { profile }: Target): boolean {
  const status = statusOf(exchange);
  const most = operation === areas.auth.login ? 399 : 299;
  return profile?.operations[operation.id]?.accepts?.includes(status) ?? (status >= 200 && status <= most);
}

function refusal(exchange: Exchange | undefined, { host }: Operation, { sessions }: Target): string {
  if (!exchange) return 'no body could be written for it; say it in the profile';
  if (exchange.error) return `was not answered (${exchange.error.kind})`;
  const wall = host === 'base' ? undefined : sessions?.[host];
  if (host !== 'base' && isWall(wall) && wall.status === statusOf(exchange))
    return `answered ${statusOf(exchange)} when the journey was tried; ${remedyFor(host, wall)}`;
  return `answered ${statusOf(exchange)} when the journey was tried; only what answers right is loaded (a profile can say its body and accepted statuses)`;
}
