// Checks of sign-in: the general rules, refused logins, and the public key.
import { createPrivateKey, createPublicKey, type webcrypto } from 'node:crypto';
import { auth } from '../catalog/areas/authentication.ts';
import { areas } from '../catalog/catalog.ts';
import { clauseById } from '../catalog/clauses/clauses.ts';
import { sameForm } from '../engine/compare/content.ts';
import { type Ask, nobody } from '../engine/http/ask.ts';
import { cookiesOf } from '../engine/http/cookies.ts';
import {
  type Exchange,
  type Headers,
  isSuccess,
  json,
  type Request,
  type Response,
  text,
} from '../engine/http/exchange.ts';
import { inconclusive, type Judgement, pass, violation, warning } from '../engine/judgement.ts';
import { isTokenLike, rankOf } from '../engine/players/session-token.ts';
import { type Check, check } from '../engine/probe/check.ts';
import type { Context } from '../engine/probe/context.ts';
import { breakage } from '../engine/probe/matchers/http-fields.ts';
import { valuesOf } from '../engine/probe/matchers/json.ts';
import { answered, successfulAnswer } from '../engine/probe/prerequisites.ts';
import { entriesOf, isObject } from '../engine/values/json-walk.ts';
import { switchPoint } from '../engine/values/switch-points.ts';
import { areaSuite } from './rules/rules.ts';
import { askedPathAlone } from './shared/asked-path.ts';
import { askPastTemporary, askTwiceMore } from './shared/repeats.ts';

// A login without a valid token signs nobody in. The status does not decide that; a session that works does.

/** A call whose answers differ with and without a session, and that half of the rules have sent already. */
const probe = areas.me.location;
const mostTried = 4;

const refuses = (rule: string, title: string, ask: (good: Exchange, context: Context) => Ask): Check =>
  check(auth.login, rule, clauseById('auth.sign-in'), title, async (context): Promise<Judgement> => {
    const missing = context.noSession();
    if (missing !== undefined)
      return inconclusive('no-session', `a good token gives no session either: ${missing}`);
    const good = await successfulAnswer(auth.login, context);
    const asBad = { as: nobody, ...ask(good.exchange, context) };
    const bad = answered(await askPastTemporary(context, auth.login, asBad));
    const broke = breakage(bad.exchange);
    if (broke !== undefined) return warning('a refusal that is no server error', broke, bad.exchange);
    if (!isSuccess(bad.exchange)) return pass(bad.exchange, `answered ${bad.response.status}`);
    return (
      (await gaveSession(bad.exchange, context)) ??
      pass(bad.exchange, `answered ${bad.response.status}, but without a session`)
    );
  });

/** Tries the granted credentials on a revealing call; undefined where none of them makes a difference. */
async function gaveSession(bad: Exchange, context: Context): Promise<Judgement | undefined> {
  const [signedIn, nobodys] = [await context.ask(probe), await context.ask(probe, { as: nobody })];
  if (!bad.response || !isSuccess(signedIn) || sameForm(signedIn, nobodys))
    return inconclusive(
      'prerequisite-failed',
      `no call is known that shows a session, so the answer's credential cannot be tried`,
      bad,
    );
  const uses = usesOf(grantedBy(bad.response, bad.startedAt), signedIn.request, nobodys.request).slice(
    0,
    mostTried,
  );
  for (const headers of uses) {
    const tried = await context.ask(probe, { as: nobody, headers });
    if (sameForm(tried, signedIn))
      return violation(
        'no session without a valid token',
        `answered ${bad.response.status} with a credential that works`,
        bad,
      );
  }
  return undefined;
}

const refusedLogins: readonly Check[] = [
  refuses('refuses-empty-token', 'an empty token gives no session', () => ({ params: { token: '' } })),
  refuses('refuses-malformed-token', 'a token that is no JWT gives no session', () => ({
    params: { token: 'assay-is-no-jwt' },
  })),
  refuses('refuses-missing-token', 'no token gives no session', (good, context) => ({
    path: askedPathAlone(good, auth.login, context),
  })),
];

const someKey = 'a public key: PEM, JWK, DER in base64, or another form';

const returnsKey = check(
  auth.publicKey,
  'public-key',
  clauseById('auth.public-key'),
  'returns a public key',
  async (context) => {
    const { exchange, response } = await successfulAnswer(auth.publicKey, context);
    const key = keyIn(response);
    switch (key.kind) {
      case 'public':
        return pass(exchange, `a public key as ${key.form}`);
      case 'perhaps': {
        const why = await whyNoKey(key.texts, exchange, context);
        if (why !== undefined) return warning(someKey, why, exchange);
        return pass(exchange, 'what may be a key in an unknown form');
      }
      case 'named otherwise':
        return warning(someKey, 'what is named as the id or the token of a call', exchange);
      case 'private':
        return violation(someKey, `private or shared key material (${key.form})`, exchange);
      case 'damaged':
        return violation(someKey, `a key that cannot be read (${key.form}): ${key.why}`, exchange);
      case 'none':
        return violation(
          someKey,
          response.body.length === 0 ? 'an empty body' : 'nothing that could be a key',
          exchange,
        );
    }
  },
);

/** Why no text is a key; undefined where one may be. A key stays the same, and is in this answer only. */
async function whyNoKey(
  texts: readonly string[],
  exchange: Exchange,
  { ask }: Context,
): Promise<string | undefined> {
  const repeats = (await askTwiceMore({ ask }, auth.publicKey)).filter(
    ({ response }) => response?.status === 200,
  );
  const isIn = ({ response }: Exchange, key: string) =>
    response !== undefined && text(response).includes(key);
  const staying = texts.filter((key) => repeats.length === 0 || repeats.some((again) => isIn(again, key)));
  if (staying.length === 0) return 'only what is another in each answer, as the id of a request is';
  const elsewhere = await ask(areas.general.healthcheck);
  const own = staying.filter(
    (key) => !isIn(elsewhere, key) && !exchange.response?.headers.some(([, value]) => value.includes(key)),
  );
  return own.length === 0 ? 'only what stands in other answers or in headers too' : undefined;
}

export default areaSuite('auth', auth, ...refusedLogins, returnsKey);

// The credentials that the answer to a login grants, and how each would be sent back.

interface Granted {
  /** Cookies by name, without those that the answer deletes. */
  readonly cookies: ReadonlyMap<string, string>;
  /** Values that may be tokens, from headers and the body. */
  readonly tokens: readonly string[];
}

/**
 * Everything in an answer that could be a credential.
 * @param now ms since the epoch; a cookie that has expired by then is left out
 */
export function grantedBy(response: Response, now: number): Granted {
  const inHeaders = response.headers
    .filter(([name]) => rankOf([name]) < 2)
    .map(([, value]) => value.replace(/^Bearer +/i, ''));
  const inBody = json(response).ok ? valuesOf(response).filter(({ name }) => rankOf([name]) < 3) : [];
  const values = [...inHeaders, ...inBody.map(({ value }) => value)];
  const cookies = cookiesOf(response, now);
  return { cookies, tokens: [...new Set(values.filter((value) => isTokenLike(value, 1)))] };
}

/**
 * The credential headers of a signed-in request with a granted value in place of each: every way in which the granted
 * values could be used. Empty where none fits.
 */
export const usesOf = switchPoint(function usesOf(
  { cookies, tokens }: Granted,
  signedIn: Request,
  anonymous: Request,
): Headers[] {
  const isOwn = ([name, value]: readonly [string, string]) =>
    !anonymous.headers.some(([other, held]) => other === name && held === value);
  return signedIn.headers.filter(isOwn).flatMap(([name, value]): Headers[] => {
    if (name.toLowerCase() === 'cookie') {
      const names = value.split(';').map((pair) => pair.split('=', 1)[0]?.trim() ?? '');
      if (!names.every((each) => cookies.has(each))) return [];
      return [[[name, names.map((each) => `${each}=${cookies.get(each)}`).join('; ')]]];
    }
    const scheme = /^[A-Za-z]+ +/.exec(value)?.[0] ?? '';
    return tokens.map((token): Headers => [[name, scheme + token]]);
  });
});

// A public key in an answer, in any form that keys commonly take, since the payload is open.

type KeyFound =
  | { readonly kind: 'public' | 'private'; readonly form: string }
  | { readonly kind: 'damaged'; readonly form: string; readonly why: string }
  /** Texts long enough to be a key in a form of its own. */
  | { readonly kind: 'perhaps'; readonly texts: readonly string[] }
  /** Such a text under a name that belongs to a call (`traceId`), or nothing that could be a key. */
  | { readonly kind: 'named otherwise' | 'none' };

/** Most fields that are read of an object; a key in JSON has a dozen. */
const mostMembers = 100;

type Read = (value: string) => KeyFound | undefined;

/** The first certain finding; private material comes first, since it must not be there at all. */
export const keyIn = switchPoint(function keyIn(response: Response): KeyFound {
  const values = valuesOf(response);
  const found = [...values.map(({ value }) => keyOf(value)), derOf(Buffer.from(response.body))].filter(
    (key) => key !== undefined,
  );
  const of = (kind: KeyFound['kind']) => found.find((key) => key.kind === kind);
  const opaque = values.filter(({ value }) => typeof value === 'string' && isOpaque(value));
  const texts = opaque.filter(({ name }) => !namesCall.test(name.slice(0, longestName)));
  const sure = of('private') ?? of('public') ?? of('damaged');
  if (sure) return sure;
  if (texts.length > 0) return { kind: 'perhaps', texts: texts.map(({ value }) => String(value)) };
  return { kind: opaque.length > 0 ? 'named otherwise' : 'none' };
});

/** Matches names of values that belong to one call, or to its caller. */
const namesCall =
  /trace|request|correlation|span|session|nonce|csrf|xsrf|etag|cookie|transaction|token|checksum|digest|hash/i;
const longestName = 200;

/** The size of the shortest keys, those of Ed25519 and X25519. */
const fewestBytes = 32;

/** Whether a text encodes as many bytes as a key has. Shorter ids and hashes do not, and an id in groups is no key. */
function isOpaque(value: string): boolean {
  const bytes = bytesOf(value);
  return bytes !== undefined && bytes.length >= fewestBytes && !/^[0-9a-f]+(-[0-9a-f]+)+$/i.test(value);
}

function keyOf(value: unknown): KeyFound | undefined {
  if (typeof value === 'string') return pemOf(value) ?? sshOf(value) ?? xmlOf(value) ?? encodedOf(value);
  return isObject(value) ? jwkOf(value) : undefined;
}

function jwkOf(value: { readonly kty?: unknown; readonly d?: unknown }): KeyFound | undefined {
  const { kty, d } = value;
  const named = new Map(entriesOf(value, mostMembers).map(([name, member]) => [name.toLowerCase(), member]));
  if (typeof kty !== 'string')
    return named.has('modulus') && named.has('exponent')
      ? { kind: named.has('d') ? 'private' : 'public', form: 'modulus and exponent' }
      : undefined;
  if (typeof d === 'string' || kty === 'oct') return { kind: 'private', form: 'JWK' };
  const needed = neededOf.get(kty);
  const isKey = succeeds(() => createPublicKey({ key: value as webcrypto.JsonWebKey, format: 'jwk' }));
  if (isKey || !needed) return { kind: 'public', form: 'JWK' };
  const lacking = needed.filter((name) => typeof named.get(name) !== 'string');
  const why =
    lacking.length > 0 ? `it lacks ${lacking.join(' and ')}` : `its ${needed.join(', ')} are no key`;
  return { kind: 'damaged', form: 'JWK', why };
}

/** What a JWK of each type holds (RFC 7518, section 6; RFC 8037, section 2). */
const neededOf: ReadonlyMap<string, readonly string[]> = new Map([
  ['RSA', ['n', 'e']],
  ['EC', ['crv', 'x', 'y']],
  ['OKP', ['crv', 'x']],
]);

/** The longest label in use (RFC 7468), that of an encrypted private key, has a third of these 64 characters. */
const boundary = /-----(BEGIN|END) ([A-Z0-9 ]{1,64})-----/g;

/** The first PEM block with a BEGIN and an END line. Walks from boundary to boundary, so that each is read once. */
function blockIn(value: string): { readonly label: string; readonly body: string } | undefined {
  const begun = new Map<string, number>();
  for (const { 0: whole, 1: kind, 2: label = '', index } of value.matchAll(boundary)) {
    const start = begun.get(label);
    if (kind === 'END' && start !== undefined) return { label, body: value.slice(start, index) };
    if (kind === 'BEGIN' && start === undefined) begun.set(label, index + whole.length);
  }
  return undefined;
}

const pemOf: Read = (value) => {
  const block = blockIn(value);
  if (!block)
    return value.includes('-----BEGIN ')
      ? { kind: 'damaged', form: 'PEM', why: 'no END line ends what BEGIN began' }
      : undefined;
  const { label, body } = block;
  if (label.endsWith('PRIVATE KEY')) return { kind: 'private', form: 'PEM' };
  // Line breaks are often lost on the way into JSON, or escaped twice.
  const lines = body.replace(/\\[nr]|\s/g, '').match(/.{1,64}/g) ?? [];
  const isKey = succeeds(() =>
    createPublicKey(`-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`),
  );
  const der = Buffer.from(lines.join(''), 'base64');
  if (isKey || isWholeDer(der)) return { kind: 'public', form: 'PEM' };
  const stated = lengthOf(der);
  const why =
    stated === undefined
      ? 'what stands between its lines is no DER in base64'
      : `it has ${der.length} bytes where its DER begins with ${stated}`;
  return { kind: 'damaged', form: 'PEM', why };
};

const sshOf: Read = (value) =>
  /^(ssh-|ecdsa-sha2-|sk-)[\w@.-]+ AAAA/.test(value) ? { kind: 'public', form: 'OpenSSH' } : undefined;

const xmlOf: Read = (value) =>
  /<RSAKeyValue>/.test(value) ? { kind: /<D>/.test(value) ? 'private' : 'public', form: 'XML' } : undefined;

/** Base64, base64url or hex without anything around it. */
const encodedOf: Read = (value) => {
  const bytes = bytesOf(value);
  return bytes && derOf(bytes);
};

function bytesOf(value: string): Buffer | undefined {
  const bare = value.replace(/\\[nr]|\s/g, '');
  if (bare.length < 40 || !/^[A-Za-z0-9+/_-]+={0,2}$/.test(bare)) return undefined;
  const isHex = bare.length % 2 === 0 && /^[0-9a-f]+$/i.test(bare);
  return Buffer.from(bare, isHex ? 'hex' : 'base64');
}

/** Tries private forms first: createPublicKey also accepts a private key, and derives the public one. */
function derOf(der: Buffer): KeyFound | undefined {
  if (!isWholeDer(der)) return undefined;
  const isPrivate = (['pkcs8', 'pkcs1', 'sec1'] as const).some((type) =>
    succeeds(() => createPrivateKey({ key: der, format: 'der', type })),
  );
  if (isPrivate) return { kind: 'private', form: 'DER' };
  const isPublic = (['spki', 'pkcs1'] as const).some((type) =>
    succeeds(() => createPublicKey({ key: der, format: 'der', type })),
  );
  return isPublic ? { kind: 'public', form: 'DER' } : undefined;
}

/** Whether it is a SEQUENCE of exactly the length that it states. */
const isWholeDer = (der: Buffer): boolean => der.length === lengthOf(der);

/** The length that a SEQUENCE states, its head included; undefined where the bytes do not begin one. */
function lengthOf(der: Buffer): number | undefined {
  if (der.length < 16 || der[0] !== 0x30) return undefined;
  const short = der[1] ?? 0;
  if (short < 0x80) return short + 2;
  const octets = short & 0x7f;
  return octets > 0 && octets <= 4 ? 2 + octets + der.readUIntBE(2, octets) : undefined;
}

function succeeds(read: () => unknown): boolean {
  try {
    read();
    return true;
  } catch {
    return false;
  }
}
