// Reads JSON Web Tokens (RFC 7519), and forges some that a target which verifies them must refuse.
import {
  createHmac,
  createPublicKey,
  generateKeyPair,
  type JsonWebKeyInput,
  type KeyObject,
  sign,
} from 'node:crypto';
import { promisify } from 'node:util';
import { makeCertificate } from '../values/certificate.ts';
import { entriesOf, isNested, isObject, parsedJson } from '../values/json-walk.ts';

type Claims = Readonly<Record<string, unknown>>;

export interface Jwt {
  readonly header: Claims;
  readonly payload: Claims;
  /** Header, payload and signature as they stand. */
  readonly parts: readonly [string, string, string];
}

/** The token, where it is a signed JWT; else undefined. */
export function jwtIn(token: string): Jwt | undefined {
  const [head = '', body = '', signature = '', ...more] = token.split('.');
  const [header, payload] = [claimsIn(head), claimsIn(body)];
  if (header === undefined || payload === undefined || signature === '' || more.length > 0) return undefined;
  return { header, payload, parts: [head, body, signature] };
}

/** The members of one part of a JWT; undefined where it is no JSON object. */
export function claimsIn(part: string): Claims | undefined {
  const value = parsedJson(Buffer.from(part, 'base64url').toString());
  return isObject(value) ? value : undefined;
}

/** Whether a token carries these claims; a command that makes tokens may ignore them. */
export const hasClaims = (token: string, claims: Claims): boolean => {
  const payload = jwtIn(token)?.payload;
  return Object.entries(claims).every(([name, value]) => payload?.[name] === value);
};

export interface Forgery {
  /** How it was made, in words. */
  readonly what: string;
  readonly token: string;
}

/** A header or a payload as it stands in a token. */
export const jwtPart = (value: Claims) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Flips one bit in the middle byte of the signature: the bits of the last letter may be unused. */
export function flipped({ parts: [head, body, signature] }: Jwt): Forgery[] {
  const bytes = Buffer.from(signature, 'base64url');
  const middle = bytes.length >> 1;
  bytes[middle] = (bytes[middle] ?? 0) ^ 1;
  return [
    { what: 'one bit of its signature changed', token: `${head}.${body}.${bytes.toString('base64url')}` },
  ];
}

/** Without its signature, or with a part of it. */
export const withCutSignature = ({ parts: [head, body, signature] }: Jwt): Forgery[] => [
  { what: 'an empty signature', token: `${head}.${body}.` },
  { what: 'no signature', token: `${head}.${body}` },
  { what: 'half of its signature', token: `${head}.${body}.${signature.slice(0, signature.length >> 1)}` },
];

/** The payload of another token under the header and the signature of this one. */
export const swapped = (own: Jwt, { parts: [, body] }: Jwt): Forgery[] => [
  { what: "its payload under another token's signature", token: `${own.parts[0]}.${body}.${own.parts[2]}` },
];

export const unsigned = ({ header, parts: [, body, signature] }: Jwt): Forgery[] =>
  ['none', 'None', 'NONE', 'nOnE'].flatMap((alg) => {
    const head = jwtPart({ ...header, alg });
    return [
      { what: `alg ${alg} and no signature`, token: `${head}.${body}.` },
      { what: `alg ${alg} and the old signature`, token: `${head}.${body}.${signature}` },
    ];
  });

function keyed(what: string, header: Claims, { parts: [, body] }: Jwt, key: string | Buffer): Forgery {
  const text = `${jwtPart({ ...header, alg: 'HS256' })}.${body}`;
  return { what, token: `${text}.${createHmac('sha256', key).update(text).digest('base64url')}` };
}

/** Signed with an empty key, for targets that read the key from the file in `kid`: /dev/null is empty everywhere. */
export const emptyKey = (jwt: Jwt): Forgery[] =>
  ['../../../../../../../../dev/null', '/dev/null'].map((kid) =>
    keyed(`kid ${kid} and the empty key`, { ...jwt.header, kid }, jwt, Buffer.alloc(0)),
  );

const mostKeys = 16;
const deepest = 6;

/**
 * HS256 with the target's public key as the secret.
 * @param published what the target answers where it publishes its key, as JSON or as text
 */
export function keyedWithPublic(jwt: Jwt, published: string): Forgery[] {
  const made = new Map<string, Forgery>();
  for (const [what, key] of keysIn(published)) {
    const forged = keyed(`HS256 with the public key as its secret (${what})`, jwt.header, jwt, key);
    if (made.size < mostKeys && !made.has(forged.token)) made.set(forged.token, forged);
  }
  return [...made.values()];
}

type Written = readonly [what: string, key: string | Buffer];

function* keysIn(published: string): Generator<Written> {
  yield* keysOf(parsedJson(published) ?? published, deepest);
}

function* keysOf(value: unknown, depth: number): Generator<Written> {
  if (typeof value === 'string') {
    const isPem = value.includes('-----BEGIN ');
    if (isPem) {
      yield ['PEM as it is served', value];
      yield ['PEM', value.trim()];
    }
    yield* formsOf(() =>
      isPem
        ? createPublicKey(value)
        : createPublicKey({ key: Buffer.from(value, 'base64'), format: 'der', type: 'spki' }),
    );
    return;
  }
  if (!isNested(value) || depth === 0) return;
  if ('kty' in value) {
    yield ['JWK', JSON.stringify(value)];
    yield* formsOf(() => createPublicKey({ key: value, format: 'jwk' } as JsonWebKeyInput));
  }
  for (const [, each] of entriesOf(value, mostKeys)) yield* keysOf(each, depth - 1);
}

function* formsOf(read: () => KeyObject): Generator<Written> {
  let key: KeyObject;
  try {
    key = read();
  } catch {
    return;
  }
  const types = key.asymmetricKeyType === 'rsa' ? (['spki', 'pkcs1'] as const) : (['spki'] as const);
  for (const type of types) {
    const pem = key.export({ type, format: 'pem' }).toString();
    yield [`${type} as PEM`, pem];
    yield [`${type} as PEM without its last line break`, pem.trim()];
    yield [`${type} as DER`, key.export({ type, format: 'der' })];
  }
}

/** A key pair of our own, and tokens signed with it that carry the public key in each possible place. */
export interface OwnKey {
  /** The key set, for a listener to serve. */
  readonly jwks: string;
  readonly inJwk: (jwt: Jwt) => Forgery[];
  readonly inX5c: (jwt: Jwt) => Forgery[];
  /** @param url where the key set is served */
  readonly atJku: (jwt: Jwt, url: string) => Forgery[];
}

const keyId = 'assay';

/** @param like a token that the target takes: the key is of its kind, RSA or P-256 */
export async function makeOwnKey({ header: { alg } }: Jwt): Promise<OwnKey> {
  const isRsa = /^[RP]S/.test(String(alg));
  const keys = isRsa
    ? await promisify(generateKeyPair)('rsa', { modulusLength: 2048 })
    : await promisify(generateKeyPair)('ec', { namedCurve: 'P-256' });
  const signing = isRsa ? 'RS256' : 'ES256';
  const jwk = { ...keys.publicKey.export({ format: 'jwk' }), kid: keyId, alg: signing, use: 'sig' };
  const signed = (what: string, { header, parts: [, body] }: Jwt, more: Claims): Forgery[] => {
    const text = `${jwtPart({ ...header, ...more, alg: signing })}.${body}`;
    const signature = sign('sha256', Buffer.from(text), { key: keys.privateKey, dsaEncoding: 'ieee-p1363' });
    return [{ what, token: `${text}.${signature.toString('base64url')}` }];
  };
  return {
    jwks: JSON.stringify({ keys: [jwk] }),
    inJwk: (jwt) => signed('a key of its own in jwk', jwt, { jwk, kid: keyId }),
    inX5c(jwt) {
      const { cert } = makeCertificate('127.0.0.1', Date.now(), 'localhost', keys);
      return signed('a certificate of its own in x5c', jwt, {
        x5c: [cert.replace(/-----[^-]+-----|\s/g, '')],
      });
    },
    atJku: (jwt, jku) => signed('the address of a key of its own in jku', jwt, { jku, kid: keyId }),
  };
}

const statedLength = /^expires?_?in$/i;

/**
 * How long a session lasts, in ms, as its JWT or the login's answer states; undefined where neither does.
 * @param leaves members of that answer
 */
export function lastsMs(
  jwt: Jwt | undefined,
  leaves: readonly { readonly name: string; readonly value: unknown }[],
  now: number,
): number | undefined {
  const { exp, iat } = jwt?.payload ?? {};
  if (typeof exp === 'number') return 1_000 * exp - (typeof iat === 'number' ? 1_000 * iat : now);
  const stated = leaves.find(({ name, value }) => statedLength.test(name) && typeof value === 'number');
  return stated && 1_000 * Number(stated.value);
}
