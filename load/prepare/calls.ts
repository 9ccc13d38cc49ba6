// Prepares a call for k6: signs it, finds where its answer holds identifiers, and checks that its answer differs from
// an unrouted path's.
import { areas } from '../../catalog/catalog.ts';
import type { Operation } from '../../catalog/operation.ts';
import { differences } from '../../engine/compare/compare.ts';
import { controlPath } from '../../engine/compare/controls.ts';
import { pathOf } from '../../engine/http/ask.ts';
import {
  type Exchange,
  isAccepted,
  json,
  jsonValue,
  type Request,
  statusOf,
  text,
} from '../../engine/http/exchange.ts';
import type { Form } from '../../engine/players/body-template.ts';
import { isLoginAccepted, type Recipe } from '../../engine/players/sign-in.ts';
import { type SessionTransport, takesSession } from '../../engine/target/session-transport.ts';
import type { Target } from '../../engine/target/target.ts';
import { isNested, valueAt } from '../../engine/values/json-walk.ts';
import { randomFrom } from '../../engine/values/random.ts';
import type { JourneyStop } from '../journeys/journeys.ts';
import type { Body, Call, Person, Taking } from '../k6/plan.ts';
import { findPointer } from '../k6/request.ts';
import type { Roles } from '../k6/send-call.ts';

/** The settings that every call to a target needs. */
export const around = ({ host }: Operation, { hosts, ambient, headers, profile }: Target) => ({
  host: hosts[host] ?? '',
  ambient,
  words: profile,
  headers,
});

/** The request with this person's session, where the host takes it. */
export function signedAs(
  { headers, query }: Person,
  { host }: Operation,
  target: Target,
  request: Request,
): Request {
  if (!takesSession(target, host)) return request;
  const { url } = request;
  return {
    ...request,
    headers: [...request.headers, ...Object.entries(headers)],
    url: query === '' ? url : `${url}${url.includes('?') ? '&' : '?'}${query}`,
  };
}

interface Ids {
  /** JSON Pointers by the identifier's name. */
  readonly pointers: Readonly<Record<string, string>>;
  readonly values: Readonly<Record<string, string>>;
}

/** Values that stand for no identifier. */
const isNone = (value: string | number) => value === '' || value === 0;

/** Finds the identifiers that a call gives or may give: where the profile says, else under their usual names. */
export function idsIn(
  { operation, gives, mayGive }: JourneyStop,
  { response }: Exchange,
  { profile }: Target,
): Ids {
  const parsed = response && json(response);
  if (!parsed?.ok) return noIds;
  const found = Object.entries({ ...gives, ...mayGive }).flatMap(([name, names]) => {
    const pointer = profile?.operations[operation.id]?.ids?.[name] ?? findPointer(parsed.value, names);
    const value = pointer === undefined ? undefined : valueAt(parsed.value, pointer);
    return pointer !== undefined &&
      (typeof value === 'string' || typeof value === 'number') &&
      !(mayGive?.[name] && isNone(value))
      ? [{ name, pointer, value: String(value) }]
      : [];
  });
  return {
    pointers: Object.fromEntries(found.map(({ name, pointer }) => [name, pointer])),
    values: Object.fromEntries(found.map(({ name, value }) => [name, value])),
  };
}

/** Whether the target took the call. */
export const isTaken = (exchange: Exchange, operation: Operation, target: Target): boolean =>
  operation === areas.auth.login
    ? isLoginAccepted(exchange, target)
    : isAccepted(exchange, target.profile?.operations[operation.id]?.accepts);

// Controls: whether a call's answer is what every unrouted path gets.

/** The answers to two unrouted paths beside the call's own. */
type Controls = readonly [Exchange, Exchange] | undefined;

/** Requests the two control paths; undefined where the answer cannot be mistaken for a right one. */
export async function controlsFor(
  operation: Operation,
  target: Target,
  params: Readonly<Record<string, string>>,
  put: (path: string) => Promise<Exchange>,
): Promise<Controls> {
  const [path = '', query] = pathOf(operation, {}, { ...around(operation, target), params }).split('?', 2);
  const beside = (nth: string) => {
    const random = randomFrom(target.seed, target.runId, 'load', operation.id, nth);
    const control = controlPath('sibling', operation, path, random).path;
    return put(query === undefined ? control : `${control}?${query}`);
  };
  const first = await beside('1');
  return isTaken(first, operation, target) ? [first, await beside('2')] : undefined;
}

export const isUnrouted = (exchange: Exchange, controls: Controls): boolean =>
  controls !== undefined && differences(exchange, controls[0], differences(...controls)).size === 0;

const longest = 4_096;

/** The body that unrouted paths get; undefined where it differs between the two controls. */
function unroutedText(controls: Controls): string | undefined {
  const [first, second] = controls ?? [];
  if (!first?.response || !second?.response) return undefined;
  const body = text(first.response);
  return body === text(second.response) && body.length <= longest ? body : undefined;
}

interface Found {
  readonly stop: JourneyStop;
  readonly roles: Roles;
  readonly params: Readonly<Record<string, string>>;
  /** Parameters whose values differ per iteration. */
  readonly from: readonly string[];
  readonly body: Body;
  readonly form: Form;
  readonly target: Target;
  readonly recipe: Recipe | undefined;
  /** The answer; absent where the call could not be tried. */
  readonly exchange?: Exchange;
  readonly controls?: Controls;
  readonly ids?: Ids;
}

const noIds: Ids = { pointers: {}, values: {} };

export function callOf(found: Found): Call {
  const { stop, roles, params, from, exchange, body, form, target, ids = noIds, recipe } = found;
  const { operation, validators = false } = stop;
  const status = exchange ? statusOf(exchange) : 200;
  const stated = target.profile?.operations[operation.id]?.accepts;
  const unlike = unroutedText(found.controls);
  const mayGive = whereGiven(stop, target, ids);
  const takes = operation === areas.auth.login && recipe ? takings(recipe.transport) : undefined;
  return {
    operation,
    signed: takesSession(target, operation.host),
    ...roles,
    params: Object.fromEntries(Object.entries(params).filter(([name]) => !from.includes(name))),
    from,
    headers: {
      accept: '*/*',
      ...(body.kind !== 'none' && { 'content-type': form.contentType ?? 'application/json' }),
      ...Object.fromEntries(target.headers.map(([name, value]) => [name.toLowerCase(), value])),
    },
    body,
    accepts: stated ?? (status > 299 ? [status] : []),
    begins: exchange ? beginningOf(exchange) : '',
    ...(unlike !== undefined && { unlike }),
    gives: Object.fromEntries(Object.entries(ids.pointers).filter(([name]) => stop.gives?.[name])),
    hands: takes !== undefined || mayGive !== undefined || Object.keys(ids.pointers).length > 0,
    validators,
    ...(mayGive && { mayGive }),
    ...carriedOver(stop, mayGive === undefined ? always : [...always, 'meets', 'waits']),
    ...(takes && { takes }),
  };
}

const always = ['enters', 'leaves', 'when', 'unless'] as const;

const carriedOver = (stop: JourneyStop, names: readonly (keyof JourneyStop & keyof Call)[]): Partial<Call> =>
  Object.fromEntries(names.flatMap((name) => (stop[name] === undefined ? [] : [[name, stop[name]]])));

/** Where later answers hold a value: as the profile states or this answer showed, else under its usual names. */
function whereGiven({ operation, mayGive }: JourneyStop, { profile }: Target, ids: Ids): Call['mayGive'] {
  if (mayGive === undefined) return undefined;
  const stated = profile?.operations[operation.id]?.ids;
  return Object.fromEntries(
    Object.entries(mayGive).map(([name, names]) => [name, stated?.[name] ?? ids.pointers[name] ?? names]),
  );
}

/** The bracket of a JSON object or list; nothing for any other body. */
function beginningOf({ response }: Exchange): string {
  return response && isNested(jsonValue({ response })) ? (text(response).trimStart()[0] ?? '') : '';
}

function takings(transport: SessionTransport): Taking[] {
  switch (transport.kind) {
    case 'combined':
      return transport.parts.flatMap(takings);
    case 'cookie':
      return [{ kind: 'cookie', names: transport.names }];
    case 'bearer':
      return [
        {
          kind: 'bearer',
          name: 'authorization',
          source: transport.source,
          ...(transport.scheme !== undefined && { scheme: transport.scheme }),
        },
      ];
    default:
      return [{ kind: transport.kind, name: transport.name.toLowerCase(), source: transport.source }];
  }
}
