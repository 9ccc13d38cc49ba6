import { createHmac, createPublicKey, generateKeyPairSync, verify, X509Certificate } from 'node:crypto';
import { expect, test } from 'vitest';
import {
  emptyKey,
  flipped,
  hasClaims,
  type Jwt,
  jwtIn,
  keyedWithPublic,
  lastsMs,
  makeOwnKey,
  swapped,
  unsigned,
  withCutSignature,
} from './forged-jwt.ts';

const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const keyed = (text: string, key: string | Buffer) =>
  createHmac('sha256', key).update(text).digest('base64url');

/** A token that is signed with a secret. */
function tokenOf(payload: unknown, header: unknown = { alg: 'HS256' }): string {
  const text = `${part(header)}.${part(payload)}`;
  return `${text}.${keyed(text, 'secret')}`;
}
const jwtOf = (payload: unknown, header?: unknown) => jwtIn(tokenOf(payload, header)) as Jwt;
const mine = jwtOf({ sub: 'me' });
const theirs = jwtOf({ sub: 'them' }, { alg: 'HS256', kid: 'k' });
const partsOf = (token: string) => token.split('.');
const headOf = (token: string) => JSON.parse(Buffer.from(partsOf(token)[0] ?? '', 'base64url').toString());

test('a signed JWT is read, and nothing else is one', () => {
  expect(mine.payload).toEqual({ sub: 'me' });
  for (const other of ['', 'word', 'a.b.c', 'e30.e30.', 'e30.W10.x', 'e30.e30.x.y', `${part(1)}.e30.x`])
    expect(jwtIn(other)).toBeUndefined();
});

test('a token has the claims that were wanted where each stands in it with that value', () => {
  expect(hasClaims(tokenOf({ exp: 5, sub: 'x' }), { exp: 5 })).toBe(true);
  expect(hasClaims(tokenOf({ exp: 6 }), { exp: 5 })).toBe(false);
  expect(hasClaims('opaque', { exp: 5 })).toBe(false);
});

test('a flip changes one bit in the middle of the signature, and nothing else', () => {
  const [{ token } = { token: '' }] = flipped(mine);
  const [head, body, signature = ''] = partsOf(token);
  expect([head, body]).toEqual(mine.parts.slice(0, 2));
  const [before, after] = [mine.parts[2], signature].map((each) => Buffer.from(each, 'base64url'));
  const changed = [...(before ?? [])].flatMap((byte, at) =>
    byte === after?.[at] ? [] : [[at, byte ^ (after?.[at] ?? 0)]],
  );
  expect(changed).toEqual([[16, 1]]);
});

test('signatures are left out, cut and taken from another token', () => {
  const [head, body, signature] = theirs.parts;
  expect(withCutSignature(theirs).map(({ token }) => token)).toEqual([
    `${head}.${body}.`,
    `${head}.${body}`,
    `${head}.${body}.${signature.slice(0, 21)}`,
  ]);
  expect(swapped(mine, theirs).map(({ token }) => token)).toEqual([
    `${mine.parts[0]}.${body}.${mine.parts[2]}`,
  ]);
});

test('alg none is written in four spellings, with a signature and without', () => {
  const forged = unsigned(theirs).map(({ token }) => token);
  expect(forged.map(headOf)).toEqual(
    ['none', 'none', 'None', 'None', 'NONE', 'NONE', 'nOnE', 'nOnE'].map((alg) => ({ alg, kid: 'k' })),
  );
  expect(forged.map((token) => partsOf(token)[2])).toEqual(
    Array.from({ length: 4 }, () => ['', theirs.parts[2]]).flat(),
  );
});

test('the key that kid leads to is empty', () => {
  for (const { token } of emptyKey(theirs)) {
    expect(headOf(token).kid).toMatch(/dev\/null$/);
    const [head, body, signature] = partsOf(token);
    expect(signature).toBe(keyed(`${head}.${body}`, Buffer.alloc(0)));
  }
});

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey;
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey;
const pem = rsa.export({ type: 'spki', format: 'pem' }).toString();
const jwk = ec.export({ format: 'jwk' });

/** The secrets among these that some forged token is signed with. */
const usedOf = (published: string, secrets: readonly (string | Buffer)[]) => {
  const forged = keyedWithPublic(mine, published).map(({ token }) => partsOf(token));
  return secrets.map((secret) =>
    forged.some(([head, body, signature]) => signature === keyed(`${head}.${body}`, secret)),
  );
};

test.each<[string, string, readonly (string | Buffer)[]]>([
  [
    'PEM in JSON',
    JSON.stringify({ publicKey: pem }),
    [
      pem,
      pem.trim(),
      rsa.export({ type: 'spki', format: 'der' }),
      rsa.export({ type: 'pkcs1', format: 'pem' }),
      rsa.export({ type: 'pkcs1', format: 'der' }),
    ],
  ],
  ['PEM as text', pem, [pem, pem.trim()]],
  ['DER in base64', JSON.stringify([rsa.export({ type: 'spki', format: 'der' }).toString('base64')]), [pem]],
  [
    'a JWK set',
    JSON.stringify({ keys: [jwk] }),
    [
      JSON.stringify(jwk),
      ec.export({ type: 'spki', format: 'pem' }),
      ec.export({ type: 'spki', format: 'der' }),
    ],
  ],
])('of %s every form of the key is a secret', (_, published, secrets) => {
  expect(usedOf(published, secrets)).toEqual(secrets.map(() => true));
});

test('what is no key makes no token', () => {
  expect(keyedWithPublic(mine, '{"version":"8.0","nested":[{"a":null},7]}')).toEqual([]);
  expect(keyedWithPublic(mine, '{"kty":"EC"}').map(({ what }) => what)).toEqual([
    'HS256 with the public key as its secret (JWK)',
  ]);
});

test.each([
  ['HS256', 'ES256'],
  ['RS256', 'RS256'],
])('an own key beside %s is one of %s, in jwk, x5c and jku', async (alg, signing) => {
  const jwt = jwtOf({ sub: 'them' }, { alg });
  const own = await makeOwnKey(jwt);
  const url = 'http://127.0.0.1:1/keys.json';
  const tokens = [own.inJwk(jwt), own.inX5c(jwt), own.atJku(jwt, url)].flat().map(({ token }) => token);
  const [inJwk, inX5c, atJku] = tokens.map(headOf);
  const served = JSON.parse(own.jwks).keys[0];
  expect([inJwk.alg, inJwk.jwk, atJku.jku]).toEqual([signing, served, url]);
  const key = createPublicKey({ key: served, format: 'jwk' });
  expect(new X509Certificate(Buffer.from(inX5c.x5c[0], 'base64')).publicKey.equals(key)).toBe(true);
  for (const token of tokens) {
    const [head, body, signature = ''] = partsOf(token);
    const how = { key, dsaEncoding: 'ieee-p1363' } as const;
    expect(verify('sha256', Buffer.from(`${head}.${body}`), how, Buffer.from(signature, 'base64url'))).toBe(
      true,
    );
    expect(body).toBe(jwt.parts[1]);
  }
});

test('a session says how long it lasts: as a JWT, or in the answer that gave it', () => {
  const stated = [{ name: 'expiresIn', value: 3 }];
  expect(lastsMs(jwtOf({ exp: 110, iat: 100 }), stated, 0)).toBe(10_000);
  expect(lastsMs(jwtOf({ exp: 110 }), stated, 100_000)).toBe(10_000);
  expect(lastsMs(jwtOf({ sub: 'x' }), stated, 0)).toBe(3_000);
  expect(
    lastsMs(
      undefined,
      [
        { name: 'expires_in', value: '3' },
        { name: 'expiresAt', value: 3 },
      ],
      0,
    ),
  ).toBeUndefined();
});
