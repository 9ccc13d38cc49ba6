// What the rehearsal of a call found out, as k6 needs it.
import { areas } from '../../fixtures/catalog/catalog.ts';
import { type Exchange, json, statusOf, text } from '../../fixtures/client/exchange.ts';
import type { Form } from '../../fixtures/players/bodies/form.ts';
import type { Transport } from '../../fixtures/players/session.ts';
import type { Recipe } from '../../fixtures/players/sign-in.ts';
import { takesSession } from '../../fixtures/target/session-hosts.ts';
import type { Target } from '../../fixtures/target/target.ts';
import type { Stop } from '../journeys/journey.ts';
import type { Body, Call, Taking } from '../k6/plan.ts';
import { type Controls, unroutedText } from './controls.ts';
import type { Ids } from './ids.ts';
import type { Roles } from './values.ts';

export interface Found {
  readonly stop: Stop;
  readonly roles: Roles;
  readonly params: Readonly<Record<string, string>>;
  /** Parameters that each iteration has another value of. */
  readonly from: readonly string[];
  /** Undefined where it could not be tried. */
  readonly exchange: Exchange | undefined;
  readonly controls: Controls;
  readonly body: Body;
  readonly form: Form;
  readonly target: Target;
  readonly told: Ids;
  readonly recipe: Recipe | undefined;
}

export function callOf(found: Found): Call {
  const { stop, roles, params, from, exchange, body, form, target, told, recipe } = found;
  const { operation, validators = false } = stop;
  const status = exchange ? statusOf(exchange) : 200;
  const stated = target.profile?.operations[operation.id]?.accepts;
  const unlike = unroutedText(found.controls);
  const mayGive = whereGiven(stop, target, told);
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
    gives: Object.fromEntries(Object.entries(told.pointers).filter(([name]) => stop.gives?.[name])),
    hands: takes !== undefined || mayGive !== undefined || Object.keys(told.pointers).length > 0,
    validators,
    ...(mayGive && { mayGive }),
    ...(stop.enters && { enters: true }),
    ...(stop.leaves && { leaves: true }),
    ...(stop.when !== undefined && { when: stop.when }),
    ...(stop.unless !== undefined && { unless: stop.unless }),
    ...(takes && { takes }),
  };
}

/** Where the profile says, or this answer showed it; else under its usual names. */
function whereGiven({ operation, mayGive }: Stop, { profile }: Target, told: Ids): Call['mayGive'] {
  if (mayGive === undefined) return undefined;
  const stated = profile?.operations[operation.id]?.ids;
  return Object.fromEntries(
    Object.entries(mayGive).map(([name, names]) => [name, stated?.[name] ?? told.pointers[name] ?? names]),
  );
}

/** The bracket of a JSON object or list; nothing for any other body. */
function beginningOf({ response }: Exchange): string {
  const parsed = response && json(response);
  const isTree = parsed?.ok === true && parsed.value !== null && typeof parsed.value === 'object';
  return isTree && response ? (text(response).trimStart()[0] ?? '') : '';
}

function takings(transport: Transport): Taking[] {
  switch (transport.kind) {
    case 'combined':
      return transport.parts.flatMap(takings);
    case 'cookie':
      return [{ kind: 'cookie', names: transport.names }];
    case 'bearer':
      return [{ kind: 'bearer', name: 'authorization', source: transport.source }];
    default:
      return [{ kind: transport.kind, name: transport.name.toLowerCase(), source: transport.source }];
  }
}
