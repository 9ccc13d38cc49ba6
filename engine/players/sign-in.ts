// Signs a player in: sends the login with the body that the target takes, and reads the session from its answer.
import { areas } from '../../catalog/catalog.ts';
import { requestOf } from '../http/ask.ts';
import type { Client } from '../http/client.ts';
import { type Exchange, statusOf, type TransportError } from '../http/exchange.ts';
import type { SessionTransport } from '../target/session-transport.ts';
import { surroundingsOf, type Target } from '../target/target.ts';
import { fill } from './body-template.ts';
import { type Session, take } from './session.ts';

/** How every player signs in, as the first sign-in showed: the body of the login, and the place of the session in its answer. */
export interface Recipe {
  readonly body: LoginBody;
  readonly transport: SessionTransport;
  /** Every answer gives the next session. */
  readonly rotates: boolean;
}

/** The body of the login: the profile's; without a profile an empty object, or none where that is refused. */
export type LoginBody = 'stated' | 'empty object' | 'none';

/** The token of a sign-in, and the player's number, counted from 1. */
interface Signing {
  readonly token: string;
  readonly nth: number;
}

type SignIn =
  | {
      readonly kind: 'accepted';
      readonly exchange: Exchange;
      readonly body: LoginBody;
    }
  | { readonly kind: 'refused'; readonly exchange: Exchange; readonly status: number }
  | { readonly kind: 'unreachable'; readonly exchange: Exchange; readonly error: TransportError };

/** Sends the login while the place of the session in its answer is unknown. Never rejects. */
export async function signIn(client: Client, target: Target, signing: Signing): Promise<SignIn> {
  let body: LoginBody = statedBody(target) === undefined ? 'empty object' : 'stated';
  let exchange = await login(client, target, signing, body);
  const mayNotLikeTheBody = exchange.response?.status === 400 || exchange.response?.status === 415;
  if (body === 'empty object' && mayNotLikeTheBody) {
    const bare = await login(client, target, signing, 'none');
    if (isAccepted(bare, target)) {
      body = 'none';
      exchange = bare;
    }
  }
  if (exchange.error) return { kind: 'unreachable', exchange, error: exchange.error };
  if (!isAccepted(exchange, target)) return { kind: 'refused', exchange, status: statusOf(exchange) };
  return { kind: 'accepted', exchange, body };
}

/** The session; or `refused`: whether the target refused this player, as opposed to 429, 5xx or no answer (`unheard`). */
export type SignedIn =
  | { readonly session: Session; readonly login: Exchange }
  | { readonly refused: boolean; readonly unheard?: TransportError };

/** Signs in the way that is known to work. Never rejects. */
export async function signInWith(
  recipe: Recipe,
  client: Client,
  target: Target,
  signing: Signing,
): Promise<SignedIn> {
  const exchange = await login(client, target, signing, recipe.body);
  const session = isAccepted(exchange, target)
    ? take(recipe.transport, exchange, playerIdAt(target))
    : undefined;
  if (session) return { session, login: exchange };
  const status = statusOf(exchange);
  return {
    refused: status >= 200 && status < 500 && status !== 429,
    ...(exchange.error && { unheard: exchange.error }),
  };
}

/** One login call; `path` takes the place of the operation's own, for controls. */
export function login(
  client: Client,
  target: Target,
  { token, nth }: Signing,
  body: LoginBody,
  path?: string,
): Promise<Exchange> {
  const around = surroundingsOf(target, areas.auth.login, { token });
  const ask = { ...written(body, target, { token, nth }), ...(path !== undefined && { path }) };
  return client.send(requestOf(areas.auth.login, ask, around), { priority: 0 });
}

function written(
  body: LoginBody,
  target: Target,
  signing: Signing,
): { readonly body?: string | null; readonly contentType?: string } {
  if (body === 'empty object') return {};
  const template = body === 'none' ? null : statedBody(target);
  if (template === null || template === undefined) return { body: null };
  const filled = fill(template, valuesOf(target, signing));
  const { contentType } = target.profile?.operations['auth.login'] ?? {};
  return {
    body: filled.ok ? JSON.stringify(filled.body) : null,
    ...(contentType !== undefined && { contentType }),
  };
}

/** Values for the template of the login's body: all that is known of a player before sign-in. */
function valuesOf({ runId }: Target, { token, nth }: Signing) {
  const person = `assay-${runId}-${nth}`;
  return { token, unique: person, 'player.name': person, now: new Date().toISOString() };
}

/** Why the profile's login body can never be sent; undefined where it can. */
export function whyUnwritable(target: Target): string | undefined {
  const template = statedBody(target);
  if (template === undefined) return undefined;
  const filled = fill(template, valuesOf(target, { token: '', nth: 1 }));
  if (filled.ok) return undefined;
  const unknown = filled.missing.map((name) => `{{${name}}}`).join(', ');
  return `PROFILE: the login's body holds ${unknown}, which is not known before the login; expected {{token}}, {{player.name}}, {{unique}} or {{now}}`;
}

const statedBody = ({ profile }: Target) =>
  profile?.session?.body === undefined ? profile?.operations['auth.login']?.body : profile.session.body;

/** Where the profile finds the player's own id in the login's answer. */
export const playerIdAt = ({ profile }: Target) => profile?.operations['auth.login']?.ids?.playerId;

/** A login may answer by a redirect that carries the cookies. */
function isAccepted({ response }: Exchange, { profile }: Target): boolean {
  if (!response) return false;
  const { accepts } = profile?.operations['auth.login'] ?? {};
  return accepts?.includes(response.status) ?? (response.status >= 200 && response.status < 400);
}
