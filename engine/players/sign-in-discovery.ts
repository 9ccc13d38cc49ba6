// Signs in once and finds out how the session travels, so that every other player can do the same: session-token.ts
// lists where the token may stand in the login's answer, and session-proof.ts tries those places.
import { areas } from '../../catalog/catalog.ts';
import { pathInWords } from '../../catalog/words.ts';
import { isAbsent, isLike } from '../compare/controls.ts';
import type { Client } from '../http/client.ts';
import { type Exchange, statusOf, type TransportKind } from '../http/exchange.ts';
import type { Redactor } from '../http/redact.ts';
import type { SessionEvidence, SessionTransport } from '../target/session-transport.ts';
import type { Target } from '../target/target.ts';
import { scramble } from '../values/nonexistent.ts';
import { randomFrom } from '../values/random.ts';
import { described, type Session, sourceInWords, take, wayInWords } from './session.ts';
import { askerOf, controls, proveSession } from './session-proof.ts';
import { type Candidates, candidates } from './session-token.ts';
import { type LoginBody, login, playerIdAt, type Recipe, signIn, whyUnwritable } from './sign-in.ts';
import type { GivenToken, PlayerTokens } from './tokens.ts';

/** Plain data, passed to the worker thread. It holds secrets, so it is never recorded unredacted. */
export type Discovery =
  | Found
  /** The login refused; `likeUnrouted`: its answer is that of a path without a route. */
  | {
      readonly kind: 'refused';
      readonly status: number;
      readonly likeUnrouted: boolean;
      readonly from: GivenToken['from'];
    }
  /**
   * The login succeeded, but no value of its answer changed another answer; `tried` counts the values tried.
   * `missingWhereStated`: its answer held no credential at the place that the profile states.
   */
  | {
      readonly kind: 'no-credential';
      readonly status: number;
      readonly tried: number;
      readonly missingWhereStated?: true;
      /** The likeliest place of a credential, and the ways in which its value was sent back. */
      readonly likeliest?: Likeliest;
    }
  /** The credential stands where the profile says, but no call shows a difference without it or with a spoiled one. */
  | { readonly kind: 'no-difference'; readonly status: number; readonly transport: SessionTransport }
  /** A credential changes answers, but a spoiled one does as well, so the target does not verify it. */
  | { readonly kind: 'any-credential'; readonly status: number; readonly evidence: SessionEvidence }
  /** There is no login: it is answered as a path without a route. */
  | { readonly kind: 'unrouted'; readonly status: number }
  | { readonly kind: 'unreachable'; readonly error: TransportKind; readonly message: string }
  /** There was nothing to sign in with: LOGIN_TOKEN_COMMAND failed, or the profile's body cannot be written. */
  | { readonly kind: 'no-token'; readonly why: string };

/** Plain data, without secrets. */
export interface Likeliest {
  /** The place in the login's answer, written as in a transport of the profile. */
  readonly source: string;
  /** `Authorization: Bearer`, `X-Session`, `?token=` … */
  readonly ways: readonly string[];
}

/** Token and session are player 1's. */
export interface Found extends GivenToken {
  readonly kind: 'found';
  readonly session: Session;
  readonly recipe: Recipe;
  /** Other values of the login's answer that another host may require; none where the profile states the transport. */
  readonly otherWays?: readonly Session[];
  readonly evidence: SessionEvidence;
}

/** Discovers how sessions travel. Never rejects. The redactor learns every possible credential before it is used. */
export async function discover(
  client: Client,
  target: Target,
  tokens: PlayerTokens,
  redactor: Pick<Redactor, 'learn'>,
): Promise<Discovery> {
  const ask = askerOf(client, target);
  // Controls need no token: asked while it is fetched, they save a round trip to a far target.
  const early = controls(ask, target);
  const given = await tokens.of(1);
  if ('why' in given) return { kind: 'no-token', why: given.why };
  const { token, from } = given;
  const unwritable = whyUnwritable(target);
  if (unwritable !== undefined) return { kind: 'no-token', why: unwritable };
  const [signedIn, found] = await Promise.all([signIn(client, target, { token, nth: 1 }), early]);
  const { exchange, body, isTaken } = signedIn;
  if (exchange.error)
    return { kind: 'unreachable', error: exchange.error.kind, message: exchange.error.message };
  const status = statusOf(exchange);
  if (!isTaken) {
    const likeUnrouted = await isLikeUnrouted(client, target, token, exchange, 'empty object');
    if (likeUnrouted && isAbsent(exchange)) return { kind: 'unrouted', status };
    return { kind: 'refused', status, likeUnrouted, from };
  }
  const refusals = found.map(({ without }) => without);
  const possible =
    candidatesOfProfile(target, exchange) ?? candidates(exchange, token, playerIdAt(target), refusals);
  const { usual, rarer, derived, besideCookies, elsewhere } = possible;
  const all = [...usual, ...rarer, ...derived, ...besideCookies, ...elsewhere];
  const values = new Set(all.flatMap(({ secrets }) => secrets));
  for (const secret of values) redactor.learn(secret);
  const proof = await proveSession(ask, found, possible);
  if (proof?.kind === 'proven') {
    const { session, rotates, evidence } = proof;
    for (const secret of session.secrets) redactor.learn(secret);
    const recipe = { body, transport: session.transport, rotates };
    return { kind: 'found', token, from, recipe, session, evidence, otherWays: possible.elsewhere };
  }
  if (await isLikeUnrouted(client, target, token, exchange, body)) return { kind: 'unrouted', status };
  if (proof) return { ...proof, status };
  const transport = target.profile?.session?.transport;
  if (!transport) {
    const likeliest = likeliestOf([...usual, ...rarer, ...derived]);
    return { kind: 'no-credential', status, tried: values.size, ...(likeliest && { likeliest }) };
  }
  return values.size === 0
    ? { kind: 'no-credential', status, tried: 0, missingWhereStated: true }
    : { kind: 'no-difference', status, transport };
}

/** The candidate at the place that the profile states, without guesses; undefined where it states no transport. */
function candidatesOfProfile(target: Target, login: Exchange): Candidates | undefined {
  const transport = target.profile?.session?.transport;
  if (!transport) return undefined;
  const session = take(transport, login, playerIdAt(target));
  return { usual: session ? [session] : [], rarer: [], derived: [], besideCookies: [], elsewhere: [] };
}

/** The first value from a header or the body, with all ways in which it was sent back. */
function likeliestOf(tried: readonly Session[]): Likeliest | undefined {
  const ways = tried.flatMap(({ transport }) =>
    transport.kind === 'cookie' || transport.kind === 'combined' ? [] : [transport],
  );
  const [first] = ways;
  if (first === undefined) return undefined;
  const { source } = first;
  return { source, ways: ways.flatMap((way) => (way.source === source ? [wayInWords(way)] : [])) };
}

/** Returns whether the login is answered like paths beside it that cannot have a route. */
async function isLikeUnrouted(
  client: Client,
  target: Target,
  token: string,
  answered: Exchange,
  body: LoginBody,
): Promise<boolean> {
  const path = pathInWords(areas.auth.login, target.profile);
  const put = (at: string) =>
    login(client, target, { token, nth: 1 }, body, `${at}?token=${encodeURIComponent(token)}`);
  // The login is sent again only where its answer may mean that there is none.
  return isLike(
    async (nth) => (nth > 1 && isAbsent(answered) ? put(path) : answered),
    (nth) => {
      const random = randomFrom(target.seed, target.runId, 'login', String(nth));
      return put(path.replace(/[^/]+$/, (segment) => scramble(segment, random)));
    },
  );
}

export interface LoginFault {
  readonly expected: string;
  readonly actual: string;
  readonly level: 'profile' | 'inferred';
  /** The clause that is broken, where it is not that of the sign-in. */
  readonly clause?: string;
}

/** The fault of a login that lacks the stated credential, or whose credential works no better than a made-up one. */
export function loginFault(discovery: Discovery | undefined): LoginFault | undefined {
  if (discovery?.kind === 'any-credential') {
    const { operation, without, with: answer } = discovery.evidence;
    return {
      expected: 'a session for those alone who have signed in',
      actual: `${operation} answers ${answer} with a made-up credential as with that of the login, and ${without} without one`,
      level: 'inferred',
      clause: 'effects.forged.session',
    };
  }
  if (discovery?.kind !== 'no-credential' || !discovery.missingWhereStated) return undefined;
  const expected = 'a credential where the profile says that it stands';
  return { expected, actual: `${discovery.status} without it`, level: 'profile' };
}

/** The likeliest place of a credential, how it was sent back, and the profile line to set; empty if none was found. */
export function triedWith({
  likeliest,
}: Pick<Extract<Discovery, { kind: 'no-credential' }>, 'likeliest'>): string {
  if (likeliest === undefined) return '';
  const { source, ways } = likeliest;
  const transport = { kind: 'header', source, name: '…' };
  return `; found ${sourceInWords(source)}; tried ${ways.join(', ')}; if your header is another, set session.transport.name in the profile: ${JSON.stringify({ session: { transport } })}`;
}

/** For each sentence of `whyNoSession`, words that identify it, and the remedy; the first match counts. */
const obstacles = {
  refused: [': set LOGIN_TOKEN', 'set LOGIN_TOKEN to a token the target accepts'],
  noBase: ['no base host was given', 'set BASE_URL, since players sign in there'],
  unrouted: [
    'as a path that does not exist',
    'serve the login, or give its word in the profile (words: storefront)',
  ],
  limited: ['allows no more calls', 'use a lower --rate, and try again later'],
  unreachable: ['got no answer', "find in the target's log why the login does not answer"],
  noCredential: [
    'nothing in its answer changes',
    'say in the profile where the credential stands (session: transport)',
  ],
  misstated: ['the profile', 'correct in the profile where the credential stands (session: transport)'],
  believed: [
    'is believed like the real one',
    'refuse a wrong credential; until then no answer shows who is signed in',
  ],
} as const;

/** The remedy for a detail that holds a sentence of `whyNoSession`: a token helps only where one was refused. */
export const remedyOfNoSession = (detail: string): string | undefined =>
  Object.values(obstacles).find(([words]) => detail.includes(words))?.[1];

/** Why no player is signed in, with the setting that helps; undefined where one is. */
export function whyNoSession(discovery: Discovery | undefined): string | undefined {
  const { refused, noBase, unrouted, limited, unreachable, noCredential, misstated, believed } = obstacles;
  switch (discovery?.kind) {
    case 'found':
      return undefined;
    case undefined:
      return `${noBase[0]}, so nobody could sign in`;
    case 'refused':
      if (discovery.status === 429) return `login answered 429: it ${limited[0]} for now`;
      return `login answered ${discovery.status} to our ${discovery.from}${refused[0]} to a token the target accepts, or LOGIN_TOKEN_COMMAND`;
    case 'no-credential':
      return discovery.missingWhereStated
        ? `login answered ${discovery.status}, but holds no credential where ${misstated[0]} says that it stands`
        : `login answered ${discovery.status}, but ${noCredential[0]} another answer when sent back${triedWith(discovery)}`;
    case 'no-difference':
      return `the credential that ${misstated[0]} states (${described(discovery.transport)}) changes no other answer`;
    case 'any-credential':
      return `a spoiled credential ${believed[0]} (${discovery.evidence.operation}), so no answer shows who is signed in`;
    case 'unrouted':
      return `login is answered ${unrouted[0]}`;
    case 'unreachable':
      return `login ${unreachable[0]}: ${discovery.message}`;
    case 'no-token':
      return discovery.why;
  }
}
