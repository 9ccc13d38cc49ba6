// Signs a player in: sends the login with the body that the target takes, and reads the session from its answer.
import { areas } from '../../catalog/catalog.ts';
import { requestOf } from '../http/ask.ts';
import type { Client } from '../http/client.ts';
import { type Exchange, statusOf, type TransportError } from '../http/exchange.ts';
import type { SessionTransport } from '../target/session-transport.ts';
import { surroundingsOf, type Target } from '../target/target.ts';
import { formOf, type Writing, type Written, write } from './body-template.ts';
import { type Session, take } from './session.ts';

/** How every player signs in, found by the first sign-in: the login's body, and the session's place in its answer. */
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

/** A login, and whether the target took it. */
interface SignIn {
  readonly exchange: Exchange;
  readonly body: LoginBody;
  readonly isTaken: boolean;
}

/** Sends the login while the place of the session in its answer is unknown. Never rejects. */
export async function signIn(client: Client, target: Target, signing: Signing): Promise<SignIn> {
  const body = statedBody(target) === undefined ? 'empty object' : 'stated';
  const exchange = await login(client, target, signing, body);
  const mayNotLikeTheBody = exchange.response?.status === 400 || exchange.response?.status === 415;
  if (body === 'empty object' && mayNotLikeTheBody) {
    const bare = await login(client, target, signing, 'none');
    if (isLoginAccepted(bare, target)) return { exchange: bare, body: 'none', isTaken: true };
  }
  return { exchange, body, isTaken: isLoginAccepted(exchange, target) };
}

/** The session; or whether the target refused this player, as opposed to 429, 5xx or no answer (`unheard`). */
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
  const session = isLoginAccepted(exchange, target)
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

function written(body: LoginBody, target: Target, signing: Signing): Partial<Written> {
  if (body === 'empty object') return {};
  const writing = body === 'none' ? undefined : writtenAsStated(target, signing);
  return writing?.ok ? writing.written : { body: null };
}

/** The profile's body with all that is known of a player before sign-in; undefined where the profile has none. */
function writtenAsStated(target: Target, { token, nth }: Signing): Writing | undefined {
  const template = statedBody(target);
  const person = `assay-${target.runId}-${nth}`;
  const values = { token, unique: person, 'player.name': person, now: new Date().toISOString() };
  const { contentType } = target.profile?.operations['auth.login'] ?? {};
  return template === undefined ? undefined : write(formOf(template, 'profile', contentType), values);
}

/** Why the profile's login body can never be sent; undefined where it can. */
export function whyUnwritable(target: Target): string | undefined {
  const writing = writtenAsStated(target, { token: '', nth: 1 });
  if (writing === undefined || writing.ok) return undefined;
  const unknown = writing.missing.map((name) => `{{${name}}}`).join(', ');
  return `PROFILE: the login's body holds ${unknown}, which is not known before the login; expected {{token}}, {{player.name}}, {{unique}} or {{now}}`;
}

const statedBody = ({ profile }: Target) =>
  profile?.session?.body === undefined ? profile?.operations['auth.login']?.body : profile.session.body;

/** Where the profile finds the player's own id in the login's answer. */
export const playerIdAt = ({ profile }: Target) => profile?.operations['auth.login']?.ids?.playerId;

/** A login may answer by a redirect that carries the cookies. */
export function isLoginAccepted({ response }: Exchange, { profile }: Target): boolean {
  if (!response) return false;
  const { accepts } = profile?.operations['auth.login'] ?? {};
  return accepts?.includes(response.status) ?? (response.status >= 200 && response.status < 400);
}
